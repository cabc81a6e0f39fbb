"""The train/validation split: which accepted problems are held out to measure training.

Example: of 200 library-bound problems in 30 families, all 21 of three families are held out (training contains neither
their stories nor their rules), and 20 problems of the others (training contains the families, but not these names and
facts).

Problems of one group stay together. Groups are ordered by a hash of seed and name, so an added problem moves no other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pfe.config import Benchmark, HoldOut
from pfe.files import read_record, write_record
from pfe.problem import Domain, Problem

_MOST = 0.2  # largest share of the groups of a set's library-bound problems, or of its plain ones, held out as worlds
_OF_GROUP = 3  # problems asked per group: more of one world add little
_HASHES, _BENCHMARKS, _LEFT_OUT = "problems.json", "benchmarks.json", "families.json"


@dataclass(frozen=True)
class SetParts:
    """The split of one set: problems to train on, problems in new worlds of trained families, and of held-out families.

    `left_out` names the held-out families, to which the problems in `families` belong.
    """

    training: tuple[Problem, ...]
    worlds: tuple[Problem, ...]
    families: tuple[Problem, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class HeldOut:
    """The held-out problems by set, and the benchmarks that ask each domain.

    `left_out` are the held-out families, as set/family. `files` are the SHA-256 of the files of accepted problems that
    the corpus and the held-out problems come from, by name.
    """

    worlds: Mapping[str, tuple[Problem, ...]]
    families: Mapping[str, tuple[Problem, ...]]
    left_out: tuple[str, ...]
    benchmarks: Mapping[Domain, Benchmark]
    files: Mapping[str, str]


def hold_out(problems: Sequence[Problem], asked: HoldOut, seed: int) -> SetParts:
    """Split the problems of one set into training and held-out problems.

    Held-out worlds are library-bound and plain problems, `asked.problems` of each kind and from at most a fifth of
    their groups. Held-out families are a share of the library-bound families of each skill that has several; half as
    many of their problems are asked. The rest of these groups and families is used for neither.
    """
    skills = {problem.family: problem.skill for problem in problems if problem.library_bound}
    kept = set(_of_every_skill(skills, asked.families, seed)) if asked.problems else set()
    families = [problem for problem in problems if problem.library_bound and problem.family in kept]
    left = [problem for problem in problems if not (problem.library_bound and problem.family in kept)]
    worlds = [problem for bound in (True, False) for problem in _worlds(left, bound, asked.problems, seed)]
    groups = {_group(problem) for problem in (*families, *worlds)}
    return SetParts(
        training=tuple(problem for problem in left if _group(problem) not in groups),
        worlds=tuple(worlds),
        families=tuple(drawn(families, -(-asked.problems // 2), seed)),
        left_out=tuple(sorted(kept)),
    )


def drawn(problems: Sequence[Problem], most: int, seed: int) -> Iterator[Problem]:
    """Yield at most `most` problems, a few of each group in random order; a smaller sample is part of a larger one."""
    groups = _groups(problems)
    for name in _by_lot(groups, seed):
        of_group = groups[name][: min(_OF_GROUP, most)]
        most -= len(of_group)
        yield from of_group


def write_held_out(folder: Path, held_out: HeldOut) -> None:
    """Write the held-out problems, a Parquet file for each set and kind, and the benchmarks that ask them as JSON."""
    for kind, by_set in (("worlds", held_out.worlds), ("families", held_out.families)):
        (folder / kind).mkdir()
        for name, problems in by_set.items():
            Problem.write(problems, folder / kind / f"{name}.parquet")
    write_record(folder / _BENCHMARKS, dict(held_out.benchmarks), dict[Domain, Benchmark])
    write_record(folder / _LEFT_OUT, list(held_out.left_out), list[str])
    write_record(folder / _HASHES, dict(held_out.files), dict[str, str])


def read_held_out(folder: Path) -> HeldOut:
    """Read the held-out problems that `write_held_out` wrote.

    Raises:
        UserError: a file is missing or damaged.
    """
    files = read_record(folder / _HASHES, dict[str, str])
    names = [Path(name).stem for name in files]
    worlds, families = (
        {name: tuple(Problem.read(folder / kind / f"{name}.parquet")) for name in names}
        for kind in ("worlds", "families")
    )
    left_out = tuple(read_record(folder / _LEFT_OUT, list[str]))
    return HeldOut(worlds, families, left_out, read_record(folder / _BENCHMARKS, dict[Domain, Benchmark]), files)


def _of_every_skill(skills: Mapping[str, str], share: float, seed: int) -> Iterator[str]:
    """Yield a share of the families of each skill: at least one if the skill has several, none if it has one."""
    by_skill: dict[str, list[str]] = {}
    for name in sorted(skills, key=lambda name: _lot(seed, "family", name)):
        by_skill.setdefault(skills[name], []).append(name)
    for names in by_skill.values():
        most = max(1, round(share * len(names))) if share else 0
        yield from names[: min(most, len(names) - 1)]


def _worlds(problems: Sequence[Problem], bound: bool, count: int, seed: int) -> Iterator[Problem]:
    groups = _groups(problem for problem in problems if problem.library_bound is bound)
    few = _by_lot(groups, seed)[: int(_MOST * len(groups))]
    return drawn([problem for name in few for problem in groups[name]], count, seed)


def _groups(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(_group(problem), []).append(problem)
    return groups


def _by_lot(groups: Iterable[str], seed: int) -> list[str]:
    return sorted(groups, key=lambda name: _lot(seed, "group", name))


def _group(problem: Problem) -> str:
    return problem.group or problem.id


def _lot(seed: int, *words: str) -> bytes:
    return sha256(":".join((str(seed), *words)).encode()).digest()

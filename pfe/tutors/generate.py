"""Candidates for one synthetic set: its families in turn, by weight, no text twice behind one library.

Example: `candidates("gsm1k_synth", count=1300, seed=0, library_bound=0.4)` takes 520 problems from the families whose
problems need their library, and the others from the rest; of families of one weight problem 0 of each comes first,
then problem 1. Problems about one world come one after the other.
"""

from collections.abc import Sequence
from pathlib import Path

from pfe.errors import UserError, nearest
from pfe.problem import Problem
from pfe.progress import progress
from pfe.tutors.family import BoundFamily, Family, families_of, problem_id, remake, synthetic_sets

CANDIDATES = Path("data/candidates")
_PATIENCE = 200


def candidates(set: str, count: int, seed: int, library_bound: float, lookup: float | None = None) -> list[Problem]:
    """At most `count` problems, no text twice behind one library; fewer where the families run dry.

    A family that gives nothing new `_PATIENCE` times running has run dry.

    Args:
        set: the synthetic set.
        count: how many are wanted.
        seed: of the experiment.
        library_bound: the share of them, 0 to 1, that need their library, where the set has both kinds of families.
        lookup: the share of these, 0 to 1, that one entry answers, where the set has both kinds; None by weights alone.

    Raises:
        UserError: there is no such set.
    """
    by_text: dict[str, Problem] = {}
    shares = _shares(list(families_of(set).values()), library_bound, lookup)
    indexes, failures = dict.fromkeys(shares, 0), dict.fromkeys(shares, 0)
    bound = 0
    with progress(count, f"writing {set}", "problem") as done:
        while indexes and len(by_text) < count:
            before = len(by_text)
            wants_library = bound < library_bound * before
            of_kind = [family for family in indexes if family.library_bound == wants_library] or list(indexes)
            family = min(of_kind, key=lambda family: indexes[family] / shares[family])
            for _ in range(min(family.asked, count - before)):
                problem = family.make(seed, indexes[family])
                indexes[family] += 1
                text = "\n".join((problem.text, *problem.library, *problem.functions))
                failures[family] = failures[family] + 1 if text in by_text else 0
                bound += family.library_bound and text not in by_text
                by_text.setdefault(text, problem)
            if failures[family] >= _PATIENCE:
                del indexes[family]
            done(len(by_text) - before)
    return list(by_text.values())


def find(id: str) -> Problem:
    """The problem of an id: made again where a family made it, looked up among the candidates where a tutor wrote it.

    Raises:
        UserError: the id is none, or nobody has made or written such a problem.
    """
    parts = problem_id(id)
    if parts.set not in synthetic_sets() or parts.maker in families_of(parts.set):
        return remake(id)
    path = CANDIDATES / f"{parts.set}.parquet"
    written = Problem.stream(path) if path.is_file() else ()
    for problem in written:
        if problem.id == id:
            return problem
    near = nearest(parts.maker, families_of(parts.set))
    family = f"'{parts.maker}' is no family of {parts.set}{f', {near}' if near.startswith('did') else ''}"
    there = f"{path} holds none of this id" if path.is_file() else f"{path} is not there: `dvc repro generate` makes it"
    raise UserError(f"{id}: {family}; what a tutor wrote is looked up, and {there}")


def filled(
    written: Sequence[Problem], set: str, count: int, seed: int, library_bound: float, lookup: float | None = None
) -> list[Problem]:
    """What tutors wrote, and behind it what the families make in the place of what is missing to `count`.

    Of all together the share `library_bound` needs its library, as far as what the families make allows it: what
    tutors write needs none. Of these the share `lookup` is answered by one entry, as `candidates` has it.

    Raises:
        UserError: there is no such set.
    """
    distinct = list({problem.text: problem for problem in reversed(written)}.values())[::-1]
    rest = max(0, count - len(distinct))
    share = min(1.0, library_bound * count / rest) if rest else 0.0
    return [*distinct, *candidates(set, rest, seed, share, lookup)]


def _shares(families: Sequence[Family], library_bound: float, lookup: float | None) -> dict[Family, float]:
    """The share of each family that makes any problems: by its weight among those of its kind."""
    bound, plain = ([one for one in families if one.library_bound is kind] for kind in (True, False))
    of_one_entry = [one for one in bound if isinstance(one, BoundFamily) and one.skill == "lookup"]
    others = [one for one in bound if one not in of_one_entry]
    of_bound = library_bound if plain else 1.0
    if lookup is None or not (of_one_entry and others):
        shares = _by_weight(bound, of_bound)
    else:
        shares = _by_weight(of_one_entry, lookup * of_bound) | _by_weight(others, (1 - lookup) * of_bound)
    shares |= _by_weight(plain, 1 - library_bound if bound else 1.0)
    return {family: shares[family] for family in families if shares[family]}


def _by_weight(families: Sequence[Family], share: float) -> dict[Family, float]:
    total = sum(family.weight for family in families)
    return {family: share * family.weight / total for family in families}

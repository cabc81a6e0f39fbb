"""The canonical problems and files that a user names for a comparison; each file is read in full or reported.

Example: `canonical_side("../shared/canonical", settings.benchmark)` holds the problems of every file there. Files of a
benchmark that is known by name and split are read by the benchmark's reader, all others by `rows`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from pfe.canonical.seal import SEAL, read_sealed, sealed_names, sha256_of
from pfe.canonical.sources import hub_errors_with, load, split_file
from pfe.config import Benchmark, Canonical
from pfe.errors import UserError, nearest, nearest_file
from pfe.firewall.tokens import tokenize
from pfe.problem import Problem
from pfe.resources import resource
from pfe.rows.files import data_files, files_left_out, format_of
from pfe.rows.files import problems as rows_of
from pfe.rows.hub import local
from pfe.rows.listing import listed
from pfe.rows.row import Unreadable

SAMPLE = "sample"


@dataclass(frozen=True)
class Source:
    """One file of a comparison: the number of its rows that were compared, and the SHA-256 of its bytes.

    For a benchmark from the hub, it is the SHA-256 of the problems.
    """

    path: Path
    rows: int
    sha256: str


@dataclass(frozen=True)
class Side:
    """The canonical side: its problems, the files that they come from, and the files that were left out."""

    problems: tuple[Problem, ...]
    sources: tuple[Source, ...]
    left_out: tuple[Path, ...] = ()


def canonical_side(name: str, benchmarks: Mapping[str, Benchmark], leave_out: Sequence[str] = ()) -> Side:
    """Return every problem of a sealed folder, a folder of benchmarks, files with one text per row, or the hub.

    Args:
        name: the path of any of these; `sample`, our own problems for every published benchmark, or `sample/gsm1k`,
            those for one; a benchmark of conf/benchmark, which is loaded as published; or the name of another data set
            on the hub.

    Raises:
        UserError: a file is not a data file or has no problem; a row cannot be read, has no word, or does not fit its
            benchmark; a seal is broken; or a sealed folder also contains files that are not sealed.
    """
    left_out: list[Path] = []
    if name in benchmarks and not Path(name).exists():
        benchmark = _here(benchmarks[name])
        source = benchmark.path or f"{benchmark.hub}@{benchmark.revision}"
        with hub_errors_with(f"--against FOLDER, or --against sample/{name} for our own problems"):
            files = {Path(source): load(name, benchmark, Canonical("hub", "-"))}
    elif name.partition("/")[0] == SAMPLE and not Path(name).exists():
        files = _sample(name, benchmarks)
    elif not (against := local(name)).exists():
        hint = nearest_file(against) or nearest(name, [*benchmarks, SAMPLE])
        raise UserError(f"{name}: no such file or folder, nor a benchmark of that name; {hint}")
    elif (against / SEAL).exists():
        files = _sealed(against)
    else:
        left_out = files_left_out([against], leave_out)
        files = {path: _problems(path, against, benchmarks) for path in _files_below(against, leave_out)}
    for path, problems in files.items():
        if not problems:
            raise UserError(f"{path}: no problem in it, so nothing would be compared with it; mend or remove it")
        if silent := listed((p.id, ": no word") for p in problems if not any(map(tokenize, p.parts))):
            raise UserError(f"{path}: {silent}; nothing can be compared with that; complete it, or remove the row")
    ids = Counter(problem.id for problems in files.values() for problem in problems)
    files = {path: [_distinct(p, path, ids, row) for row, p in enumerate(problems)] for path, problems in files.items()}
    sources = tuple(
        Source(path, len(rows), sha256_of(path) if path.is_file() else _sha256(rows)) for path, rows in files.items()
    )
    every = tuple(problem for problems in files.values() for problem in problems)
    return Side(every, sources, tuple(left_out))


def _distinct(problem: Problem, path: Path, ids: Counter[str], row: int) -> Problem:
    """Return the problem, with file and row added to its id if others have the same: findings refer to it by id."""
    return problem if ids[problem.id] == 1 else replace(problem, id=f"{problem.id} ({path}, row {row})")


def _sha256(problems: Sequence[Problem]) -> str:
    return sha256("\n".join(map(repr, problems)).encode("utf-8", "surrogatepass")).hexdigest()


def _sealed(folder: Path) -> dict[Path, list[Problem]]:
    names = sealed_names(folder)
    if not names:
        raise UserError(f"{folder / SEAL}: nothing is sealed; run `dvc repro canonical`")
    sealed = {folder / SEAL, *(folder / f"{name}.parquet" for name in names)}
    if strange := sorted(path for path in folder.rglob("*") if path not in sealed):
        raise UserError(f"{strange[0]}: not under the seal of {folder}, and nothing may go unread; name it by itself")
    return {folder / f"{name}.parquet": read_sealed(name, folder) for name in names}


def _sample(name: str, benchmarks: Mapping[str, Benchmark]) -> dict[Path, list[Problem]]:
    """Load our own problems, which come with PFE, for the benchmark after `sample/`, or for all published ones.

    Those of `invented` are not among all: they represent no published benchmark, and their libraries take minutes to
    embed.
    """
    folder = resource("data/sample")
    benchmark = name.partition("/")[2]
    if benchmark not in ("", *benchmarks):
        raise UserError(f"{name}: no benchmark of the sample; {nearest(benchmark, benchmarks)}")
    published = [key for key, entry in benchmarks.items() if entry.published]
    sides = {key: _here(benchmarks[key]) for key in ([benchmark] if benchmark else published)}
    return {
        Path(entry.path or split_file(folder / key, entry.split) or folder / key): load(
            key, entry, Canonical("sample", str(folder))
        )
        for key, entry in sides.items()
    }


def _here(benchmark: Benchmark) -> Benchmark:
    """Return the benchmark; if its path does not exist in this folder, with the path of PFE's own copy."""
    if benchmark.path is None or Path(benchmark.path).exists():
        return benchmark
    return replace(benchmark, path=str(resource(benchmark.path)))


def _files_below(against: Path, leave_out: Sequence[str]) -> list[Path]:
    if against.is_dir() and (sealed := next(against.rglob(SEAL), None)):
        raise UserError(f"{against}: holds the sealed folder {sealed.parent} and more; give that one")
    return data_files([against], leave_out)


def _problems(path: Path, against: Path, benchmarks: Mapping[str, Benchmark]) -> list[Problem]:
    for name, benchmark in benchmarks.items():
        if path == split_file(against / name, benchmark.split):
            return load(name, replace(benchmark, path=str(path)), Canonical("files", str(against)))
    rows = list(rows_of(path))
    if wrong := [(row.place, f": {row.problem.why}") for row in rows if isinstance(row.problem, Unreadable)]:
        told = listed(wrong, format_of(path).unit)
        raise UserError(f"{path}, {told}; every canonical problem must be readable")
    return [row.problem for row in rows if isinstance(row.problem, Problem)]

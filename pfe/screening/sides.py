"""The two sides of a comparison that a user names, each file with its rows and its hash; nothing goes unread.

Example: `canonical_side(Path("../shared/canonical"), settings.benchmark)` holds the problems of every file there: those
of the benchmarks that are known by name and split as their readers read them, all others as `rows` does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import file_digest
from pathlib import Path

from pfe.canonical.seal import read_sealed, sealed_names
from pfe.canonical.sources import load
from pfe.config import Benchmark, Canonical
from pfe.errors import UserError
from pfe.firewall.tokens import tokenize
from pfe.problem import Problem
from pfe.screening.rows import Unreadable
from pfe.screening.shards import data_files, files_left_out, read, split

SEAL = "SEAL.json"


@dataclass(frozen=True)
class Source:
    """One file of a comparison: how many rows of it were compared, and the SHA-256 of its bytes."""

    path: Path
    rows: int
    sha256: str


@dataclass(frozen=True)
class Side:
    """The canonical side: its problems, the files that they come from, and those that were left out."""

    problems: tuple[Problem, ...]
    sources: tuple[Source, ...]
    left_out: tuple[Path, ...] = ()


def canonical_side(against: Path, benchmarks: Mapping[str, Benchmark], leave_out: Sequence[str] = ()) -> Side:
    """Every problem of a sealed folder, of a folder of benchmarks, or of files with a text a row.

    Raises:
        UserError: a file is no data file or holds no problem, a row cannot be read, has no word, or is none of its
            benchmark, a seal is broken, or a sealed folder holds more than what is sealed.
    """
    left_out: list[Path] = []
    if (against / SEAL).exists():
        files = _sealed(against)
    else:
        left_out = files_left_out([against], leave_out)
        files = {path: _problems(path, against, benchmarks) for path in _named(against, leave_out)}
    for path, problems in files.items():
        if not problems:
            raise UserError(f"{path}: no problem in it, so nothing would be compared with it; mend or remove it")
        if silent := next((problem for problem in problems if not any(map(tokenize, problem.parts))), None):
            raise UserError(f"{path}: {silent.id} has no word, and nothing can be compared with it; complete it")
    sources = tuple(Source(path, len(problems), sha256_of(path)) for path, problems in files.items())
    every = tuple(problem for problems in files.values() for problem in problems)
    return Side(every, sources, tuple(left_out))


def sha256_of(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _sealed(folder: Path) -> dict[Path, list[Problem]]:
    names = sealed_names(folder)
    if not names:
        raise UserError(f"{folder / SEAL}: nothing is sealed; run `dvc repro canonical`")
    known = {folder / SEAL, *(folder / f"{name}.parquet" for name in names)}
    if strange := sorted(path for path in folder.rglob("*") if path not in known):
        raise UserError(f"{strange[0]}: not under the seal of {folder}, and nothing may go unread; name it by itself")
    return {folder / f"{name}.parquet": read_sealed(name, folder) for name in names}


def _named(against: Path, leave_out: Sequence[str]) -> list[Path]:
    if against.is_dir() and (sealed := next(against.rglob(SEAL), None)):
        raise UserError(f"{against}: holds the sealed folder {sealed.parent} and more; give that one")
    return data_files([against], leave_out)


def _problems(path: Path, against: Path, benchmarks: Mapping[str, Benchmark]) -> list[Problem]:
    for name, benchmark in benchmarks.items():
        if path == _of_benchmark(against / name, benchmark.split):
            return load(name, replace(benchmark, path=str(path)), Canonical("files", str(against)))
    rows = [row for shard in split([path]) for batch in read(shard) for row in batch]
    for row in rows:
        if isinstance(row, Unreadable):
            raise UserError(f"{path}: {row.id}: {row.why}; every canonical problem must be readable")
    return [row for row in rows if isinstance(row, Problem)]


def _of_benchmark(folder: Path, split: str) -> Path | None:
    paths = (folder / f"{split}{suffix}" for suffix in (".jsonl", ".jsonl.gz"))
    return next((path for path in paths if path.is_file()), None)

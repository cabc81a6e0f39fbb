"""The seal: a record of the canonical benchmarks when they were loaded, and the check that they have not changed.

Example, data/canonical/SEAL.json:
    {"arc_easy": {"rows": 48, "sha256": "9f2c…", "source": "sample", "revision": null, ...}, ...}
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path

from pfe.config import Benchmark, Canonical
from pfe.errors import UserError, nearest
from pfe.files import replacing_folder, write_json
from pfe.problem import Problem

FOLDER = Path("data/canonical")
SHOTS = Path("data/shots")
SEAL = "SEAL.json"


@dataclass(frozen=True)
class Seal:
    """The state of one benchmark when it was sealed; `sha256` is the hash of its Parquet file."""

    rows: int
    sha256: str
    source: str
    revision: str | None


def write_sealed(
    benchmarks: Mapping[str, list[Problem]],
    settings: Mapping[str, Benchmark],
    canonical: Canonical,
    folder: Path = FOLDER,
) -> dict[str, Seal]:
    """Write one Parquet file per benchmark and SEAL.json, either all of it or nothing.

    The shots of the arm `reference` are sealed in the same way in a folder of their own, `SHOTS`: they are not
    canonical problems, and neither the firewall nor training uses them.
    """
    seals = {}
    with replacing_folder(folder) as temporary:
        for name, problems in benchmarks.items():
            path = temporary / f"{name}.parquet"
            Problem.write(problems, path)
            benchmark = settings[name]
            hub = canonical.source == "hub" and benchmark.path is None
            source = benchmark.path or (str(benchmark.hub) if hub else canonical.path)
            seals[name] = Seal(len(problems), sha256_of(path), source, benchmark.revision if hub else None)
        write_json(temporary / SEAL, {name: asdict(seal) for name, seal in seals.items()})
    return seals


def read_sealed(name: str, folder: Path = FOLDER) -> list[Problem]:
    """Return the problems of one benchmark, exactly as they were sealed.

    Raises:
        UserError: there is no seal, the benchmark is not under it, or seal and file differ.
    """
    seal = _seal_of(name, folder)
    path = folder / f"{name}.parquet"
    try:
        actual = sha256_of(path)
    except FileNotFoundError:
        raise UserError(f"{path}: sealed, but gone; run `dvc repro canonical` to load it again") from None
    if actual != seal.sha256:
        raise _differ(path, f"sha256 {seal.sha256}", f"sha256 {actual}")
    problems = Problem.read(path)
    if len(problems) != seal.rows:
        raise _differ(path, f"{seal.rows} rows", f"{len(problems)} rows")
    return problems


def read_shots(name: str, folder: Path = SHOTS) -> list[Problem]:
    """Return the solved problems that a benchmark's shots are sampled from; none if its source had none.

    Raises:
        UserError: there is no seal, or a byte has changed.
    """
    return read_sealed(name, folder) if name in sealed_names(folder) else []


def sealed_names(folder: Path = FOLDER) -> list[str]:
    """Return the names of the sealed benchmarks, sorted.

    Raises:
        UserError: there is no seal.
    """
    return sorted(_seals(folder))


def _seal_of(name: str, folder: Path) -> Seal:
    seals = _seals(folder)
    if name not in seals:
        raise UserError(f"{folder / SEAL}: no benchmark '{name}' is sealed; {nearest(name, seals)}")
    return seals[name]


def _differ(path: Path, sealed: str, actual: str) -> UserError:
    return UserError(
        f"{path} and its seal in {path.parent / SEAL} differ, and either may have changed: sealed were {sealed}, "
        f"the file has {actual}; run `dvc repro --force canonical` to load it again"
    )


def _seals(folder: Path) -> dict[str, Seal]:
    path = folder / SEAL
    try:
        return {name: Seal(**fields) for name, fields in json.loads(path.read_text(encoding="utf-8")).items()}
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run `dvc repro canonical`") from None
    except (ValueError, TypeError, AttributeError):
        raise UserError(f"{path}: not a seal; run `dvc repro --force canonical` to load the benchmarks again") from None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 (hex) of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

"""The catalogue of all data sets by name, and the selection of data sets by patterns.

Example: `matching(["made/noise/*"], catalog(seed=0, path=None))` holds made/noise/easy, …/medium and …/hard.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from pfe.config import Competition
from pfe.errors import UserError, nearest
from pfe.symreg.competition.dataset import DataSet
from pfe.symreg.competition.files import DRAWS, REAL_WORLD, pmlb20, realworld2022, synthetic2022, synthetic_names
from pfe.symreg.competition.folder import check, tables
from pfe.symreg.competition.recipes import made_sets
from pfe.symreg.competition.record import TRACKS, Track

T = TypeVar("T")
PMLB20, SYNTHETIC2022, REALWORLD2022 = COLLECTIONS = ("pmlb20", "synthetic2022", "realworld2022")
TABLES = "tables"  # prefix of the names of the user's own tables


def datasets_by_track(
    competition: Competition, seed: int, say: Callable[[str], object] = lambda line: None
) -> list[tuple[Track, DataSet]]:
    """Return the data sets of a competition by track, after reading each selected user table once.

    Args:
        say: called with a line for each part of the selected collections that the folder lacks (the rest takes part),
            and with one line if the folder has tables and no track selects any.

    Raises:
        UserError: a name or pattern matches no data set, no data set is left, the folder does not exist, or tables
            cannot be used; one message names all such tables.
    """
    folder = Path(competition.path) if competition.path else None
    datasets = catalog(seed, folder, competition.target)
    entries: list[tuple[Track, DataSet]] = []
    for track in TRACKS:
        patterns = getattr(competition, track)
        absent = [pattern for pattern in patterns if folder and _is_absent(pattern, datasets)]
        for line in _missing(patterns, datasets) if folder else ():
            say(f"{folder}: {line}; the {track.replace('_', '-')} track goes on without")
        present = [pattern for pattern in patterns if pattern not in absent]
        entries += [(track, dataset) for dataset in matching(present, datasets, folder).values()]
    if not entries:
        raise UserError(f"no data set is left; see that competition.path ({folder}) is the right folder")
    table_names = [name for name in datasets if name.startswith(f"{TABLES}/")]
    if table_names and not any(dataset.name in table_names for _, dataset in entries):
        say(f"{folder}: {len(table_names)} tables that no track names; -S competition=tables takes them all")
    _check_tables({dataset.name: dataset for _, dataset in entries})
    return entries


def catalog(seed: int, path: Path | None, target: str = "target") -> dict[str, DataSet]:
    """Return the generated data sets and, if `path` is given, those in that folder; values are read only when drawn.

    The folder is one of the `COLLECTIONS`, or contains some of them, the user's own tables, or both.

    Raises:
        UserError: the folder does not exist, or its files are incomplete or invalid.
    """
    collections = {"made": made_sets(seed)}
    if path and not path.is_dir():
        raise UserError(f"{path}: no such folder; it is to hold tables, or one of {', '.join(COLLECTIONS)}")
    if path:
        folders = {name: path if path.name == name else path / name for name in COLLECTIONS}
        present = {name: folder for name, folder in folders.items() if folder.is_dir()}
        if PMLB20 in present:
            collections[PMLB20] = pmlb20(present[PMLB20], seed)
        if SYNTHETIC2022 in present:
            collections[SYNTHETIC2022] = synthetic2022(present[SYNTHETIC2022])
        if REALWORLD2022 in present:
            collections[REALWORLD2022] = realworld2022(present[REALWORLD2022])
        if path.name not in COLLECTIONS:
            collections[TABLES] = tables(path, target, seed, present.keys())
    datasets = {f"{prefix}/{name}": dataset for prefix, sets in collections.items() for name, dataset in sets.items()}
    return {name: replace(dataset, name=name) for name, dataset in datasets.items()}


def matching(patterns: Sequence[str], datasets: Mapping[str, T], folder: Path | None = None) -> dict[str, T]:
    """Return the entries of `datasets` whose name matches a pattern, in their order; `*` matches slashes too.

    Args:
        folder: the folder of the data sets that are not generated, if there is one; only error messages use it.

    Raises:
        UserError: a pattern matches nothing; the message suggests the nearest name.
    """
    for pattern in patterns:
        if not _matches(pattern, datasets):
            raise UserError(_unmatched(pattern, datasets, folder))
    return {name: value for name, value in datasets.items() if any(fnmatchcase(name, pattern) for pattern in patterns)}


def _unmatched(pattern: str, datasets: Mapping[str, T], folder: Path | None) -> str:
    if folder and pattern.startswith(f"{TABLES}/") and not _matches(f"{TABLES}/*", datasets):
        return (
            f"{folder}: holds no table, and '{pattern}' names some; a table is a file NAME.csv, .tsv or .parquet "
            "in it, or the only one in a folder NAME"
        )
    near = nearest(pattern, _folders(datasets) if "*" in pattern else datasets)
    return f"no data set matches '{pattern}'; {near}{'' if folder else ' (real ones need competition.path)'}"


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def _expected() -> dict[str, list[str]]:
    """Return the names of the data sets in each complete collection; for PMLB-20, a pattern that matches any name."""
    return {
        PMLB20: [f"{PMLB20}/*"],
        SYNTHETIC2022: [f"{SYNTHETIC2022}/{name}" for name in synthetic_names()],
        REALWORLD2022: [f"{REALWORLD2022}/{name}" for name in REAL_WORLD],
    }


def _is_absent(pattern: str, datasets: Mapping[str, DataSet]) -> bool:
    """Return whether a pattern names data sets of a known collection that the folder lacks."""
    if _matches(pattern, datasets):
        return False
    collections = _expected()
    of_collection = pattern.split("/")[0] == PMLB20 and not _matches(f"{PMLB20}/*", datasets)
    return of_collection or any(_matches(pattern, sets) for sets in collections.values())


def _missing(patterns: Sequence[str], datasets: Mapping[str, DataSet]) -> Iterator[str]:
    """Yield a message for each part of the collections that the patterns select and the folder lacks."""
    for collection, sets in _expected().items():
        names = [name for name in sets if any(fnmatchcase(name, pattern) for pattern in patterns)]
        if collection == PMLB20 and any(pattern.startswith(f"{PMLB20}/") for pattern in patterns):
            names = sets
        if names and not _matches(f"{collection}/*", datasets):
            yield f"no {collection}"
            continue
        if absent := [name.split("/")[1] for name in names if not _matches(name, datasets)]:
            yield f"no {', '.join(absent)} in {collection}"
        for name in names:
            if name in datasets and (datasets[name].draws or DRAWS) < DRAWS:
                yield f"{datasets[name].draws} of {DRAWS} draws of {name}"


def _check_tables(datasets: Mapping[str, DataSet]) -> None:
    lines = []
    for name, dataset in datasets.items():
        if name.startswith(f"{TABLES}/"):
            try:
                check(dataset)
            except UserError as error:
                lines.append(str(error))
    if lines:
        raise UserError("; and ".join(lines))


def _folders(names: Mapping[str, T]) -> set[str]:
    """Return patterns such as `made/noise/*` and `made/*`, for the parent and for the first part of each name."""
    return {f"{name.rsplit('/', 1)[0]}/*" for name in names} | {f"{name.split('/')[0]}/*" for name in names}

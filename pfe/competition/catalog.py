"""All data sets by name, and how some are chosen.

Example: `chosen(["made/noise/*"], catalog(seed=0, path=None))` holds made/noise/easy, …/medium and …/hard.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from pfe.competition.dataset import DataSet
from pfe.competition.files import DRAWS, REAL_WORLD, pmlb20, realworld2022, synthetic2022, synthetic_names
from pfe.competition.folder import check, tables
from pfe.competition.made import made
from pfe.competition.record import TRACKS, Track
from pfe.config import Competition
from pfe.errors import UserError, nearest

T = TypeVar("T")
PMLB20, SYNTHETIC2022, REALWORLD2022 = COLLECTIONS = ("pmlb20", "synthetic2022", "realworld2022")
TABLES = "tables"  # what tables of one's own are named below


def entered(
    competition: Competition, seed: int, say: Callable[[str], object] = lambda line: None
) -> list[tuple[Track, DataSet]]:
    """The data sets of a competition, track by track; tables of one's own are read once.

    Args:
        say: is told what of the named collections is not in the folder; the rest takes part.

    Raises:
        UserError: a name or pattern matches no data set, none is left, the folder is not there, or a table is none;
            all such tables are named at once.
    """
    folder = Path(competition.path) if competition.path else None
    among = catalog(seed, folder, competition.target)
    found: list[tuple[Track, DataSet]] = []
    for track in TRACKS:
        patterns = getattr(competition, track)
        absent = [pattern for pattern in patterns if folder and _is_absent(pattern, among)]
        for line in _missing(patterns, among) if folder else ():
            say(f"{folder}: {line}; the {track.replace('_', '-')} track goes on without")
        present = [pattern for pattern in patterns if pattern not in absent]
        found += [(track, dataset) for dataset in chosen(present, among, folder).values()]
    if not found:
        raise UserError(f"no data set is left; see that competition.path ({folder}) is the right folder")
    own = [name for name in among if name.startswith(f"{TABLES}/")]
    if own and not any(dataset.name in own for _, dataset in found):
        say(f"{folder}: {len(own)} tables that no track names; -S competition=tables takes them all")
    _check_tables({dataset.name: dataset for _, dataset in found})
    return found


def catalog(seed: int, path: Path | None, target: str = "target") -> dict[str, DataSet]:
    """The made sets and, where `path` is a folder of others, those too; values are read only when drawn.

    The folder is one of the `COLLECTIONS`, or holds some of them, or tables of one's own, or both.

    Raises:
        UserError: the folder is not there, or a file in it is not as it should be.
    """
    collections = {"made": made(seed)}
    if path and not path.is_dir():
        raise UserError(f"{path}: no such folder; it is to hold tables, or one of {', '.join(COLLECTIONS)}")
    if path:
        folders = {name: path if path.name == name else path / name for name in COLLECTIONS}
        there = {name: folder for name, folder in folders.items() if folder.is_dir()}
        if PMLB20 in there:
            collections[PMLB20] = pmlb20(there[PMLB20], seed)
        if SYNTHETIC2022 in there:
            collections[SYNTHETIC2022] = synthetic2022(there[SYNTHETIC2022])
        if REALWORLD2022 in there:
            collections[REALWORLD2022] = realworld2022(there[REALWORLD2022])
        if path.name not in COLLECTIONS:
            collections[TABLES] = tables(path, target, seed, there.keys())
    named = ((f"{prefix}/{name}", found) for prefix, sets in collections.items() for name, found in sets.items())
    return {name: replace(found, name=name) for name, found in named}


def chosen(patterns: Sequence[str], among: Mapping[str, T], folder: Path | None = None) -> dict[str, T]:
    """Those whose name matches one of the patterns, in the order of `among`; `*` matches slashes too.

    Args:
        folder: where those lie that are not made, if there is one.

    Raises:
        UserError: a pattern that matches nothing, with what is near it.
    """
    for pattern in patterns:
        if not _matches(pattern, among):
            raise UserError(_unmatched(pattern, among, folder))
    return {name: value for name, value in among.items() if any(fnmatchcase(name, pattern) for pattern in patterns)}


def _unmatched(pattern: str, among: Mapping[str, T], folder: Path | None) -> str:
    if folder and pattern.startswith(f"{TABLES}/") and not _matches(f"{TABLES}/*", among):
        return (
            f"{folder}: holds no table, and '{pattern}' names some; a table is a file NAME.csv, .tsv or .parquet "
            "in it, or the only one in a folder NAME"
        )
    near = nearest(pattern, _folders(among) if "*" in pattern else among)
    return f"no data set matches '{pattern}'; {near}{'' if folder else ' (real ones need competition.path)'}"


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def _expected() -> dict[str, list[str]]:
    """The sets that a whole collection holds; of PMLB-20 the names are those of its files."""
    return {
        PMLB20: [f"{PMLB20}/*"],
        SYNTHETIC2022: [f"{SYNTHETIC2022}/{name}" for name in synthetic_names()],
        REALWORLD2022: [f"{REALWORLD2022}/{name}" for name in REAL_WORLD],
    }


def _is_absent(pattern: str, among: Mapping[str, DataSet]) -> bool:
    """Whether a pattern names sets of a collection that there are, but not in the folder."""
    if _matches(pattern, among):
        return False
    known = _expected()
    of_collection = pattern.split("/")[0] == PMLB20 and not _matches(f"{PMLB20}/*", among)
    return of_collection or any(_matches(pattern, sets) for sets in known.values())


def _missing(patterns: Sequence[str], among: Mapping[str, DataSet]) -> Iterator[str]:
    """What is not there of what the patterns name of the collections."""
    for collection, sets in _expected().items():
        named = [name for name in sets if any(fnmatchcase(name, pattern) for pattern in patterns)]
        if collection == PMLB20 and any(pattern.startswith(f"{PMLB20}/") for pattern in patterns):
            named = sets
        if named and not _matches(f"{collection}/*", among):
            yield f"no {collection}"
            continue
        if absent := [name.split("/")[1] for name in named if not _matches(name, among)]:
            yield f"no {', '.join(absent)} in {collection}"
        for name in named:
            if name in among and (among[name].draws or DRAWS) < DRAWS:
                yield f"{among[name].draws} of {DRAWS} draws of {name}"


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
    """As `made/noise/*`: a pattern for every part of the names but the last."""
    return {f"{name.rsplit('/', 1)[0]}/*" for name in names} | {f"{name.split('/')[0]}/*" for name in names}

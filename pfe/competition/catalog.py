"""All data sets by name, and how some are chosen.

Example: `chosen(["made/noise/*"], catalog(seed=0, path=None))` holds made/noise/easy, …/medium and …/hard.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from pfe.competition.dataset import DataSet
from pfe.competition.files import pmlb20, realworld2022, synthetic2022
from pfe.competition.made import made
from pfe.competition.record import TRACKS, Track
from pfe.config import Competition
from pfe.errors import UserError, nearest

T = TypeVar("T")


def entered(competition: Competition, seed: int) -> list[tuple[Track, DataSet]]:
    """The data sets of a competition, track by track.

    Raises:
        UserError: a name or pattern matches no data set, or the folder of real ones is not as it should be.
    """
    among = catalog(seed, Path(competition.path) if competition.path else None)
    return [(track, dataset) for track in TRACKS for dataset in chosen(getattr(competition, track), among).values()]


def catalog(seed: int, path: Path | None) -> dict[str, DataSet]:
    """The made sets and, where `path` is the folder of real ones, those too; values are read only when drawn.

    Raises:
        UserError: the folder is not there, or lacks one of its parts.
    """
    collections = {"made": made(seed)}
    if path:
        if not path.is_dir():
            raise UserError(f"{path}: no such folder; it should hold pmlb20/, synthetic2022/ and realworld2022/")
        collections["pmlb20"] = pmlb20(path / "pmlb20", seed)
        collections["synthetic2022"] = synthetic2022(path / "synthetic2022")
        collections["realworld2022"] = realworld2022(path / "realworld2022")
    named = ((f"{prefix}/{name}", found) for prefix, sets in collections.items() for name, found in sets.items())
    return {name: replace(found, name=name) for name, found in named}


def chosen(patterns: Sequence[str], among: Mapping[str, T]) -> dict[str, T]:
    """Those whose name matches one of the patterns, in the order of `among`; `*` matches slashes too.

    Raises:
        UserError: a pattern that matches nothing, with what is near it.
    """
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in among):
            near = nearest(pattern, _folders(among) if "*" in pattern else among)
            raise UserError(f"no data set matches '{pattern}'; {near} (real ones need competition.path)")
    return {name: value for name, value in among.items() if any(fnmatchcase(name, pattern) for pattern in patterns)}


def _folders(names: Mapping[str, T]) -> set[str]:
    """As `made/noise/*`: a pattern for every part of the names but the last."""
    return {f"{name.rsplit('/', 1)[0]}/*" for name in names} | {f"{name.split('/')[0]}/*" for name in names}

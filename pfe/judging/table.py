"""The table of runs as arrays sorted by name, so that the order of its rows does not matter.

Example: the rows (gplearn, f1, 0), (gplearn, f1, 1), (operon, f1, 0) of a track become arrays of shape
(1 data set, 2 methods, 2 repetitions), in which operon's second run is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pfe.config import Rules
from pfe.errors import UserError, nearest

QUALIFICATION, SYNTHETIC, REAL_WORLD = TRACKS = ("qualification", "synthetic", "real_world")
KEYS = ["track", "method", "dataset", "repetition"]

Values = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class RunTable:
    """The runs of one track; arrays have the shape (data sets, methods, repetitions).

    `expected` marks the repetitions that any method has on a data set, the same for all methods. `ok` marks the
    successful runs. `columns` holds numbers by column name, NaN if there is none. `models` holds the expressions.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    repetitions: tuple[int, ...]
    expected: Flags
    ok: Flags
    columns: Mapping[str, Values]
    models: NDArray[np.object_]

    def allow_failures(self, good: Flags, rules: Rules) -> None:
        """Raise an error for an expected run that is not `good`, if the rules treat that as an error.

        Raises:
            UserError: there is such a run; the message names the first.
        """
        failed = self.expected & ~good
        if failed.any() and rules.missing == "error":
            raise UserError(f"a run failed or is missing: {self.where(failed)}; run it again, or set rules.missing")

    def where(self, missing: Flags) -> str:
        """Return the first of the marked runs, in words."""
        dataset, method, repetition = np.argwhere(missing)[0]
        return (
            f"method {self.methods[method]}, data set {self.datasets[dataset]}, "
            f"repetition {self.repetitions[repetition]}"
        )


def with_track(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the column `track`; if it has none, all runs belong to the synthetic track."""
    return runs if "track" in runs else runs.assign(track=SYNTHETIC)


def check(runs: pd.DataFrame) -> None:
    """Check that every row has its keys and a status, that no run occurs twice, and that all tracks are known.

    Raises:
        ValueError: a check fails; the message names the column, track or run.
    """
    for column in [*KEYS, "status"]:
        if runs[column].isna().any():
            raise ValueError(f"the table of runs has rows without {column}")
    for track in set(runs["track"].unique()) - set(TRACKS):
        raise ValueError(f"the table of runs has an unknown track '{track}'; {nearest(track, TRACKS)}")
    twice = runs.duplicated(KEYS)
    if twice.any():
        raise ValueError(f"the table of runs has two rows of {', '.join(map(str, runs.loc[twice, KEYS].iloc[0]))}")


def track(runs: pd.DataFrame, name: str, methods: Sequence[str], columns: Sequence[str]) -> RunTable:
    """Return the runs of a track and of `methods`, which must be sorted; `columns` are the numbers to take.

    Raises:
        ValueError: the track has rows, and the table lacks a column that `aspects.check_columns` would have reported.
    """
    rows = runs[(runs["track"] == name) & runs["method"].isin(methods)]
    if len(rows) and (missing := [column for column in columns if column not in runs]):
        raise ValueError(f"the table of runs has no column {', '.join(missing)}, which the track {name} needs")
    at_dataset, datasets = pd.factorize(rows["dataset"], sort=True)
    at_repetition, repetitions = pd.factorize(rows["repetition"], sort=True)
    cell = (at_dataset, pd.Index(methods).get_indexer(rows["method"]), at_repetition)
    shape = (len(datasets), len(methods), len(repetitions))

    present, ok, models = np.zeros(shape, bool), np.zeros(shape, bool), np.full(shape, "", object)
    present[cell] = True
    ok[cell] = (rows["status"] == "ok").to_numpy(dtype=bool)
    if "model" in rows:
        models[cell] = rows["model"].fillna("").to_numpy(dtype=object)
    numbers = {column: np.full(shape, np.nan) for column in columns}
    for column, values in numbers.items():
        if len(rows):
            values[cell] = pd.to_numeric(rows[column], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    return RunTable(
        tuple(map(str, datasets)),
        tuple(methods),
        tuple(map(int, repetitions)),
        np.broadcast_to(present.any(axis=1, keepdims=True), shape),
        ok,
        numbers,
        models,
    )

"""Reading of a user's table of runs from a file, with a check of every value.

Example: for a file whose lines 7 and 9 have the status `OK`, and whose line 12 has no method, `read_runs` raises
"runs.csv, lines 7, 9: unknown status 'OK'; did you mean 'ok'?; line 12: no method; every row needs one"

The judge accepts any table, and counts a run without a number as failed. In a table written by a person, that would
hide a mistake and could decide who wins.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd

from pfe.config import NO_BASELINE, Rules
from pfe.errors import UserError, nearest
from pfe.judging import aspects
from pfe.judging.expert import Expert
from pfe.judging.table import KEYS, QUALIFICATION, REAL_WORLD, SYNTHETIC, TRACKS, with_track
from pfe.rows.files import entries, format_of, place_of, split
from pfe.rows.listing import listed
from pfe.symreg.competition.record import Status

STATUSES = get_args(Status)
MOST = 2**53  # up to here every integer is exact as a float
MISSING = ("", "na", "n/a", "<na>", "nan", "none", "null")  # spellings of a missing number


@dataclass(frozen=True)
class RunFile:
    """The rows of a file as text, indexed by their place in it; an empty text is a missing value.

    `mistakes` are those noted so far, by place and column; only the first mistake of a cell counts.
    """

    path: Path
    rows: pd.DataFrame
    mistakes: dict[tuple[int, str], str] = field(default_factory=dict)

    def note(self, wrong: "pd.Series[bool]", column: str, problem: Callable[[Mapping[str, Any]], str]) -> None:
        """Note a mistake in a column for every row that is marked in `wrong`."""
        for place, row in zip(self.rows.index[wrong], self.rows[wrong].to_dict("records"), strict=True):
            self.mistakes.setdefault((int(place), column), f": {problem(row)}")

    def is_noted(self) -> "pd.Series[bool]":
        """Return whether each row has a mistake."""
        places = {place for place, _ in self.mistakes}
        return pd.Series([place in places for place in self.rows.index], self.rows.index, dtype=bool)

    def refuse(self) -> None:
        """Raise a UserError that names the mistakes and their places, if there are any."""
        _refuse(self.path, [(place, text) for (place, _), text in sorted(self.mistakes.items())])


def read_runs(path: Path, rules: Rules) -> pd.DataFrame:
    """Return the table of runs in a file, for `judge` under these rules.

    Raises:
        UserError: rows cannot be read, repeat a run, or have an invalid value; columns are missing; there is no run, or
            none of the rules' baseline. The message names the file and the rows.
    """
    if path.is_dir():
        raise UserError(f"{path}: a folder; give the file with the table of runs")
    read = [entry for shard in split([path]) for entry in entries(shard)]
    if not read:
        raise UserError(f"{path}: no run in it; a row is a run of a method on a data set")
    _refuse(path, [(entry.place, f": {entry.trouble}; mend that row") for entry in read if entry.trouble])
    rows = pd.DataFrame([entry.columns for entry in read], [entry.place for entry in read], dtype=object).map(_text)
    try:
        aspects.check_columns(rows, rules)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    file = RunFile(path, with_track(rows))
    _check_keys(file)
    numbers = _numbers(file, rules)
    file.refuse()
    _check_baseline(file, rules)
    return file.rows.assign(repetition=_repetitions(file.rows).astype(np.int64), **numbers).reset_index(drop=True)


def check_expert(expert: Expert, runs: pd.DataFrame) -> None:
    """Check that an expert judged the real-world data sets of the table, and names only methods that have a run in it.

    Raises:
        UserError: the table has no real-world run, or data sets or methods are unknown or missing.
    """
    datasets = sorted(set(runs.loc[runs["track"] == REAL_WORLD, "dataset"]))
    if not datasets:
        raise UserError(f"{expert.source}: the table has no run of the track {REAL_WORLD} to trust; leave --expert out")
    expert.see_datasets(datasets)
    for dataset in datasets:
        expert.marks(dataset, sorted(set(runs["method"])), ())


def _check_keys(file: RunFile) -> None:
    rows = file.rows
    for key in [*KEYS, "status"]:
        _check_filled(file, key)
    _check_word(file, "track", TRACKS)
    _check_word(file, "status", STATUSES)
    repetitions = _repetitions(rows)
    file.note(
        ~((repetitions % 1 == 0) & (repetitions.abs() <= MOST)),
        "repetition",
        lambda row: f"repetition '{row['repetition']}' is no whole number; mend it",
    )
    runs = rows.assign(repetition=repetitions, place=rows.index)[~file.is_noted()]
    first = runs.groupby(KEYS)["place"].transform("first")
    for place in runs.index[runs["place"] != first]:
        row = rows.loc[place]
        file.mistakes[int(place), "method"] = (
            f": a second row of method {row['method']}, data set {row['dataset']}, repetition {row['repetition']} in "
            f"the track {row['track']}, as in {place_of(file.path, int(first[place]))}; keep one, or number repetitions"
        )


def _check_filled(file: RunFile, key: str) -> None:
    file.note(file.rows[key] == "", key, lambda _: f"no {key}; every row needs one")


def _check_word(file: RunFile, key: str, allowed: Sequence[str]) -> None:
    def problem(row: Mapping[str, Any]) -> str:
        return f"unknown {key} '{row[key]}'; {nearest(row[key].lower(), allowed)}"

    file.note(~file.rows[key].isin(allowed), key, problem)


def _repetitions(rows: pd.DataFrame) -> "pd.Series[float]":
    return rows["repetition"].map(_number).astype(np.float64)


def _numbers(file: RunFile, rules: Rules) -> dict[str, "pd.Series[float]"]:
    """Return the columns that the tracks need, as numbers; NaN if a cell holds none."""
    rows = file.rows
    components = aspects.components_of(rows, rules)
    needed = {
        QUALIFICATION: ["r2"],
        SYNTHETIC: aspects.columns(rules, components),
        REAL_WORLD: ["r2", components],
    }
    every = dict.fromkeys(column for columns in needed.values() for column in columns if column in rows)
    numbers = {column: rows[column].map(_number).astype(np.float64) for column in every}
    for track, columns in needed.items():
        for column in dict.fromkeys(columns):
            if column in numbers:
                _check_column(file, column, numbers[column], rows["track"] == track, column == components)
    return numbers


def _check_column(
    file: RunFile, column: str, numbers: "pd.Series[float]", of_track: "pd.Series[bool]", is_count: bool
) -> None:
    ok = of_track & (file.rows["status"] == "ok")
    finite = numbers.abs() < np.inf
    unfinished = f"in a run whose status is ok; give the number, or as status how it failed: {', '.join(STATUSES[1:])}"

    def note(wrong: "pd.Series[bool]", problem: str) -> None:
        file.note(of_track & wrong, column, lambda row: f"{column} '{row[column]}' {problem}")

    note(numbers.isna() & ~file.rows[column].str.lower().isin(MISSING), "is no number; mend it")
    if is_count:
        note((numbers < 0) | (finite & (numbers % 1 != 0)), "is no count; give a whole number from 1")
        note(ok & ~(finite & (numbers >= 1)), unfinished)
    elif column == "r2":
        note(numbers > 1, "is above 1, as no R² is; mend it")
        note(ok & ~finite, unfinished)
    else:
        note(ok & (numbers == np.inf), unfinished)
        others = (ok & numbers.notna()).groupby(file.rows["dataset"]).transform("any")
        note(ok & numbers.isna() & others, "though others have it there; give it, or -inf where a model has none")


def _refuse(path: Path, mistakes: Sequence[tuple[int, str]]) -> None:
    """Raise a UserError that names the mistakes and their places in a file, if there are any."""
    if mistakes:
        raise UserError(f"{path}, {listed(mistakes, format_of(path).unit)}")


def _text(value: Any) -> str:
    return "" if value is None or (isinstance(value, float) and np.isnan(value)) else str(value).strip()


def _number(text: str) -> float:
    """Return the number in a text; NaN if it holds none."""
    try:
        return float(text)
    except ValueError:
        return np.nan


def _check_baseline(file: RunFile, rules: Rules) -> None:
    """Check that the baseline has a run, because a baseline under another name would take part as a competitor."""
    methods = set(file.rows["method"])
    if rules.baseline not in methods and not (rules.baseline == NO_BASELINE and rules.qualification == "none"):
        everybody = f", or --baseline {NO_BASELINE} where all compete" if rules.qualification == "none" else ""
        raise UserError(
            f"{file.path}: no run of the baseline '{rules.baseline}'; {nearest(rules.baseline, methods)}; "
            f"name the method that the others are to surpass by --baseline{everybody}"
        )

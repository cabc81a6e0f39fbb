"""The judged aspects of a run (accuracy, simplicity, property, or a column as it is), and the value of a failed run.

Example: R² 0.8712 is an accuracy of 0.871. A model with 4 components has a simplicity of −0.9, which beats the −1.0 of
5 components. Models with 85 and 90 components both have −2.8.
Source: JUDGING, "Judging Criteria for the Synthetic Track". The competition of 2023 used R² and the count unrounded
(its guide, docs/CompetitionGuide2023.md of cavalab/srbench, and the script that it gave to its teams).

A property that is an R² (extrapolation, noise) is rounded like accuracy, because JUDGING's reason applies to it too:
differences in later decimals do not matter. This does not affect shares of ten runs.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pfe.config import Rules
from pfe.errors import UserError
from pfe.judging.rounding import half_up
from pfe.judging.table import KEYS, QUALIFICATION, REAL_WORLD, SYNTHETIC, Flags, RunTable, Values, with_track

ACCURACY, SIMPLICITY, PROPERTY = "accuracy", "simplicity", "property"
R2_DECIMALS = 3
LOW = "_low"  # suffix of the column with the lower end of an aspect's confidence interval


@dataclass(frozen=True)
class AspectValues:
    """The values of a track's runs, shape (aspects, data sets, methods, repetitions); higher is better.

    A failed run is −inf, a run that does not count is NaN. A data set without an aspect is NaN throughout. `lows` holds
    the lower ends of the values' confidence intervals in the same shape; None if only equal values tie. `expected` is
    the number of repetitions on each data set.
    """

    values: Values
    lows: Values | None
    expected: tuple[int, ...]


def accuracy(r2: ArrayLike) -> Values:
    """Return R² rounded to three decimals, halves up."""
    return half_up(r2, R2_DECIMALS)


def simplicity(components: ArrayLike) -> Values:
    """Return round(−log₅(components), 1); NaN if there is no component."""
    return half_up(-np.log(_valid_counts(components)) / np.log(5), 1) + 0.0  # so that one component is 0, not −0


def accuracy_by(rules: Rules, r2: ArrayLike) -> Values:
    """Return the accuracy of single runs under the rules: R² rounded to three decimals, or unrounded."""
    return np.asarray(r2, dtype=np.float64) if rules.rounding == "none" else accuracy(r2)


def simplicity_by(rules: Rules, components: ArrayLike) -> Values:
    """Return the simplicity of single runs under the rules; NaN if there is no component."""
    return simplicity(components) if rules.simplicity == "bucketed" else -_valid_counts(components)


def columns(rules: Rules, components: str) -> list[str]:
    """Return the columns that the rules' aspects are computed from; `components` is the column with the counts."""
    return [column for aspect in rules.aspects for column in _columns(rules, aspect, components)]


def components_of(runs: pd.DataFrame, rules: Rules) -> str:
    """Return the column with the counts: the one that the rules name if the table has it, otherwise `components`."""
    return rules.components if rules.components in runs else "components"


def check_columns(runs: pd.DataFrame, rules: Rules) -> None:
    """Check that a table has the columns that identify a run and its status, and those that its tracks need.

    Raises:
        UserError: columns are missing. The message names them, the columns that exist, and the aspects of the rules
            that can be judged without the missing ones.
    """
    named = [column for column in [*KEYS, "status"] if column != "track" and column not in runs]
    needed = {column: why for column, why in _needed(with_track(runs), rules).items() if column not in runs}
    if not named and not needed:
        return
    components = components_of(runs, rules)
    both = f" (nor {rules.components})" if components != rules.components else ""
    said = [*named, *(f"{column}{both if column == components else ''}, for {why}" for column, why in needed.items())]
    usable = [one for one in rules.aspects if set(_columns(rules, one, components)) <= set(runs)]
    is_aspects = not named and all(why.startswith("the aspect") for why in needed.values())
    without = f", or judge without: -S 'rules.aspects=[{','.join(usable)}]'" if is_aspects and usable else ""
    one = len(said) == 1
    raise UserError(
        f"the table of runs has no column {'; nor '.join(said)}; it has {', '.join(map(str, runs.columns)) or 'none'}; "
        f"add {'it' if one else 'them'}, or rename the {'one that is' if one else 'ones that are'} meant{without}"
    )


def _needed(runs: pd.DataFrame, rules: Rules) -> dict[str, str]:
    """Return the numeric columns that the tracks of a table need, each with the aspect or track that needs it."""
    components = components_of(runs, rules)
    tracks = set(runs["track"])
    needed: dict[str, str] = {}
    if SYNTHETIC in tracks:
        for aspect in rules.aspects:
            for column in _columns(rules, aspect, components):
                needed.setdefault(column, f"the aspect {aspect} of the rules")
    for track, columns in ((QUALIFICATION, ["r2"]), (REAL_WORLD, ["r2", components])):
        for column in columns if track in tracks else ():
            needed.setdefault(column, f"the track {track}")
    return needed


def aspect_values(table: RunTable, rules: Rules, components: str) -> AspectValues:
    """Return every aspect of every run.

    A run fails, in every aspect, if its status is not ok, or if it has no finite R² or no component count and the
    rules' aspects need them.

    Raises:
        UserError: a run failed, and the rules treat that as an error.
        ValueError: a run that did not fail lacks a number that another run has on the data set. Single runs must not
            decide whether a data set has a property: otherwise the crash of the one run that has it could help its
            method.
    """
    values = np.stack([_aspect(table, aspect, rules, components) for aspect in rules.aspects])
    numbers, lows = values, None
    if rules.within == "interval":
        lows = np.stack([table.columns[f"{aspect}{LOW}"] for aspect in rules.aspects])
        numbers = values + lows
    always = np.isin(rules.aspects, (ACCURACY, SIMPLICITY))
    good = table.expected & table.ok & ~np.isnan(values[always]).any(axis=0)
    applies = (good & ~np.isnan(values)).any(axis=(2, 3), keepdims=True) | always.reshape(-1, 1, 1, 1)
    lacking = applies & good & np.isnan(numbers)
    for aspect, missing in zip(rules.aspects, lacking, strict=True):
        if missing.any():
            raise ValueError(f"no {aspect} of {table.where(missing)}; put −inf where a model gives no number")
    return AspectValues(
        _with_failures(table, values, good, applies, rules),
        None if lows is None else _with_failures(table, lows, good, applies, rules),
        tuple(int(count) for count in table.expected[:, 0].sum(axis=1)),
    )


def _columns(rules: Rules, aspect: str, components: str) -> list[str]:
    source = {ACCURACY: "r2", SIMPLICITY: components}.get(aspect, aspect)
    return [source, f"{aspect}{LOW}"] if rules.within == "interval" else [source]


def _aspect(table: RunTable, aspect: str, rules: Rules, components: str) -> Values:
    if aspect == SIMPLICITY:
        return simplicity_by(rules, table.columns[components])
    values = table.columns["r2" if aspect == ACCURACY else aspect]
    lacking = ~np.isfinite(values) if aspect == ACCURACY else np.isposinf(values)
    usable = np.where(lacking, np.nan, values)
    return accuracy(usable) if rules.rounding == "run" and aspect in (ACCURACY, PROPERTY) else usable


def _valid_counts(components: ArrayLike) -> Values:
    counts = np.asarray(components, dtype=np.float64)
    return np.where((counts >= 1) & np.isfinite(counts), counts, np.nan)


def _with_failures(table: RunTable, values: Values, good: Flags, applies: Flags, rules: Rules) -> Values:
    table.allow_failures(good, rules)
    failure_value = np.where(table.expected, -np.inf if rules.missing == "worst" else np.nan, np.nan)
    return np.where(applies, np.where(good, values, failure_value), np.nan)

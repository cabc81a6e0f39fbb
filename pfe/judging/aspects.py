"""What of a run is judged: accuracy, simplicity, property, or a column as it is; and what a failed run counts as.

Example: R² 0.8712 is an accuracy of 0.871; 4 components are a simplicity of −0.9, which beats the −1.0 of 5;
85 and 90 components are both −2.8.
Source: JUDGING, "Judging Criteria for the Synthetic Track". The competition of 2023 took R² and the count as they are
(its guide, docs/CompetitionGuide2023.md of cavalab/srbench, and the script that it gave to its teams).

A property that is an R² (extrapolation, noise) is rounded as accuracy is, since JUDGING's reason holds for it too:
what differs further behind is equally good. Shares of ten runs are not touched by that.
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
LOW = "_low"  # ends the name of the column that holds the lower end of an aspect's interval


@dataclass(frozen=True)
class AspectValues:
    """The values of a track's runs, shape (aspects, data sets, methods, repetitions); higher is better.

    −inf is a failed run, NaN one that does not count. A data set without an aspect has NaN throughout. `lows` are the
    lower ends of the values' intervals, of the same shape; None where only equal values tie. `expected` is the
    number of repetitions on each data set.
    """

    values: Values
    lows: Values | None
    expected: tuple[int, ...]


def accuracy(r2: ArrayLike) -> Values:
    """R² to three decimals, halves up."""
    return half_up(r2, R2_DECIMALS)


def simplicity(components: ArrayLike) -> Values:
    """round(−log₅(components), 1); NaN where there is no component."""
    return half_up(-np.log(_valid_counts(components)) / np.log(5), 1) + 0.0  # so that one component is 0, not −0


def accuracy_by(rules: Rules, r2: ArrayLike) -> Values:
    """The accuracy of single runs under the rules: R² to three decimals, or as it is."""
    return np.asarray(r2, dtype=np.float64) if rules.rounding == "none" else accuracy(r2)


def simplicity_by(rules: Rules, components: ArrayLike) -> Values:
    """The simplicity of single runs under the rules; NaN where there is no component."""
    return simplicity(components) if rules.simplicity == "bucketed" else -_valid_counts(components)


def columns(rules: Rules, components: str) -> list[str]:
    """The columns that the rules' aspects are taken from; `components` is the one with the counts."""
    return [column for aspect in rules.aspects for column in _columns(rules, aspect, components)]


def components_of(runs: pd.DataFrame, rules: Rules) -> str:
    """The column with the counts: the one that the rules name, or else `components`."""
    return rules.components if rules.components in runs else "components"


def check_columns(runs: pd.DataFrame, rules: Rules) -> None:
    """See that a table has the columns that say what a run is and how it ended, and those that its tracks need.

    Raises:
        UserError: naming all that it lacks, those that it has, and the aspects of the rules that it can be judged by.
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
    """The columns of numbers that the tracks of a table need, each with what needs it."""
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
    """Every aspect of every run.

    A run fails, in every aspect, whose status is not ok or that has no finite R² or no component count, where the
    rules' aspects need them.

    Raises:
        ValueError: a run failed, and the rules take that for an error; or a run that did not fail lacks a number that
            another has on the data set. Whether a data set has a property must not hang on single runs: else the
            crash of the one run that has it could help its method.
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

"""What holds of every table: order and names do not matter, and a crash never helps."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.config import Rules
from pfe.judging.aspects import aspect_values, columns
from pfe.judging.judge import judge
from pfe.judging.ranks import TIES, Ties
from pfe.judging.summary import summary
from pfe.judging.synthetic import score_places, scores_of
from pfe.judging.table import RunTable, Values, track
from tests.judging.tables import preset

BASE = preset(resamples=1)
RULES = st.builds(
    replace,
    st.just(BASE),
    combine=st.sampled_from(["per_dataset", "all_ranks"]),
    repetitions=st.sampled_from(["mean", "median"]),
    simplicity=st.sampled_from(["bucketed", "count"]),
    rounding=st.sampled_from(["run", "summary", "none"]),
    lowest=st.sampled_from([0, 1]),
    within=st.sampled_from(["equal", "interval"]),
    aspects=st.sampled_from([("accuracy", "simplicity", "property"), ("accuracy", "property"), ("simplicity",)]),
)


@st.composite
def tables(draw: st.DrawFn) -> RunTable:
    """Two to five methods, one to three data sets of which some have a property, one to three repetitions, ties."""
    shape = (draw(st.integers(1, 3)), draw(st.integers(2, 5)), draw(st.integers(1, 3)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    r2 = rng.choice([0.1, 0.7, 0.8712, 0.87149, 0.8715, 1.0, -1e300], size=shape)
    sizes = rng.choice([1.0, 3, 4, 5, 20], size=shape)
    having = rng.choice([0.0, np.nan], size=(shape[0], 1, 1)) + rng.choice([0, 0.5, 1, -np.inf], size=shape)
    width = rng.choice([0, 0.1, 0.5, 2], size=shape)
    numbers = {"r2": r2, "simplified": sizes, "property": having, "accuracy_low": r2 - width}
    numbers |= {"simplicity_low": -np.log(sizes) / np.log(5) - width, "property_low": having - width}
    return RunTable(
        tuple(f"d{at}" for at in range(shape[0])),
        tuple(f"m{at}" for at in range(shape[1])),
        tuple(range(shape[2])),
        np.broadcast_to(np.ones((shape[0], 1, shape[2]), bool), shape),
        rng.random(shape) < draw(st.sampled_from([0.5, 0.9, 1])),
        numbers,
        np.full(shape, "", object),
    )


def scored_by(table: RunTable, rules: Rules) -> tuple[Values, Values]:
    """Score and place of each method."""
    found = scores_of(summary(aspect_values(table, rules, "simplified"), rules), rules).scores
    return found, score_places(found)


def known(scores: Values) -> Values:
    """No score as the least one."""
    return np.where(np.isnan(scores), -np.inf, scores)


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=300)
@given(table=tables(), rules=RULES, at=st.integers(0, 44), lost=st.sampled_from(["ok", "r2", "simplified"]))
def test_a_failed_run_never_raises_the_score_or_the_place_of_its_method(
    ties: Ties, table: RunTable, rules: Rules, at: int, lost: str
) -> None:
    rules = replace(rules, ties=ties)
    cell = np.unravel_index(at % table.ok.size, table.ok.shape)
    ok, numbers = table.ok.copy(), {name: values.copy() for name, values in table.columns.items()}
    needed = {"r2": "accuracy", "simplified": "simplicity"}
    if needed.get(lost) not in rules.aspects:
        ok[cell] = False
    else:
        numbers[lost][cell] = np.nan
    numbers["property"][cell] = np.nan
    before, place = scored_by(table, rules)
    after, new_place = scored_by(replace(table, ok=ok, columns=numbers), rules)
    method = cell[1]
    assert known(after)[method] <= known(before)[method]
    assert new_place[method] >= place[method]


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=150)
@given(table=tables(), rules=RULES, at=st.integers(0, 44))
def test_a_better_run_never_lowers_the_score_nor_but_for_dense_ties_the_place(
    ties: Ties, table: RunTable, rules: Rules, at: int
) -> None:
    """With dense ties the place may suffer: who joins the tie group above leaves none behind, and all below move up."""
    rules = replace(rules, ties=ties)
    cell = np.unravel_index(at % table.ok.size, table.ok.shape)
    numbers = {name: values.copy() for name, values in table.columns.items()}
    numbers["r2"][cell] += 0.2
    numbers["simplified"][cell] = max(1, numbers["simplified"][cell] - 1)
    for name in ("property", "property_low", "accuracy_low", "simplicity_low"):
        numbers[name][cell] += 0.5
    before, place = scored_by(table, rules)
    after, new_place = scored_by(replace(table, columns=numbers), rules)
    method = cell[1]
    assert known(after)[method] >= known(before)[method]
    assert ties == "dense" or new_place[method] <= place[method]


@settings(max_examples=150)
@given(table=tables(), rules=RULES, ties=st.sampled_from(TIES), missing=st.sampled_from(["worst", "drop"]))
def test_scores_lie_between_the_lowest_rank_and_the_highest(
    table: RunTable, rules: Rules, ties: Ties, missing: Literal["worst", "drop"]
) -> None:
    count = len(table.methods)
    found, places = scored_by(table, replace(rules, ties=ties, missing=missing))
    assert (np.isnan(found) | ((rules.lowest <= found) & (found <= count - 1 + rules.lowest))).all()
    assert places.min() == 1
    assert places.max() <= count


def frame(table: RunTable) -> pd.DataFrame:
    """The table of runs that this one is read from."""
    at = [index.ravel() for index in np.indices(table.ok.shape)]
    keys = {"dataset": np.array(table.datasets)[at[0]], "method": np.array(table.methods)[at[1]], "repetition": at[2]}
    status = np.where(table.ok, "ok", "crashed").ravel()
    numbers = {name: values.ravel() for name, values in table.columns.items()}
    return pd.DataFrame({"track": "synthetic", **keys, "status": status, **numbers})


def shuffled(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    return rows.iloc[rng.permutation(len(rows))]


def renamed(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    names = sorted(rows["method"].unique())
    return rows.assign(method=rows["method"].map(dict(zip(names, rng.permutation(names).tolist(), strict=True))))


def renumbered(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    return rows.assign(repetition=rows.groupby(["method", "dataset"])["repetition"].transform(rng.permutation))


@pytest.mark.parametrize("change", [shuffled, renamed, renumbered])
@settings(max_examples=25)
@given(table=tables(), rules=RULES, ties=st.sampled_from(TIES), seed=st.integers(0, 99), late=st.booleans())
def test_order_names_and_numbers_of_runs_change_no_score(
    change: Callable[[pd.DataFrame, np.random.Generator], pd.DataFrame],
    table: RunTable,
    rules: Rules,
    ties: Ties,
    seed: int,
    late: bool,
) -> None:
    rules = replace(rules, ties=ties, missing="drop" if late else "worst")
    rows = frame(table)
    changed = change(rows, np.random.default_rng(seed))
    found, places = (values.tolist() for values in scored_by(table, rules))
    new, new_places = (
        values.tolist()
        for values in scored_by(track(changed, "synthetic", table.methods, columns(rules, "simplified")), rules)
    )
    names = renamed(rows, np.random.default_rng(seed))["method"] if change is renamed else rows["method"]
    for old, name in set(zip(rows["method"], names, strict=True)):
        at, to = table.methods.index(old), table.methods.index(name)
        assert repr((found[at], places[at])) == repr((new[to], new_places[to]))


@settings(max_examples=8)
@given(table=tables(), seed=st.integers(0, 99))
def test_the_whole_verdict_does_not_hang_on_the_order_of_rows(table: RunTable, seed: int) -> None:
    rules = replace(BASE, resamples=3)
    assert judge(frame(table), rules) == judge(shuffled(frame(table), np.random.default_rng(seed)), rules)


@settings(max_examples=25)
@given(
    r2=st.lists(st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=3, max_size=3), min_size=3, max_size=4),
    reading=st.sampled_from(["mean_rank_difference", "mean", "median", "every"]),
    at=st.tuples(st.integers(1, 3), st.integers(0, 2)),
)
def test_a_failed_run_in_qualification_never_raises_the_margin(
    r2: list[list[float]], reading: Any, at: tuple[int, int]
) -> None:
    """And it changes nobody else's, but where margins are differences of ranks among all."""
    method, dataset = f"m{1 + at[0] % (len(r2) - 1)}", f"q{at[1]}"
    rows = [
        {"track": "qualification", "method": f"m{name}", "dataset": f"q{place}", "r2": value}
        for name, values in enumerate(r2)
        for place, value in enumerate(values)
    ]
    table = pd.DataFrame(rows).assign(repetition=0, status="ok")
    here = (table["method"] == method) & (table["dataset"] == dataset)
    rules = replace(BASE, qualification=reading, baseline="m0")
    before = {name: one.margin or 0 for name, one in judge(table, rules).candidates.items()}
    failed = table.assign(status=table["status"].mask(here, "nan"))
    after = {name: one.margin or 0 for name, one in judge(failed, rules).candidates.items()}
    assert after[method] <= before[method]
    assert reading == "mean_rank_difference" or {**before, method: 0} == {**after, method: 0}

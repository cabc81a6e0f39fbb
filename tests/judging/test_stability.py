"""How firm an order is: other ties, a method left out, drawn again."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pfe.judging.aspects import AspectValues
from pfe.judging.judge import judge
from pfe.judging.ranks import TIES
from pfe.judging.stability import Stability
from pfe.judging.summary import bootstrap, summary
from tests.judging.tables import preset, runs, synthetic_table


def stability(table: pd.DataFrame, **changes: Any) -> Stability:
    found = judge(table, preset(**changes)).stability
    assert found is not None
    return found


def test_the_orders_under_other_ties_are_those_that_the_rules_give() -> None:
    table = synthetic_table(6, 5, 3, seed=5)
    found = stability(table, resamples=1)
    for ties in TIES:
        candidates = judge(table, preset(ties=ties, resamples=1)).candidates
        assert {name: one.synthetic.place for name, one in candidates.items() if one.synthetic} == dict(
            found.ties[ties]
        )


def test_leaving_a_method_out_is_judging_the_others() -> None:
    table = synthetic_table(6, 5, 3, seed=6)
    for name, without in stability(table, resamples=1).left_out.items():
        rest = judge(table[table["method"] != name], preset(resamples=1))
        assert rest.order() == tuple(without.order)


def test_a_method_that_stands_between_two_others_can_turn_them_around() -> None:
    """Accuracy on three data sets: a beats b on two of them, b beats a on the third with m between; c is last.

    With m: a 4 + 4 + 2 = 10, b 3 + 3 + 4 = 10, a tie. Without it: a 3 + 3 + 2 = 8, b 2 + 2 + 3 = 7.
    """
    accuracies: dict[str, list[float]] = {
        "a": [0.9, 0.9, 0.5],
        "b": [0.8, 0.8, 0.9],
        "m": [0.1, 0.1, 0.7],
        "c": [0, 0, 0],
    }
    rows = [
        {"method": method, "dataset": f"d{at}", "r2": value}
        for method, values in accuracies.items()
        for at, value in enumerate(values)
    ]
    found = stability(runs(rows), aspects=("accuracy",), resamples=1)
    assert (found.left_out["m"].winner_changes, found.left_out["m"].pairs) == (True, 1)
    assert dict(found.left_out["m"].order) == {"a": 1, "b": 2, "c": 3}
    assert not found.left_out["c"].winner_changes


def test_a_method_that_is_best_everywhere_is_first_in_all_draws() -> None:
    rows = [
        {"method": method, "dataset": f"d{at}", "repetition": number, "r2": value + number / 1000}
        for method, value in {"a": 0.9, "b": 0.5, "twin": 0.5}.items()
        for at in range(3)
        for number in range(3)
    ]
    found = stability(runs(rows), aspects=("accuracy",), resamples=50).redrawn
    assert (found["a"].first, found["a"].place, found["a"].score) == (1, (1, 1), (3, 3))
    assert found["b"].place[0] == 2
    assert sum(one.first for one in found.values()) == pytest.approx(1)


def test_a_draw_takes_runs_of_its_own_cell_and_all_aspects_of_a_run() -> None:
    """Run r of method m on data set d has the values v and −v, so the two aspects of every mean cancel."""
    rng = np.random.default_rng(1)
    runs_ = rng.integers(0, 1000, size=(3, 4, 5)).astype(float)
    measured = AspectValues(np.stack([runs_, -runs_]), None, (5, 5, 3))
    measured.values[:, 2, :, 3:] = np.nan
    for how in ("mean", "median"):
        rules = preset(aspects=("canonical", "icr"), repetitions=how)
        draws = np.stack([drawn.values for drawn in bootstrap(measured, rules, 400, np.random.default_rng(2))])
        assert np.abs(draws.sum(axis=1)).max() < 1e-8
        given = summary(measured, rules).values[0]
        assert given == pytest.approx(getattr(np, f"nan{how}")(measured.values[0], axis=-1))
        if how == "mean":  # over draws of data sets the mean tends to that of all
            assert draws[:, 0].mean(axis=(0, 1)) == pytest.approx(given.mean(axis=0), abs=60)
            assert (draws[:, 0] >= np.nanmin(measured.values[0], axis=(0, 2))).all()


def test_repetitions_vary_as_their_bootstrap_does() -> None:
    """On one data set the variance of a mean of n drawn runs is the runs' variance divided by n."""
    values = np.random.default_rng(3).normal(size=(1, 1, 50, 10))
    drawn = bootstrap(AspectValues(values, None, (10,)), preset(aspects=("canonical",)), 400, np.random.default_rng(4))
    spread = np.stack([one.values[0, 0] for one in drawn]).var(axis=0)
    assert (spread / (values.var(axis=-1)[0, 0] / 10)).mean() == pytest.approx(1, abs=0.15)


def test_data_sets_are_drawn_again_too() -> None:
    values = np.random.default_rng(3).normal(size=(1, 40, 1, 1))
    drawn = bootstrap(
        AspectValues(values, None, (1,) * 40), preset(aspects=("canonical",)), 1000, np.random.default_rng(4)
    )
    spread = np.var([one.values.mean() for one in drawn])
    assert spread / (values.var() / 40) == pytest.approx(1, abs=0.2)


def test_a_failed_run_fails_the_draws_that_hold_it() -> None:
    values = np.full((1, 1, 1, 10), 0.5)
    values[..., 0] = -np.inf
    draws = bootstrap(AspectValues(values, None, (10,)), preset(aspects=("canonical",)), 2000, np.random.default_rng(5))
    failed = np.mean([np.isneginf(drawn.values).item() for drawn in draws])
    assert failed == pytest.approx(1 - 0.9**10, abs=0.12)  # 128 draws are made ready


def test_who_competes_alone_is_first() -> None:
    found = stability(runs([{"method": "a", "dataset": "d", "r2": 0.5}]), aspects=("accuracy",), resamples=3)
    assert dict(found.left_out) == {}
    assert found.redrawn["a"].first == 1

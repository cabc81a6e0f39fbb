"""The plots of a competition: what they show, and that equal figures are equal bytes."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.symreg.plots import Place, Point, critical_differences, front, pareto, stability
from tests.conftest import ROOT

POINTS = [Point("operon", 0.998, 21.0), Point("linear", 0.61, 12.5), Point("lasso", 0.97, 120.0)]
PLACES = [
    Place("operon", 1, 1, 2, first=0.8, others=(1, 1, 2)),
    Place("lasso", 2, 1, 3, first=0.2, others=(2, 2, 1)),
]
SCORES = pd.DataFrame(
    np.random.default_rng(0).normal(loc=[0, 0, 0, 5], size=(12, 4)), columns=["linear", "lasso", "gplearn", "operon"]
)


@pytest.mark.parametrize(
    ("draw", "names"),
    [
        (lambda: pareto(POINTS), ["operon", "linear", "lasso"]),
        (lambda: critical_differences(SCORES), list(SCORES)),
        (lambda: stability(PLACES), ["operon", "lasso", "first in 80 %"]),
    ],
)
def test_a_plot_names_its_methods_and_is_the_same_for_the_same_figures(
    draw: Callable[[], str], names: list[str]
) -> None:
    text = draw()
    assert text == draw()
    shown = " ".join(part for part in ElementTree.fromstring(text).itertext())
    assert all(name in shown for name in names), shown


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (lambda: pareto([]), "no method gave a model"),
        (lambda: critical_differences(SCORES.iloc[:, :2]), "fewer than 3"),
        (lambda: critical_differences(SCORES.iloc[:2]), "fewer than 3"),
        (lambda: critical_differences(pd.DataFrame()), "fewer than 3"),
        (lambda: stability([]), "no method is ranked"),
    ],
)
def test_what_cannot_be_drawn_says_why(draw: Callable[[], str], reason: str) -> None:
    assert reason in draw()


@pytest.mark.slow
def test_the_plot_is_the_same_whatever_order_sets_of_names_have() -> None:
    code = (
        "import numpy as np, pandas as pd; from pfe.symreg.plots import critical_differences; "
        "scores = pd.DataFrame(np.random.default_rng(1).normal(size=(9, 6)), columns=['m%d' % at for at in range(6)]); "
        "print(critical_differences(scores))"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(drawn) == 1


def test_methods_that_are_equal_everywhere_are_drawn_as_not_told_apart() -> None:
    assert "operon" in critical_differences(SCORES * 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_the_front_holds_those_that_no_other_equals_in_both_and_beats_in_one(pairs: list[tuple[int, int]]) -> None:
    points = [Point(f"m{at}", accuracy, components) for at, (accuracy, components) in enumerate(pairs)]
    kept = {(point.accuracy, point.components) for point in front(points)}
    undominated = {
        (a, c) for a, c in pairs if not any(x >= a and y <= c and (x, y) != (a, c) for x, y in pairs)
    }  # fmt: skip
    assert kept == undominated

"""Who qualifies, on made tables and on the results of SRBench 2021."""

import math

import pandas as pd
import pytest

from pfe.errors import UserError
from pfe.judging.judge import judge
from tests.conftest import SHARED
from tests.judging.tables import preset, runs

REAL = SHARED / "srbench"
READINGS = ("mean_rank_difference", "mean", "median", "every")


def results_2021() -> pd.DataFrame:
    """One test R² per algorithm and PMLB-20 data set; the 14 algorithms with * are symbolic."""
    names = {path.name.removesuffix(".tsv.gz") for path in (REAL / "pmlb20").iterdir()}
    table = pd.read_csv(REAL / "results2021" / "blackbox_results_datasets.csv.gz")
    table = table[table["dataset"].isin(names)].rename(columns={"algorithm": "method", "r2_test": "r2"})
    return table[["method", "dataset", "r2"]].assign(track="qualification", repetition=0, status="ok")


@pytest.mark.skipif(not REAL.exists(), reason="the results of 2021 are not here")
@pytest.mark.parametrize(
    ("reading", "failing"),
    [
        ("mean_rank_difference", {"*AIFeynman", "*BSR"}),
        ("mean", {"*AIFeynman", "*BSR", "*FFX"}),
        ("median", {"*AIFeynman", "*BSR", "*DSR"}),
    ],
)
def test_the_failures_of_2021(reading: str, failing: set[str]) -> None:
    table = results_2021()
    assert table["dataset"].nunique() == 20
    found = judge(table, preset(qualification=reading, baseline="Linear")).candidates
    assert {name for name, candidate in found.items() if name.startswith("*") and not candidate.qualified} == failing
    assert not found["Linear"].qualified


def qualification(r2: dict[str, list[float]], reading: str, **changes: str) -> dict[str, float | None]:
    rows = [
        {"track": "qualification", "method": method, "dataset": f"q{at}", "r2": value}
        for method, values in r2.items()
        for at, value in enumerate(values)
    ]
    found = judge(runs(rows), preset(qualification=reading, **changes)).candidates
    for name, candidate in found.items():
        assert candidate.qualified == (name != "linear" and (candidate.margin is None or candidate.margin > 0))
    return {name: candidate.margin for name, candidate in found.items()}


def test_each_reading_on_a_table_worked_by_hand() -> None:
    """On q0 the places from the lowest are linear 2, a 3, b 1; on q1 2, 1, 3; on q2 1, 2.5, 2.5."""
    r2 = {"linear": [0.5, 0.6, 0.1], "a": [0.9, 0.55, 0.2], "b": [0.45, 0.61, 0.2]}
    assert qualification(r2, "mean_rank_difference") == {"linear": 0, "a": 0.5, "b": 0.5}
    assert qualification(r2, "mean") == {"linear": 0, "a": 0.15, "b": 0.02}
    assert qualification(r2, "median") == {"linear": 0, "a": 0.05, "b": -0.05}
    assert qualification(r2, "every") == {"linear": 0, "a": -0.05, "b": -0.05}
    assert qualification(r2, "none") == {"linear": None, "a": None, "b": None}


@pytest.mark.parametrize("reading", READINGS)
def test_what_equals_the_baseline_to_three_decimals_is_not_better(reading: str) -> None:
    assert qualification({"linear": [0.5, 0.5], "a": [0.5004, 0.4996]}, reading)["a"] == 0


@pytest.mark.parametrize("reading", READINGS)
def test_a_failed_run_is_the_worst_and_two_failures_are_equal(reading: str) -> None:
    margin = qualification({"linear": [0.5], "a": [math.nan], "b": [0.6]}, reading)
    assert margin["a"] is not None
    assert margin["a"] < 0
    assert margin["b"] is not None
    assert margin["b"] > 0
    assert qualification({"linear": [math.nan], "a": [-math.inf]}, reading)["a"] == 0
    dropping = qualification({"linear": [0.5, 0.5], "a": [0.9, math.nan]}, reading, missing="drop")
    assert dropping == qualification({"linear": [0.5, 0.5], "a": [0.9, math.nan]}, reading)


def test_a_baseline_without_runs_is_told_with_the_nearest_name() -> None:
    with pytest.raises(UserError, match=r"rules.baseline: 'linaer' has no run in qualification; did you mean 'linear'"):
        qualification({"linear": [0.5], "a": [0.6]}, "mean", baseline="linaer")


def test_a_failed_run_can_be_an_error() -> None:
    with pytest.raises(UserError, match="method a, data set q0, repetition 0"):
        qualification({"linear": [0.5], "a": [math.nan]}, "mean", missing="error")

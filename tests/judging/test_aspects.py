"""Accuracy, simplicity, and what a failed run counts as."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.judging.aspects import accuracy, aspect_values, simplicity
from pfe.judging.rounding import half_up
from pfe.judging.table import Values, track
from tests.judging.tables import preset, runs


def test_accuracy_is_r2_to_three_decimals() -> None:
    assert accuracy(0.8712) == 0.871  # JUDGING
    assert accuracy([-0.0004, 1.0, -3.14159]).tolist() == [0, 1, -3.142]


def test_a_half_goes_up_though_float_noise_puts_it_below() -> None:
    assert accuracy([0.8705, 0.8715, 0.8715 - 1e-12, np.nextafter(0.8705, 0)]).tolist() == [0.871, 0.872, 0.872, 0.871]
    assert accuracy(0.87149) == 0.871


@given(st.lists(st.floats(allow_nan=False), min_size=2), st.integers(1, 9))
def test_rounding_keeps_the_order_and_moves_by_half_a_unit_at_most(values: list[float], decimals: int) -> None:
    ordered = np.sort(np.array(values))
    rounded = half_up(ordered, decimals)
    assert (rounded[1:] >= rounded[:-1]).all()
    finite = np.isfinite(ordered)
    assert (rounded[~finite] == ordered[~finite]).all()
    assert (np.abs(rounded[finite] - ordered[finite]) <= 0.51 * 10.0**-decimals + 1e-9 * np.abs(ordered[finite])).all()


def test_simplicity_by_the_examples_of_judging() -> None:
    assert simplicity(4) > simplicity(5)
    assert simplicity(85) == simplicity(90)
    assert simplicity([1, 4, 5, 85, 90]).tolist() == [0, -0.9, -1, -2.8, -2.8]
    assert math.copysign(1, float(simplicity(1))) == 1


def test_simplicity_is_the_formula_for_every_size() -> None:
    sizes = range(1, 20_001)
    assert simplicity(list(sizes)).tolist() == [round(-math.log(size, 5), 1) for size in sizes]


@pytest.mark.parametrize("count", [0, -3, math.nan, math.inf])
def test_what_has_no_components_has_no_simplicity(count: float) -> None:
    assert np.isnan(simplicity(count))


def values_of(rows: list[dict[str, Any]], **changes: Any) -> Values:
    rules = preset(**changes)
    table = runs(rows)
    columns = ["r2", rules.components, "property"]
    return aspect_values(
        track(table, "synthetic", sorted(set(table["method"])), columns), rules, rules.components
    ).values


GOOD: dict[str, Any] = {"dataset": "d", "r2": 0.5, "simplified": 5, "property": 1.0}


@pytest.mark.parametrize(
    "failure",
    [{"status": "timeout"}, {"r2": math.nan}, {"r2": -math.inf}, {"simplified": math.nan}],
)
def test_a_run_that_lacks_anything_fails_in_every_aspect(failure: dict[str, Any]) -> None:
    values = values_of([{"method": "a", **GOOD}, {"method": "b", **GOOD, **failure}])
    assert values[:, 0, 1, 0].tolist() == [-math.inf] * 3
    assert values[:, 0, 0, 0].tolist() == [0.5, -1, 1]
    assert np.isnan(
        values_of([{"method": "a", **GOOD}, {"method": "b", **GOOD, **failure}], missing="drop")[:, 0, 1]
    ).all()


def test_a_property_that_is_worst_costs_that_aspect_alone() -> None:
    values = values_of([{"method": "a", **GOOD}, {"method": "b", **GOOD, "property": -math.inf}])
    assert values[:, 0, 1, 0].tolist() == [0.5, -1, -math.inf]


def test_a_run_that_lacks_what_others_have_and_did_not_fail_is_no_measured_run() -> None:
    with pytest.raises(ValueError, match="no property of method b, data set d, repetition 0; put −inf"):
        values_of([{"method": "a", **GOOD}, {"method": "b", **GOOD, "property": math.nan}])


def test_a_row_that_others_have_is_a_failure_where_it_is_missing() -> None:
    rows = [{"method": "a", **GOOD, "repetition": repetition} for repetition in (0, 1)] + [{"method": "b", **GOOD}]
    assert values_of(rows)[0, 0].tolist() == [[0.5, 0.5], [0.5, -math.inf]]


def test_a_repetition_that_nobody_has_on_a_data_set_is_no_failure() -> None:
    rows = [{"method": "a", **GOOD, "repetition": repetition} for repetition in (0, 1)]
    values = values_of([*rows, {"method": "a", **GOOD, "dataset": "e"}])
    assert np.isnan(values[:, 1, 0, 1]).all()


def test_a_data_set_without_property_has_the_other_aspects() -> None:
    values = values_of([{"method": name, **GOOD, "property": math.nan} for name in "ab"])
    assert np.isnan(values[2]).all()
    assert np.isfinite(values[:2]).all()


def test_properties_are_rounded_as_accuracy_is() -> None:
    assert values_of([{"method": "a", **GOOD, "property": 0.98761}])[2, 0, 0, 0] == 0.988
    assert values_of([{"method": "a", **GOOD, "property": 0.98761}], rounding="summary")[2, 0, 0, 0] == 0.98761


def test_a_failure_can_be_an_error_that_names_the_run() -> None:
    rows = [{"method": "a", **GOOD, "repetition": 3}, {"method": "b", **GOOD, "repetition": 3, "status": "crashed"}]
    with pytest.raises(UserError, match="method b, data set d, repetition 3"):
        values_of(rows, missing="error")

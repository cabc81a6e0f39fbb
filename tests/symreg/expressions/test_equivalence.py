"""Rewritten truths are the truth, fitted constants are numerically, wrong terms and good approximations are not."""

import numpy as np
import pytest

from pfe.symreg.expressions.equivalence import HOPELESS, TOLERANCE, constant_difference, constant_ratio, deviation
from pfe.symreg.expressions.measure import Equivalent, Question, StepLimits, measure
from pfe.symreg.expressions.parser import parse
from pfe.symreg.expressions.symbolic import to_sympy
from tests.symreg.expressions.formulas import COLUMNS, EASIER, EASY, HARD, MEDIUM, QUOTIENT, RANGES

CASES: list[tuple[str, str, Equivalent]] = [
    (EASIER, EASIER, "symbolic"),
    (EASIER, "(0.4*x2 - 1.5)*x1 + 2.5*x2", "symbolic"),
    (EASIER, "x1*x2*4/10 - 3*x1/2 + 5*x2/2 + 77", "symbolic"),
    (EASIER, f"-3.7*({EASIER})", "symbolic"),
    (EASIER, "(0.1 + 0.2)*x1*x2 + 0.1*x2*x1 - 1.5*x1 + 2.5*x2", "symbolic"),
    (EASIER, "0.400001*x1*x2 - 1.500001*x1 + 2.5*x2 + 5", "numerical"),
    (EASIER, "0.4*x1*x2 - 1.5*x1 + 2.5*x2 + 0.05*x3", "no"),
    (EASIER, f"2*({EASIER}) + 1", "no"),  # an offset or a factor, not both
    (EASIER, "3", "no"),
    (EASIER, "0*x1", "no"),
    (EASIER, "x1 +", "no"),
    (EASY, f"{EASIER} + 2*log(abs(x3))", "symbolic"),
    (EASY, f"{EASIER} + 2*plog(x3)", "symbolic"),
    (EASY, f"{EASIER} + log(30.01*x3**2)", "symbolic"),  # a constant in a logarithm is an offset
    (EASY, f"{EASIER} + 1.000001*log(x3**2)", "numerical"),
    (EASY, EASIER, "no"),
    (MEDIUM, f"({EASIER})*pinv{QUOTIENT}", "symbolic"),
    (MEDIUM, f"5*({EASIER})/(5 + x1**2 + x2*x2)", "symbolic"),
    (MEDIUM, f"0.4*x1*x2/{QUOTIENT} + pdiv(2.5*x2 - 1.5*x1 + 1, {QUOTIENT})", "symbolic"),
    (MEDIUM, f"({EASIER})/(1 + 0.200001*(x1**2 + x2**2))", "numerical"),
    (MEDIUM, f"({EASIER})/(1 + 0.2*(x1**2 - x2**2))", "no"),
    (HARD, f"(5.5*sin(x1)*cos(x2) + 5.5*cos(x1)*sin(x2) + {EASIER})/{QUOTIENT}", "symbolic"),
    (HARD, f"-11*sin(-x1 - x2)/{QUOTIENT} + 2*({EASIER})/{QUOTIENT}", "symbolic"),
    (HARD, f"(5.500001*sin(x1 + x2) + {EASIER})/{QUOTIENT}", "numerical"),
    (HARD, f"(5.5*sin(x1 - x2) + {EASIER})/{QUOTIENT}", "no"),
]


@pytest.mark.slow
def test_the_true_formulas_of_srbench_2022_and_what_is_made_of_them() -> None:
    """Formulas: SRBench's competition of 2022, synthetic track, family exact formula, x in [-5, 5]."""
    questions = [Question(model, COLUMNS, truth, RANGES) for truth, model, _ in CASES]
    found = measure(questions, StepLimits(seconds=20), None, workers=1)
    assert [(case[1], measured.equivalent) for case, measured in zip(CASES, found, strict=True)] == [
        (model, equivalent) for _, model, equivalent in CASES
    ]


def test_without_ranges_only_symbols_decide() -> None:
    questions = [Question(model, COLUMNS, EASIER) for model in (f"{EASIER} + 5", "0.400001*x1*x2", "7")]
    found = measure(questions, StepLimits(), None, workers=1)
    assert [measured.equivalent for measured in found] == ["symbolic", "unknown", "no"]


def test_nothing_is_a_multiple_of_the_truth_by_a_factor_of_zero() -> None:
    truth, twice, nothing = (
        to_sympy(parse(text, ["x1"]), exact=True) for text in ("exp(x1)", "2*exp(x1)", "sin(x1)**2 + cos(x1)**2 - 1")
    )
    assert constant_ratio(twice, truth)
    assert not constant_ratio(nothing, truth)
    assert not constant_difference(twice, truth)


def test_the_deviation_counts_in_standard_deviations_of_the_truth() -> None:
    truth, model = parse("x1", ["x1", "x2"]), parse("x1 + x2", ["x1", "x2"])
    found = deviation(model, truth, [(0, 1), (0, 1)])
    assert found == pytest.approx(0.5 * 0.99 * 12**0.5, rel=0.05)  # |x2 - its median| of two uniform columns
    assert deviation(model, model, [(0, 1), (0, 1)]) == 0


def test_an_approximation_that_is_near_in_the_training_range_is_none_beyond_it() -> None:
    x = np.linspace(-5, 5, 500)
    fitted = np.polynomial.Polynomial.fit(x, np.sin(x), 11).convert().coef
    text = "+".join(f"({coefficient!r})*x1**{power}" for power, coefficient in enumerate(fitted.tolist()))
    model, truth = parse(text, ["x1"]), parse("sin(x1)", ["x1"])
    assert np.max(np.abs(model.predict(x[:, None]) - np.sin(x))) < TOLERANCE
    found = deviation(model, truth, [(-5, 5)])
    assert found is not None
    assert found > HOPELESS


def test_a_pole_or_a_guard_spoils_no_comparison_and_too_few_finite_points_allow_none() -> None:
    truth = parse("1/x1", ["x1"])
    assert deviation(parse("pinv(x1)", ["x1"]), truth, [(-1, 1)]) == pytest.approx(0, abs=1e-9)
    assert deviation(parse("sqrt(x1)/x1", ["x1"]), truth, [(-1, 1)]) is None
    assert deviation(parse("x1", ["x1"]), parse("log(x1)", ["x1"]), [(-9, 1)]) is None

"""Formulas as sympy trees: the golden counts of JUDGING.md, and the value that the tree has."""

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings

from pfe.symreg.expressions.parser import parse
from pfe.symreg.expressions.symbolic import components, components_written, is_real, rounded, to_sympy
from tests.symreg.expressions.formulas import POINTS, Formula, formulas


def counted(text: str) -> int:
    return components(to_sympy(parse(text, ["x", "y"])))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", 1),
        ("-x", 3),
        ("x - y", 5),
        ("x / y", 5),
        ("sqrt(x)", 3),
        ("7", 1),
        ("-2.5", 1),
        ("2/3", 1),
        ("x + y + 1", 4),
        ("2*x*y", 4),
        ("1/x", 3),
        ("exp(x)", 2),
        ("max(x, y, 1)", 4),
        ("pdiv(x, y)", 5),
        ("plog(x)", 3),
        ("psqrt(x)", 4),
        ("pinv(x)", 3),
        ("aq(x, y)", 9),
    ],
)
def test_components_of_small_formulas(text: str, expected: int) -> None:
    assert counted(text) == expected
    assert components_written(parse(text, ["x", "y"])) >= expected


def test_building_collects_like_terms_and_does_no_more() -> None:
    assert counted("x + y + x") == counted("2*x + y") == 5
    assert counted("2*x*3*x") == counted("6*x**2") == 5
    assert counted("sin(x)**2 + cos(x)**2") == 9
    assert counted("(x**2 - 1)/(x - 1)") == 11


@pytest.mark.parametrize(
    "text",
    [
        "0.5*(2*x + 1)*(y + 3)",
        "(2*x + 1)*3*(y + 3)",
        "-(x + y)*(x - 1)",
        "2*(3*(x + 1))/y",
        "x*2*(y + 1)",
        "(x + 1)/2*y",
        "Piecewise((x, x < 0), (y*(2*x + 2), True))*2 + pi*E",
        "Piecewise((x, x > y), (y, x > 1), (0, True))",
        "Piecewise((x, ITE(x > 0, y > 1, y > 2)), (2, True))",
        "Max(x, y, 2)*Min(x, y) + Abs(x) + Heaviside(x)",
        "1/(1 + exp(-x)) + sqrt(x**2 + 1)",
        "factor_terms(0.25*(sin(3*log(x)) + sin(3*log(y)) + cos(3*log(x)) + cos(3*log(y))))",
        "2*factor_terms(3*x*y + 6*x)/y",
        "collect(x*y + x*sin(y) + 2, x) - 1",
    ],
)
def test_a_formula_as_sympy_writes_it_has_the_components_that_sympy_reads(text: str) -> None:
    """Sympy multiplies a number and a sum out while it builds, but only as the first two factors."""
    symbols = {name: sympy.Symbol(name, real=True) for name in "xy"}
    assert counted(text) == components(sympy.sympify(text, locals=symbols))
    assert components_written(parse(text, ["x", "y"])) >= counted(text)


def test_terms_that_sympy_factors_count_as_factored() -> None:
    """A constant times a sum is multiplied out as sympy reads it, and `factor_terms` undoes that."""
    text = "0.25*(" + " + ".join(f"sin({number}*log(x))" for number in range(2, 10)) + ")"
    assert (counted(text), counted(f"factor_terms({text})")) == (57, 43)
    assert counted(f"expand({text})") == 57


def test_the_count_of_a_sum_does_not_depend_on_its_brackets() -> None:
    terms = [f"sin({number}*x)" for number in range(1, 30)]
    left, right = "+".join(terms), "+(".join(terms) + ")" * 28
    assert to_sympy(parse(left, ["x"])) == to_sympy(parse(right, ["x"]))
    assert counted(left) == 1 + 2 + 28 * 4


@pytest.mark.parametrize(("text", "expected"), [("pdiv(x, y - y)", 1), ("plog(0.0001)", 0), ("pinv(x - x)", 0)])
def test_a_constant_within_the_guard_gives_the_guard_s_value(text: str, expected: int) -> None:
    assert to_sympy(parse(text, ["x", "y"])) == expected


@pytest.mark.parametrize("text", ["1/(x - x)", "x + log(0)", "sqrt(-1)*x", "0/0"])
def test_infinite_and_imaginary_trees_are_told(text: str) -> None:
    assert not is_real(to_sympy(parse(text, ["x"])))
    assert is_real(to_sympy(parse(f"x + {3 * 3}", ["x"])))


def test_decimals_are_floats_or_exact_fractions() -> None:
    assert to_sympy(parse("0.1*x", ["x"])).args[0] == sympy.Float(0.1)
    assert to_sympy(parse("1.5e-1*x", ["x"]), exact=True).args[0] == sympy.Rational(3, 20)


def test_rounding_deletes_the_terms_that_become_nothing() -> None:
    tree = to_sympy(parse("1.23456*x + 0.0004*y + 7", ["x", "y"]))
    assert rounded(tree, 3) == to_sympy(parse("1.235*x + 7", ["x", "y"]))


@settings(max_examples=60)
@given(formulas)
def test_the_tree_has_the_value_of_the_formula(formula: Formula) -> None:
    """Where that is finite and small changes of the columns change it little, for the two round differently."""
    names = ["x0", "x1", "x2"]
    expression = parse(formula.text, names)
    expected = expression.predict(POINTS[:1])
    near = [expression.predict(POINTS[:1] * (1 + change)) for change in (1e-9, -1e-9)]
    assume(np.isfinite(expected).all() and np.allclose(near, expected, rtol=1e-7, atol=1e-7))
    tree = to_sympy(expression)
    assume(is_real(tree))  # log(-1)**2 is real, but not to numpy on its way
    point = {sympy.Symbol(name, real=True): number for name, number in zip(names, POINTS[0], strict=True)}
    try:
        reached = complex(tree.subs(point).evalf())
    except (TypeError, ValueError):
        assume(False)  # sympy compares no complex numbers; numpy took them for NaN, and that for false
    assume(not reached.imag)
    assert reached.real == pytest.approx(expected[0], rel=1e-6, abs=1e-6)

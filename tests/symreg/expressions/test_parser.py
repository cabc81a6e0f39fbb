"""Reading formulas: what they mean, what is refused and how it is told, and how large they may be."""

import math
import tracemalloc

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from pfe.symreg.expressions import numeric
from pfe.symreg.expressions.functions import function, names
from pfe.symreg.expressions.parser import LONGEST, MOST_NODES, NotAnExpressionError, parse
from pfe.symreg.expressions.symbolic import to_sympy
from tests.symreg.expressions.formulas import POINTS, Formula, formulas


def value(text: str) -> float:
    """At x0 = 3, x1 = 5."""
    return float(parse(text, ["x0", "x1"]).predict([[3.0, 5.0]])[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-x0**2", -9),
        ("(-x0)**2", 9),
        ("2**-1", 0.5),
        ("2**3**2", 512),
        ("2^3^2", 512),
        ("2**-x0*4", 0.5),
        ("2**-x0**2", 2**-9),
        ("-x0*x1", -15),
        ("x1--x0", 8),
        ("x1 - - -x0", 2),
        ("x1*-x0+1", -14),
        ("+x0 - +x1", -2),
        ("10 - 4 - 3", 3),
        ("100/5/2", 10),
        ("8/2*4", 16),
        ("1 + 2*3**2", 19),
        ("-2**-2", -0.25),
        ("1.5e-1 + .5 + 2. + 1E1", 12.65),
        ("min(x0, x1, -2) + max(x0, x1)", 3),
        ("aq(x0, 2)", 3 / 5**0.5),
        ("pdiv(x0, 0.0009)", 1),
        ("pdiv(x0, 0.0011)", 3 / 0.0011),
        ("plog(-x0)", float(np.log(3))),
        ("plog(-0.0009)", 0),
        ("psqrt(-9)", 3),
        ("pinv(0.0009) + pinv(-x0)", -1 / 3),
        ("sign(-x0) + abs(-x1)", 4),
    ],
)
def test_a_formula_has_the_value_that_its_writer_meant(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, rel=1e-14)


REWRITING_NAMES = (
    *("factor_terms", "factor", "simplify", "nsimplify", "expand", "cancel", "together", "apart", "powsimp"),
    *("powdenest", "radsimp", "ratsimp", "trigsimp", "logcombine", "expand_log", "expand_trig", "sympy.expand_mul"),
)
WRITTEN = {  # what packages write, and what it means at x0 = 3, x1 = 5
    "E + pi*0": math.e,
    "np.pi + numpy.e - math.pi": math.e,
    "exp(1)*E**x0": math.e**4,
    "ln(x0) + Log(x0)": 2 * math.log(3),
    "square(x0) + cube(x0) + sqr(x1)": 9 + 27 + 25,
    "pow(x0, 2) + Pow(x0, x1) + power(2, 3)": 9 + 243 + 8,
    "x0^-4 + x0**(-1)": 3**-4 + 1 / 3,
    "inv(x0) + neg(x1) + reciprocal(2)": 1 / 3 - 5 + 0.5,
    "add(x0, mul(2, x1)) - sub(x0, div(x1, 2))": 13 - 0.5,
    "Add(x0, Mul(Integer(-1), x1), Rational(1, 2))": -1.5,
    "np.add(x0, np.multiply(x1, np.float64(2)))": 13,
    "Abs(-x0) + ABS(-x1) + np.abs(-1)": 9,
    "Max(x0, x1, 7) - Min(x0, 1)": 6,
    "np.maximum(x0, x1) + fmin(x0, x1)": 8,
    "sgn(-x0) + np.sign(x1)": 0,
    "1e-05 + 1.E+3 + 1.e-2 + 5.e+0": 1e-5 + 1000 + 0.01 + 5,
    "x0 − x1 × 2 ÷ 4 · 3": 3 - 7.5,
    "+x0 + +x1": 8,
    "log2(8) + log10(1000) + log1p(0) + expm1(0) + exp2(3)": 14,
    "sqrtabs(-9) + logabs(-E) + powabs(-3, 2) + cbrt(-8)": 3 + 1 + 9 - 2,
    "arcsin(0.5) + asin(0.5)": math.pi / 3,
    "arctan2(x0, x1) + atan2(x1, x0)": math.pi / 2,
    "arcsinh(0) + acosh(1) + atanh(0) + arctanh(0)": 0,
    "hypot(x0, 4) + hypot(0, x1)": 10,
    "sigmoid(0) + logistic(0) + sig(0)": 1.5,
    "relu(-x0) + relu(x1) + softplus(0)": 5 + math.log(2),
    "gauss(2) + tanh(0)": math.exp(-4),
    "sec(0) + csc(x0)*sin(x0) + cot(x0)*tan(x0)": 3,
    "erf(0) + floor(-2.5) + ceil(2.2) + ceiling(2.2)": 3,
    "Heaviside(x0) + Heaviside(0) + heaviside(0, 1)": 2.5,
    "AQ(x0, 2)": 3 / 5**0.5,
    "Piecewise((x0, x1 < 0), (x1, True))": 5,
    "Piecewise((1, x0 > 4), (2, x0 >= 3), (3, True))": 2,
    "2*Piecewise((x0, (x0 > 0) & (x1 < 9)), (x1, True)) + 1": 7,
    "Piecewise((x0, Or(x0 > 4, And(x0 < 4, Ne(x1, 5)))), (x1, true))": 5,
    "ITE(x0 < x1, x0, x1)*2": 6,
    "Piecewise((7, ITE(x0 < 0, x1 > 0, x1 > 4)), (8, True))": 7,
    "np.where(x0 >= x1, x0, x1)": 5,
    "If(x0 <= 2.5, 1, If(x1 == 5, 2, 3))": 2,
    "ifelse(x0 != 3 || x1 > 4 && !(x0 > 9), 1, 2)".replace("!(", "not ("): 1,
    "where(not x0 > 4 and x1 > 4 or x0 > 9, 1, 2)": 1,
    "where(~(x0 > 4) & (x1 < 4), 1, 2)": 2,
    "where(not (x0 > 2) & (x1 < 4), 1, 2)": 1,
    "greater(x0, x1) + 2*greater(x1, x0)": 2,
    "cond(x0, x1) + cond(-x0, x1)": 5,
    "logical_or(x0, -x1) + 2*logical_and(x0, -x1)": 1,
    "gt(x0, 2)*0".replace("gt(x0, 2)", "ITE(gt(x0, 2), 4, 5)"): 0,
    **{f"{name}(x0 + x1)": 8 for name in REWRITING_NAMES},
    "collect(x0*x1 + x0, x0)": 18,
    "clamp(x0, 0, 2) + clamp(x0, 4, 5) + clip(x0, 0, 9)": 2 + 4 + 3,
    "fma(x0, x1, 2) + muladd(2, 3, 4)": 27,
    "erfc(x1) + 1 - erfc(x1)": 1,
    "log10_abs(-1000) + log2_abs(-8) + log1p_abs(0) + acosh_abs(0)": 6,
}
CONDITIONS = {  # as PySR prints its operators that give 1 or 0, at x0 = 3, x1 = 5
    "(x0 > 0.47902) - ((x0 * -1.43826) + 1.36987)": 1 + 3 * 1.43826 - 1.36987,
    "x0 > x1": 0,
    "x0 <= x1": 1,
    "x0 != x1": 1,
    "x0 + 1 > x1 - 2": 1,
    "(x0 >= 3) + 2*(x0 < 3) + 4*(x1 <= 5) + 8*(x1 > 5)": 5,
    "((x0 > 1) > 0.5) < 2": 1,
    "-(x0 > 1)": -1,
    "sin(x0 > 1) * max(x0 > 1, x1)": 5 * math.sin(1),
    "((x0 > 1) + (x1 > 1)) * ((x0 > 9) + x1) ^ (x0 < 9)": 10,
    "(x0 > 1) * ((x0 > 1) & (x1 > 1)) - (not x0 > 1)": 1,
    "square(x0 > 1) + cube(x0 < 1) + neg(x0 < 9) + inv(x0 > 1) + relu(x0 > 9)": 1,
    "cond(x0 > x1, 7) + cond(x0 < x1, x1 > 2) + logical_or(x0 > 9, -x1) + logical_and(x0, x1 > 4)": 2,
    "clamp(x0 > 1, 0.2, x1) + fma(x0 > 1, x1 > 1, x0 > 9)": 2,
    "greater(x0, 1) + greater_equal(x0, 3) + less(x0, 3) + less_equal(x0, 3)": 3,
    "where(greater(x0, x1), 1, 2) + where(np.less(x0, x1), 1, 2)": 3,
    "ITE(x0 < x1, x0 > 1, 7) + Piecewise((x0 > 1, x1 > 1), (x0, True))": 2,
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_a_condition_is_1_or_0_where_a_number_is_due_and_the_tree_agrees(text: str) -> None:
    assert value(text) == pytest.approx(CONDITIONS[text], rel=1e-14)
    symbols = {sympy.Symbol(name, real=True): number for name, number in (("x0", 3), ("x1", 5))}
    assert float(to_sympy(parse(text)).subs(symbols)) == pytest.approx(CONDITIONS[text], rel=1e-14)


def test_a_condition_that_becomes_a_number_counts_as_nodes() -> None:
    terms = MOST_NODES // 7
    assert len(parse("+".join(["(x0 > 1)"] * terms)).postfix) <= MOST_NODES
    with pytest.raises(NotAnExpressionError, match="more than 20000 nodes"):
        parse("+".join(["(x0 > 1)"] * (terms + 1)))


@pytest.mark.parametrize("text", WRITTEN)
def test_what_packages_write_has_the_value_that_they_mean(text: str) -> None:
    assert value(text) == pytest.approx(WRITTEN[text], rel=1e-14, abs=1e-15)


def test_no_piece_that_holds_is_no_number() -> None:
    found = parse("Piecewise((x0, x0 > 1), (2, x0 > 0))").predict([[2.0], [0.5], [-1.0]])
    np.testing.assert_array_equal(found, [2, 2, np.nan])


def test_a_column_comes_before_a_constant_of_its_name() -> None:
    assert parse("E*pi", ["E", "pi"]).features == ("E", "pi")
    assert parse("E*pi + x0", ["e"]).features == ("e",)


@pytest.mark.parametrize("name", names())
def test_every_function_is_read_with_the_arguments_that_it_takes(name: str) -> None:
    known = function(name)
    assert known
    argument = "(x0, x0 > 1)" if name == "piecewise" else "x0 > 1" if name in ("and", "or") else "x0"
    arguments = [argument] * known.fewest
    if known.name == "if":
        arguments[0] = "x0 > 1"
    texts = [f"{shown}({', '.join(arguments)})" for shown in (name, name.upper(), name.title())]
    if name == "not":
        texts = [f"{shown}(x0 > 1)" for shown in ("not ", "Not", "NOT")]
    conditions = ("and", "or", "not", "gt", "ge", "lt", "le", "eq", "ne")
    for text in texts:
        number = f"where({text}, 1, 2)" if known.name in conditions else text
        assert parse(number).predict([[0.5], [1.5]]).shape == (2,)


@given(formulas)
def test_a_formula_gives_what_numpy_gives(formula: Formula) -> None:
    with np.errstate(all="ignore"):
        expected = formula.values
    found = parse(formula.text, ["x0", "x1", "x2"]).predict(POINTS)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("text", ["log(-1)", "1/0", "0/0", "exp(x0*1000)", "asin(2)", "(-8)**0.5", "1e308*10"])
def test_outside_of_its_domain_a_formula_is_not_finite_and_nothing_is_raised(text: str) -> None:
    assert not np.isfinite(value(text))


def test_a_constant_has_a_value_at_every_row() -> None:
    assert parse("2*3", ["a"]).predict(np.zeros((4, 1))).tolist() == [6.0] * 4
    with pytest.raises(ValueError, match=r"shape \(n, 1\) are wanted, not \(4, 2\)"):
        parse("a", ["a"]).predict(np.zeros((4, 2)))


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", 1, "empty"),
        (" \n", 1, "empty"),
        ("x0 + sine(x1)", 6, "unknown function 'sine'; did you mean 'sin'"),
        ("1 + lraed", 5, "unknown name 'lraed'; did you mean 'lread'"),
        ("1 + q", 5, "unknown name 'q'; columns: x0, x1, lread"),
        ("1 + sin", 5, "needs its arguments in brackets"),
        ("x0 * inf", 6, "no finite number"),
        ("NaN", 1, "no finite number"),
        ("1e999", 1, "too large"),
        ("x0.real", 3, "'.' has no place"),
        ("x0 x1", 4, "operator is missing before 'x1'"),
        ("2x0", 2, "operator is missing before 'x0'"),
        ("(x0)(x1)", 5, "operator is missing before '('"),
        ("x0 +", 5, "missing at the end"),
        ("x0 * / x1", 6, "missing before '/'"),
        ("sin()", 5, "missing before ')'"),
        ("Wronskian(x0)", 1, "unknown function 'Wronskian'; docs/judging.md lists those that are known"),
        ("expand(x0, x1)", 1, "'expand' takes 1 argument, not 2"),
        ("Squared(x0)", 1, "unknown function 'Squared'; did you mean 'square'"),
        ("log(x0, 2)", 1, "'log' takes 1 argument, not 2"),
        ("pow(x0)", 1, "'pow' takes 2 arguments, not 1"),
        ("add(x0)", 1, "'add' takes two or more arguments, not 1"),
        ("Heaviside(x0, 1, 2)", 1, "'Heaviside' takes 1 or 2 arguments, not 3"),
        ("np.load(x0)", 4, "unknown function 'load'"),
        ("np.x0", 4, "unknown function 'x0'"),
        ("True", 1, "a condition, not a number; write 1 or 0"),
        ("1 + True", 3, "argument 2 of '+' is a condition where a number is due"),
        ("sin(true)", 1, "'sin' is a condition where a number is due"),
        ("0 < x0 < 1", 8, "comparisons in a row; write (a < b) & (b < c)"),
        ("x0 == x1 + 2 != 3", 14, "comparisons in a row"),
        ("ITE(x0, 1, 2)", 1, "argument 1 of 'if' is a number where a condition is due"),
        ("ITE(x0 & x1, 1, 2)", 8, "argument 1 of 'and' is a number where a condition is due"),
        ("Piecewise(x0, x1)", 11, "a piece is to be written (value, condition)"),
        ("Piecewise((x0))", 11, "a piece is to be written (value, condition)"),
        ("Piecewise((x0, x1 > 0, 1))", 11, "a piece is to be written (value, condition)"),
        ("Piecewise((x0, x1))", 1, "argument 2 of 'piecewise' is a number where a condition is due"),
        ("Piecewise((1, x1 > 0) + 1)", 23, "'+' stands after a piece"),
        ("Piecewise()", 11, "missing before ')'"),
        ("x0 % 2", 4, "write x - y*floor(x/y)"),
        ("y = x0", 1, "unknown name 'y'"),
        ("x0 = 3", 4, "of an equation give the right side alone"),
        ("|x0|", 1, "an absolute value is abs(x)"),
        ("\\frac{x0}{2}", 1, "LaTeX is not read"),
        ("x0**pi**200", 7, "larger than 100"),
        ("pow(9, pow(9, 9))", 1, "larger than 100"),
        ("cube(cube(cube(cube(cube(cube(10000))))))", 1, "more than 4096 bits"),
        ("sin(x0, x1)", 1, "'sin' takes 1 argument, not 2"),
        ("1 + min(x0)", 5, "'min' takes two or more arguments, not 1"),
        ("pdiv(x0)", 1, "'pdiv' takes 2 arguments, not 1"),
        ("(x0", 1, "not closed"),
        ("sin((x0)", 1, "not closed"),
        ("x0)", 3, "no bracket"),
        ("x0, x1", 3, "no bracket"),
        ("(x0, x1)", 4, "outside of a function's arguments"),
        ("[x0]", 1, "'[' has no place"),
        ("x0 == x1", 1, "of an equation give the right side alone"),
        ("'x0'", 1, "has no place"),
        ("x0 // x1", 5, "missing before '/'"),
        ("x0**101", 3, "larger than 100"),
        ("x0**-101", 3, "larger than 100"),
        ("x0**(10**9)", 3, "larger than 100"),
        ("x0**(301/2)", 3, "larger than 100"),
        ("9**9**9", 2, "larger than 100"),
        ("(2**100)**100", 9, "more than 4096 bits"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_where(text: str, position: int, reason: str) -> None:
    with pytest.raises(NotAnExpressionError) as caught:
        parse(text, ["x0", "x1", "lread"])
    assert (caught.value.position, reason in caught.value.reason) == (position, True), caught.value
    assert str(caught.value).startswith(f"character {position}: ")


def test_columns_are_the_names_of_the_data_and_the_longest_that_fits_is_taken() -> None:
    columns = ["a", "a-b", "b", "2dim", "exp", "my col", "größe"]
    table = np.arange(1.0, 8.0)[None, :]

    def at(text: str) -> float:
        return float(parse(text, columns).predict(table)[0])

    assert at("a-b") == 2
    assert at("a -b") == -2
    assert at("b-a-b") == 1
    assert at("2dim*2") == 8
    assert at("exp + exp(0)") == 6
    assert at("my col - größe") == -1
    assert parse("größe*0 + a-b", columns).features == ("a-b", "größe")
    with pytest.raises(NotAnExpressionError, match="character 3: unknown name 'bc'"):
        parse("a-bc", columns)


def test_columns_are_numbered_where_none_has_such_a_name() -> None:
    assert parse("x1 + x0", ["hour", "lread"]).features == ("hour", "lread")
    assert parse("x2 - x0").columns == ("x0", "x1", "x2")
    with pytest.raises(NotAnExpressionError, match="unknown name 'x0'"):
        parse("x0", ["x1", "x2"])
    for text in ("X_1 + x_0", "X1 + X0", "ARG1 + ARG0", "x[1] + X[:, 0]"):
        assert parse(text, ["hour", "lread"]).features == ("hour", "lread")
        assert parse(text).columns == ("x0", "x1")
    assert parse("x[0]", ["x1", "x2"]).features == ("x1",)
    for text in ("X1", "x_1", "ARG0"):
        with pytest.raises(NotAnExpressionError, match="unknown name"):
            parse(text, ["x1", "x2"])
    for text in ("x2", "x01", "x[2]", "x[-1]", "x[0, 1]", "x[:]", "x[1:, 0]", "ARG", "x1[0]"):
        with pytest.raises(NotAnExpressionError, match=r"unknown name|no place"):
            parse(text, ["hour", "lread"])


@pytest.mark.parametrize(
    "text",
    [
        "x0*x1-sin(" * 400 + "x2" + ")" * 400,
        "max(" + "x0 + x1, " * 400 + "x2)",
        "where(x0 > x1, sin(x2), " * 400 + "x0" + ")" * 400,
        "Piecewise(" + "(x0 + x1, x0 > x2 + 1), " * 400 + "(x2, True))",
        "2**" * 60 + "x0",
    ],
    ids=["nested", "arguments", "choices", "pieces", "powers"],
)
def test_the_memory_of_a_formula_is_bounded_however_deep_it_is_and_however_many_rows_there_are(text: str) -> None:
    formula = parse(text, ["x0", "x1", "x2"])
    rows = np.random.default_rng(0).uniform(0, 1, (4_000, 3))
    whole = formula.predict(rows[:5])
    limit = 1 << 20  # bytes; all at once would be ten times as much
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numeric, "MEMORY", limit)
        tracemalloc.start()
        found = formula.predict(rows)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 2 * limit
    np.testing.assert_allclose(found[:5], whole, rtol=1e-9)


def test_long_and_deep_formulas_are_read() -> None:
    rows = np.full((2, 1), 0.5)
    assert parse("+".join(["2*x0"] * 3000)).predict(rows) == pytest.approx(3000)
    assert parse("(" * 500 + "x0" + ")" * 500).predict(rows) == pytest.approx(0.5)
    assert np.all(parse("sin(" * 200 + "x0" + ")" * 200).predict(rows) < 0.5)
    assert parse("-" * 9998 + "x0").predict(rows) == pytest.approx(0.5)


def test_what_is_too_long_or_has_too_many_nodes_is_refused() -> None:
    parse("1" + " " * (LONGEST - 1))
    with pytest.raises(NotAnExpressionError, match="200001 characters"):
        parse("1" + " " * LONGEST)
    parse("-" * (MOST_NODES - 1) + "x0")
    with pytest.raises(NotAnExpressionError, match="more than 20000 nodes"):
        parse("-" * MOST_NODES + "x0")
    with pytest.raises(NotAnExpressionError) as caught:
        parse("a" * LONGEST)
    assert len(str(caught.value)) < 200


words = st.sampled_from(
    [
        *names(),
        "x0",
        "x1",
        "1",
        "2.5",
        ".",
        "e",
        *"+-*/^(),<>&|~",
        "**",
        " and ",
        " or ",
        " not ",
        "Piecewise((",
        "ITE(",
        "True",
        "pi",
        " ",
        "\x00",
        "é",
    ]
)


@given(st.one_of(st.text(max_size=40), st.lists(words, max_size=25).map("".join)))
def test_any_text_is_a_formula_or_a_refusal_at_a_character_of_it(text: str) -> None:
    position = 1
    try:
        parse(text, ["x0", "x1"]).predict(np.ones((2, 2)))
    except NotAnExpressionError as error:
        position = error.position
    assert 1 <= position <= len(text) + 1

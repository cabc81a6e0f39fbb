"""Reading formulas: what they mean, what is refused and how it is told, and how large they may be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.expressions.parser import LONGEST, MOST_NODES, NotAnExpressionError, parse
from pfe.expressions.postfix import FUNCTIONS
from tests.expressions.formulas import POINTS, Formula, formulas


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
        ("sin(x0, x1)", 1, "'sin' takes 1 argument, not 2"),
        ("1 + min(x0)", 5, "'min' takes two or more arguments, not 1"),
        ("pdiv(x0)", 1, "'pdiv' takes 2 arguments, not 1"),
        ("(x0", 1, "not closed"),
        ("sin((x0)", 1, "not closed"),
        ("x0)", 3, "no bracket"),
        ("x0, x1", 3, "no bracket"),
        ("(x0, x1)", 4, "outside of a function's arguments"),
        ("[x0]", 1, "'[' has no place"),
        ("x0 == x1", 4, "'=' has no place"),
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
    for text in ("x2", "x01", "X0"):
        with pytest.raises(NotAnExpressionError, match="unknown name"):
            parse(text, ["hour", "lread"])


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


words = st.sampled_from([*sorted(FUNCTIONS), "x0", "x1", "1", "2.5", ".", "e", *"+-*/^(),", "**", " ", "\x00", "é"])


@given(st.one_of(st.text(max_size=40), st.lists(words, max_size=25).map("".join)))
def test_any_text_is_a_formula_or_a_refusal_at_a_character_of_it(text: str) -> None:
    position = 1
    try:
        parse(text, ["x0", "x1"]).predict(np.ones((2, 2)))
    except NotAnExpressionError as error:
        position = error.position
    assert 1 <= position <= len(text) + 1

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.tutors.formula import Draws, Formula

whole = st.integers(-50, 50)


@given(whole, whole, whole.filter(bool))
def test_formulas_are_exact(a: int, b: int, c: int) -> None:
    names = {"a": a, "b": b, "c": c}
    assert Formula("(a + b) / c * c").value(names) == a + b
    value = Formula("a / c").value(names)
    assert value == Fraction(a, c)
    assert isinstance(value, int) == (a % c == 0)


@given(st.integers(0, 2**32))
def test_what_is_kept_stays_and_the_rest_follows(seed: int) -> None:
    draws = Draws("n = between(2, 40)\nk = pick(3, 4)\nt = n * k\nrequire(t % 2 == 0)\npeople(2)")
    rng = Random(seed)
    facts = None
    while facts is None:
        facts = draws.draw(rng, {})
    assert facts["t"] == facts["n"] * facts["k"]
    assert facts["name"] != facts["name2"]
    other = None
    while other is None:
        other = draws.draw(rng, facts, keep=draws.targets - {"n", "t"})
    assert (other["k"], other["name"]) == (facts["k"], facts["name"])
    assert other["t"] == other["n"] * other["k"]
    told = {name: facts[name] for name in ("n", "k")}
    assert draws.complete(told) == told | {"t": facts["t"]}


def test_the_words_that_a_slot_may_hold_are_known() -> None:
    draws = Draws("thing, low = pick(wares)\n(one, p), (two, q) = sample(wares, 2)\nway = pick('a', 'b')",
                  {"wares": [["cup", 3], ["pan", 4]]})  # fmt: skip
    assert draws.values() == {"thing": ["cup", "pan"], "one": ["cup", "pan"], "two": ["cup", "pan"], "way": ["a", "b"]}


@pytest.mark.parametrize("text", ["().__class__", "lambda: 1", "__import__('os')", "f'{a}'", "a ** 9", "x := 1"])
def test_only_arithmetic_is_a_formula(text: str) -> None:
    with pytest.raises(UserError):
        Formula(text)


def test_a_name_without_a_value_is_told() -> None:
    with pytest.raises(ValueError, match="cannot compute 'a / b'"):
        Formula("a / b").value({"a": 1})
    with pytest.raises(ValueError, match="cannot compute 'a / b'"):
        Formula("a / b").value({"a": 1, "b": 0})

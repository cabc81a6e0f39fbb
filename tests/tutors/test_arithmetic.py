from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.tutors.arithmetic import evaluate

expressions = st.recursive(
    st.integers(0, 99).map(str),
    lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({''.join(parts)})"),
    max_leaves=8,
)


@pytest.mark.slow
@given(expressions)
def test_it_computes_what_python_computes(expression: str) -> None:
    assert evaluate(expression) == eval(expression)


@pytest.mark.parametrize(
    ("expression", "value"),
    [("1/3*3", 1), ("0.1+0.2", Fraction(3, 10)), ("1,200*2", 2400), ("7//2", 3), ("7%4", 3), ("-5+8", 3), ("007", 7),
     ("0", 0), ("0.5*4", 2), ("00", 0)],
)  # fmt: skip
def test_values_are_exact(expression: str, value: Fraction) -> None:
    assert evaluate(expression) == value


@pytest.mark.parametrize("expression", ["", "1/0", "x+1", "__import__('os')", "2**9999999", "1 if 1 else 2", "(" * 999])
def test_anything_else_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match="cannot compute"):
        evaluate(expression)

"""What the tests share: the true formulas of SRBench's 2022 synthetic sets, and random formulas with their values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import erf, erfc

from pfe.symreg.expressions.postfix import ANY, BINARY, UNARY

COLUMNS = tuple(f"x{number}" for number in range(1, 11))
RANGES = ((-5.0, 5.0),) * len(COLUMNS)

EASIER = "0.4*x1*x2 - 1.5*x1 + 2.5*x2 + 1"
QUOTIENT = "(1 + 0.2*(x1**2 + x2**2))"
EASY = f"{EASIER} + log(30*x3**2)"
MEDIUM = f"({EASIER})/{QUOTIENT}"
HARD = f"(5.5*sin(x1 + x2) + {EASIER})/{QUOTIENT}"

POINTS = np.random.default_rng(5).uniform(-3, 3, (7, 3))

_COMPARISONS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
_OPERATORS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "**": np.power}
_FUNCTIONS: dict[str, Callable[..., NDArray[np.float64]]] = {
    **{name: getattr(np, name) for name in UNARY if hasattr(np, name)},
    **{name: getattr(np, name) for name in BINARY if hasattr(np, name)},
    "erf": erf,
    "erfc": erfc,
    "plog": lambda a: np.where(np.abs(a) > 0.001, np.log(np.abs(a)), 0),
    "psqrt": lambda a: np.sqrt(np.abs(a)),
    "pinv": lambda a: np.where(np.abs(a) > 0.001, 1 / a, 0),
    "pdiv": lambda a, b: np.where(np.abs(b) > 0.001, a / b, 1),
    "aq": lambda a, b: a / np.sqrt(1 + b**2),
    "min": lambda *values: np.min(values, axis=0),
    "max": lambda *values: np.max(values, axis=0),
}


@dataclass(frozen=True)
class Formula:
    """A text over x0, x1, x2 that needs no brackets around it, and its values at `POINTS`."""

    text: str
    values: NDArray[np.float64]


def _binary(name: str, left: Formula, right: Formula) -> Formula:
    with np.errstate(all="ignore"):
        return Formula(f"({left.text} {name} {right.text})", _OPERATORS[name](left.values, right.values))


def _called(name: str, arguments: list[Formula]) -> Formula:
    with np.errstate(all="ignore"):
        values = _FUNCTIONS[name](*(argument.values for argument in arguments))
    return Formula(f"{name}({', '.join(argument.text for argument in arguments)})", values)


def _chosen(form: str, comparison: str, left: Formula, right: Formula, value: Formula, otherwise: Formula) -> Formula:
    text = form.format(f"{left.text} {comparison} {right.text}", value.text, otherwise.text)
    values = np.where(_COMPARISONS[comparison](left.values, right.values), value.values, otherwise.values)
    return Formula(text, values)


def _grown(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(_binary, st.sampled_from(("+", "-", "*", "/")), inner, inner),
        st.builds(_binary, st.just("**"), inner, _numbers),
        st.builds(lambda of: Formula(f"(-{of.text})", -of.values), inner),
        st.builds(lambda name, of: _called(name, [of]), st.sampled_from(UNARY), inner),
        st.builds(lambda name, a, b: _called(name, [a, b]), st.sampled_from(BINARY), inner, inner),
        st.builds(_called, st.sampled_from(ANY), st.lists(inner, min_size=2, max_size=4)),
        st.builds(_chosen, _forms, st.sampled_from(sorted(_COMPARISONS)), inner, inner, inner, inner),
    )


_forms = st.sampled_from(["Piecewise(({1}, {0}), ({2}, True))", "ITE({0}, {1}, {2})"])
_columns = st.integers(0, 2).map(lambda place: Formula(f"x{place}", POINTS[:, place]))
_numbers = st.one_of(st.integers(0, 9), st.floats(0.01, 99)).map(
    lambda number: Formula(repr(number), np.full(len(POINTS), float(number)))
)
formulas = st.recursive(st.one_of(_columns, _numbers), _grown, max_leaves=8)

"""The items of a formula in postfix order, and the number of arguments of each function and operator.

Example: `x1 - 2*sin(x2)` is Column(0), Number("2"), Column(1), Call("sin", 1), Call("*", 2), Call("-", 2).
"""

from dataclasses import dataclass
from typing import Literal

NEGATIVE = "negative"  # the unary minus
NOT = "not"

UNARY = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sqrt", "cbrt", "abs", "sign", "erf", "erfc", "floor", "ceil", "plog", "psqrt", "pinv"),
)
BINARY = ("aq", "pdiv", "atan2", "heaviside")
REWRITING = {"factor_terms": 1, "collect": 2}  # have the value of their first argument
ANY = ("min", "max")  # two or more arguments
OPERATORS = ("+", "-", "*", "/", "**")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = ("and", "or")
CHOICE = "if"  # condition, value, otherwise
CONDITION_CHOICE = "ite"  # the same with conditions as values
PIECEWISE = "piecewise"  # value, condition, value, condition, …; undefined where no condition holds

ARITY = {
    **dict.fromkeys((*UNARY, NEGATIVE, NOT), 1),
    **dict.fromkeys((*BINARY, *OPERATORS, *COMPARISONS, *LOGIC), 2),
    **REWRITING,
    CHOICE: 3,
}


@dataclass(frozen=True, slots=True)
class Number:
    """A literal as written in the formula; its value is finite."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def integer(self) -> int | None:
        """Return the exact value of a literal that has only digits, otherwise None."""
        return int(self.text.lstrip("0") or "0") if self.text.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or a condition that has a name."""

    name: Literal["pi", "E", "true", "false"]

    @property
    def is_condition(self) -> bool:
        return self.name in ("true", "false")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the data by its index, from 0."""

    place: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator applied to the last `arity` values."""

    name: str
    arity: int


Item = Number | Constant | Column | Call

"""The words of a formula in postfix order, and what each of them takes.

Example: `x1 - 2*sin(x2)` is Column(0), Number("2"), Column(1), Call("sin", 1), Call("*", 2), Call("-", 2).
"""

from dataclasses import dataclass
from typing import Literal

NEGATIVE = "negative"  # the unary minus
NOT = "not"

UNARY = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "log", "sqrt", "cbrt", "abs", "sign", "erf", "floor", "ceil", "plog", "psqrt", "pinv"),
)
BINARY = ("aq", "pdiv", "atan2", "heaviside")
ANY = ("min", "max")  # two or more arguments
OPERATORS = ("+", "-", "*", "/", "**")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = ("and", "or")
CHOICE = "if"  # condition, value, otherwise
CONDITION_CHOICE = "ite"  # the same of conditions
PIECEWISE = "piecewise"  # value, condition, value, condition, …; undefined where no condition holds

ARITY = {
    **dict.fromkeys((*UNARY, NEGATIVE, NOT), 1),
    **dict.fromkeys((*BINARY, *OPERATORS, *COMPARISONS, *LOGIC), 2),
    CHOICE: 3,
}


@dataclass(frozen=True, slots=True)
class Number:
    """A literal as it is written; its value is finite."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def integer(self) -> int | None:
        """The exact value of a literal of digits alone, otherwise None."""
        return int(self.text.lstrip("0") or "0") if self.text.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or a condition with a name of its own."""

    name: Literal["pi", "E", "true", "false"]

    @property
    def is_condition(self) -> bool:
        return self.name in ("true", "false")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the data by its place, from 0."""

    place: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator over the last `arity` values."""

    name: str
    arity: int


Item = Number | Constant | Column | Call

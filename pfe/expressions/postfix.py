"""The words of a formula in postfix order, and what each of them takes.

Example: `x1 - 2*sin(x2)` is Column(0), Number("2"), Column(1), Call("sin", 1), Call("*", 2), Call("-", 2).
"""

from dataclasses import dataclass

NEGATIVE = "negative"  # the unary minus

UNARY = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("exp", "log", "sqrt", "abs", "sign", "plog", "psqrt", "pinv"),
)
BINARY = ("aq", "pdiv")
ANY = ("min", "max")  # two or more arguments
FUNCTIONS = frozenset((*UNARY, *BINARY, *ANY))
OPERATORS = ("+", "-", "*", "/", "**")


@dataclass(frozen=True, slots=True)
class Number:
    """A literal without sign, as it is written; its value is finite."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text)

    @property
    def integer(self) -> int | None:
        """The exact value of a literal of digits alone, otherwise None."""
        return int(self.text.lstrip("0") or "0") if self.text.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the data by its place, from 0."""

    place: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator over the last `arity` values."""

    name: str
    arity: int


Item = Number | Column | Call


def arity_wanted(function: str) -> str:
    """How many arguments a function takes, in words."""
    if function in ANY:
        return "two or more arguments"
    return "2 arguments" if function in BINARY else "1 argument"


def takes(function: str, arguments: int) -> bool:
    """Whether a function takes so many arguments."""
    if function in ANY:
        return arguments >= 2
    return arguments == (2 if function in BINARY else 1)

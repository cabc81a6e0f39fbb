"""Formulas from anywhere, read without executing anything.

Example: `parse("-x0**2 + 3*exp(lread)", ["hour", "lread"]).predict(values)`; `parse("__import__('os')")` raises
NotAnExpressionError: character 1: unknown function '__import__'.

The words are + - * / ** ^ (the same as **), numbers, columns and the functions of `pfe.expressions.postfix`. The unary
minus binds weaker than ** and stronger than *; ** is right-associative. It is Dijkstra's shunting yard (1961,
Mathematisch Centrum MR 35) in linear time, without recursion, so that no nesting is too deep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pfe.expressions.numeric import evaluate
from pfe.expressions.postfix import NEGATIVE, Call, Column, Item, Number, arity_wanted, takes
from pfe.expressions.scanner import NotAnExpressionError, Scanner, Token

__all__ = ["Expression", "NotAnExpressionError", "parse"]

LONGEST = 200_000  # characters
MOST_NODES = 20_000  # numbers, columns, operators and functions
LARGEST_POWER = 100  # an exponent that is a fraction of integers, in absolute value
MOST_BITS = 4096  # of a fraction of integers: 9**9**9 would fill the memory of whoever computes it exactly

_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, NEGATIVE: 3, "**": 4}
_BRACKET = 0


@dataclass(frozen=True)
class Expression:
    """A formula that was read: its text, the names of the columns that it may use, and its words in postfix order."""

    text: str
    columns: tuple[str, ...]
    postfix: tuple[Item, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """The columns that it names, in the order of the columns."""
        places = {item.place for item in self.postfix if isinstance(item, Column)}
        return tuple(self.columns[place] for place in sorted(places))

    def predict(self, values: ArrayLike) -> NDArray[np.float64]:
        """Its value at each row, shape (n, len(columns)) -> (n,); NaN or infinite outside of a function's domain.

        Raises:
            ValueError: `values` has not as many columns as the formula.
        """
        table = np.asarray(values, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.columns):
            raise ValueError(f"values of shape (n, {len(self.columns)}) are wanted, not {table.shape}")
        return evaluate(self.postfix, table)


def parse(text: str, columns: Sequence[str] | None = None) -> Expression:
    """Read a formula.

    Args:
        text: the formula; at most `LONGEST` characters and `MOST_NODES` nodes.
        columns: the names of the data's columns in order; None allows x0, x1, … as far as the text uses them. Where
            no column is called x and a number, x0, x1, … are the columns by place too. Blanks and operators in a
            name are allowed, the longest name that fits is taken; a name before a bracket is a function.

    Raises:
        NotAnExpressionError: with the reason and the character.
    """
    if len(text) > LONGEST:
        raise NotAnExpressionError(f"{len(text)} characters are too many; at most {LONGEST} are read", LONGEST)
    if not text.strip():
        raise NotAnExpressionError("the text is empty", 0)
    postfix = _Yard(Scanner(text, columns)).read()
    if columns is None:
        used = max((item.place for item in postfix if isinstance(item, Column)), default=-1)
        columns = [f"x{place}" for place in range(used + 1)]
    return Expression(text, tuple(columns), postfix)


@dataclass
class _Waiting:
    """An operator that waits for its right side, or a bracket that waits for its end.

    `function` is "" for a plain bracket; `arguments` counts those begun.
    """

    binding: int
    call: Call | None
    start: int
    function: str = ""
    arguments: int = 1


class _Yard:
    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._output: list[Item] = []
        self._exact: list[Fraction | None] = []  # of each value on the stack: its value, if a fraction of integers
        self._waiting: list[_Waiting] = []

    def read(self) -> tuple[Item, ...]:
        start, operand_due = 0, True
        while True:
            token = self._scanner.operand(start) if operand_due else self._scanner.operator(start)
            if token.kind == "end":
                break
            operand_due = self._take_operand(token) if operand_due else self._take_operator(token)
            start = token.end
        self._release(_BRACKET + 1)
        if self._waiting:
            raise NotAnExpressionError("this bracket is not closed", self._waiting[-1].start)
        return tuple(self._output)

    def _take_operand(self, token: Token) -> bool:
        match token.kind:
            case "number":
                number = Number(token.text)
                self._emit(number, None if number.integer is None else Fraction(number.integer), token.start)
                return False
            case "column":
                self._emit(Column(token.place), None, token.start)
                return False
            case "function":
                self._waiting.append(_Waiting(_BRACKET, None, token.start, token.text))
            case "(":
                self._waiting.append(_Waiting(_BRACKET, None, token.start))
            case _ if token.text == "-":
                self._waiting.append(_Waiting(_BINDING[NEGATIVE], Call(NEGATIVE, 1), token.start))
        return True

    def _take_operator(self, token: Token) -> bool:
        if token.kind == "operator":
            binding = _BINDING[token.text]
            self._release(binding + (token.text == "**"))
            self._waiting.append(_Waiting(binding, Call(token.text, 2), token.start))
            return True
        self._release(_BRACKET + 1)
        if not self._waiting:
            raise NotAnExpressionError(f"'{token.text}' has no bracket that it belongs to", token.start)
        if token.kind == ",":
            if not self._waiting[-1].function:
                raise NotAnExpressionError("',' stands outside of a function's arguments", token.start)
            self._waiting[-1].arguments += 1
            return True
        self._close(self._waiting.pop())
        return False

    def _close(self, bracket: _Waiting) -> None:
        name, arguments = bracket.function, bracket.arguments
        if not name:
            return
        if not takes(name, arguments):
            raise NotAnExpressionError(f"'{name}' takes {arity_wanted(name)}, not {arguments}", bracket.start)
        self._apply(Call(name, arguments), bracket.start)

    def _release(self, binding: int) -> None:
        """Apply the waiting operators that bind at least so strongly."""
        while self._waiting and self._waiting[-1].binding >= binding:
            waiting = self._waiting.pop()
            assert waiting.call is not None
            self._apply(waiting.call, waiting.start)

    def _apply(self, call: Call, start: int) -> None:
        arguments = self._exact[-call.arity :]
        del self._exact[-call.arity :]
        self._emit(call, _exact(call.name, arguments, start), start)

    def _emit(self, item: Item, exact: Fraction | None, start: int) -> None:
        if len(self._output) == MOST_NODES:
            raise NotAnExpressionError(f"more than {MOST_NODES} nodes", start)
        self._output.append(item)
        self._exact.append(exact)


def _exact(name: str, arguments: list[Fraction | None], start: int) -> Fraction | None:
    """The value of an operator over fractions of integers, None where it is none of these; large ones are refused."""
    left, right = arguments[0], arguments[-1]
    if name == "**" and right is not None and abs(right) > LARGEST_POWER:
        raise NotAnExpressionError(f"the exponent is larger than {LARGEST_POWER}", start)
    if left is None or right is None:
        return None
    value = _computed(name, left, right)
    if value is not None and max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise NotAnExpressionError(f"the integers multiply to more than {MOST_BITS} bits", start)
    return value


def _computed(name: str, left: Fraction, right: Fraction) -> Fraction | None:
    match name:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if right:
            return left / right
        case "**" if right.denominator == 1 and (left or right >= 0):
            return left**right.numerator
        case "negative":
            return -left
    return None

"""Parsing of untrusted formulas, without executing anything.

Example: `parse("-x0**2 + 3*exp(lread)", ["hour", "lread"]).predict(values)`; `parse("__import__('os')")` raises
NotAnExpressionError: character 1: unknown function '__import__'.

The grammar has + - * / ** ^ (the same as **), numbers, columns, pi and E, and the functions of the module `functions`,
among them `Piecewise((value, condition), …)` and `ITE(condition, value, otherwise)`.
Comparisons and & | ~ and or not give conditions. Where a number is due, a condition is 1 or 0, as PySR prints it:
`(x0 > 0.5)*x1`. The unary minus binds more weakly than ** and more strongly than *; ** is right-associative; & | ~ bind
more strongly than a comparison, as in Python, but `and`, `or` and `not` more weakly. The algorithm is Dijkstra's
shunting yard (1961, Mathematisch Centrum MR 35) in linear time and without recursion, so that no nesting is too deep.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import get_args, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pfe.symreg.expressions.functions import Function, function
from pfe.symreg.expressions.numeric import evaluate
from pfe.symreg.expressions.postfix import (
    CHOICE,
    COMPARISONS,
    CONDITION_CHOICE,
    LOGIC,
    NEGATIVE,
    NOT,
    PIECEWISE,
    Call,
    Column,
    Constant,
    Item,
    Number,
)
from pfe.symreg.expressions.scanner import NotAnExpressionError, Scanner, Token

__all__ = ["Expression", "NotAnExpressionError", "parse"]

LONGEST = 200_000  # characters
MOST_NODES = 20_000  # numbers, columns, operators and functions
LARGEST_POWER = 100  # largest absolute value of an exponent that is a fraction of integers
MOST_BITS = 4096  # of a fraction of integers; the exact value of 9**9**9 would fill the memory

_BINDING = {
    **{"||": 1, "&&": 2, NOT: 3},
    **dict.fromkeys(COMPARISONS, 4),
    **{"|": 5, "&": 6, "+": 7, "-": 7, "*": 8, "/": 8, NEGATIVE: 9, "~": 9, "**": 10},
}
_AS_NUMBER = (Number("1"), Number("0"), Call(CHOICE, 3))  # the items that make a condition 1 or 0
_OPERATOR_NAMES = {"||": "or", "&&": "and", "|": "or", "&": "and"}
_BRACKET = 0


@dataclass(frozen=True)
class Expression:
    """A parsed formula: its text, the names of the columns that it may use, and its items in postfix order."""

    text: str
    columns: tuple[str, ...]
    postfix: tuple[Item, ...]

    @property
    def features(self) -> tuple[str, ...]:
        """Return the columns that the formula uses, in the order of the columns."""
        places = {item.place for item in self.postfix if isinstance(item, Column)}
        return tuple(self.columns[place] for place in sorted(places))

    def predict(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the value at each row, shape (n, len(columns)) -> (n,); NaN or infinite outside a function's domain.

        Raises:
            ValueError: the number of columns of `values` is not that of the formula.
        """
        table = np.asarray(values, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.columns):
            raise ValueError(f"values of shape (n, {len(self.columns)}) are wanted, not {table.shape}")
        return evaluate(self.postfix, table)


def parse(text: str, columns: Sequence[str] | None = None) -> Expression:
    """Parse a formula.

    Args:
        text: the formula; at most `LONGEST` characters and `MOST_NODES` nodes.
        columns: the names of the data's columns in order; None allows x0, x1, … as far as the text uses them. x0, x1, …
            are also columns by index, unless a column with such a name has another index. A name may contain blanks and
            operators, and the longest name that fits is taken. A name before a bracket is a function.

    Raises:
        NotAnExpressionError: the text is not a formula; the message gives the reason and the character.
    """
    if len(text) > LONGEST:
        raise NotAnExpressionError(f"{len(text)} characters are too many; at most {LONGEST} are read", LONGEST)
    if not text.strip():
        raise NotAnExpressionError("the text is empty", 0)
    postfix = _Yard(Scanner(text, columns)).read()
    if columns is None:
        highest = max((item.place for item in postfix if isinstance(item, Column)), default=-1)
        columns = [f"x{place}" for place in range(highest + 1)]
    return Expression(text, tuple(columns), postfix)


@dataclass
class _Waiting:
    """An operator that waits for its right side, or a bracket that waits for its end.

    `function` is None for a plain bracket. `arguments` counts the arguments begun. `pieces` counts the pairs in the
    brackets of a piecewise function, and `pair` marks the brackets of such a pair.
    """

    binding: int
    call: Call | None
    start: int
    function: Function | None = None
    name: str = ""
    arguments: int = 1
    pieces: int = 0
    pair: bool = False


@dataclass(frozen=True)
class _Value:
    """The known facts about a value: whether it is a condition, and its exact fraction of integers, if it has one.

    `end` is the number of items up to its last one.
    """

    is_condition: bool = False
    exact: Fraction | None = None
    end: int = 0


class _Yard:
    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._output: list[Item] = []
        self._values: list[_Value] = []  # on the stack, after the items so far are computed
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
        if self._output[-1] == Call("==", 2):
            raise NotAnExpressionError("of an equation give the right side alone; as a condition write ITE(…, 1, 0)", 0)
        self._make_numbers(self._values, [False], 0)
        if self._values[-1].is_condition:
            raise NotAnExpressionError("this is a condition, not a number; write 1 or 0", 0)
        return tuple(self._output)

    def _take_operand(self, token: Token) -> bool:
        if self._waiting and self._waiting[-1].function and self._waiting[-1].function.name == PIECEWISE:
            return self._open_pair(token)
        match token.kind:
            case "number":
                self._emit(Number(token.text), token.start)
                return False
            case "constant":
                self._emit(_CONSTANTS[token.text], token.start)
                return False
            case "column":
                self._emit(Column(token.place), token.start)
                return False
            case "function":
                self._waiting.append(_Waiting(_BRACKET, None, token.start, function(token.text), token.text))
            case "(":
                self._waiting.append(_Waiting(_BRACKET, None, token.start))
            case _ if token.text == "-":
                self._waiting.append(_Waiting(_BINDING[NEGATIVE], Call(NEGATIVE, 1), token.start))
            case _ if token.text in (NOT, "~"):
                self._waiting.append(_Waiting(_BINDING[token.text], Call(NOT, 1), token.start))
        return True

    def _open_pair(self, token: Token) -> bool:
        if token.kind != "(":
            raise NotAnExpressionError("a piece is to be written (value, condition)", token.start)
        self._waiting[-1].pieces += 1
        self._waiting.append(_Waiting(_BRACKET, None, token.start, pair=True))
        return True

    def _take_operator(self, token: Token) -> bool:
        if token.kind == "operator":
            binding = _BINDING[token.text]
            is_comparison = token.text in COMPARISONS
            self._release(binding + (is_comparison or token.text == "**"))
            if is_comparison and self._waiting and self._waiting[-1].binding == binding:
                raise NotAnExpressionError("comparisons in a row; write (a < b) & (b < c)", token.start)
            if self._waiting and self._waiting[-1].function and self._waiting[-1].function.name == PIECEWISE:
                raise NotAnExpressionError(f"'{token.text}' stands after a piece of a piecewise function", token.start)
            self._waiting.append(_Waiting(binding, Call(_OPERATOR_NAMES.get(token.text, token.text), 2), token.start))
            return True
        self._release(_BRACKET + 1)
        if not self._waiting:
            raise NotAnExpressionError(f"'{token.text}' has no bracket that it belongs to", token.start)
        self._end_argument(self._waiting[-1])
        if token.kind == ",":
            if not (self._waiting[-1].function or self._waiting[-1].pair):
                raise NotAnExpressionError("',' stands outside of a function's arguments", token.start)
            self._waiting[-1].arguments += 1
            return True
        self._close(self._waiting.pop())
        return False

    def _end_argument(self, bracket: _Waiting) -> None:
        """Emit the items that follow the argument that ends here."""
        if bracket.function and bracket.function.takes(max(bracket.arguments, bracket.function.fewest)):
            for word in bracket.function.words(bracket.arguments):
                self._emit(word, bracket.start)

    def _close(self, bracket: _Waiting) -> None:
        arguments = bracket.arguments
        if bracket.pair and arguments != 2:
            raise NotAnExpressionError("a piece is to be written (value, condition)", bracket.start)
        if not bracket.function:
            return
        if not bracket.function.takes(arguments):
            reason = f"'{bracket.name}' takes {bracket.function.arguments_in_words}, not {arguments}"
            raise NotAnExpressionError(reason, bracket.start)
        for word in bracket.function.last(arguments + bracket.pieces):
            self._emit(word, bracket.start)

    def _release(self, binding: int) -> None:
        """Apply the waiting operators that bind at least this strongly."""
        while self._waiting and self._waiting[-1].binding >= binding:
            waiting = self._waiting.pop()
            assert waiting.call is not None
            self._emit(waiting.call, waiting.start)

    def _emit(self, item: Item, start: int) -> None:
        if len(self._output) == MOST_NODES:
            raise NotAnExpressionError(f"more than {MOST_NODES} nodes", start)
        match item:
            case Number():
                value = _Value(exact=None if item.integer is None else Fraction(item.integer))
            case Constant():
                value = _Value(item.is_condition)
            case Column():
                value = _Value()
            case Call():
                arguments = self._values[-item.arity :]
                del self._values[-item.arity :]
                self._make_numbers(arguments, _kinds(item.name, arguments), start)
                value = _checked_value(item.name, arguments, start)
                if item.name == CHOICE and value.is_condition:
                    item = Call(CONDITION_CHOICE, item.arity)
        self._output.append(item)
        self._values.append(replace(value, end=len(self._output)))

    def _make_numbers(self, values: list[_Value], kinds: Sequence[bool], start: int) -> None:
        """Make computed conditions among the last values 1 or 0 where `kinds` has no condition."""
        for place in reversed(range(len(values))):  # from the end, so that the ends before stay valid
            end = values[place].end
            if kinds[place] or not values[place].is_condition or isinstance(self._output[end - 1], Constant):
                continue
            if len(self._output) + len(_AS_NUMBER) > MOST_NODES:
                raise NotAnExpressionError(f"more than {MOST_NODES} nodes", start)
            self._output[end:end] = _AS_NUMBER
            values[place] = _Value()


_CONSTANTS = {name: Constant(name) for name in get_args(get_type_hints(Constant)["name"])}


def _checked_value(name: str, arguments: Sequence[_Value], start: int) -> _Value:
    """Return the known facts about a function's value.

    Raises:
        NotAnExpressionError: the function takes a number where a condition is required, or the other way round, or the
            integers in it become too large.
    """
    kinds = _kinds(name, arguments)
    for place, (argument, condition) in enumerate(zip(arguments, kinds, strict=True), 1):
        if argument.is_condition != condition:
            actual, expected = ("a number", "a condition")[:: 1 if condition else -1]
            side = f"argument {place} of " if len(arguments) != 1 else ""
            raise NotAnExpressionError(f"{side}'{name}' is {actual} where {expected} is due", start)
    if name in COMPARISONS or name in (*LOGIC, NOT):
        return _Value(is_condition=True)
    if name == CHOICE:
        return _Value(arguments[1].is_condition)
    if name == PIECEWISE:
        return _Value()
    return _Value(exact=_exact(name, [argument.exact for argument in arguments], start))


def _kinds(name: str, arguments: Sequence[_Value]) -> list[bool]:
    """Return, for each argument of a function, whether it must be a condition."""
    if name in (*LOGIC, NOT):
        return [True] * len(arguments)
    if name == CHOICE:
        return [True, *[all(argument.is_condition for argument in arguments[1:])] * 2]
    if name == PIECEWISE:
        return [False, True] * (len(arguments) // 2)
    return [False] * len(arguments)


def _exact(name: str, arguments: Sequence[Fraction | None], start: int) -> Fraction | None:
    """Return the value of an operator over fractions of integers; None if it is not such a fraction.

    Raises:
        NotAnExpressionError: the exponent or the value is too large.
    """
    left, right = arguments[0], arguments[-1]
    if name == "**" and right is not None and abs(right) > LARGEST_POWER:
        raise NotAnExpressionError(f"the exponent is larger than {LARGEST_POWER}", start)
    if left is None or right is None:
        return None
    value = _arithmetic(name, left, right)
    if value is not None and max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise NotAnExpressionError(f"the integers multiply to more than {MOST_BITS} bits", start)
    return value


def _arithmetic(name: str, left: Fraction, right: Fraction) -> Fraction | None:
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

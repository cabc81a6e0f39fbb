"""Tokenisation of a formula's text: the token at a position.

Example: in `2.5e-1*lread` the operand at 0 is the number `2.5e-1`, the operator at 6 is `*`, the operand at 7 a column.

The tokens that are possible at a position depend on whether an operand or an operator is due there. So a column may be
called `no-2`, and `a-2` is still a difference.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal

from pfe.symreg.expressions.functions import CONSTANTS, PACKAGES, function, names

MOST_COLUMNS = 100_000  # columns that can be given by index: x0 … x99999
_LONGEST_SHOWN = 40  # characters of an unknown word that a message repeats
_MOST_COMPARED = 1000  # columns that are compared to find the nearest name

_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[^\W\d]\w*")
_BY_PLACE = re.compile(r"(?:[xX]_?|ARG)(0|[1-9][0-9]{0,5})")
_SUBSCRIPT = re.compile(r"[xX]\[ *(?:: *, *)?(0|[1-9][0-9]{0,5}) *\]")  # x[0], X[:, 0]
_PACKAGE = re.compile(rf"(?:{'|'.join(PACKAGES)})\.(?=[^\W\d])")
_OPERATOR = re.compile(r"\*\*|&&|\|\||[<>=!]=|[-+*/^),<>&|−×·÷≤≥≠]|(?:and|or)(?!\w)")
_SIGN = re.compile(r"[-+−~]|not(?!\w)")
_CANONICAL = {
    **{"^": "**", "−": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!="},
    **{"and": "&&", "or": "||"},
}
_ADVICE = {
    "=": "of an equation give the right side alone",
    "%": "a remainder takes its sign from either side: write x - y*floor(x/y)",
    "|": "an absolute value is abs(x)",
    "[": "group by ( and )",
    "{": "group by ( and )",
    "\\": "LaTeX is not read",
}
_NOT_FINITE = frozenset(("inf", "infinity", "nan", "oo", "zoo"))

Kind = Literal["number", "constant", "column", "function", "(", ")", ",", "operator", "end"]


class NotAnExpressionError(ValueError):
    """A text is not a formula; the message gives the reason and the character, counted from 1."""

    def __init__(self, reason: str, start: int) -> None:
        super().__init__(f"character {start + 1}: {reason}")
        self.reason = reason
        self.position = start + 1


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the text, text[start:end]; `place` is the index of a column."""

    kind: Kind
    text: str
    start: int
    end: int
    place: int = -1


class Scanner:
    """A reader of the tokens of one text.

    Args:
        columns: the names of the columns. x0, X0, x_0, X_0 and ARG0 stand for columns by index, from 0, unless a column
            with such a name has another index; x[0] and X[:, 0] always do. With None they are the only names. The
            longest name that fits is taken; a number comes before a name of the same length, and a column before a
            constant. A name without any letter can only be given by index.
    """

    def __init__(self, text: str, columns: Sequence[str] | None) -> None:
        self._text = text
        self._places: Mapping[str, int] = MappingProxyType({name: i for i, name in enumerate(columns or ())})
        numbers = {int(match[1]): place for name, place in self._places.items() if (match := _BY_PLACE.fullmatch(name))}
        self._by_place = all(number == place for number, place in numbers.items())
        self._count = MOST_COLUMNS if columns is None else len(columns)
        self._odd = _alternatives([name for name in self._places if not _NAME.fullmatch(name)])

    def operand(self, start: int) -> Token:
        """Return the number, constant, column, function (with its bracket), opening bracket or sign at `start`."""
        start = self._skip_blank(start)
        number, name = _NUMBER.match(self._text, start), _NAME.match(self._text, start)
        odd = self._odd.match(self._text, start) if self._odd else None
        length, kind = max((len(match[0]) if match else 0, rank) for rank, match in enumerate((name, odd, number)))
        word, end = self._text[start : start + length], start + length
        if kind == 1 and length:
            return Token("column", word, start, end, self._places[word])
        if kind == 2 and length:
            return self._number_token(word, start)
        if (sign := _SIGN.match(self._text, start)) and sign[0] not in self._places:
            return Token("operator", _CANONICAL.get(sign[0], sign[0]), start, sign.end())
        return self._name_token(word, start) if length else self._bracket_token(start)

    def operator(self, start: int) -> Token:
        """Return the operator, closing bracket, comma or end at `start`."""
        start = self._skip_blank(start)
        if start == len(self._text):
            return Token("end", "", start, start)
        if match := _OPERATOR.match(self._text, start):
            word, end = _CANONICAL.get(match[0], match[0]), match.end()
            return Token(")" if word == ")" else "," if word == "," else "operator", word, start, end)
        following = _NUMBER.match(self._text, start) or _NAME.match(self._text, start)
        if following:
            raise NotAnExpressionError(f"an operator is missing before {_quoted(following[0])}", start)
        if self._text[start] == "(":
            raise NotAnExpressionError("an operator is missing before '('", start)
        raise self._unexpected(start)

    def _skip_blank(self, start: int) -> int:
        match = _BLANK.match(self._text, start)
        return match.end() if match else start

    def _bracket_token(self, start: int) -> Token:
        following = self._text[start : start + 1]
        if following == "(":
            return Token("(", "(", start, start + 1)
        if not following or following in "*/^),<>":
            place = f"before '{following}'" if following else "at the end"
            raise NotAnExpressionError(f"a number, a column or a function is missing {place}", start)
        raise self._unexpected(start)

    def _number_token(self, word: str, start: int) -> Token:
        if float(word) == float("inf"):
            raise NotAnExpressionError(f"{_quoted(word)} is too large; numbers go to 1.8e308", start)
        return Token("number", word, start, start + len(word))

    def _name_token(self, word: str, start: int) -> Token:
        if self._is_called(word, start):
            return self._function_token(word, start)
        if word in self._places:
            return Token("column", word, start, start + len(word), self._places[word])
        if package := _PACKAGE.match(self._text, start):
            return self._package_token(package.end())
        if token := self._place_token(word, start):
            return token
        if word.lower() in CONSTANTS:
            return Token("constant", CONSTANTS[word.lower()], start, start + len(word))
        raise NotAnExpressionError(self._unknown(word), start)

    def _is_called(self, word: str, start: int) -> bool:
        return self._text.startswith("(", self._skip_blank(start + len(word)))

    def _function_token(self, word: str, start: int) -> Token:
        if not function(word):
            advice = _suggestion(word, names()) or "; docs/judging.md lists those that are known"
            raise NotAnExpressionError(f"unknown function {_quoted(word)}{advice}", start)
        return Token("function", word, start, self._skip_blank(start + len(word)) + 1)

    def _package_token(self, start: int) -> Token:
        """Return the function or constant at `start`, after the name of a package; it cannot be a column."""
        match = _NAME.match(self._text, start)
        word = match[0] if match else ""
        if word.lower() in CONSTANTS and not self._is_called(word, start):
            return Token("constant", CONSTANTS[word.lower()], start, start + len(word))
        return self._function_token(word, start)

    def _place_token(self, word: str, start: int) -> Token | None:
        """Return the column that a name such as x_0 or x[0] refers to; None if it refers to none."""
        name = _BY_PLACE.fullmatch(word) if self._by_place else None
        match = name or _SUBSCRIPT.match(self._text, start)
        if not match or int(match[1]) >= self._count:
            return None
        return Token("column", match[0], start, start + len(match[0]), int(match[1]))

    def _unknown(self, word: str) -> str:
        if function(word):
            return f"the function '{word}' needs its arguments in brackets"
        if word.lower() in _NOT_FINITE:
            return f"{_quoted(word)} is no finite number"
        columns = tuple(self._places)
        listed = (
            ", ".join(columns[:5]) + (", …" if len(columns) > 5 else "") if columns else f"x0 to x{self._count - 1}"
        )
        return f"unknown name {_quoted(word)}" + (_suggestion(word, columns[:_MOST_COMPARED]) or f"; columns: {listed}")

    def _unexpected(self, start: int) -> NotAnExpressionError:
        sign = self._text[start]
        advice = f"; {_ADVICE[sign]}" if sign in _ADVICE else ""
        return NotAnExpressionError(f"{sign!r} has no place in an expression{advice}", start)


def _alternatives(names: list[str]) -> re.Pattern[str] | None:
    usable = sorted((name for name in names if any(map(str.isalpha, name))), key=len, reverse=True)
    if not usable:
        return None
    return re.compile("|".join(re.escape(name) + (r"(?!\w)" if re.match(r"\w", name[-1]) else "") for name in usable))


def _quoted(word: str) -> str:
    return repr(word if len(word) <= _LONGEST_SHOWN else word[:_LONGEST_SHOWN] + "…")


def _suggestion(word: str, candidates: Sequence[str]) -> str:
    close = get_close_matches(word, sorted(candidates), n=1) if len(word) <= _LONGEST_SHOWN else []
    return f"; did you mean '{close[0]}'?" if close else ""

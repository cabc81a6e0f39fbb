"""Translation of a fitted regressor's model into the grammar of `pfe.symreg.expressions.parser`.

Example: gplearn's program `sub(div(X0, X2), 0.5)` over the columns a, b, c becomes `(pdiv(a, c) - 0.5)`. Operon's nodes
`X1, square, X2, -` (in postfix order, the first argument last) become `(b - (a ** 2))`. Numbers have all their digits.

Nothing is evaluated or trusted here: `outcome.py` parses the text and compares it with the method's own predictions.
Sources: gplearn 0.4.3, `functions.py` (its protected functions); operon's node types in `core/node.hpp`, which the
tests compare with the predictions of pyoperon 0.6.2.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LONGEST = 200_000  # characters; the parser accepts no more
_PLACE = re.compile(r"(?<![\w.])(?:(?:[xX]_?|ARG)([0-9]{1,6})(?!\w)|[xX]\[ *(?:: *, *)?([0-9]{1,6}) *\])")


class UntranslatableError(ValueError):
    """A model has a part that the grammar lacks, or names columns that do not exist."""


@dataclass(frozen=True)
class Symbol:
    """A node of a tree: its arity, and the function that joins its arguments to a text without outer parentheses."""

    arity: int
    write: Callable[..., str]


def readings(regressor: Any, expression: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the model of a fitted regressor as one or more texts over the columns.

    The first text that predicts as the regressor does is used. Only a plain text has more than one reading: the indices
    in names such as x1 may count from 0 or from 1.

    Args:
        expression: a key of `NOTATIONS`, or the name of an attribute or method that gives a plain text.

    Raises:
        UntranslatableError: the grammar lacks something that the model has.
        Exception: any error of the regressor.
    """
    if expression in NOTATIONS:
        return (NOTATIONS[expression](regressor, columns),)
    model = getattr(regressor, expression)
    return by_place(str(model() if callable(model) else model), columns)


def by_place(text: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return a text with column names in place of x0, X1, x_2, ARG3, x[4] or X[:, 5].

    A regressor without column names counts them from 0 or from 1. The result has one text for each count that fits.

    Raises:
        UntranslatableError: an index is beyond the columns with either count.
    """
    text = text[: LONGEST + 1]
    places = [int(match[1] or match[2]) for match in _PLACE.finditer(text)]
    bases = [base for base in (0, 1) if all(0 <= place - base < len(columns) for place in places)]
    if not bases:
        raise UntranslatableError(f"it names x{max(places)}, and x0 or beyond, of {len(columns)} columns")
    return tuple(dict.fromkeys(_with_columns(base, text, columns) for base in bases))


def _with_columns(base: int, text: str, columns: Sequence[str]) -> str:
    return _PLACE.sub(lambda match: columns[int(match[1] or match[2]) - base], text)


def _linear(regressor: Any, columns: Sequence[str]) -> str:
    weights = np.ravel(regressor.coef_)
    return polynomial(regressor.intercept_, weights, np.eye(len(weights), dtype=int), columns)


def _polynomial(regressor: Any, columns: Sequence[str]) -> str:
    return polynomial(regressor.intercept_, regressor.coef_, regressor.powers_, columns)


def polynomial(
    constant: float, weights: Iterable[float], powers: Iterable[Iterable[int]], columns: Sequence[str]
) -> str:
    """Return constant + Σ weight · Π column ** power as a text; terms of weight 0 are omitted."""
    text = repr(float(np.squeeze(constant)))
    for weight, exponents in zip(weights, powers, strict=True):
        if weight != 0:
            factors = [
                column if exponent == 1 else f"{column} ** {exponent}"
                for column, exponent in zip(columns, exponents, strict=True)
                if exponent
            ]
            text += f" {'-' if weight < 0 else '+'} {' * '.join([repr(abs(float(weight))), *factors])}"
    return text


def _gplearn(regressor: Any, columns: Sequence[str]) -> str:
    """Translate a program, which is a list in prefix order of functions, column indices (int) and constants (float)."""

    def symbol(node: Any) -> Symbol:
        if isinstance(node, int):
            return _leaf(columns[node])
        if isinstance(node, float):
            return _leaf(number(node))
        return Symbol(node.arity, _writer(GPLEARN, node.name))

    return assemble(map(symbol, reversed(regressor._program.program)))


def _operon(regressor: Any, columns: Sequence[str]) -> str:
    """Translate nodes in postfix order, the first argument last; a variable has a weight."""
    names = dict(zip(regressor.variables_, columns, strict=True))

    def symbol(node: Any) -> Symbol:
        if node.IsVariable:
            name = names[node.HashValue]
            return _leaf(name if node.Value == 1 else f"({number(node.Value)} * {name})")
        if node.IsConstant:
            return _leaf(number(node.Value))
        return Symbol(node.Arity, _writer(OPERON, node.Name))  # `Type` swaps fmin and fmax

    return assemble(map(symbol, regressor.model_.Nodes))


def assemble(symbols: Iterable[Symbol]) -> str:
    """Return the text of a tree whose nodes follow their arguments, the first argument last."""
    stack: list[str] = []
    for symbol in symbols:
        stack.append(symbol.write(*(stack.pop() for _ in range(symbol.arity))))
    (text,) = stack
    return text


def number(value: float) -> str:
    """Return a number with all its digits, in parentheses if it is negative."""
    text = repr(float(value))
    return f"({text})" if text.startswith("-") else text


def _leaf(text: str) -> Symbol:
    return Symbol(0, lambda: text)


def _writer(table: Mapping[str, Callable[..., str]], name: str) -> Callable[..., str]:
    if name not in table:
        raise UntranslatableError(f"the grammar has no '{name}'")
    return table[name]


def _chain(operator: str, alone: str = "{}") -> Callable[..., str]:
    """Return a writer that joins arguments with an operator; `alone` is the format of a single argument."""
    return lambda *parts: f"({f' {operator} '.join(parts)})" if len(parts) > 1 else alone.format(*parts)


def _call(name: str) -> Callable[..., str]:
    return lambda *parts: f"{name}({', '.join(parts)})"


def _calls(names: str) -> dict[str, Callable[..., str]]:
    return {name: _call(name) for name in names.split()}


GPLEARN: Mapping[str, Callable[..., str]] = {
    **_calls("abs sin cos tan min max"),
    "add": _chain("+"),
    "sub": _chain("-"),
    "mul": _chain("*"),
    "div": _call("pdiv"),
    "sqrt": _call("psqrt"),
    "log": _call("plog"),
    "inv": _call("pinv"),
    "neg": "(-{})".format,
    "sig": "(1 / (1 + exp(-{})))".format,
}

OPERON: Mapping[str, Callable[..., str]] = {
    **_calls("abs sin cos tan asin acos atan sinh cosh tanh exp log sqrt aq floor ceil cbrt log1p logabs sqrtabs"),
    "+": _chain("+"),
    "-": _chain("-", alone="(-{})"),
    "*": _chain("*"),
    "/": _chain("/", alone="(1 / {})"),
    "fmin": _call("min"),
    "fmax": _call("max"),
    "pow": "({} ** {})".format,
    "powabs": "(abs({}) ** {})".format,
    "square": "({} ** 2)".format,
}

NOTATIONS: Mapping[str, Callable[[Any, Sequence[str]], str]] = {
    "linear": _linear,
    "polynomial": _polynomial,
    "gplearn": _gplearn,
    "operon": _operon,
}

"""Formulas computed with numpy, in float64.

Example: `evaluate(parse("pdiv(x0, x1)").postfix, [[3, 2], [3, 0]])` is [1.5, 1.0].

The functions that begin with p are gplearn's protected ones (gplearn 0.4, `functions.py`): what they give within
`GUARD` of zero is a constant. aq is the analytic quotient (Ni, Drieberg and Rockett 2013, IEEE TEC 17:146).
"""

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfe.expressions.postfix import NEGATIVE, Call, Column, Item, Number

Values = NDArray[np.float64]

GUARD = 0.001  # gplearn's


def _protected_division(a: Values, b: Values) -> Values:
    return np.where(np.abs(b) > GUARD, np.divide(a, b), 1.0)


def _protected_log(a: Values) -> Values:
    return np.where(np.abs(a) > GUARD, np.log(np.abs(a)), 0.0)


def _protected_root(a: Values) -> Values:
    root: Values = np.sqrt(np.abs(a))
    return root


def _protected_inverse(a: Values) -> Values:
    return np.where(np.abs(a) > GUARD, np.divide(1.0, a), 0.0)


def _analytic_quotient(a: Values, b: Values) -> Values:
    quotient: Values = a / np.sqrt(1.0 + np.square(b))
    return quotient


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    NEGATIVE: np.negative,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "aq": _analytic_quotient,
    "pdiv": _protected_division,
    "plog": _protected_log,
    "psqrt": _protected_root,
    "pinv": _protected_inverse,
}


def evaluate(postfix: Iterable[Item], values: Values) -> Values:
    """The value of a formula at each row of `values`, shape (n, d) -> (n,).

    Outside a function's domain it is NaN or infinite, as numpy gives it; nothing is raised.
    """
    stack: list[Any] = []
    with np.errstate(all="ignore"):
        for item in postfix:
            match item:
                case Number():
                    stack.append(np.float64(item.value))
                case Column():
                    stack.append(values[:, item.place])
                case Call():
                    arguments = stack[-item.arity :]
                    del stack[-item.arity :]
                    stack.append(_FUNCTIONS[item.name](*arguments))
    (result,) = stack
    return np.array(np.broadcast_to(result, len(values)), dtype=np.float64)

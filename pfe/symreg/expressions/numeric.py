"""Evaluation of formulas with numpy, in float64.

Example: `evaluate(parse("pdiv(x0, x1)").postfix, [[3, 2], [3, 0]])` is [1.5, 1.0].

pdiv, plog, psqrt and pinv are gplearn's protected functions (gplearn 0.4, `functions.py`); within `GUARD` of zero, all
but psqrt return a constant. aq is the analytic quotient (Ni, Drieberg and Rockett 2013, IEEE TEC 17:146).
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf, erfc

from pfe.symreg.expressions.postfix import (
    CHOICE,
    CONDITION_CHOICE,
    NEGATIVE,
    NOT,
    PIECEWISE,
    Call,
    Column,
    Constant,
    Item,
    Number,
)

Values = NDArray[np.float64]

GUARD = 0.001  # gplearn's
MEMORY = 32 << 20  # bytes
TEMPORARY = 4  # temporary arrays of a function


def _piecewise(*parts: Any) -> Values:
    values, conditions = parts[::2], parts[1::2]
    result: Any = np.float64("nan")
    for value, condition in zip(values[::-1], conditions[::-1], strict=True):
        result = np.where(condition, value, result)
    return np.asarray(result, dtype=np.float64)


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
    **{name: getattr(np, f"arc{name[1:]}") for name in ("asinh", "acosh", "atanh")},
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "erf": erf,
    "erfc": erfc,
    "factor_terms": lambda a: a,
    "collect": lambda a, b: a,
    "floor": np.floor,
    "ceil": np.ceil,
    "atan2": np.arctan2,
    "heaviside": np.heaviside,
    "abs": np.abs,
    "sign": np.sign,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "aq": lambda a, b: a / np.sqrt(1.0 + np.square(b)),
    "pdiv": lambda a, b: np.where(np.abs(b) > GUARD, np.divide(a, b), 1.0),
    "plog": lambda a: np.where(np.abs(a) > GUARD, np.log(np.abs(a)), 0.0),
    "psqrt": lambda a: np.sqrt(np.abs(a)),
    "pinv": lambda a: np.where(np.abs(a) > GUARD, np.divide(1.0, a), 0.0),
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "and": np.logical_and,
    "or": np.logical_or,
    NOT: np.logical_not,
    CHOICE: np.where,
    CONDITION_CHOICE: np.where,
    PIECEWISE: _piecewise,
}
_CONSTANTS = {"pi": np.float64(np.pi), "E": np.float64(np.e), "true": np.True_, "false": np.False_}


def evaluate(postfix: Sequence[Item], values: Values) -> Values:
    """Return the value of a formula at each row of `values`, shape (n, d) -> (n,).

    Outside a function's domain the value is NaN or infinite, as numpy returns it; nothing is raised. The evaluation
    takes at most `MEMORY` bytes in addition to the result, however long and deep the formula is and however many rows
    there are.
    """
    rows = max(1, MEMORY // (8 * (_depth(postfix) + TEMPORARY)))
    results = np.empty(len(values))
    with np.errstate(all="ignore"):
        for start in range(0, len(values), rows):
            results[start : start + rows] = _evaluate_rows(postfix, values[start : start + rows])
    return results


def _evaluate_rows(postfix: Iterable[Item], values: Values) -> Any:
    stack: list[Any] = []
    for item in postfix:
        match item:
            case Number():
                stack.append(np.float64(item.value))
            case Constant():
                stack.append(_CONSTANTS[item.name])
            case Column():
                stack.append(values[:, item.place])
            case Call():
                arguments = stack[-item.arity :]
                del stack[-item.arity :]
                stack.append(_FUNCTIONS[item.name](*arguments))
    (result,) = stack
    return result


def _depth(postfix: Iterable[Item]) -> int:
    """Return the maximum number of values on the stack."""
    height = most = 0
    for item in postfix:
        height += 1 - item.arity if isinstance(item, Call) else 1
        most = max(most, height)
    return most

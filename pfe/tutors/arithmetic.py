"""Exact evaluation of the arithmetic in worked solutions.

Example: `evaluate("(12+8)*3/4")` is `Fraction(15, 1)`, which prints as 15.
"""

import ast
import operator
import re
from collections.abc import Callable
from fractions import Fraction

_BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda a, b: Fraction(a // b),
    ast.Mod: operator.mod,
}


def evaluate(expression: str) -> Fraction:
    """Return the exact value of an expression of numbers, + - * / // %, unary minus and parentheses.

    Raises:
        ValueError: the expression contains anything else, or divides by zero.
    """
    text = re.sub(r"(?<![\d.])0+(?=\d)", "", expression.strip().replace(",", ""))
    try:
        return _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ZeroDivisionError, RecursionError) as error:
        raise ValueError(f"cannot compute {expression!r}: {error}") from None


def _value(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as number):
            return Fraction(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left), _value(right))
    raise ValueError(f"cannot compute {ast.unparse(node)!r}: only numbers and + - * / // % are arithmetic")

"""Formulas as sympy trees, and the number of components of a tree.

Example: `x1 - x2/3` becomes Add(x1, Mul(-1/3, x2)), which has 5 components.

Building a tree applies only the simplifications that sympy applies itself (like terms are collected, 2*x1*3 is 6*x1).
This is the count of JUDGING's `parsed` reading. A chain a + b + c becomes one Add, because n nested ones take quadratic
time. sympy's own methods recurse, so all of this must run in a thread with a large stack.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import sympy

from pfe.symreg.expressions.numeric import GUARD
from pfe.symreg.expressions.parser import Expression
from pfe.symreg.expressions.postfix import (
    CHOICE,
    CONDITION_CHOICE,
    NEGATIVE,
    NOT,
    PIECEWISE,
    Call,
    Column,
    Constant,
    Number,
)

Tree = Any  # sympy has no type annotations

_NOT_REAL = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I)
_COMPONENTS = {
    **{"-": 3, "/": 3, NEGATIVE: 2, "sqrt": 2, "psqrt": 3, "pinv": 2, "plog": 2, "pdiv": 3, "aq": 7},
    **{"cbrt": 5, CHOICE: 4, "factor_terms": 0, "collect": -1},  # less the symbol that is collected
}


class _Chain:
    """A sum or a product whose terms are still being collected."""

    def __init__(self, build: Callable[..., Tree], terms: list[Tree]) -> None:
        self.build = build
        self.terms = terms

    def joined(self, other: "_Chain") -> "_Chain":
        """Return both chains as one, the shorter appended to the longer, so that n joins stay far below n² steps."""
        longer, shorter = (self, other) if len(self.terms) >= len(other.terms) else (other, self)
        longer.terms.extend(shorter.terms)
        return longer

    @cached_property
    def tree(self) -> Tree:
        return self.build(*self.terms)


def to_sympy(expression: Expression, exact: bool = False) -> Tree:
    """Return the tree of a formula over real symbols with the columns' names.

    The protected functions become their form outside the guard: a/b, log|a|, sqrt|a|, 1/a. A constant within the guard
    gives the guard's value.

    Args:
        exact: take decimals as fractions, 0.1 as 1/10, instead of floats.
    """
    symbols = [sympy.Symbol(name, real=True) for name in expression.columns]
    stack: list[Tree | _Chain] = []
    for item in expression.postfix:
        match item:
            case Number():
                stack.append(_number(item, exact))
            case Constant():
                stack.append(_CONSTANTS[item.name])
            case Column():
                stack.append(symbols[item.place])
            case Call():
                arguments = stack[-item.arity :]
                del stack[-item.arity :]
                stack.append(_apply(item.name, arguments))
    return _tree(stack[0])


def components(tree: Tree) -> int:
    """Return the number of nodes of a tree: x has 1, -x 3, x - y 5, x/y 5, sqrt(x) 3, every constant 1."""
    count, waiting = 0, [tree]
    while waiting:
        node = waiting.pop()
        count += 1
        waiting.extend(node.args)
    return count


def components_written(expression: Expression) -> int:
    """Return the components of a formula as written, two terms per sum; used if sympy builds no real-valued tree."""
    return sum(_call_components(item) if isinstance(item, Call) else 1 for item in expression.postfix)


def _call_components(call: Call) -> int:
    """Return the components of a call itself: its function, and the pairs of a piecewise function."""
    return 1 + call.arity // 2 if call.name == PIECEWISE else _COMPONENTS.get(call.name, 1)


def is_real(tree: Tree) -> bool:
    """Return whether no part of a tree is infinite, undefined or imaginary."""
    return not tree.has(*_NOT_REAL)


def rounded(tree: Tree, decimals: int) -> Tree:
    """Return the tree with its floats rounded to `decimals` decimals; those below 10^−decimals become 0."""
    floats = tree.atoms(sympy.Float)
    return tree.xreplace({value: _rounded(value, decimals) for value in floats})


def _rounded(value: Tree, decimals: int) -> Tree:
    return sympy.Integer(0) if abs(value) < 10.0**-decimals else sympy.Float(round(float(value), decimals))


def _number(number: Number, exact: bool) -> Tree:
    if number.integer is not None:
        return sympy.Integer(number.integer)
    return sympy.Rational(number.text) if exact else sympy.Float(number.value)


def _tree(value: Tree | _Chain) -> Tree:
    return value.tree if isinstance(value, _Chain) else value


def _chain(build: Callable[..., Tree], value: Tree | _Chain) -> _Chain:
    return value if isinstance(value, _Chain) and value.build is build else _Chain(build, [_tree(value)])


def _distributed(left: Tree | _Chain, right: Tree | _Chain) -> Tree | None:
    """Return a number times a sum, expanded as sympy does for two factors but not for three; None for other factors."""
    for number, total in ((left, right), (right, left)):
        is_sum = total.build is sympy.Add if isinstance(total, _Chain) else total.is_Add
        if is_sum and getattr(number, "is_Number", False):
            return sympy.Mul(number, _tree(total))
    return None


def _apply(name: str, arguments: Sequence[Tree | _Chain]) -> Tree | _Chain:
    left, right = arguments[0], arguments[-1]
    match name:
        case "+":
            return _chain(sympy.Add, left).joined(_chain(sympy.Add, right))
        case "-":
            return _chain(sympy.Add, left).joined(_Chain(sympy.Add, [sympy.Mul(-1, _tree(right))]))
        case "*":
            if distributed := _distributed(left, right):
                return distributed
            return _chain(sympy.Mul, left).joined(_chain(sympy.Mul, right))
        case "/":
            inverse = sympy.Pow(_tree(right), -1)
            if distributed := _distributed(left, inverse):
                return distributed
            return _chain(sympy.Mul, left).joined(_Chain(sympy.Mul, [inverse]))
    return _FUNCTIONS[name](*map(_tree, arguments))


def _piecewise(*parts: Tree) -> Tree:
    return sympy.Piecewise(*zip(parts[::2], parts[1::2], strict=True))


def _guarded(a: Tree) -> bool:
    """Return whether a protected function's argument is a constant within the guard of zero."""
    return bool(a.is_number and a.is_comparable and abs(a) <= GUARD)


_FUNCTIONS: dict[str, Callable[..., Tree]] = {
    **{name: getattr(sympy, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")},
    **{name: getattr(sympy, name) for name in ("asinh", "acosh", "atanh", "erf", "erfc", "floor")},
    **{name: getattr(sympy, name) for name in ("atan2", "factor_terms")},
    "collect": lambda a, b: sympy.collect(a, b) if b.is_Symbol else a,
    "ceil": sympy.ceiling,
    "cbrt": lambda a: sympy.sign(a) * sympy.Abs(a) ** sympy.Rational(1, 3),
    "heaviside": sympy.Heaviside,
    "exp": sympy.exp,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
    "abs": sympy.Abs,
    "sign": sympy.sign,
    "min": sympy.Min,
    "max": sympy.Max,
    "**": sympy.Pow,
    NEGATIVE: lambda a: sympy.Mul(-1, a),
    "aq": lambda a, b: a / sympy.sqrt(1 + b**2),
    "pdiv": lambda a, b: sympy.Integer(1) if _guarded(b) else a / b,
    "plog": lambda a: sympy.Integer(0) if _guarded(a) else sympy.log(sympy.Abs(a)),
    "psqrt": lambda a: sympy.sqrt(sympy.Abs(a)),
    "pinv": lambda a: sympy.Integer(0) if _guarded(a) else 1 / a,
    "<": sympy.Lt,
    "<=": sympy.Le,
    ">": sympy.Gt,
    ">=": sympy.Ge,
    "==": sympy.Eq,
    "!=": sympy.Ne,
    "and": sympy.And,
    "or": sympy.Or,
    NOT: sympy.Not,
    CHOICE: lambda condition, value, otherwise: _piecewise(value, condition, otherwise, sympy.true),
    CONDITION_CHOICE: sympy.ITE,
    PIECEWISE: _piecewise,
}
_CONSTANTS = {"pi": sympy.pi, "E": sympy.E, "true": sympy.true, "false": sympy.false}

"""Evaluation of a test on our side in a bounded number of steps, as tests may be downloaded too.

Example: `Effort().weigh([1, 2, 3])` returns the list and spends 4 of the assertion's steps. In
`sum(0 for a in range(10**6) for b in range(10**6))` each pair costs 22 steps, so it ends after some 136,000 pairs.

A step costs about as much as a comparison of two small numbers. The cost of an operation is computed from its operands
beforehand: a value is weighed with all its parts, repeated parts as often as they occur.
"""

import builtins
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from types import SimpleNamespace
from typing import Any

MOST_STEPS = 3_000_000  # of one assertion: less than a second
MOST_PARTS = 1_000_000  # items of a sequence, or bits of a number, that an operation may produce
SET, DICT = "<set>", "<dict>"  # the types, even if a comprehension has rebound their names
MOST_DIGITS = 400  # to which a number may be rounded
OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mult": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "FloorDiv": lambda a, b: a // b,
    "Mod": lambda a, b: a % b,
    "Pow": lambda a, b: a**b,
    "BitAnd": lambda a, b: a & b,
    "BitOr": lambda a, b: a | b,
    "BitXor": lambda a, b: a ^ b,
}
_MATH = (
    "ceil", "copysign", "dist", "e", "fabs", "floor", "fmod", "fsum", "gcd", "hypot", "inf", "isclose", "isfinite",
    "isinf", "isnan", "log", "log10", "log2", "nan", "pi", "sqrt", "tau", "trunc",
)  # fmt: skip
MATH = frozenset({*_MATH, "lcm"})
_BUILTINS = (
    "abs", "all", "any", "bin", "bool", "chr", "complex", "dict", "divmod", "enumerate", "float", "frozenset", "hex",
    "int", "isinstance", "len", "list", "max", "min", "oct", "ord", "repr", "reversed", "set", "sorted", "str",
    "tuple", "type", "zip",
)  # fmt: skip
TEST_NAMES = frozenset({*_BUILTINS, "math", "pow", "range", "round", "sum"})
KEYS = frozenset({"abs", "bool", "float", "int", "len", "max", "min", "ord", "repr", "str"})  # allowed as `key`


class Effort:
    """The steps that are left for one assertion. An operation that needs more raises OverflowError beforehand."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    def names(self) -> Mapping[str, Any]:
        """Return the builtin functions that a test may use, in a bounded form if they could run without end."""
        plain = {name: getattr(builtins, name) for name in _BUILTINS}
        bounded = {"pow": self.power, "range": _range, "round": _round, "sum": self.total}
        math_names = SimpleNamespace(**{name: getattr(math, name) for name in _MATH}, lcm=self.lcm)
        return plain | bounded | {SET: set, DICT: dict, "math": math_names}

    def weigh(self, value: Any) -> Any:
        """Spend one step for each part of a value, repeated parts as often as they occur; return the value."""
        self._spend(_extent(value, {}))
        return value

    def each(self, items: Iterable[Any], steps: int) -> Iterator[Any]:
        """Yield the items, and spend `steps` for each."""
        for item in items:
            self._spend(steps)
            yield item

    def hash_items(self, items: Any) -> Any:
        """Return the items for a set or dictionary, and spend the steps of the worst case: all hashes are equal."""
        values = items if isinstance(items, dict) else list(items)
        self._spend(_collisions(len(values)))
        return self.weigh(values)

    def operate(self, name: str, left: Any, right: Any) -> Any:
        """Compute a binary operation, unless its result would be too large.

        Raises:
            OverflowError: the result would have more than `MOST_PARTS` items or bits.
            TypeError: it is a remainder, and the operands are no numbers.
        """
        numbers = isinstance(left, int | float | complex) and isinstance(right, int | float | complex)
        size = 0
        if name == "Mult" and not numbers:
            size = max(len(a) * b for a, b in ((left, right), (right, left)) if isinstance(b, int))
        elif name == "Pow" and isinstance(left, int) and isinstance(right, int):
            size = left.bit_length() * right
        elif name == "Mod" and not numbers:
            raise TypeError("only numbers have a remainder here")
        if size > MOST_PARTS:
            raise OverflowError(f"an operation makes more than {MOST_PARTS} items or bits")
        self._spend(_extent(left, {}) + _extent(right, {}) + (_words(size) if numbers else size))
        return OPERATIONS[name](left, right)

    def power(self, base: Any, exponent: Any) -> Any:
        """Compute `pow` of two arguments."""
        return self.operate("Pow", base, exponent)

    def total(self, items: Iterable[Any], start: Any = 0) -> Any:
        """Compute `sum`; if an item is no number, items are added one by one, each time at the cost of a full copy."""
        values = list(items)
        if all(isinstance(item, int | float | complex) for item in (start, *values)):
            return sum(self.weigh(values), start)
        for item in values:
            start = self.operate("Add", start, item)
        return start

    def lcm(self, *numbers: int) -> int:
        """Compute `math.lcm`."""
        result = 1
        for number in numbers:
            self._spend(_extent(result, {}) + _extent(number, {}))
            result = math.lcm(result, number)
        return result

    def method(self, value: Any, name: str, *arguments: Any) -> Any:
        """Call a method; `join` repeats the separator, so its cost counts for every item."""
        if name == "join" and isinstance(value, str | bytes):
            arguments = tuple(list(items) for items in arguments)
            self._spend(sum(_extent(value, {}) * len(items) for items in arguments))
        for part in (value, *arguments):
            self.weigh(part)
        return getattr(value, name)(*arguments)

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise OverflowError(f"it takes more than {MOST_STEPS:,} steps")


def _extent(value: Any, extents: dict[int, int]) -> int:
    """Return how many parts a value has; an object is visited once, but counts as often as it occurs."""
    if isinstance(value, str | bytes | bytearray):
        return 1 + len(value) // 4
    if isinstance(value, int):
        return 1 + _words(value.bit_length())
    if not isinstance(value, list | tuple | set | frozenset | dict):
        return 1 + (len(value) if isinstance(value, Sized) else 0)
    if id(value) not in extents:
        parts = (part for item in value.items() for part in item) if isinstance(value, dict) else value
        hash_cost = 0 if isinstance(value, list | tuple) else _collisions(len(value))
        extents[id(value)] = 1 + hash_cost + sum(_extent(part, extents) for part in parts)
    return extents[id(value)]


def _words(bits: int) -> int:
    """Return the steps of an operation on numbers of `bits` bits: multiplication takes the square of their words."""
    words = bits // 64
    return words + words * words // 64


def _collisions(size: int) -> int:
    return size * size // 16


def _range(*bounds: int) -> range:
    if len(numbers := range(*bounds)) > MOST_PARTS:
        raise OverflowError(f"a range of more than {MOST_PARTS} numbers")
    return numbers


def _round(number: Any, digits: int | None = None) -> Any:
    if digits is not None and abs(digits) > MOST_DIGITS:
        raise OverflowError(f"rounded to more than {MOST_DIGITS} digits")
    return round(number, digits)

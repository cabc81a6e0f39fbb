"""Evaluating a test on our side in a bounded number of steps, for tests too may be somebody's download.

Example: `Effort().weigh([1, 2, 3])` is the list, and has spent 4 of a check's steps; of
`sum(0 for a in range(10**6) for b in range(10**6))` the pairs are counted, and it ends after a million.

A step is about what a comparison of two small numbers costs. What an operation costs is known from its
operands before it is made: values are weighed with all that they hold, as often as they hold it.
"""

import builtins
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from types import SimpleNamespace
from typing import Any

MOST_STEPS = 3_000_000  # of one assertion: less than a second
MOST_PARTS = 1_000_000  # items of a sequence, or bits of a number, that an operation may make
SET, DICT = "<set>", "<dict>"  # the types, where a comprehension may have taken their names
MOST_DIGITS = 400  # that a number is rounded to
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
KEYS = frozenset({"abs", "bool", "float", "int", "len", "max", "min", "ord", "repr", "str"})  # to sort by


class Effort:
    """The steps that are left for one assertion. Whatever would take more raises OverflowError before it is done."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps

    def names(self) -> Mapping[str, Any]:
        """The builtin functions that a test may use, those in a bounded form that could work without end."""
        plain = {name: getattr(builtins, name) for name in _BUILTINS}
        bounded = {"pow": self.power, "range": _range, "round": _round, "sum": self.total}
        math_names = SimpleNamespace(**{name: getattr(math, name) for name in _MATH}, lcm=self.lcm)
        return plain | bounded | {SET: set, DICT: dict, "math": math_names}

    def weigh(self, value: Any) -> Any:
        """The value, after as many steps as it holds parts, shared ones counted as often as they stand there."""
        self._spend(_extent(value, {}))
        return value

    def each(self, items: Iterable[Any], steps: int) -> Iterator[Any]:
        """The items, each for so many steps."""
        for item in items:
            self._spend(steps)
            yield item

    def hash_items(self, items: Any) -> Any:
        """What a set or dictionary is made of; their hashes may all be equal, and each is compared with all."""
        values = items if isinstance(items, dict) else list(items)
        self._spend(_collisions(len(values)))
        return self.weigh(values)

    def operate(self, name: str, left: Any, right: Any) -> Any:
        """A binary operation, the value of which is not so large that it could do harm."""
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
        """`pow` of two arguments."""
        return self.operate("Pow", base, exponent)

    def total(self, items: Iterable[Any], start: Any = 0) -> Any:
        """`sum`; what are no numbers is added one by one, each time copied whole."""
        values = list(items)
        if all(isinstance(item, int | float | complex) for item in (start, *values)):
            return sum(self.weigh(values), start)
        for item in values:
            start = self.operate("Add", start, item)
        return start

    def lcm(self, *numbers: int) -> int:
        """`math.lcm`."""
        result = 1
        for number in numbers:
            self._spend(_extent(result, {}) + _extent(number, {}))
            result = math.lcm(result, number)
        return result

    def method(self, value: Any, name: str, *arguments: Any) -> Any:
        """A call of a method; joining puts what is between the items there as often."""
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
    """How many parts a value has; each is looked at once, however often it stands there."""
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
    """Steps of an operation on numbers of so many bits: multiplying takes the square of their words."""
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

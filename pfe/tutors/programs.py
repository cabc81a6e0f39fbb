"""Common parts of programming tasks: tables of parts, sampled inputs, and tests that tell programs apart.

Example: the row `divisible by {3 7} | multiple_of_{0} | x % {0} == 0` of a table is two parts of a task; with the
second one a question says "... numbers divisible by 7", the function is called `sum_multiple_of_7`, and the programs
test `x % 7 == 0`.
"""

import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product, zip_longest
from random import Random
from typing import Any

from pfe.errors import UserError
from pfe.tutors.content import table
from pfe.tutors.place import Place, placed

Call = tuple[Any, ...]
_MODULE = re.compile(r"(?<![\w.])(collections|functools|heapq|itertools|math|operator|re|statistics|string)\.\w")
_ATTEMPTS = 16
_FAILURES = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError)


class PartTable:
    """The parts that may fill one slot of a task, written as lines of `|`-separated cells below a line of column names.

    The first column is the phrase in the question, which identifies the part everywhere. A list in braces, `{3 7}`,
    expands to one part for each of its words; the other cells refer to the chosen words by `{0}`, `{1}`. A table of one
    column needs no heading line: its phrases are their own code, and may be separated by commas.

    Raises:
        UserError: a line does not have as many cells as there are columns, or a phrase occurs twice.
    """

    def __init__(self, text: str, where: Place | str = "a table of parts") -> None:
        where = placed(where)
        lines = [_cells(line) for line in text.strip().splitlines()]
        if len(lines[0]) == 1:
            lines = [
                ["phrase", "code"],
                *([word.strip()] * 2 for word in text.replace("\n", ",").split(",") if word.strip()),
            ]
        columns, *rows = lines
        if wrong := next((row for row in rows if len(row) != len(columns)), None):
            raise UserError(f"{where.quoting(' | '.join(wrong))}: write {len(columns)} cells, {' | '.join(columns)}")
        self._rows = [[dict(zip(columns, cells, strict=True)) for cells in _expanded(row)] for row in rows]
        parts = [part for row in self._rows for part in row]
        self.parts: Mapping[str, Mapping[str, str]] = {part[columns[0]]: part for part in parts}
        if len(self.parts) < len(parts):
            raise UserError(f"{where}: a phrase occurs twice in the table that begins {' | '.join(rows[0])}")

    def draw(self, rng: Random) -> str:
        """Sample the phrase of one part; a line is weighted by the square root of its number of parts."""
        row = rng.choices(self._rows, [len(row) ** 0.5 for row in self._rows])[0]
        return next(iter(rng.choice(row).values()))

    def cells(self, slot: str, phrase: str) -> Iterator[tuple[str, str]]:
        """Yield the words of a part with the names that a sentence uses for them.

        `kind` is the phrase of the slot `kind`, and `kind_one` its cell in the column `one`.
        """
        yield slot, phrase
        yield from ((f"{slot}_{column}", cell) for column, cell in self.parts[phrase].items())

    def columns(self, slot: str) -> Mapping[str, Sequence[str]]:
        """Return all possible words for each of these names."""
        columns: dict[str, list[str]] = {}
        for phrase in self.parts:
            for name, cell in self.cells(slot, phrase):
                columns.setdefault(name, []).append(cell)
        return columns

    def phrase(self, slot: str, words: Mapping[str, str]) -> str:
        """Return the first part that fits the words in a sentence.

        Raises:
            ValueError: no part fits, or the sentence does not mention the slot.
        """
        for phrase in self.parts:
            cells = dict(self.cells(slot, phrase))
            if cells.keys() & words.keys() and all(words.get(name, cell) == cell for name, cell in cells.items()):
                return phrase
        raise ValueError(f"nothing is said of {slot}")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(" | ")]


def _expanded(cells: Sequence[str]) -> Iterator[list[str]]:
    pieces = re.split(r"\{([^}]*)\}", cells[0])
    for words in product(*(choices.split() for choices in pieces[1::2])):
        phrase = "".join(literal + word for literal, word in zip_longest(pieces[::2], words, fillvalue=""))
        rest = list(cells[1:])
        for place, word in enumerate(words):
            rest = [cell.replace(f"{{{place}}}", word) for cell in rest]
        yield [phrase, *rest]


class Drawing:
    """The functions for a task's `inputs`: `numbers(5, 8), number(1, 3)` samples a list and a number."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._stock: Mapping[str, Any] = table("program_inputs")

    def call(self, inputs: str) -> Call:
        """Sample the arguments of one call."""
        return tuple(eval(f"({inputs},)", {"__builtins__": _BUILTINS}, self._kinds()))

    def number(self, low: int, high: int) -> int:
        return self.rng.randint(low, high)

    def pick(self, *values: Any) -> Any:
        return self.rng.choice(values)

    def numbers(self, least: int, most: int, low: int = -9, high: int = 30) -> list[int]:
        """Sample whole numbers, sometimes with a repeated one."""
        found = [self.rng.randint(low, high) for _ in range(self.rng.randint(least, most))]
        if len(found) > 2 and self.rng.random() < 0.3:
            found[self.rng.randrange(len(found))] = self.rng.choice(found)
        return found

    def repeating(self, least: int, most: int, kinds: int = 4) -> list[int]:
        """Sample whole numbers from `kinds` values, so that values repeat."""
        stock = self.rng.sample(range(1, 13), kinds)
        return [self.rng.choice(stock) for _ in range(self.rng.randint(least, most))]

    def lists(self, count: int, length: int, low: int = -9, high: int = 20) -> list[list[int]]:
        return [[self.rng.randint(low, high) for _ in range(length)] for _ in range(count)]

    def ragged(self, low: int = -5, high: int = 20) -> list[list[int]]:
        return [self.numbers(1, 4, low, high) for _ in range(self.rng.randint(2, 4))]

    def word(self) -> str:
        return str(self.rng.choice(self._stock["words"]))

    def words(self, least: int = 3, most: int = 6) -> list[str]:
        return self.rng.sample(self._stock["words"], self.rng.randint(least, most))

    def names(self, least: int = 3, most: int = 5) -> list[str]:
        return self.rng.sample(self._stock["names"], self.rng.randint(least, most))

    def sentence(self) -> str:
        """Sample a line as people write it, with capitals, punctuation and often a number."""
        line = str(self.rng.choice(self._stock["lines"]))
        return re.sub("#", lambda _: str(self.rng.randint(2, 120)), line)

    def plain(self) -> str:
        """Sample a line without punctuation, in which spaces separate words."""
        return re.sub(r"[^\w ]", "", self.sentence())

    def mixed(self) -> str:
        """Sample characters of every kind, as in a password."""
        kinds = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHJKLMNPRSTUVW", "0123456789", "aeiou", "!?#-_."]
        return "".join(self.rng.choice(self.rng.choice(kinds)) for _ in range(self.rng.randint(5, 11)))

    def digits(self, least: int, most: int) -> int:
        return self.rng.randint(10 ** (least - 1), 10**most - 1)

    def table_of(self, low: int = 1, high: int = 40) -> dict[str, int]:
        return {name: self.rng.randint(low, high) for name in self.names(3, 5)}

    def records(self, length: int = 2, low: int = 1, high: int = 30) -> list[tuple[int, ...]]:
        return [tuple(self.rng.randint(low, high) for _ in range(length)) for _ in range(self.rng.randint(3, 5))]

    def named(self, low: int = 1, high: int = 40) -> list[tuple[str, int]]:
        return list(self.table_of(low, high).items())

    def _kinds(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in dir(self) if not name.startswith("_")}


_BUILTINS = {"sorted": sorted, "list": list, "tuple": tuple, "set": set, "len": len, "str": str, "max": max, "min": min,
             "range": range, "round": round, "dict": dict, "bin": bin, "int": int, "sum": sum}  # fmt: skip


def with_imports(program: str) -> str:
    """Return the program with imports of the standard-library modules that it uses."""
    imports = "".join(f"import {module}\n" for module in sorted(set(_MODULE.findall(program))))
    return f"{imports}\n\n{program}" if imports else program


@lru_cache(8192)
def defined(program: str, name: str) -> Callable[..., Any]:
    """Return the function with this name that the program defines."""
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def value(function: Callable[..., Any], arguments: Call) -> Any:
    """Return the function's result or, if it cannot handle the arguments, the type of its error."""
    try:
        return function(*pickle.loads(pickle.dumps(arguments)))  # a copy, because the function may modify it
    except _FAILURES as error:
        return type(error)


Example = tuple[Call, Any]


def shown(name: str, examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the examples as assertions: `assert double(4) == 8`."""
    return tuple(f"assert {name}({', '.join(map(repr, arguments))}) == {result!r}" for arguments, result in examples)


def passes(function: Callable[..., Any], examples: Sequence[Example]) -> bool:
    """Return whether a function returns the results of all examples."""
    return all(value(function, arguments) == result for arguments, result in examples)


def telling_examples(
    reference: Callable[..., Any], rivals: Sequence[Callable[..., Any]], inputs: str, rng: Random
) -> tuple[Example, ...]:
    """Return three calls with the reference's results, chosen so that the rivals (programs of other tasks) fail them.

    Of several triples of inputs it takes the one that the fewest rivals pass; ties are broken by whether the first
    result is informative, then by the fewest equal results. Programs that return a constant, nothing or an unchanged
    argument always fail. The first call is the one that most rivals fail, among those whose result is neither empty nor
    an argument.

    Raises:
        ValueError: no inputs distinguish the task from a constant.
    """
    drawing = Drawing(rng)
    best: list[Example] = []
    weakness = (len(rivals) + 1, True, 3)
    for _ in range(_ATTEMPTS):
        calls = [drawing.call(inputs) for _ in range(3)]
        pairs = [(arguments, value(reference, arguments)) for arguments in calls]
        if not _is_telling(pairs):
            continue
        failing = [sum(not passes(rival, [pair]) for rival in rivals) for pair in pairs]
        order = sorted(range(3), key=lambda place: (not _shows(pairs[place]), -failing[place]))
        pairs = [pairs[place] for place in order]
        surviving = sum(passes(rival, pairs) for rival in rivals)
        values = [result for _, result in pairs]
        repeated = sum(result in values[:place] for place, result in enumerate(values))
        if (found := (surviving, not _shows(pairs[0]), repeated)) < weakness:
            best, weakness = pairs, found
        if weakness <= (0, False, int(isinstance(values[0], bool))):
            break
    if not best:
        raise ValueError(f"no telling inputs found: {inputs}")
    return tuple(best)


def _shows(pair: Example) -> bool:
    """Return whether the result is informative.

    It must not be empty, zero or false, and neither it nor an element of it may be an argument.
    """
    arguments, result = pair
    if isinstance(result, bool):
        return result
    parts = list(result) if isinstance(result, list | tuple) else []
    return bool(result) and not any(one in (result, *parts) for one in arguments)


def _is_telling(pairs: Sequence[tuple[Call, Any]]) -> bool:
    values = [result for _, result in pairs]
    constant = values[0] == values[1] == values[2]
    places = range(len(pairs[0][0]))
    returned = any(all(arguments[place] == result for arguments, result in pairs) for place in places)
    odd = any(isinstance(result, type) or result is None or "e-" in repr(result) for result in values)
    return not constant and not returned and not odd

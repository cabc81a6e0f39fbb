"""Same problem under other words: equal numbers, operations and answer; equal function and test inputs.

Example: "Ann has 3 pens and buys 4" (7) and "4 birds join 3 birds" (7) share numbers {3, 4},
operations {+} and the answer 7.
Source: SPEC, "Check 3: Structural Similarity".
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pfe.problem import Domain, Problem

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_NUMBER_WORDS = {word: Fraction(value) for value, word in enumerate(_WORDS.split())}


@dataclass(frozen=True)
class Structure:
    """What is compared: `always` must be equal; `operations` too, where both problems show theirs."""

    always: Hashable
    operations: frozenset[str] | None


def structure(problem: Problem) -> Structure | None:
    """The structure of a math or code problem; None where the domain has none or the problem shows none."""
    read = _STRUCTURES.get(problem.domain)
    return read(problem) if read else None


def numbers(text: str) -> frozenset[Fraction | str]:
    """The numbers a text states, in digits or in words up to twenty."""
    digits = {_fraction(found) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}
    words = {_NUMBER_WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _NUMBER_WORDS}
    return frozenset(digits | words)


def operations(solution: str) -> frozenset[str] | None:
    """The operations of a worked solution's calculator annotations; None where there are none."""
    steps = re.findall(r"<<([^<>=]+)=", solution)
    return frozenset(sign for step in steps for sign in re.findall(r"(?<=[\d)])\s*([+\-*/])", step)) if steps else None


def twins(candidates: Sequence[Problem], canonical: Sequence[Problem]) -> list[int]:
    """For every candidate the number of the first canonical problem of equal domain and structure, or -1."""
    shelves: dict[Hashable, list[tuple[int, Structure]]] = defaultdict(list)
    for index, problem in enumerate(canonical):
        if (known := structure(problem)) is not None:
            shelves[problem.domain, known.always].append((index, known))
    return [_twin(problem, shelves) for problem in candidates]


def _twin(problem: Problem, shelves: Mapping[Hashable, list[tuple[int, Structure]]]) -> int:
    own = structure(problem)
    if own is None:
        return -1
    for index, other in shelves.get((problem.domain, own.always), ()):
        if own.operations is None or other.operations is None or own.operations == other.operations:
            return index
    return -1


def _math(problem: Problem) -> Structure | None:
    stated = numbers(problem.question)
    if not stated or not problem.answer:
        return None
    return Structure((stated, _fraction(problem.answer)), operations(problem.solution))


def _code(problem: Problem) -> Structure | None:
    calls = [_call(test) for test in problem.tests]
    if not calls:
        return None
    return Structure((calls[0][0], frozenset(inputs for _, inputs in calls)), None)


@cache
def _call(test: str) -> tuple[str, str]:
    """Function name and arguments of the call that an assertion makes; the whole text where it makes none."""
    try:
        tree = ast.parse(test.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "", test
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    own = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id not in _BUILTINS]
    for call in own or calls:
        if isinstance(call.func, ast.Name):
            return call.func.id, ", ".join(ast.unparse(argument) for argument in [*call.args, *call.keywords])
    return "", test


def _fraction(digits: str) -> Fraction | str:
    try:
        return Fraction(digits.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return digits


_BUILTINS = frozenset(
    ("set", "list", "tuple", "dict", "sorted", "str", "int", "float", "abs", "round", "len", "sum", "all", "any")
)
_STRUCTURES: Mapping[Domain, Callable[[Problem], Structure | None]] = {"math": _math, "code": _code}

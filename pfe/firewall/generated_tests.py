"""Generation of tests for a program that has none, in the sandbox: it is called, and its results are recorded.

Example: for "def area(w, h): return w * h" one set of tests is ["assert area(6, 1) == (6)", …], another has decimals.
The source of this module is executed in the process of `sandbox.evaluate`, where none of our code can be imported.
"""

import ast
import itertools
import signal
import sys
import time
from types import FrameType, FunctionType, ModuleType
from typing import Any

CALL_SECONDS = 0.05  # processor time of one call
ALL_SECONDS = 2.0
CALLS = 6  # with one combination of argument kinds
LEAST = 4  # fewest of these calls that must return a value
DISTINCT = 3  # fewest different results; for booleans both True and False
MOST_KINDS = 4  # sets of tests that are returned
MOST_ARGUMENTS = 3
LONGEST = 400  # characters of a result
KINDS: dict[str, tuple[str, ...]] = {
    "integer": ("6", "1", "10", "3", "24", "7", "2", "49"),
    "text": ("'level'", "'Hello World'", "'abcABC123'", "'a-b c,d'", "'zzyyx'", "'(a[b]c)'", "'e'"),
    "integers": ("[3, 1, 2]", "[5, 5, 1, 4]", "[10, -2, 7, 0]", "[1, 2, 3, 4, 5, 6]", "[2, 2, 2]", "[8, -8, 3, 9]"),
    "texts": ("['b', 'a', 'cc']", "['apple', 'fig', 'kiwi']", "['x']", "['ab', 'ba', 'ab']", "['Red', 'BLUE', 'o']"),
    "decimal": ("2.5", "0.5", "1.75", "3.0", "10.25"),
    "rows": ("[[1, 2], [3, 4]]", "[[5, 1, 2], [0, 3, 9]]", "[[1], [2, 3]]", "[[7, 7], [1, 8], [2, 6]]"),
    "tuple": ("(1, 2, 3)", "(4, 0, 4, 5)", "(9, 1)", "(2, 7, 1, 8)"),
    "pairs": ("[('x', 3), ('y', 1)]", "[('a', 2), ('b', 9), ('a', 4)]", "[('m', 5)]", "[('q', 0), ('p', 6)]"),
    "map": ("{'a': 1, 'b': 2}", "{'x': 5, 'y': 3, 'z': 5}", "{'k': 0}", "{'m': 4, 'n': -1}"),
}
FEW = ("integer", "text", "integers", "texts", "decimal")  # kinds for functions of three arguments


class Late(BaseException):
    """The time of one call is up."""


def probe(source: str) -> list[list[str]]:
    """Return sets of tests that a program's last function passes, one per combination of argument kinds, best first.

    The best set is the one with the most different results.
    """
    signal.signal(signal.SIGVTALRM, _ring)
    module = ModuleType("solution")
    sys.modules["solution"] = module
    exec(compile(source, "<program>", "exec", dont_inherit=True), module.__dict__)
    functions = [f for f in module.__dict__.values() if isinstance(f, FunctionType) and f.__module__ == "solution"]
    if not functions:
        return []
    function = functions[-1]
    arity = function.__code__.co_argcount - len(function.__defaults__ or ())
    if not 1 <= arity <= MOST_ARGUMENTS:
        return []
    ranked: list[tuple[int, list[str]]] = []
    begun = time.process_time()
    for kinds in itertools.product(FEW if arity == MOST_ARGUMENTS else KINDS, repeat=arity):
        if time.process_time() - begun > ALL_SECONDS:
            break
        results, tests = _tests_of(function, kinds)
        if len(tests) >= LEAST and len(results) >= (2 if results <= {"True", "False"} else DISTINCT):
            ranked.append((-len(results), tests))
    ranked.sort(key=lambda test_set: test_set[0])
    return [tests for _, tests in ranked[:MOST_KINDS]]


def _tests_of(function: FunctionType, kinds: tuple[str, ...]) -> tuple[set[str], list[str]]:
    """Return the different results of some calls and the tests made from them; empty if it only returns its input."""
    results, tests, changed = set[str](), list[str](), False
    failed = 0
    for call in range(CALLS):
        pools = [KINDS[kind] for kind in kinds]
        arguments = ", ".join(pool[(call + shift) % len(pool)] for shift, pool in enumerate(pools))
        first, second = (_result(function, ast.literal_eval(f"({arguments},)")) for _ in range(2))
        if first is None or first != second:
            failed += 1
            if failed > CALLS - LEAST:
                break
            continue
        results.add(first)
        changed = changed or first != arguments
        if isinstance(ast.literal_eval(first), float):
            tests.append(f"assert abs({function.__name__}({arguments}) - ({first})) <= 1e-6 * max(1, abs({first}))")
        else:
            tests.append(f"assert {function.__name__}({arguments}) == ({first})")
    return (results, list(dict.fromkeys(tests))) if changed else (set(), [])


def _result(function: FunctionType, arguments: tuple[Any, ...]) -> str | None:
    """Return the result of a call as a literal; None if the call fails or its result is no short literal."""
    global _armed
    try:
        try:
            _armed = True
            signal.setitimer(signal.ITIMER_VIRTUAL, CALL_SECONDS, CALL_SECONDS / 4)
            literal = repr(function(*arguments))
        finally:
            _armed = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return literal if len(literal) <= LONGEST and ast.literal_eval(literal) is not None else None
    except BaseException:
        return None


_armed = False


def _ring(number: int, frame: FrameType | None) -> None:
    if _armed:
        raise Late

"""The code that `Behaviour` runs in the sandbox: one program is tried on the tests of many canonical problems.

Example of a report: ("through", 500, [17, 203]) has the end position and the trials that the program passes;
("through", 250, [17]) asks for a new process from trial 250 on; ("broken", "program: NameError: name 'x' is not
defined"). The source of this module is executed in the process of `sandbox.evaluate`, where none of our code can be
imported.
"""

import binascii
import marshal
import signal
import sys
import time
from collections.abc import Sequence
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

FIRST_SECONDS = 0.1  # processor time for a trial's first test, program and setup included
NEXT_SECONDS = 10.0  # processor time for each further test: a program that has passed a test is worth waiting for
CLOCK = 3  # wall-clock limit as a multiple of processor time, plus two seconds: for programs that sleep
ROUND_SECONDS = 5.0  # processor time of one process, after which a new one continues
ROUND_CLOCK = 20.0  # wall-clock seconds of one process, likewise
VARIADIC = 4  # CO_VARARGS

Calls = tuple[tuple[int, int], ...]  # for every call, the numbers of positional and of keyword arguments
Report = tuple[str, int, list[int]] | tuple[str, str]
# The function name that the tests call, their calls, the program that they need in addition, setup, tests.
Trial = tuple[str, Calls, CodeType | None, CodeType | None, tuple[CodeType, ...]]


class Late(BaseException):
    """The time of one trial is up."""


def search(source: str, function_names: Sequence[str], packed: str, start: int) -> Report:
    """Report the trials whose tests all pass if a function of the program has the name that they call.

    Args:
        function_names: the functions to try; if the program has none of them, all that it defines.
        packed: a marshalled list of marshalled trials, in base 64; the first has number `start`.
    """
    trials: list[bytes] = marshal.loads(binascii.a2b_base64(packed))
    signal.signal(signal.SIGVTALRM, _ring)
    signal.signal(signal.SIGALRM, _ring)
    try:
        code = compile(source, "<program>", "exec", dont_inherit=True)
        space = _fresh(code)
    except BaseException as error:
        return "broken", f"program: {_message(error)}"
    names = [name for name in function_names if callable(space.get(name))] or _functions(space)
    if not names:
        return "broken", "it defines no function that tests could call"
    passed: list[int] = []
    begun = time.monotonic()
    for index, marshalled in enumerate(trials, start):
        trial: Trial = marshal.loads(marshalled)
        if any(_fits(space[name], trial[1]) and _passes(code, name, trial) for name in names):
            passed.append(index)
        if time.process_time() > ROUND_SECONDS or time.monotonic() - begun > ROUND_CLOCK:
            break
    return "through", index + 1 if trials else start, passed


def _fresh(code: CodeType) -> dict[str, Any]:
    """Run the program in a new module and return its namespace, so that no trial can affect the next."""
    module = ModuleType("solution")
    sys.modules["solution"] = module
    exec(code, module.__dict__)
    return module.__dict__


def _functions(space: dict[str, Any]) -> list[str]:
    """Return the names of the callables that the program defines, except classes."""
    return [
        name
        for name, member in space.items()
        if callable(member) and not isinstance(member, type) and getattr(member, "__module__", "") == "solution"
    ]


def _fits(function: object, calls: Calls) -> bool:
    """Return whether a function could take these numbers of arguments; False only if Python must refuse a call."""
    if not isinstance(function, FunctionType):
        return True
    code = function.__code__
    most = sys.maxsize if code.co_flags & VARIADIC else code.co_argcount
    least = code.co_argcount - len(function.__defaults__ or ())
    return all(positional <= most and least <= positional + keywords for positional, keywords in calls)


def _passes(code: CodeType, name: str, trial: Trial) -> bool:
    global _armed
    alias, _, base, setup, tests = trial
    try:
        try:
            _wind(FIRST_SECONDS)
            space: dict[str, Any] = {"__name__": "solution"}
            if base is not None:
                exec(base, space)
            program = _fresh(code)
            space.update(program)
            if setup is not None:
                exec(setup, space)
            space[alias] = program[name]
            for test in tests:
                exec(test, space)
                _wind(NEXT_SECONDS)
        finally:
            # Set here, not in a function: Python handles pending alarms when a call begins, one at a time.
            _armed = False
            _wind(0)
    except BaseException:
        return False
    return True


_armed = False


def _wind(seconds: float) -> None:
    """Set both alarms, or switch them off with 0; they repeat, in case the program catches every exception."""
    global _armed
    _armed = seconds > 0
    clock = CLOCK * seconds + 2 if _armed else 0
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds / 4)
    signal.setitimer(signal.ITIMER_REAL, clock, clock / 4)


def _ring(number: int, frame: FrameType | None) -> None:
    if _armed:
        raise Late


def _message(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}".removesuffix(": ")[:200]
    except BaseException:
        return "an exception that cannot be shown"

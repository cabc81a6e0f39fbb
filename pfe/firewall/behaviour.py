"""Behavioural comparison of programs: the candidate's solution is run on the tests of canonical problems.

Example: under the name `volume_cylinder`, a candidate "def area(r, h): return 3.1415 * r * r * h" passes the canonical
tests "assert volume_cylinder(10, 5) == 1570.75" …. Under the name `area`, the canonical program passes the candidate's
tests. So each program solves the other's problem.
The programs run in the sandbox. One process tries a program on all canonical problems, if it survives.
"""

import ast
import binascii
import builtins
import hashlib
import json
import marshal
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType
from typing import Any

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.fingerprint import fingerprint
from pfe.firewall.programs import program_of
from pfe.firewall.structure import calls
from pfe.firewall.trial import Calls, Trial
from pfe.problem import Problem
from pfe.processes.cores import cores
from pfe.sandbox.detail import shortened
from pfe.sandbox.process import ProgramEnded, Result, SandboxLimits, UnsupportedError
from pfe.sandbox.programs import evaluate
from pfe.scorers.python import UNREADABLE, callee, syntax_tree

LIMITS = SandboxLimits(seconds=30.0)
MOST_PROCESSES = 40  # for one program
MOST_SECONDS = 120.0  # by the clock, for one program
_SOURCE = Path(__file__).with_name("trial.py").read_text(encoding="utf-8")
_PROBES = Path(__file__).with_name("generated_tests.py").read_text(encoding="utf-8")
_CACHED_AT_ONCE = 64


@dataclass(frozen=True)
class BehaviourMatch:
    """The canonical problem whose tests the candidate's program passes; `index` is -1 if there is none.

    `agreement` is the share (0-1) of the candidate's own tests that the canonical program passes in return: canonical
    tests are few, and three of them with small or boolean results can be passed by chance. Among several problems, it
    is the one with the highest agreement; ties go to the first. If there is no canonical program or no test to run it
    on, agreement is 1. For a candidate without tests, `passed` has all problems whose tests it passes, so that they
    can be checked in another way. `error` says why the result is unknown; it is "" if the result is known.
    """

    index: int
    agreement: float = 0.0
    error: str = ""
    passed: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class _Code:
    """The parts of a candidate that decide its behaviour; equal ones are run only once."""

    program: str
    setup: str
    tests: tuple[str, ...]


class _Unknown(Exception):  # noqa: N818
    """The programs could not be run to the end."""


class Behaviour:
    """The tests of the canonical code problems, to run on any number of programs.

    A function of the program is run under the name that the canonical tests call: each function that the candidate's
    own tests call or, if its program defines none of these, each function that it defines. Tests fail if they take more
    processor time than `trial.FIRST_SECONDS` and `trial.NEXT_SECONDS`. Results are stored in `cache`; errors are not. A
    pickled copy opens the default cache of its own process.

    The tests of a canonical problem are its own, or else the examples in its program's docstrings, or else tests
    generated from the program's results (`probes`). A problem without any tests is left out.

    Args:
        workers: the number of programs that run at a time; None for OMP_NUM_THREADS, or else one per core.

    Raises:
        UserError: the tests of a canonical code problem are not valid Python or call no function.
    """

    def __init__(self, canonical: Sequence[Problem], cache: Cache | None = None, workers: int | None = None) -> None:
        self.cache = cache
        self._workers = workers
        programs = enumerate(map(as_program, canonical))
        numbered = [(index, problem) for index, program in programs for problem in _with_tests(program, cache)]
        self._indices = [index for index, _ in numbered]
        self._canonical = [problem for _, problem in numbered]
        try:
            self._trials = [_trial(problem, problem.tests) for problem in self._canonical]
        except _Unknown as error:
            raise UserError(f"canonical problem {error}; no program can be run against it: mend its tests") from None
        self._packed = _pack(self._trials)
        code = str(fingerprint("pfe.firewall.behaviour", "pfe.firewall.generated_tests", "pfe.problem"))
        identity = (code, sys.version, LIMITS, [(p.answer, p.setup, p.tests) for p in self._canonical])
        self._digest = _sha256(repr(identity).encode())

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"cache": self.cache is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"cache": Cache.default() if state["cache"] else None})

    def find(self, candidates: Sequence[Problem]) -> list[BehaviourMatch]:
        """Return, for each candidate, the canonical problem that its program behaves like; none without a program.

        A candidate that is not declared as code gets no error if its program does not run.

        Raises:
            UserError: this machine cannot run programs safely.
        """
        codes = [_code(problem) for problem in candidates]
        distinct = [code for code in dict.fromkeys(codes) if code is not None and self._trials]
        results: dict[_Code, BehaviourMatch] = {}
        workers = self._workers or int(os.environ.get("OMP_NUM_THREADS") or cores())
        with ThreadPoolExecutor(workers) as pool:
            for start in range(0, len(distinct), _CACHED_AT_ONCE):
                results |= self._results(distinct[start : start + _CACHED_AT_ONCE], pool)
        matches = [results.get(code, BehaviourMatch(-1)) if code else BehaviourMatch(-1) for code in codes]
        return [
            match if problem.domain == "code" else replace(match, error="")
            for match, problem in zip(matches, candidates, strict=True)
        ]

    def _results(self, codes: Sequence[_Code], pool: ThreadPoolExecutor) -> dict[_Code, BehaviourMatch]:
        """Return the results in the cache, and run the other programs in the sandbox."""
        keys = {code: _sha256(self._digest + repr(code).encode("utf-8", "surrogatepass")) for code in codes}
        contents = self.cache.get_many(list(keys.values())) if self.cache else {}
        cached = {code: _from_cache(contents[key]) for code, key in keys.items() if key in contents}
        uncached = [code for code in codes if code not in cached]
        fresh = dict(zip(uncached, pool.map(self._match, uncached), strict=True))
        if self.cache:
            certain = {keys[code]: [m.index, m.agreement, m.passed] for code, m in fresh.items() if not m.error}
            self.cache.put_many({key: json.dumps(values).encode() for key, values in certain.items()})
        # Cached indexes count only canonical programs with tests, so that they stay valid if others change.
        places = [*self._indices, -1]
        return {
            code: replace(m, index=places[m.index], passed=tuple(dict.fromkeys(places[i] for i in m.passed)))
            for code, m in (cached | fresh).items()
        }

    def _match(self, code: _Code) -> BehaviourMatch:
        if not code.program.strip():
            return BehaviourMatch(-1, error="a code problem needs its program, to be run against canonical tests")
        candidate = Problem("", "", "code", "", code.program, setup=code.setup, tests=code.tests)
        names = tuple(dict.fromkeys(call.function for call in calls(candidate)))
        try:
            passed = _passed(code.program, names, self._trials, self._packed)
        except _Unknown as error:
            return BehaviourMatch(-1, error=str(error))
        if passed and not code.tests:
            return BehaviourMatch(passed[0], 1.0, passed=tuple(passed))
        best = BehaviourMatch(-1)
        for index in passed:
            agreement = _agreement(self._canonical[index], candidate)
            if best.index < 0 or agreement > best.agreement:
                best = BehaviourMatch(index, agreement)
        return best


def as_program(problem: Problem) -> Problem:
    """Return the problem as a code problem.

    If it declares no program, the Python in its parts becomes its program; if it has no tests, the examples in its
    program's docstrings become its tests.
    """
    program = problem.answer if problem.domain == "code" and problem.answer.strip() else program_of(problem)
    tests = problem.tests if problem.domain == "code" else ()
    return replace(problem, domain="code", answer=program, tests=tests or tuple(_examples(program)))


def _with_tests(problem: Problem, cache: Cache | None) -> Iterator[Problem]:
    """Yield the problem with its tests, or once for each generated set of tests that its program passes (`probes`)."""
    if problem.tests:
        yield problem
    elif problem.answer:
        for tests in _probe(problem.answer, cache):
            yield replace(problem, tests=tuple(tests))


def _probe(program: str, cache: Cache | None) -> list[list[str]]:
    key = _sha256(f"{_PROBES}\0{sys.version}\0{LIMITS}\0{program}".encode("utf-8", "surrogatepass"))
    if cache and (cached := cache.get_many([key]).get(key)) is not None:
        return [list(map(str, tests)) for tests in json.loads(cached)]
    try:
        test_sets = evaluate(_PROBES, f"probe({program!r})", LIMITS)
    except (ProgramEnded, UnsupportedError):
        return []
    if not isinstance(test_sets, list) or not all(isinstance(test, str) for tests in test_sets for test in tests):
        return []
    if cache:
        cache.put_many({key: json.dumps(test_sets).encode()})
    return test_sets


def _code(problem: Problem) -> _Code | None:
    code_problem = as_program(problem)
    if problem.domain != "code" and not code_problem.answer:
        return None
    return _Code(code_problem.answer, code_problem.setup, code_problem.tests)


def _examples(program: str) -> Iterator[str]:
    """Yield the examples in a program's docstrings (">>> double(2)", and "4" below it) as assertions."""
    for source, expected in _EXAMPLE.findall(program):
        test = f"assert ({source}) == ({expected})"
        tree = syntax_tree(test)
        if tree is not None and any(isinstance(node, ast.Call) for node in ast.walk(tree)):
            yield test


_EXAMPLE = re.compile(r"^[ \t]*>>> ?(\S.*)\n[ \t]*(?!>>>|\.\.\.|\"\"\"|''')(\S.*)$", re.MULTILINE)


def _from_cache(content: bytes) -> BehaviourMatch:
    index, agreement, passed = json.loads(content)
    return BehaviourMatch(index, agreement, passed=tuple(passed))


def _agreement(canonical: Problem, candidate: Problem) -> float:
    """Return the share of the candidate's tests that the canonical program passes under the candidate's name.

    It is 1 if there are no tests or they cannot be run.
    """
    try:
        trials = [_trial(candidate, [test]) for test in candidate.tests]
        passed = _passed(canonical.answer, (calls(canonical)[0].function,), trials, _pack(trials))
    except _Unknown:
        return 1.0
    return len(passed) / len(trials) if trials else 1.0


def _passed(program: str, names: Sequence[str], trials: Sequence[bytes], packed: str) -> list[int]:
    """Return the numbers of the trials that a program passes.

    If a process dies, its trials are split in halves that run in a process each, so that in the end only the trials
    that kill their process count as not passed.

    Raises:
        _Unknown: the program does not run by itself, or the trials exceed the limits on processes or time.
    """
    spans = [(0, len(trials))]
    passed: list[int] = []
    sound = False
    begun = time.monotonic()
    for _ in range(MOST_PROCESSES):
        if not spans:
            return passed
        if time.monotonic() - begun > MOST_SECONDS:
            break
        start, stop = spans.pop(0)
        all_trials = stop - start == len(trials)
        outcome = _run(program, names, packed if all_trials else _pack(trials[start:stop]), start)
        if isinstance(outcome, Result):
            if not sound and isinstance(trouble := _run(program, names, _pack([]), 0), Result):
                raise _Unknown(f"the program does not run by itself: {_reason(trouble)}")
            sound = True
            half = (start + stop) // 2
            spans[:0] = [(start, half), (half, stop)] if stop - start > 1 else []
        else:
            passed += outcome[1:]
            spans[:0] = [(outcome[0], stop)] if outcome[0] < stop else []
    raise _Unknown(f"the tests did not come to an end in {MOST_PROCESSES} processes or {MOST_SECONDS:g} s")


def _run(program: str, names: Sequence[str], packed: str, start: int) -> list[int] | Result:
    """Run one process; return where it stopped, then the passed trials. If the process died, return how.

    Raises:
        _Unknown: the program cannot be tried, or ended the process by itself.
    """
    order = f"search({program!r}, {tuple(names)!r}, {packed!r}, {start})"
    try:
        report = evaluate(_SOURCE, order, LIMITS)
    except ProgramEnded as ended:
        if ended.result.reason in ("timeout", "memory", "error"):
            return ended.result
        raise _Unknown(_reason(ended.result)) from None
    except UnsupportedError as error:
        raise _Unknown(str(error)) from None
    match report:
        case ("through", int(end), list(passed)) if all(isinstance(number, int) for number in passed):
            return [end, *passed]
        case ("broken", str(why)):
            raise _Unknown(shortened(why))
    raise _Unknown("the program forged its report")


def _reason(result: Result) -> str:
    return f"{result.reason}: {result.detail}"


def _sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _pack(trials: Sequence[bytes]) -> str:
    return binascii.b2a_base64(marshal.dumps(list(trials)), newline=False).decode()


def _trial(problem: Problem, tests: Sequence[str]) -> bytes:
    """Return tests of a problem as a marshalled `Trial`, with its program if they need more of it than its function.

    Raises:
        _Unknown: they are not valid Python, or the problem's tests call no function.
    """
    test_calls = calls(problem)
    if not test_calls:
        raise _Unknown(f"{problem.id}: its tests call no function")
    name = test_calls[0].function
    try:
        base = _compile(problem.answer) if _needs_more(problem, name) else None
        setup = _compile(problem.setup) if problem.setup.strip() else None
        trial: Trial = name, _binding(tests, name), base, setup, tuple(_compile(test) for test in tests)
        return marshal.dumps(trial)
    except UNREADABLE as error:
        raise _Unknown(f"{problem.id}: its tests cannot be compiled ({error})") from None


def _compile(source: str) -> CodeType:
    return compile(source.strip(), "<test>", "exec", dont_inherit=True)


def _needs_more(problem: Problem, function: str) -> bool:
    """Return whether tests or setup read a name that neither they nor Python define, like a class of the solution."""
    names = [node for node in _nodes(problem.setup, *problem.tests) if isinstance(node, ast.Name)]
    assigned = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return bool({node.id for node in names} - assigned - {function} - set(dir(builtins)))


def _nodes(*sources: str) -> Iterator[ast.AST]:
    for source in sources:
        if (tree := syntax_tree(source)) is not None:
            yield from ast.walk(tree)


_PLAIN = (
    ast.Module, ast.Assert, ast.Compare, ast.cmpop, ast.Call, ast.keyword, ast.Name, ast.Attribute, ast.Constant,
    ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.expr_context,
)  # fmt: skip


def _binding(tests: Sequence[str], function: str) -> Calls:
    """Return the argument counts of the calls that a passing run must make: those in assertions without a branch."""
    sizes: list[tuple[int, int]] = []
    for test in tests:
        nodes = list(_nodes(test))
        chained = any(isinstance(node, ast.Compare) and len(node.ops) > 1 for node in nodes)
        if chained or not all(isinstance(node, _PLAIN) for node in nodes):
            continue
        for assertion in (node.test for node in nodes if isinstance(node, ast.Assert)):
            for call in ast.walk(assertion):
                if isinstance(call, ast.Call) and callee(call) == function and all(k.arg for k in call.keywords):
                    sizes.append((len(call.args), len(call.keywords)))
    return tuple(dict.fromkeys(sizes))

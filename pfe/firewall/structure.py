"""Structural comparison: equal numbers, operations and answer in math; equal function and test inputs in code.

Example: "Ann has 3 pens and buys 4" (7) and "four birds join 3 birds" (7) share the numbers {3, 4},
the operations {+} and the answer 7.
Source: SPEC, "Check 3: Structural Similarity".
"""

import ast
import builtins
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pfe.errors import UserError
from pfe.firewall.numerals import Number, numbers, value
from pfe.problem import Domain, Problem
from pfe.scorers.fences import first_block
from pfe.scorers.python import callee, syntax_tree


@dataclass(frozen=True)
class Structure:
    """The compared parts of a problem: `always` must be equal, and `operations` too if both problems show theirs."""

    always: Hashable
    operations: frozenset[str] | None


@dataclass(frozen=True)
class Twin:
    """A canonical problem of equal structure: its index, and whether operations were compared.

    They are not compared if one of the two problems shows none, for example for lack of a worked solution.
    """

    index: int
    operations_compared: bool


@dataclass(frozen=True)
class Call:
    """The calls of the function under test in one test: its name, and the normalised arguments of each call."""

    function: str
    inputs: frozenset[str]


class Twins:
    """The structures of the canonical problems, for comparison with any number of candidates.

    Raises:
        UserError: a canonical problem lacks a part that its structure needs.
    """

    def __init__(self, canonical: Sequence[Problem]) -> None:
        self._shelves: dict[Hashable, list[tuple[int, Structure]]] = defaultdict(list)
        for index, problem in enumerate(canonical):
            if lacking := missing(problem):
                raise UserError(
                    f"canonical problem {problem.id}: {lacking}, and nothing can be compared with it; "
                    "complete it, or set firewall.structure=false"
                )
            if (theirs := structure(problem)) is not None:
                self._shelves[problem.domain, theirs.always].append((index, theirs))

    def find(self, candidates: Sequence[Problem]) -> list[Twin | None]:
        """Return, for every candidate, the first canonical problem of equal domain and structure, or None."""
        return [self._twin(problem) for problem in candidates]

    def _twin(self, problem: Problem) -> Twin | None:
        ours = structure(problem)
        if ours is None:
            return None
        for index, theirs in self._shelves.get((problem.domain, ours.always), ()):
            compared = ours.operations is not None and theirs.operations is not None
            if not compared or ours.operations == theirs.operations:
                return Twin(index, compared)
        return None


class SameAnswer:
    """Pairs of math problems with equal answers and similar numbers, which may be paraphrases.

    Two problems are a pair if their answers have the same `numerals.value` and the Jaccard index |A∩B| / |A∪B| of the
    numbers they state is at least `jaccard`. Problems that share no number are never a pair.
    """

    def __init__(self, canonical: Sequence[Problem], jaccard: float = 0.5) -> None:
        self._least = Fraction(str(jaccard))
        self._shelves: dict[Number, list[tuple[int, frozenset[Number]]]] = defaultdict(list)
        for index, problem in enumerate(canonical):
            if _has_answer(problem):
                self._shelves[value(problem.answer)].append((index, numbers(_statement(problem))))

    def pairs(self, candidates: Sequence[Problem]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return all pairs as candidate indexes (k,), ascending, and canonical problem indexes (k,)."""
        pairs = [(place, index) for place, problem in enumerate(candidates) for index in self._near(problem)]
        table = np.array(pairs, np.int64).reshape(-1, 2)
        return table[:, 0].copy(), table[:, 1].copy()

    def _near(self, problem: Problem) -> Iterator[int]:
        shelf = self._shelves.get(value(problem.answer), []) if _has_answer(problem) else []
        ours = numbers(_statement(problem)) if shelf else frozenset()
        over, under = self._least.numerator, self._least.denominator
        for index, theirs in shelf:
            shared = len(ours & theirs)
            if shared and shared * under >= over * (len(ours) + len(theirs) - shared):
                yield index


def missing(problem: Problem) -> str:
    """Return which part the structural check of the problem's domain needs but does not find; "" if nothing is missing.

    A math problem that states no number is complete: its set of numbers is empty. A code problem with a program but
    without tests has no structure, yet is complete too, since its program is still compared.
    """
    if problem.domain == "math" and not problem.answer.strip():
        return "a math problem needs its answer"
    if problem.domain != "code":
        return ""
    if not problem.tests:
        program = syntax_tree(problem.answer) if problem.answer.strip() else None
        return "" if program else "a code problem needs its tests, or a program in Python"
    for place, test in enumerate(problem.tests, 1):
        if syntax_tree(test) is None:
            return f"test {place} of a code problem must be Python"
    return "" if any(calls(problem)) else "the tests of a code problem must call a function"


def structure(problem: Problem) -> Structure | None:
    """Return the structure of a math or code problem; None if its domain has no structures or a part is missing."""
    extract = _STRUCTURES.get(problem.domain)
    return None if extract is None or missing(problem) else extract(problem)


def operations(solution: str) -> frozenset[str] | None:
    """Return the operations among + - * / % ** that a worked solution shows; None if it shows none.

    They are read from calculator annotations ("<<48/2=24>>"), or else from the solution as a Python program, which is
    parsed but not run, or else from its equations ("3 × $4 = $12", "5 plus 6 is 11").
    """
    steps = re.findall(r"<<([^<>=]+)=", solution)
    signs = _signs(" ; ".join(steps)) or _program_operations(solution) or _signs(_equations(solution))
    return frozenset(signs) or None


def calls(problem: Problem) -> list[Call]:
    """Return the calls of the function under test in each test of a code problem; tests without a call are left out.

    The function under test is the first called one that the problem's own program defines, or else the first that is
    not a wrapper such as `set`, `sorted` or `math.isclose`.
    """
    defined = _function_names(problem.answer)
    return [call for test in problem.tests if (call := _call(test, defined)) is not None]


def _statement(problem: Problem) -> str:
    # Choices are left out, so that a canonical problem with choices added still states the same numbers.
    return f"{problem.context}\n{problem.question}"


def _has_answer(problem: Problem) -> bool:
    return problem.domain == "math" and bool(problem.answer.strip())


def _math(problem: Problem) -> Structure:
    return Structure((numbers(_statement(problem)), value(problem.answer)), operations(problem.solution))


def _code(problem: Problem) -> Structure | None:
    called_by_tests = calls(problem)
    if not called_by_tests:
        return None
    return Structure((called_by_tests[0].function, frozenset().union(*(call.inputs for call in called_by_tests))), None)


_STRUCTURES: Mapping[Domain, Callable[[Problem], Structure | None]] = {"math": _math, "code": _code}

_SPELLINGS = {
    **dict.fromkeys(("×", "·", "∙", "⋅", "∗", "\\times", "\\cdot", " times ", " multiplied by "), "*"),
    **dict.fromkeys(("÷", "\\div", " divided by "), "/"),
    **dict.fromkeys(("−", "–", " minus "), "-"),
    " plus ": "+",
}
_SPELLED = re.compile("|".join(re.escape(spelling) for spelling in _SPELLINGS))
_SIGN = re.compile(r"(?<=[\d)%])(?:\s[a-z/]{1,20}){0,5}\s*(\*\*|//|[-+*/^x])\s*(?=[($€£.\s]*\d)", re.IGNORECASE)
_EQUALITY = re.compile(r"=|≈|\b(?:is|are|equals?|makes?|gives?)\b")
_OF_SIGN = {"x": "*", "X": "*", "^": "**", "//": "/"}
_OF_NODE: Mapping[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip


def _signs(text: str) -> set[str]:
    """Return the operators between two numbers, units allowed: "3 boxes x 4 pens" gives {"*"}."""
    return {_OF_SIGN.get(sign, sign) for sign in _SIGN.findall(text)}


def _equations(solution: str) -> str:
    """Return the sentences of a solution that state an equality, with normalised operators."""
    plain = _SPELLED.sub(lambda match: _SPELLINGS[match.group()], solution)
    return "\n".join(part for part in re.split(r"\n|[.;!?]\s", plain) if _EQUALITY.search(part))


def _program_operations(solution: str) -> set[str]:
    """Return the operations of a solution that is a Python program or expression, or contains one in a fence."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # prose such as "2x" makes Python's tokenizer warn
        tree = syntax_tree(first_block(solution) or solution)
    signs = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OF_NODE:
            signs.add(_OF_NODE[type(node.op)])
        elif callee(node) == "sum":
            signs.add("+")
    return signs


_WRAPPERS = frozenset(dir(builtins)) | {"isclose", "allclose", "approx", "deepcopy", "Counter", "OrderedDict"}


def _call(test: str, defined: frozenset[str]) -> Call | None:
    tree = syntax_tree(test)
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree else []
    names = [name for node in nodes if (name := callee(node))]
    plain = [name for node in nodes if isinstance(node.func, ast.Name) and (name := callee(node)) not in _WRAPPERS]
    names_of_program = [name for name in names if name in defined]
    methods = [name for name in names if name not in _WRAPPERS and not name.startswith("assert")]
    first = next(iter([*names_of_program, *plain, *methods, *names]), None)
    if first is None:
        return None
    return Call(first, frozenset(_arguments(node) for node in nodes if callee(node) == first))


@lru_cache(maxsize=4096)
def _function_names(program: str) -> frozenset[str]:
    """Return the names of the functions, methods included, that a program defines."""
    tree = syntax_tree(program)
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions)) if tree else frozenset()


def _arguments(call: ast.Call) -> str:
    """Return the normalised arguments of a call, keywords in alphabetical order: "[1, 2], reverse=True"."""
    keywords = sorted(f"{keyword.arg or '**'}={_spelled(keyword.value)}" for keyword in call.keywords)
    return ", ".join([*map(_spelled, call.args), *keywords])


def _spelled(node: ast.expr) -> str:
    """Return a normalised expression: spaces, quotes and number bases as Python writes them.

    The items of sets and dictionaries are in alphabetical order.
    """
    match node:
        case ast.Set(elts=parts):
            return "{" + ", ".join(sorted(map(_spelled, parts))) + "}"
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return "{" + ", ".join(sorted(f"{_spelled(key) if key else '**'}: {_spelled(v)}" for key, v in pairs)) + "}"
        case ast.List(elts=parts):
            return "[" + ", ".join(map(_spelled, parts)) + "]"
        case ast.Tuple(elts=parts):
            return "(" + ", ".join(map(_spelled, parts)) + ",)"
    return ast.unparse(node)

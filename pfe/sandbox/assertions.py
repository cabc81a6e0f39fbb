"""Splitting of tests into questions to the program and an evaluation of its answers on our side.

Example: for `assert sorted(twins(9)) == [(3, 5), (5, 7)]` the program is asked for `sorted(twins(9))`. Whether the
answer equals `[(3, 5), (5, 7)]` is evaluated here.

The program evaluates calls of its functions with all their arguments, attributes and items of their results
(`f(3).size`, `f(3)[0]`), and conversions of these alone (`list(f(3))`). It never sees the value that its answer is
compared with. The rest is evaluated here, with builtin functions without side effects and some of `math`, but no other
names or attributes. Its cost is bounded, as tests may be downloaded too.
"""

import ast
import builtins
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, NoReturn

from pfe.errors import UserError
from pfe.sandbox.answers import Opaque
from pfe.sandbox.detail import describe
from pfe.sandbox.effort import DICT, KEYS, MATH, OPERATIONS, SET, TEST_NAMES, Effort
from pfe.sandbox.process import Program, ProgramEnded, Result

LONGEST = 100_000  # characters of a test
ASK, OPERATE, WEIGH, EACH, HASH, METHOD = "<ask>", "<operate>", "<weigh>", "<each>", "<hash>", "<method>"
JUDGES = ("startswith", "endswith", "issubset", "issuperset", "isdisjoint")  # methods that take the expected value
METHODS = (*JUDGES, "count", "index", "items", "join", "keys", "lower", "split", "strip", "upper", "values")
# CPython 3.11 adds up the depth of the trees of all threads and raises SystemError (python/cpython issue 106905).
_PARSING = threading.Lock()
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PLAIN = (
    *_COMPREHENSIONS,
    ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.IfExp,
    ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.Starred, ast.Name,
    ast.expr_context, ast.Call, ast.keyword, ast.comprehension, ast.Attribute,
)  # fmt: skip


@dataclass(frozen=True)
class Check:
    """A test as steps: expressions that are evaluated here and must be true, and imports that the program executes."""

    steps: tuple[CodeType | str, ...]

    def run(self, name: str, program: Program) -> None:
        """Ask the program and check its answers.

        Raises:
            ProgramEnded: the test fails, or the program does not answer.
        """
        notes: list[str] = []

        def ask(source: str, bindings: Mapping[str, Any]) -> Any:
            value = program.evaluate(name, source, bindings)
            if isinstance(value, Opaque):
                notes.append(f" ({source[:80]} is no literal but a {value.name})")
            return value

        for step in self.steps:
            if isinstance(step, str):
                program.execute(name, step)
            elif failure := _failure(step, ask):
                raise ProgramEnded(Result(False, "failed", f"{name}: {failure}{''.join(notes[:1])}"))


@lru_cache(4096)
def read(test: str, setup: str) -> Check:
    """Split a test into steps. Names that the setup imports or defines run with the program and must not judge it.

    Raises:
        UserError: the test cannot be split, so that the program itself would determine the verdict.
    """
    if len(test) > LONGEST:
        _refuse("test", test, f"it is longer than {LONGEST:,} characters")
    try:
        return _read(test, setup)
    except RecursionError:
        _refuse("test", test, "it is nested too deep")


def _read(test: str, setup: str) -> Check:
    tree = _parse("test", test)
    helpers = frozenset(_defined_names(_parse("setup", setup)) | _defined_names(tree))
    steps: list[CodeType | str] = []
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            steps.append(ast.unparse(statement))
        elif isinstance(statement, ast.Assert):
            split = _Split(test, helpers, _shadow(statement.test, helpers))
            expression = ast.fix_missing_locations(ast.Expression(split.visit(statement.test)))
            if not any(isinstance(node, ast.Name) and node.id == ASK for node in ast.walk(expression)):
                _refuse("test", test, "it asks nothing of the program")
            steps.append(compile(expression, "<test>", "eval", dont_inherit=True))
        else:
            _refuse("test", test, f"`{_source_of(statement)}` is no assertion")
    if not any(isinstance(step, CodeType) for step in steps):
        _refuse("test", test, "it holds no assertion")
    return Check(tuple(steps))


class _Split(ast.NodeTransformer):
    """A transformer that replaces every expression that the program must evaluate by a question to it.

    Args:
        helpers: names that the setup or the test itself defines.
        shadow: a builtin name that the program is assumed to define.
        bound: names that a comprehension around the expression binds.
    """

    def __init__(self, test: str, helpers: frozenset[str], shadow: str, bound: frozenset[str] = frozenset()) -> None:
        self._test, self._helpers, self._shadow, self._bound = test, helpers, shadow, bound

    def visit(self, node: ast.AST) -> Any:
        if self._belongs_to_program(node):
            names = sorted(_free_names(node) & self._bound)
            bindings = ast.Dict([ast.Constant(name) for name in names], [ast.Name(name, ast.Load()) for name in names])
            return _call(ASK, ast.Constant(ast.unparse(node)), bindings)
        if not isinstance(node, _PLAIN):
            self._refuse_node(node)
        if isinstance(node, _COMPREHENSIONS):
            inner = _Split(self._test, self._helpers, self._shadow, self._bound | _bound_names(node))
            return _counting(node, sum(1 for _ in ast.walk(node)), inner)
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id not in self._bound | TEST_NAMES:
            self._refuse_node(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        of_math = isinstance(node.value, ast.Name) and node.value.id == "math" and "math" not in self._bound
        if not of_math or node.attr not in MATH:
            self._refuse_node(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function, arguments = node.func, [self._weigh(argument) for argument in node.args]
        if isinstance(function, ast.Attribute) and function.attr in METHODS:
            if node.keywords:
                self._refuse_node(node)
            return _call(METHOD, self.visit(function.value), ast.Constant(function.attr), *arguments)
        if not isinstance(function, ast.Name | ast.Attribute):
            self._refuse_node(node)
        if isinstance(function, ast.Name) and function.id in ("set", "frozenset", "dict"):
            arguments = [_call(HASH, argument) for argument in arguments]
        for keyword in node.keywords:
            sorts = isinstance(keyword.value, ast.Name) and keyword.value.id in KEYS
            if keyword.arg is None or (keyword.arg == "key" and not sorts):
                self._refuse_node(node)
            keyword.value = self._weigh(keyword.value)
        return ast.Call(self.visit(function), arguments, node.keywords)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        operator = type(node.op).__name__
        if operator not in OPERATIONS:
            self._refuse_node(node)
        return _call(OPERATE, ast.Constant(operator), self.visit(node.left), self.visit(node.right))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return ast.Compare(self._weigh(node.left), node.ops, [self._weigh(right) for right in node.comparators])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        copies = isinstance(node.slice, ast.Slice)
        return ast.Subscript(
            self._weigh(node.value) if copies else self.visit(node.value), self.visit(node.slice), node.ctx
        )

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        return ast.Starred(self._weigh(node.value), node.ctx)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        return ast.Set([self._weigh(item) for item in node.elts])

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        keys = [None if key is None else self._weigh(key) for key in node.keys]
        return ast.Dict(keys, [self._weigh(value) for value in node.values])

    def _weigh(self, node: ast.expr) -> ast.expr:
        inner = self.visit(node)
        return inner if isinstance(node, ast.Starred | ast.Constant) else _call(WEIGH, inner)

    def _belongs_to_program(self, node: ast.AST) -> bool:
        """Return whether the program must evaluate the whole expression."""
        if isinstance(node, ast.Name):
            ours = node.id in self._bound | self._helpers or (_builtin(node.id) and node.id != self._shadow)
            return isinstance(node.ctx, ast.Load) and not ours
        if isinstance(node, ast.Attribute):
            return self._belongs_to_program(node.value) and not node.attr.startswith("__")
        if isinstance(node, ast.Subscript):
            return self._belongs_to_program(node.value)
        if not isinstance(node, ast.Call):
            return False
        if self._belongs_to_program(node.func):
            return not (isinstance(node.func, ast.Attribute) and node.func.attr in JUDGES)
        return isinstance(node.func, ast.Name) and self._converts(node.func.id, node.args)

    def _converts(self, function: str, arguments: list[ast.expr]) -> bool:
        """Return whether a call of a builtin function, or of a helper, converts only values of the program."""
        theirs = [self._belongs_to_program(argument) for argument in arguments]
        if function in ("map", "filter") and len(theirs) > 1:
            return theirs[0] or (len(theirs) == 2 and theirs[1] and isinstance(arguments[0], ast.Name | ast.Constant))
        alone = theirs == [True] or (function == "next" and theirs[:1] == [True])
        return alone and function not in (*self._bound, "type")

    def _refuse_node(self, node: ast.AST) -> NoReturn:
        _refuse("test", self._test, f"`{_source_of(node)}` would have to be evaluated by the program")


def _counting(node: ast.AST, steps: int, split: _Split) -> ast.expr:
    """Return a comprehension that counts its iterations; sets and dictionaries are built from a list."""
    comprehension: Any = split.generic_visit(node)
    for loop in comprehension.generators:
        loop.iter = _call(EACH, loop.iter, ast.Constant(steps))
    if isinstance(comprehension, ast.SetComp):
        return _call(SET, _call(HASH, ast.ListComp(comprehension.elt, comprehension.generators)))
    if isinstance(comprehension, ast.DictComp):
        pairs = ast.Tuple([comprehension.key, comprehension.value], ast.Load())
        return _call(DICT, _call(HASH, ast.ListComp(pairs, comprehension.generators)))
    result: ast.expr = comprehension
    return result


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


def _failure(step: CodeType, ask: Callable[[str, Mapping[str, Any]], Any]) -> str:
    """Return why a step fails, "" if it does not."""
    try:
        return "" if eval(step, {**_names(Effort()), ASK: ask}) else "AssertionError"
    except ProgramEnded:
        raise
    except Exception as error:
        return describe(error)


def _names(effort: Effort) -> dict[str, Any]:
    """Return all names that a test may read on this side, and the functions that replace its operations."""
    costly = {OPERATE: effort.operate, WEIGH: effort.weigh, EACH: effort.each, HASH: effort.hash_items}
    return {**effort.names(), **costly, METHOD: effort.method, "__builtins__": {}}


def _builtin(name: str) -> bool:
    return name == "math" or hasattr(builtins, name)


def _shadow(expression: ast.expr, helpers: frozenset[str]) -> str:
    """Return the builtin name that the program is assumed to define, or "".

    If an expression has no other names, it is the name of the first call in it.
    """
    if all(_builtin(name) or name in helpers for name in _free_names(expression)):
        for node in _in_order(expression):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _builtin(node.func.id):
                return node.func.id
    return ""


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _free_names(node: ast.AST) -> set[str]:
    """Return the names that an expression reads and does not bind itself."""
    names = {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)}
    return names - _bound_names(node)


def _bound_names(node: ast.AST) -> set[str]:
    """Return the names that an expression binds."""
    names = {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}
    return names | {child.arg for child in ast.walk(node) if isinstance(child, ast.arg)}


def _defined_names(tree: ast.Module) -> set[str]:
    """Return the names of functions, classes and imports."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return names


def _source_of(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:80]


def _parse(what: str, source: str) -> ast.Module:
    try:
        with _PARSING:
            return ast.parse(source.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        _refuse(what, source, f"it is no Python ({error})")


def _refuse(what: str, source: str, why: str) -> NoReturn:
    raise UserError(f"{what} {source[:200]!r}: {why}; write tests as assert f(arguments) == value")

"""The similarity of programs by their syntax trees, whatever names, comments and layout they have.

Example: "def area(w, h):  # of a room\n    return w * h" and "def f(a, b): return a * b" have the same shape. The shape
counts every node of the syntax tree, every pair of a node and its child, and every node with all its children in any
order. Names that the program defines are masked; built-in and imported names, methods, constants and operators count.
Source of the idea to compare features of trees instead of texts: Baxter et al., "Clone Detection Using Abstract Syntax
Trees", ICSM 1998.
"""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pfe.problem import Problem
from pfe.scorers.fences import blocks
from pfe.scorers.python import syntax_tree

_FIRST_LINE = re.compile(r"^(?:async\s+def|def|class|import|from|@\w)", re.MULTILINE)
_DEFINITION = re.compile(r"\b(?:def|class|lambda)\b")
_DROPPED_LINES = 40  # most lines of prose that are dropped after a program
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SILENT = (
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.arguments,
    ast.Import,
    ast.ImportFrom,
)
_BESIDE = (ast.Import, ast.ImportFrom, ast.Assert, ast.Expr, ast.If)
_CONSTANT = 20  # characters that identify a constant


def program_of(problem: Problem) -> str:
    """Return the Python in all parts of a problem except its tests; "" if there is none."""
    tests = set(problem.tests)
    programs = [program for part in problem.parts if part not in tests for program in _programs(part)]
    return "\n".join(dict.fromkeys(programs))


def text_with_program(problem: Problem, program: str) -> str:
    """Return the text of a problem, followed by its program if the text does not contain it."""
    return problem.text if program in problem.text else f"{problem.text}\n{program}"


def shape(program: str) -> Counter[str]:
    """Count each feature of a program's definitions and assignments; empty if it is not Python.

    Other top-level statements, such as imports, tests and prints, are left out.
    """
    tree = syntax_tree(program)
    if tree is None:
        return Counter()
    imports = {alias.asname or alias.name: alias.name for alias in _imports(tree)}
    features: Counter[str] = Counter()
    nodes: list[ast.AST] = [node for node in tree.body if not isinstance(node, _BESIDE)]
    while nodes:
        node = nodes.pop()
        children = list(_children(node))
        label, child_labels = _label(node, imports), sorted(_label(child, imports) for child in children)
        features[label] += 1
        features.update(f"{label} > {child}" for child in child_labels)
        features[f"{label} ({', '.join(child_labels)})"] += 1
        nodes += children
    return features


class Shapes:
    """The shapes of the canonical programs, for comparison with other programs.

    A feature's weight is TF-IDF: 1 + log of its frequency in a program, times the log of its inverse frequency among
    canonical programs. A feature that no canonical program has counts as one that a single program has.
    """

    def __init__(self, programs: Sequence[str]) -> None:
        shapes = [shape(program) for program in programs]
        counts = Counter(feature for features in shapes for feature in features)
        self._places = {feature: place for place, feature in enumerate(counts)}
        self._rarest = float(np.log(len(programs) + 1))
        self._rarity = np.array([self._rarest - np.log(count) for count in counts.values()])
        self._rows = self._matrix(shapes)

    def alike(self, programs: Sequence[str]) -> NDArray[np.float64]:
        """Return the cosines of shapes, 0-1, shape (programs, canonical programs); 0 for text that is not Python."""
        cosines: NDArray[np.float64] = (self._matrix([shape(program) for program in programs]) @ self._rows.T).toarray()
        return cosines

    def _matrix(self, shapes: Sequence[Counter[str]]) -> csr_matrix:
        """Return a row of norm 1 for each shape; features that no canonical program has count only in the norm."""
        values, columns, ends = list[float](), list[int](), [0]
        for features in shapes:
            weights, length = [], 0.0
            for feature, count in features.items():
                place = self._places.get(feature)
                weight = (1 + float(np.log(count))) * (self._rarest if place is None else float(self._rarity[place]))
                length += weight * weight
                if place is not None:
                    weights.append((place, weight))
            values += [weight / (length**0.5 or 1.0) for _, weight in weights]
            columns += [place for place, _ in weights]
            ends.append(len(values))
        return csr_matrix((values, columns, ends), (len(shapes), len(self._places)))


def _programs(part: str) -> Iterator[str]:
    if not _DEFINITION.search(part):
        return
    for text in blocks(part) or [part]:
        if (program := _python(text)) is not None:
            yield program


def _python(text: str) -> str | None:
    """Return the Python that a text contains, from its first line of Python on; None if it defines nothing."""
    first = _FIRST_LINE.search(text)
    lines = (text[first.start() :] if first else text).rstrip().split("\n")
    for _ in range(min(len(lines), _DROPPED_LINES)):
        program = "\n".join(lines)
        if (tree := syntax_tree(program)) is not None:
            return program if any(isinstance(node, _DEFINITIONS) for node in ast.walk(tree)) else None
        lines.pop()
    return None


def _imports(tree: ast.AST) -> Iterator[ast.alias]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from node.names


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node's children, except its docstring, its annotations and nodes that its label already covers."""
    skipped: set[int] = set()
    body = getattr(node, "body", None)
    if isinstance(node, (ast.ClassDef, *_FUNCTIONS)) and body and _is_text(body[0]):
        skipped.add(id(body[0]))
    skipped |= {id(getattr(node, name, None)) for name in ("annotation", "returns")}
    for child in ast.iter_child_nodes(node):
        if id(child) not in skipped and not isinstance(child, _SILENT):
            yield child


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _label(node: ast.AST, imports: dict[str, str]) -> str:
    match node:
        case ast.Constant(value=value):
            return repr(value)[:_CONSTANT]
        case ast.Name(id=name):
            return imports.get(name, name if name in _BUILTINS else "name")
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.BinOp(op=sign) | ast.UnaryOp(op=sign) | ast.BoolOp(op=sign) | ast.AugAssign(op=sign):
            return type(sign).__name__
        case ast.Compare(ops=[sign, *_]):
            return type(sign).__name__
        case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments):
            return f"def of {len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)}"
    return type(node).__name__


_BUILTINS = frozenset(dir(builtins))

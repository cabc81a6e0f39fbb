"""Rewriting of programs without a change of behaviour: all names, and the form of loops and assignments.

Example: "def area(w, h):\\n    return w * h" becomes "def task_0(item_0, item_1):\\n    _new1 = item_0 * item_1\\n
return _new1". An attacker can do this automatically; it tests whether the firewall still recognises the program.
"""

import ast
from collections.abc import Mapping

from pfe.scorers.python import UNREADABLE


def renamed(source: str, names: Mapping[str, str]) -> str:
    """Return the program with other names, without comments and docstrings.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it is not valid Python.
    """
    tree = ast.parse(source)
    return ast.unparse(_Renaming(names).visit(_Undocumented().visit(tree)))


def rewritten(source: str, names: Mapping[str, str]) -> str:
    """Do as `renamed` does, and change forms: `while` loops, comprehensions as loops, reversed conditions, no `+=`.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it is not valid Python.
    """
    tree = _Rewriting().visit(_Undocumented().visit(ast.parse(source)))
    return ast.unparse(_Renaming(names).visit(ast.fix_missing_locations(tree)))


def names_of(source: str) -> dict[str, str]:
    """Return new names for everything that a program names itself; empty if it is not valid Python."""
    try:
        tree = ast.parse(source)
    except UNREADABLE:
        return {}
    functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    variables = [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]
    variables += [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    function_names = {name: f"task_{place}" for place, name in enumerate(dict.fromkeys(functions))}
    variable_names = [name for name in dict.fromkeys(variables) if name not in function_names]
    return function_names | {name: f"item_{place}" for place, name in enumerate(variable_names)}


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg, node.annotation = self._names.get(node.arg, node.arg), None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in self._names:  # keywords of other functions stay
            for keyword in node.keywords:
                keyword.arg = self._names.get(keyword.arg or "", keyword.arg)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name, node.returns = self._names.get(node.name, node.name), None
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)


class _Undocumented(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)


class _Rewriting(ast.NodeTransformer):
    """Rules that each preserve the program's behaviour; the names that they add begin with `_new`."""

    def __init__(self) -> None:
        self._count = 0

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if node.orelse:
            return node
        steps = self._name()
        advance = ast.parse(f"{steps} = iter(x)\nwhile True:\n    try:\n        y = next({steps})\n"
                            "    except StopIteration:\n        break").body  # fmt: skip
        start, loop = advance
        assert isinstance(start, ast.Assign)
        assert isinstance(start.value, ast.Call)
        assert isinstance(loop, ast.While)
        step = loop.body[0]
        assert isinstance(step, ast.Try)
        assert isinstance(step.body[0], ast.Assign)
        start.value.args = [node.iter]
        step.body[0].targets = [node.target]
        loop.body += node.body
        return [start, loop]

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if node.value is None:
            return node
        name = self._name()
        value = node.value
        if isinstance(value, ast.ListComp) and len(value.generators) == 1 and not value.generators[0].is_async:
            return [*self._loop(name, value), *ast.parse(f"return {name}").body]
        keep, give = ast.parse(f"{name} = x\nreturn {name}").body
        assert isinstance(keep, ast.Assign)
        keep.value = value
        return [keep, give]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        old = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.BinOp(old, node.op, node.value))

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if not node.orelse:
            return node
        return ast.If(ast.UnaryOp(ast.Not(), node.test), node.orelse, node.body)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        turned = _TURNED.get(type(node.ops[0]))
        if len(node.ops) > 1 or turned is None:
            return node
        return ast.Compare(node.comparators[0], [turned()], [node.left])

    def _loop(self, name: str, value: ast.ListComp) -> list[ast.stmt]:
        generator = value.generators[0]
        statements = ast.parse(f"{name} = []\nfor x in y:\n    {name}.append(z)").body
        loop = statements[1]
        assert isinstance(loop, ast.For)
        call = loop.body[0]
        assert isinstance(call, ast.Expr)
        assert isinstance(call.value, ast.Call)
        loop.target, loop.iter, call.value.args = generator.target, generator.iter, [value.elt]
        for condition in reversed(generator.ifs):
            loop.body = [ast.If(condition, loop.body, [])]
        return statements

    def _name(self) -> str:
        self._count += 1
        return f"_new{self._count}"


_TURNED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}  # fmt: skip

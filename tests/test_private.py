"""Tests come in by the public door: none touches a name of pfe or stages that begins with `_`."""

import ast
import re
from collections.abc import Iterator

from tests.conftest import ROOT

BY_TEXT = ("getattr", "setattr", "hasattr", "delattr", "object")  # whose second argument is a name
PATH = re.compile(r"(?:pfe|stages)(?:\.\w+)*\._[^\W_]\w*")


def is_private(name: object) -> bool:
    return isinstance(name, str) and name.startswith("_") and not name.startswith("__") and name.isidentifier()


def defined(folder: str) -> set[str]:
    """The private names of all that the modules below a folder define: functions, classes, constants, attributes."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / folder).rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    named = [node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    bound = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    held = [node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return {name for name in (*named, *bound, *held) if is_private(name)}


def touched(tree: ast.Module, private: set[str]) -> Iterator[tuple[int, str]]:
    """Line and name, wherever a private name is imported, read or written of anything but `self`, or said as text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("pfe", "stages")):
            yield from ((node.lineno, alias.name) for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Attribute) and node.attr in private:
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield node.lineno, node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in BY_TEXT:
            names = [argument.value for argument in node.args[1:2] if isinstance(argument, ast.Constant)]
            yield from ((node.lineno, str(name)) for name in names if name in private)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and PATH.fullmatch(node.value):
            yield node.lineno, node.value


def test_no_test_touches_a_private_name() -> None:
    private = defined("pfe") | defined("stages")
    places = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line, name in touched(ast.parse(path.read_text(encoding="utf-8")), private)
    ]
    assert not places, "\n".join(["come in by the public door, or give what the test needs a name without _", *places])


def test_every_way_of_touching_one_is_seen() -> None:
    ways = (
        "from pfe.cache import _hidden", "module._hidden()", "a.b._hidden = 2", "monkeypatch.setattr(a, '_hidden', 1)",
        "patch('pfe.cache._hidden')", "getattr(a, '_hidden')",
    )  # fmt: skip
    assert [line for way in ways for line, _ in touched(ast.parse(way), {"_hidden"})] == [1] * len(ways)
    others = ("self._hidden = 1", "from os import _exit", "module._other", "a.__path__", "usefixtures('_hidden')")
    assert not [line for other in others for line, _ in touched(ast.parse(other), {"_hidden"})]

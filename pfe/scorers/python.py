"""Parsing of Python source to a syntax tree; the source is never run.

Example: `callee(syntax_tree("assert total([12, 8]) == 20").body[0].test.left)` is "total".
"""

import ast
from functools import lru_cache

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # errors that ast.parse raises


@lru_cache(maxsize=4096)
def syntax_tree(source: str) -> ast.Module | None:
    """Return the syntax tree of Python source; None if it is invalid. The tree is shared: do not change it."""
    try:
        return ast.parse(source.strip())
    except UNREADABLE:
        return None


def callee(node: ast.AST) -> str:
    """Return the name of the function or method that a node calls; "" if it calls none."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""

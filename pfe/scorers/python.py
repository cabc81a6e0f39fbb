"""Python source as a tree, read and never run.

Example: `callee(syntax_tree("assert total([12, 8]) == 20").body[0].test.left)` is "total".
"""

import ast
from functools import lru_cache

UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)  # what ast.parse raises of a text


@lru_cache(maxsize=4096)
def syntax_tree(source: str) -> ast.Module | None:
    """The syntax tree of Python source, None where it is no Python. To be read only: it is shared."""
    try:
        return ast.parse(source.strip())
    except UNREADABLE:
        return None


def callee(node: ast.AST) -> str:
    """The name of the function or method that a node calls; "" where it calls none."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""

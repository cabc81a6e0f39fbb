"""Parsing of Python source for calls: matching brackets, names and literals. Nothing is evaluated.

Example: `closing('f("a)", [1])  # so', 1)` is 12, and `value_of(ast.parse("[1, true]", mode="eval").body)`
is [1, True].
"""

import ast
import re
import warnings
from keyword import iskeyword

from pfe.scorers.calls.notation import Names, plain_name
from pfe.scorers.calls.written import RawCall, UnreadableError, Value, Variable

_STRING = r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\''
_TOKEN = re.compile(rf"(?s:{_STRING})|[()\[\]{{}}\"']|\#[^\n]*")
_PIECE = re.compile(rf"(?P<string>(?s:{_STRING}))|(?P<name>[^\W\d][\w.-]*)(?=\s*(?P<then>\(|=(?!=)))")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_JSON_NAMES = {"true": True, "false": False, "null": None}
_ODD = "odd_name_"
DEEPEST = 90  # nested brackets; Python itself accepts 200


def closing(text: str, place: int) -> int:
    """Return the position after the bracket that closes the one at `place`; brackets in string literals do not count.

    Raises:
        UnreadableError: a bracket or a string is not closed, or brackets are nested too deep.
    """
    open_brackets: list[str] = []
    for token in _TOKEN.finditer(text, place):
        sign = token[0]
        if sign in ("'", '"') or len(open_brackets) > DEEPEST:
            break
        if sign in "([{":
            open_brackets.append(sign)
        elif sign in _PAIRS:
            if not open_brackets or open_brackets.pop() != _PAIRS[sign]:
                break
            if not open_brackets:
                return token.end()
    raise UnreadableError("a bracket stays open")


def parse_statement(code: str, names: Names) -> tuple[ast.stmt, dict[str, str]]:
    """Parse source that is exactly one statement; return it and the original names by their stand-ins.

    Names of functions and parameters that are not Python names (`get-time`, `from=`) are replaced by stand-ins that
    are. String literals may contain line breaks.

    Raises:
        UnreadableError: the source is not exactly one statement.
    """
    plain, odd = _with_python_names(code, names)
    for source in (plain, _PIECE.sub(_with_escaped_breaks, plain)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about invalid escape sequences
                (statement,) = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return statement, odd
    raise UnreadableError("not Python")


def _with_python_names(code: str, names: Names) -> tuple[str, dict[str, str]]:
    odd: dict[str, str] = {}

    def replacement(piece: re.Match[str]) -> str:
        name = piece["name"]
        if (
            not name
            or not (
                plain_name(name, names) in names or piece["then"] == "=" or ("-" in name and code[piece.end()] == "(")
            )
            or all(map(_plain, name.split(".")))
        ):
            return piece[0]
        stand_in = f"{_ODD}{len(odd)}"
        odd[stand_in] = name
        return stand_in

    return _PIECE.sub(replacement, code), odd


def _plain(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name)


def _with_escaped_breaks(piece: re.Match[str]) -> str:
    text = piece["string"]
    return text.replace("\n", "\\n") if text and not text.startswith(('"""', "'''")) else piece[0]


def value_of(node: ast.expr, odd: dict[str, str] | None = None) -> Value:
    """Return the value of an argument.

    Raises:
        UnreadableError: it is not a literal, a name or a call.
    """
    odd = odd or {}
    match node:
        case ast.Call():
            return call_of(node, odd)
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as number)):
            if isinstance(number, bool):
                raise UnreadableError("the sign of a truth value")
            return -number if isinstance(sign, ast.USub) else number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [value_of(item, odd) for item in items]
        case ast.Dict(keys=keys, values=values):
            pairs = [(_key(key, odd), value_of(value, odd)) for key, value in zip(keys, values, strict=True)]
            if len(merged := dict(pairs)) < len(pairs):
                raise UnreadableError("a key twice")
            return merged
        case ast.Name(id=name) if name in _JSON_NAMES:
            return _JSON_NAMES[name]
        case ast.Name() | ast.Attribute():
            return Variable(_dotted(node, odd))
    raise UnreadableError(f"{type(node).__name__} is no argument")


def _key(key: ast.expr | None, odd: dict[str, str]) -> Value:
    value = value_of(key, odd) if key else None
    if key is None or isinstance(value, list | dict | RawCall | Variable):
        raise UnreadableError("no key of a dict")
    return value


def call_of(node: ast.Call, odd: dict[str, str]) -> RawCall:
    """Return a call as it is written.

    Raises:
        UnreadableError: its function is not a name, `*` or `**` hide arguments, or an argument is not a value.
    """
    if any(keyword.arg is None for keyword in node.keywords):
        raise UnreadableError("** hides the arguments")
    keywords = tuple((odd.get(str(key.arg), str(key.arg)), value_of(key.value, odd)) for key in node.keywords)
    return RawCall(_dotted(node.func, odd), tuple(value_of(value, odd) for value in node.args), keywords)


def _dotted(node: ast.expr, odd: dict[str, str]) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise UnreadableError(f"{type(node).__name__} is no name")
    return ".".join([odd.get(node.id, node.id), *reversed(parts)])

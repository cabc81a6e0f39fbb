"""Extraction of the program from an output with explanations, drafts and examples.

Example: in "A draft:\\n```python\\ndef f(n): return 1\\n```\\nBetter:\\n```python\\ndef f(n): return n\\n```\\nTry
`print(f(2))`." the program for the test "assert f(2) == 2" is "def f(n): return n".
"""

import ast
import builtins
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from pfe.scorers.fences import parts
from pfe.scorers.python import syntax_tree
from pfe.scorers.roles import only_shown
from pfe.scorers.trimming import without_end_tokens, without_header

_DONE = re.compile(r"^[ \t]*\[DONE\]", re.MULTILINE)
_BEGIN = re.compile(r"^[ \t]*\[BEGIN\][ \t]*\r?\n?", re.MULTILINE)
# Tags around code count as fences; some models write an end-of-turn token and go on.
_TAG = re.compile(
    r"[ \t]*(?:\[/?(?:PYTHON|CODE|SOLUTION|ANSWER)\]|</?(?:code|python|answer|solution|program|pre)>)[ \t]*\n?", re.I
)
_TOKEN = re.compile(
    r"(?<=.)(?:<\|(?:im_end|eot_id|endoftext|end|end_of_text|EOT|eom_id|return|im_start)\|>|</s>|<end_of_turn>|<｜[^｜\n]{2,24}｜>|<eos>)",
    re.DOTALL,
)
_FIRST_LINE = re.compile(
    r"^[ \t]*(?:def |class |import |from \w[\w.]* import |@\w|async def |[A-Za-z_]\w* ?= ?\S)", re.MULTILINE
)
_WITHOUT_WIDTH = re.compile(r"^([ \t]*)[\u200b\u200c\u200d\u2060\ufeff]+", re.MULTILINE)
# A short lead-in on the line where the code begins: "Sure! def add(a, b): return a + b".
_LEAD_IN = re.compile(
    r"^(?P<lead>[^\n]{0,80}?[^\w\s(\"'])[ \t]+"
    r"(?=(?:def|class) \w+[(:]|async def |import \w|from \w[\w.]* import )",
    re.MULTILINE,
)
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[[0-9]+\]:)(?: |$)", re.MULTILINE)
_LONGEST, _MOST_CUTS, _MOST_PARTS = 40_000, 40, 40
_MOST_JSON = 5  # objects in the text between blocks
_JSON_LINE = re.compile(r"(?:^|[>\]])[ \t]*(?=[{\[])", re.MULTILINE)
_DIFF_LINE = re.compile(r"(?:-|@@|\+\+\+ |diff |index |\\)")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class _Block:
    """A text that may be code. `shown`: the words before it mark it as a counter-example or an earlier version."""

    text: str
    shown: bool = False


@dataclass(frozen=True)
class _Piece:
    """A part of an output that is valid Python."""

    source: str
    tree: ast.Module
    shown: bool

    @cached_property
    def defined(self) -> frozenset[str]:
        """Return the names defined at top level, without imports and functions without a body."""
        return frozenset(name for node in self.tree.body if not _is_stub(node) for name in _names_of(node))

    @cached_property
    def imported(self) -> frozenset[str]:
        """Return the names imported at top level."""
        return frozenset(name for node in self.tree.body for name in _imports_of(node))

    @cached_property
    def foreign(self) -> frozenset[str]:
        """Return the names imported from modules outside the standard library, such as the program's other files."""
        nodes = [node for node in self.tree.body if isinstance(node, ast.ImportFrom)]
        return frozenset(alias.name for node in nodes if not _is_standard(node) for alias in node.names)

    @cached_property
    def needed(self) -> frozenset[str]:
        """Return the names that are used but not defined, imported or built in, and those in `foreign`."""
        used = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        return (frozenset(used) - self.defined - self.imported - frozenset(dir(builtins))) | self.foreign

    def as_helper(self) -> "_Piece":
        """Return the piece with only its imports, functions, classes and assignments, without prints and trials."""
        kept = (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
        source = "\n".join(ast.unparse(node) for node in self.tree.body if isinstance(node, kept)) + "\n"
        return _Piece(source, syntax_tree(source) or self.tree, self.shown)

    def without_imports_of(self, names: frozenset[str]) -> str:
        """Return the source without lines that import only these names from the program's other files."""
        lines = self.source.strip().split("\n")
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and not _is_standard(node) and {a.name for a in node.names} <= names:
                lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
        return "\n".join(lines) + "\n"


def read_program(output: str, tests: Sequence[str] = ()) -> str:
    """Return the program of an output: the last definitions of the names that the tests use, with the code they need.

    A definition that is only shown counts if there is no other. Definitions are searched in the whole output, then in
    fenced blocks and JSON, then also between them, then in inline `code`, then after a lead-in on their line. Imports
    and helpers from other blocks are added, without what they print or try. If nothing defines the names, the program
    is the first fenced block, or else the whole output.
    """
    seen = _WITHOUT_WIDTH.sub(r"\1", output)
    text = _BEGIN.split(_DONE.split(without_header(seen), maxsplit=1)[0], maxsplit=1)[-1]
    text = without_end_tokens(_TOKEN.split(text, maxsplit=1)[0])
    called = frozenset(name for test in tests for name in _called(test))
    inside, outside = _blocks(_TAG.sub("\n```\n", text) if _TAG.search(text) else text)
    for blocks, salvage in (
        ([_Block(text)], False),
        (inside, False),
        ([*inside, *outside], True),
        ([_Block(code) for code in re.findall(r"`([^`\n]{5,2000})`", text)], False),
        (_led_in(outside), True),
    ):
        pieces = [piece for block in blocks for piece in _pieces(block, salvage)]
        if program := _program(pieces, called):
            return program
    return _unindented(inside[0].text if inside else text)


def _blocks(text: str) -> tuple[list[_Block], list[_Block]]:
    """Return the blocks of a text that are in fences or in JSON, and those between them."""
    inside: list[_Block] = []
    outside: list[_Block] = []
    before = ""
    for part in islice(parts(text), _MOST_PARTS):
        inside += _codes(part.text)
        if part.fenced:
            code = _after_diff(part.text) if part.info.lower().startswith(("diff", "patch")) else part.text
            inside.append(_Block(code, only_shown(before, code)))
        else:
            outside.append(_Block(part.text))
        before = "" if part.fenced else part.text
    return inside, outside


def _led_in(blocks: Sequence[_Block]) -> list[_Block]:
    """Return the texts after the lead-ins of blocks, except those that are only shown."""
    led_in = [
        (match["lead"], block.text[match.end() :])
        for block in blocks
        for match in islice(_LEAD_IN.finditer(block.text), _MOST_PARTS)
    ]
    return [_Block(text) for lead, text in led_in if not only_shown(lead, text)]


def missing_modules(programs: Iterable[str]) -> dict[str, int]:
    """Count the programs that import each module outside the standard library."""
    counts: dict[str, int] = {}
    for program in programs:
        tree = syntax_tree(program)
        imported = {name for node in ast.walk(tree) for name in _modules(node)} if tree else set()
        for name in imported - sys.stdlib_module_names:
            counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def _modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        yield node.module.partition(".")[0]


def _is_standard(node: ast.ImportFrom) -> bool:
    return set(_modules(node)) <= sys.stdlib_module_names and node.level == 0


def _program(pieces: Sequence[_Piece], called: frozenset[str]) -> str:
    """Return the last pieces that define the called names, with the definitions that those need; "" if none do."""
    main = {_last_defining(pieces, name) for name in called} - {None}
    if not main:
        return ""
    helpers: set[int | None] = set()
    wanted = {name for place in main if place is not None for name in pieces[place].needed}
    tried: set[str] = set()
    while wanted - tried:
        name = min(wanted - tried)
        tried.add(name)
        place = _last_defining(pieces, name)
        place = _last_importing(pieces, name) if place is None else place
        if place is not None and place not in main | helpers:
            helpers.add(place)
            wanted |= pieces[place].needed
    chosen = [place for place in range(len(pieces)) if place in main | helpers]
    if len(chosen) == 1:
        return pieces[chosen[0]].source
    names = frozenset[str]().union(*(pieces[place].defined for place in chosen))
    used = [pieces[place] if place in main else pieces[place].as_helper() for place in chosen]
    return "\n".join(piece.without_imports_of(names) if piece.foreign & names else piece.source for piece in used)


def _last_defining(pieces: Sequence[_Piece], name: str) -> int | None:
    """Return the index of the last piece that defines a name; one that is only shown counts if there is no other."""
    places = [place for place, piece in enumerate(pieces) if name in piece.defined]
    return max(places, key=lambda place: (not pieces[place].shown, place), default=None)


def _last_importing(pieces: Sequence[_Piece], name: str) -> int | None:
    return next((place for place in reversed(range(len(pieces))) if name in pieces[place].imported), None)


def _called(test: str) -> set[str]:
    """Return the names that a test uses, without builtins."""
    tree = syntax_tree(test)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()
    return names - set(dir(builtins))


def _names_of(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _DEFINITIONS):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
    elif isinstance(node, ast.If | ast.Try | ast.With):
        yield from (name for inner in node.body for name in _names_of(inner))


def _imports_of(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.If | ast.Try | ast.With):
        yield from (name for inner in node.body for name in _imports_of(inner))


def _is_stub(node: ast.stmt) -> bool:
    """Return whether a function is only a signature: its body is a docstring, `pass` or an ellipsis."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return all(
        isinstance(part, ast.Pass) or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in node.body
    )


def _pieces(block: _Block, salvage: bool) -> Iterator[_Piece]:
    """Yield a block as a piece, if it is valid Python.

    Args:
        salvage: otherwise yield its parts that are valid Python, each from a first line of code to the next prose.
    """
    if len(block.text) > _LONGEST or not block.text.strip():
        return
    typed = _without_prompts(block.text.replace("\u00a0", " "))
    for source in (_unindented(typed), typed.lstrip(" \t")):
        if (tree := syntax_tree(source)) is not None:
            kept = _without_shown(source, tree)
            yield _Piece(kept, syntax_tree(kept) or tree, block.shown)
            return
    place = 0  # after the previous code
    for _ in range(_MOST_PARTS if salvage else 0):
        first = _FIRST_LINE.search(typed, place)
        if first is None:
            return
        source = _cut(_block(typed[first.start() :]))
        if (tree := syntax_tree(source)) is not None and tree.body:
            yield _Piece(source, tree, block.shown or only_shown(typed[place : first.start()], source))
        place = _line_after(typed, first.start(), max(1, source.count("\n")))


def _without_shown(source: str, tree: ast.Module) -> str:
    """Return the source without redefinitions of functions whose comments mark them as only shown."""
    lines = source.strip().split("\n")
    known: set[str] = set()
    end = 0  # last line of the previous statement
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in known:
            if only_shown("", "\n".join(lines[end : node.end_lineno]).strip()):
                lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or 0) - node.lineno + 1)
        elif isinstance(node, ast.FunctionDef):
            known.add(node.name)
        end = node.end_lineno or end
    return source if not known else "\n".join(lines) + source[len(source.rstrip()) :]


def _block(text: str) -> str:
    """Return the lines from the first on that are indented at least as far, without that indentation."""
    lines = text.split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip(" \t"))
    end = next(
        (place for place, line in enumerate(lines) if line.strip() and len(line) - len(line.lstrip(" \t")) < indent),
        len(lines),
    )
    return textwrap.dedent("\n".join(lines[:end]))


def _line_after(text: str, place: int, lines: int) -> int:
    """Return the position after this number of lines from `place` on."""
    for _ in range(lines):
        end = text.find("\n", place)
        if end < 0:
            return len(text)
        place = end + 1
    return place


def _unindented(text: str) -> str:
    """Return the text without the indentation that all its lines share, or else only its first line has."""
    outdented = textwrap.dedent(text)
    return text.lstrip(" \t") if outdented[:1] in (" ", "\t") else outdented


def _without_prompts(text: str) -> str:
    """Return the input of a Python session without its output; a text without prompts unchanged."""
    if not _PROMPT.search(text) or not text.lstrip().startswith((">>>", "In [")):
        return text
    return "".join(_PROMPT.sub("", line) for line in text.splitlines(keepends=True) if _PROMPT.match(line))


def _cut(source: str) -> str:
    """Return the longest valid Python at the beginning of a text, cut where the parser stops."""
    lines = source.split("\n")
    for _ in range(_MOST_CUTS):
        try:
            ast.parse("\n".join(lines))
            break
        except SyntaxError as error:
            lines = lines[: max(0, min(len(lines), error.lineno or len(lines)) - 1)]
        except (ValueError, RecursionError, MemoryError):
            return ""
    return "".join(f"{line}\n" for line in lines)


def _after_diff(text: str) -> str:
    """Return the new version of the lines of a diff."""
    lines = [line for line in text.splitlines(keepends=True) if not _DIFF_LINE.match(line)]
    return "".join(line[1:] if line[:1] in ("+", " ") else line for line in lines)


def _codes(text: str) -> list[_Block]:
    """Return the blocks in the JSON values of a text that begin on a line or after a tag."""
    decoder, found, place = json.JSONDecoder(strict=False), list[_Block](), 0
    for _ in range(_MOST_JSON if len(text) <= _LONGEST else 0):
        first = _JSON_LINE.search(text, place)
        if first is None:
            break
        try:
            value, place = decoder.raw_decode(text, first.end())
            found += _texts(value, "")
        except (ValueError, RecursionError):
            place = _line_after(text, first.end(), 1)
    return found


def _texts(value: object, key: str) -> Iterator[_Block]:
    """Yield the blocks in the strings of a JSON value that have more than one word, or else these strings."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _texts(inner, f"{name}:".replace("_", " "))
        case list():
            for inner in value:
                yield from _texts(inner, key)
        case str() if len(value.split()) > 1:
            yield from _blocks(value)[0] or [_Block(value, only_shown(key, value))]

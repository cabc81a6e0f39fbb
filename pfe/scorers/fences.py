"""Extraction of the blocks inside Markdown fences.

Example: "1. Write it:\\n   ```python title=\\"f.py\\"\\n   x = 1\\n   ```" contains the block "x = 1\\n".
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(
    r"(?P<indent>[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|[0-9]{1,3}[.)])[ \t]+)?)"
    r"(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*\Z"
)
# A fence in the middle of a line: "Here it is: ```python", and one directly after code: "return 1```".
_OPENED_WITHIN = re.compile(r"(?<=[^\s`>])[ \t]*(```(?:[Pp]ython[0-9]?|py)[ \t]*(?=\n))")
_CLOSED_WITHIN = re.compile(r"(?<=[^\s`~>])[ \t]*(```[ \t]*)$", re.MULTILINE)
_CODE_BEHIND = re.compile(r"^([ \t]*(?:```|~~~))((?:def|class|import|from|async|return|print)\b.*)$", re.MULTILINE)
_QUOTES = re.compile(r"\"{3}|'{3}")


@dataclass(frozen=True)
class Part:
    """A part of an output, inside a fence or between fences; `info` is the info string of the opening fence."""

    text: str
    fenced: bool
    info: str = ""


def unfenced(output: str) -> str:
    """Return the content of an output that is a single fenced block; return any other output unchanged."""
    text = output.strip()
    opening, _, rest = text.partition("\n")
    for marks in ("```", "~~~"):
        if text.count(marks) == 2 and opening.startswith(marks) and rest.endswith(marks):
            return rest.removesuffix(marks)
    return output


def first_block(output: str) -> str | None:
    """Return the content of the first fenced block, closed or not; None if there is none."""
    return next((part.text for part in parts(output) if part.fenced), None)


def blocks(output: str) -> list[str]:
    """Return the contents of all fenced blocks, in order; the last one may be unclosed."""
    return [part.text for part in parts(output) if part.fenced]


def parts(output: str) -> Iterator[Part]:
    """Yield the parts of an output inside and outside of fences, in order; the last fence may be unclosed.

    A fence with an info string also opens a block inside an open one. Fences inside a docstring of a block do not
    count. The indentation of a fence, as in a list, is removed from its block.
    """
    lines: list[str] = []
    opened: re.Match[str] | None = None
    quotes, quote = Counter(_QUOTES.findall(output)), ""  # triple quotes still to come; the open one
    for line in _split(output).splitlines(keepends=True):
        fence = _FENCE.match(line.rstrip("\r\n"))
        if fence is None or not _ends(opened, fence) or (quote and quotes[quote]):
            lines.append(line)
            still_open = _open_quote(line, quote, quotes)
            quote = still_open if opened else ""
            continue
        yield _part(lines, opened)
        closes = opened is not None and not fence["info"]
        lines, opened, quote = [], None if closes else fence, ""
    yield _part(lines, opened)


def _split(output: str) -> str:
    """Return the output with every fence on a line of its own."""
    if "```" not in output:
        return output
    opened = _CODE_BEHIND.sub(r"\1\n\2", _OPENED_WITHIN.sub(r"\n\1", output))
    return _CLOSED_WITHIN.sub(r"\n\1", opened)


def _open_quote(line: str, quote: str, quotes: Counter[str]) -> str:
    """Return the triple quotes that are open after a line, and subtract those of the line from `quotes`."""
    for marks in _QUOTES.findall(line):
        quotes[marks] -= 1
        quote = ("" if quote == marks else quote) if quote else marks
    return quote


def _ends(opened: re.Match[str] | None, fence: re.Match[str]) -> bool:
    """Return whether a fence has the kind of the open one and is at least as long; True if none is open."""
    if opened is None:
        return True
    return opened["marks"][0] == fence["marks"][0] and len(fence["marks"]) >= len(opened["marks"])


def _part(lines: list[str], opened: re.Match[str] | None) -> Part:
    if opened is None:
        return Part("".join(lines), fenced=False)
    width, quoted = len(opened["indent"]), ">" in opened["indent"]
    return Part("".join(_outdented(line, width, quoted) for line in lines), fenced=True, info=opened["info"])


def _outdented(line: str, width: int, quoted: bool) -> str:
    """Return the line without the fence's indentation, or without as much of it as the line has."""
    if quoted:
        return re.sub(r"^[ \t]*(?:>[ ]?)+", "", line)
    blank = len(line) - len(line.lstrip(" \t"))
    return line[min(width, blank) :]

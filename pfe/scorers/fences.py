"""What stands inside Markdown fences.

Example: "1. Write it:\\n   ```python title=\\"f.py\\"\\n   x = 1\\n   ```" holds "x = 1\\n".
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(
    r"(?P<indent>[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|[0-9]{1,3}[.)])[ \t]+)?)"
    r"(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*\Z"
)
# A fence that does not begin its line: "Here it is: ```python", and code that a fence ends: "return 1```".
_OPENED_WITHIN = re.compile(r"(?<=[^\s`>])[ \t]*(```(?:[Pp]ython[0-9]?|py)[ \t]*(?=\n))")
_CLOSED_WITHIN = re.compile(r"(?<=[^\s`~>])[ \t]*(```[ \t]*)$", re.MULTILINE)
_CODE_BEHIND = re.compile(r"^([ \t]*(?:```|~~~))((?:def|class|import|from|async|return|print)\b.*)$", re.MULTILINE)
_QUOTES = re.compile(r"\"{3}|'{3}")


@dataclass(frozen=True)
class Part:
    """A part of an output: what stands in a fence, or between fences; `info` is what the opening fence says."""

    text: str
    fenced: bool
    info: str = ""


def unfenced(output: str) -> str:
    """The inside of an output that is one fenced block; any other output as it is."""
    text = output.strip()
    opening, _, rest = text.partition("\n")
    for marks in ("```", "~~~"):
        if text.count(marks) == 2 and opening.startswith(marks) and rest.endswith(marks):
            return rest.removesuffix(marks)
    return output


def first_block(output: str) -> str | None:
    """The inside of the first fenced block, closed or not; None where there is none."""
    return next((part.text for part in parts(output) if part.fenced), None)


def blocks(output: str) -> list[str]:
    """The insides of all fenced blocks, in order; the last one may be open."""
    return [part.text for part in parts(output) if part.fenced]


def parts(output: str) -> Iterator[Part]:
    """Yield an output's parts inside and outside of fences, in order; the last fence may be open.

    A fence with an info string opens a block within an open one, too, but none counts in a block's docstring. The
    indentation of a fence, as in a list, is taken off its block.
    """
    lines: list[str] = []
    opened: re.Match[str] | None = None
    quotes, quote = Counter(_QUOTES.findall(output)), ""  # those to come; the one that is open
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
    """Return the triple quotes that are open behind a line, and count its own off those to come."""
    for marks in _QUOTES.findall(line):
        quotes[marks] -= 1
        quote = ("" if quote == marks else quote) if quote else marks
    return quote


def _ends(opened: re.Match[str] | None, fence: re.Match[str]) -> bool:
    """Whether a fence is one of its own kind, not a part of an open block of the other kind or of a longer fence."""
    if opened is None:
        return True
    return opened["marks"][0] == fence["marks"][0] and len(fence["marks"]) >= len(opened["marks"])


def _part(lines: list[str], opened: re.Match[str] | None) -> Part:
    if opened is None:
        return Part("".join(lines), fenced=False)
    width, quoted = len(opened["indent"]), ">" in opened["indent"]
    return Part("".join(_outdented(line, width, quoted) for line in lines), fenced=True, info=opened["info"])


def _outdented(line: str, width: int, quoted: bool) -> str:
    """Return the line without a fence's indentation, or as much of it as it has."""
    if quoted:
        return re.sub(r"^[ \t]*(?:>[ ]?)+", "", line)
    blank = len(line) - len(line.lstrip(" \t"))
    return line[min(width, blank) :]

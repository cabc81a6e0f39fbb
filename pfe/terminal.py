"""Safe printing of untrusted text on a terminal: control characters are shown, not executed.

Example: `plain("a\\x1b[2Jb")` is the characters a, \\, x, 1, b, [, 2, J, b: nothing is cleared.
"""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType


def plain(text: str) -> str:
    """Return a text with every character escaped that is neither printable nor a newline or tab.

    That covers escape sequences, other control characters, marks that turn the direction of writing, invisible
    characters and halves of surrogate pairs.
    """
    return "".join(
        character if character.isprintable() or character in "\n\t" else ascii(character)[1:-1] for character in text
    )


def is_utf8(text: str) -> bool:
    """Return whether a text can be encoded: a name that the file system has in other bytes has halves of surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def paged(*parts: "RenderableType") -> None:
    """Print Rich renderables: on a terminal through the user's pager, otherwise directly and without line breaks added.

    `less` exits by itself if everything fits the screen, and shows colours, unless LESS says otherwise.
    """
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False)
    if not (console.is_terminal and sys.stdin.isatty()):
        console.print(*parts, sep="\n", soft_wrap=True)
        return
    os.environ.setdefault("LESS", "-FRX")
    with console.pager(styles=console.color_system is not None):
        console.print(*parts, sep="\n", soft_wrap=all(isinstance(part, str) for part in parts))  # text is not rewrapped

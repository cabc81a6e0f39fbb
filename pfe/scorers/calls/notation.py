"""The interface of a notation of function calls, and the list of all notations in `pfe/scorers/calls/notations/`.

A notation is included if a chat template or the published documentation of a model family uses it, as its module
cites, or if the prompt of the benchmark asks for it. Every module of the folder is found automatically.

Example: `gemma.NOTATIONS` has a notation that opens with `<start_function_call>call:` and reads the call after it, up
to its end.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from pfe.scorers.calls import notations
from pfe.scorers.calls.written import RawCall

# Text that may precede an untagged call on its line: a bullet, a number, a label, backticks.
BEFORE = (
    r"[ \t]*(?:(?:[-*•+]|[0-9]{1,3}[.)])[ \t]+)?\*{0,2}"
    r"(?P<label>(?i:the |my |final |right |correct |function |tool )*"
    r"(?i:calls?|answer|output|response|assistant)\b(?i: is| are)?\*{0,2}[ \t]*:\*{0,2}[ \t]*)?"
    r"`{0,3}[ \t]*"
)
Names = Collection[str]  # names of the functions that may be called


@dataclass(frozen=True)
class Reading:
    """The calls read from a position of a text on, and the position where they end."""

    calls: tuple[RawCall, ...]
    end: int


Reader = Callable[[str, re.Match[str], Names], Reading]


@dataclass(frozen=True)
class Notation:
    """A family of ways to write calls.

    `opening` is a pattern that matches where such calls may begin, and is cheap to search for. `read` raises
    UnreadableError if the text is something else, and BrokenError if it can only have been meant as a call. `bare`
    calls have no tag or name that sets them apart from prose: they begin a line, and only one run of them counts, at
    the start or after words that introduce it. If they are also `clear`, they count after any words.
    """

    opening: re.Pattern[str]
    read: Reader
    bare: bool = False
    clear: bool = False


@cache
def all_notations() -> Sequence[Notation]:
    """Return all notations, in the order of their modules' names."""
    every: list[Notation] = []
    for module in pkgutil.iter_modules(notations.__path__):
        every += getattr(importlib.import_module(f"{notations.__name__}.{module.name}"), "NOTATIONS", ())
    return tuple(every)


def plain_name(name: str, names: Names) -> str:
    """Return a function's name without the namespace `functions.` of harmony and Kimi K2, unless that belongs to it."""
    name = name.strip()
    return name if name in names else name.removeprefix("functions.")

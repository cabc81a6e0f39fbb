"""What a notation is, and all of them: every module of `pfe/scorers/calls/notations/`, found by being there.

A notation is here if a chat template or the published documentation of a model family writes it, which its module
names, or if the prompt of the benchmark asks for it.

Example: `gemma.NOTATIONS` has the one that opens at `<start_function_call>call:`, and reads the call behind it and
where it ends.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache

from pfe.scorers.calls import notations
from pfe.scorers.calls.written import RawCall

# What may stand on its line before a bare call: a bullet, a prompt, a label, marks of code.
BEFORE = (
    r"[ \t]*(?:(?:[-*•+]|[0-9]{1,3}[.)])[ \t]+)?\*{0,2}"
    r"(?P<label>(?i:the |my |final |right |correct |function |tool )*"
    r"(?i:calls?|answer|output|response|assistant)\b(?i: is| are)?\*{0,2}[ \t]*:\*{0,2}[ \t]*)?"
    r"`{0,3}[ \t]*"
)
Names = Collection[str]  # of the functions that may be called


@dataclass(frozen=True)
class Reading:
    """The calls that stand in a text from some place on, and where they end."""

    calls: tuple[RawCall, ...]
    end: int


Reader = Callable[[str, re.Match[str], Names], Reading]


@dataclass(frozen=True)
class Notation:
    """One family of ways to write calls.

    `opening` is a pattern that matches where such calls may begin, and nothing that is costly to
    search for. `read` raises UnreadableError where it is something else after all, and BrokenError where it can
    only have been meant as a call. `bare` are calls without a tag or a name that sets them apart from
    prose: they begin a line, and only one run of them counts, at the start or behind words that
    introduce it; where they are `clear` all the same, behind any words.
    """

    opening: re.Pattern[str]
    read: Reader
    bare: bool = False
    clear: bool = False


@cache
def all_notations() -> Sequence[Notation]:
    """Return every notation, by the names of their modules."""
    every: list[Notation] = []
    for module in pkgutil.iter_modules(notations.__path__):
        every += getattr(importlib.import_module(f"{notations.__name__}.{module.name}"), "NOTATIONS", ())
    return tuple(every)


def plain_name(name: str, names: Names) -> str:
    """Return a function's name without the name space of harmony and Kimi K2, `functions.`, unless it is part of it."""
    name = name.strip()
    return name if name in names else name.removeprefix("functions.")

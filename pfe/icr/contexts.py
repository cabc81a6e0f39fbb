"""The method libraries, and what one puts in front of a problem.

Example, `library("gsm1k.txt").text`:
    [METHOD LIBRARY]

    METHOD 1: COMBINING QUANTITIES (Addition)
    When: Separate amounts make up one total
    …

    [PROBLEM]

A file `wrong_<name>` is the false twin of a library, for the arm `wrong`.

A library file has, between blank lines: its title in square brackets; perhaps notes of one line on
all that follows; its methods; and perhaps closing sections, from the first line on that is a heading
in capitals and nothing else (`BEFORE ANSWERING`, `[WORKED EXAMPLE]`).
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pfe.errors import UserError, nearest
from pfe.icr.definitions import offered
from pfe.icr.functions import catalogue, documentation
from pfe.icr.prefix import Prefix
from pfe.problem import Problem

LIBRARIES = Path(__file__).parent / "libraries"
WRONG = "wrong_"  # begins the names of the false twins of libraries
PROBLEM_HEADER = "[PROBLEM]\n"
_HEADING = re.compile(r"\[[^\]]+\]|[A-Z]+(?: [A-Z]+)*")
# Code may hold a blank line; what follows it is indented.
_BETWEEN_BLOCKS = re.compile(r"(?<=\n\n)(?=[^\s])")


class Sections(NamedTuple):
    """The methods of a prefix by their place: the notes before them, themselves, what closes the library."""

    notes: tuple[str, ...]
    methods: tuple[str, ...]
    closing: tuple[str, ...]


def library(name: str, functions: Sequence[str] = ()) -> Prefix:
    """What stands in front of a problem in the ICR arm, `[PROBLEM]` header included; equal ones are one object.

    Every block of the library is a method that may be left out, each function of a catalogue and
    each closing section too.

    Args:
        name: a file of `pfe/icr/libraries/`; a .yaml file is the catalogue of documented functions.
        functions: the functions the problem offers, for such a catalogue: names in it, or definitions.

    Raises:
        UserError: there is no such library, or no such function.
    """
    return _catalogue(name, tuple(functions)) if name.endswith(".yaml") else _text(name)


def wrong_library(name: str, functions: Sequence[str] = ()) -> Prefix:
    """Return the false twin of a library, `wrong_<name>`: its form, and methods that are false.

    Args:
        name: a file of `pfe/icr/libraries/`.
        functions: as for `library`, but names of the catalogue alone: definitions have no twin.

    Raises:
        UserError: there is no such twin.
    """
    twin = f"{WRONG}{name}"
    if not (LIBRARIES / twin).is_file():
        raise UserError(
            f"arm wrong: there is no pfe/icr/libraries/{twin}; write a false twin of {name} there, or leave wrong out "
            "of evaluate.arms"
        )
    return library(twin, functions)


def library_of(problem: Problem, name: str | None) -> Prefix:
    """The library of a problem: its own, or else that of its benchmark, `name`.

    Raises:
        UserError: there is neither, or no such library or function.
    """
    if problem.library_bound:
        return own_library(problem.library)
    if name is None:
        raise UserError(f"{problem.id} brings no library, and its benchmark names none; set benchmark.….library")
    return library(name, problem.functions)


def own_library(texts: Sequence[str]) -> Prefix:
    """What stands in front of a library-bound problem: the library that was written for it, a text a method."""
    return Prefix("[LIBRARY]\n\n", tuple(f"{text}\n\n" for text in texts), PROBLEM_HEADER) if texts else Prefix()


def blocks(text: str) -> tuple[str, ...]:
    """The parts of a text that blank lines separate, each with the blank line behind it."""
    return tuple(_BETWEEN_BLOCKS.split(f"{text.strip()}\n\n")) if text.strip() else ()


def is_heading(line: str) -> bool:
    """Whether a line is `[IN SQUARE BRACKETS]` or IN CAPITALS and nothing else."""
    return _HEADING.fullmatch(line) is not None


def sections(prefix: Prefix) -> Sections:
    """Which of a library's blocks are notes, methods and closing sections, by the rules above."""
    methods = prefix.methods
    closing = next((i for i, block in enumerate(methods) if is_heading(block.split("\n", 1)[0])), len(methods))
    first = next((i for i, block in enumerate(methods[:closing]) if "\n" in block.strip()), 0)
    return Sections(methods[:first], methods[first:closing], methods[closing:])


@cache
def _catalogue(name: str, functions: tuple[str, ...]) -> Prefix:
    shown = offered(functions)
    if name.startswith(WRONG):
        shown = {function: catalogue(LIBRARIES / name)[function] for function in shown}
    documented = tuple(f"{documentation(function)}\n\n" for function in shown.values())
    return Prefix("[AVAILABLE FUNCTIONS]\n\n", documented, PROBLEM_HEADER)


@cache
def _text(name: str) -> Prefix:
    try:
        parts = blocks((LIBRARIES / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        names = [path.name for path in LIBRARIES.iterdir()]
        raise UserError(f"unknown ICR library '{name}'; {nearest(name, names)}") from None
    titles = 1 if parts and is_heading(parts[0].strip()) else 0
    return Prefix("".join(parts[:titles]), parts[titles:], PROBLEM_HEADER)

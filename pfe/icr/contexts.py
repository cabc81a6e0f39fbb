"""The method libraries, and the text that each puts in front of a problem.

Example, `library("gsm1k.txt").text`:
    [METHOD LIBRARY]

    METHOD 1: COMBINING QUANTITIES (Addition)
    When: Separate amounts make up one total
    …

    [PROBLEM]

A file `wrong_<name>` is the false twin of a library: it has the same form but false methods, for the arm `wrong`.

A library file has these parts, separated by blank lines: its title in square brackets; optional notes of one line;
its methods; and optional closing sections, which begin at the first line that is nothing but a heading in capitals
(`BEFORE ANSWERING`, `[WORKED EXAMPLE]`).
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
WRONG = "wrong_"  # file name prefix of the false twins of libraries
PROBLEM_HEADER = "[PROBLEM]\n"
_HEADING = re.compile(r"\[[^\]]+\]|[A-Z]+(?: [A-Z]+)*")
# Code may contain a blank line; the line after it is indented.
_BETWEEN_BLOCKS = re.compile(r"(?<=\n\n)(?=[^\s])")


class Sections(NamedTuple):
    """The blocks of a prefix by their role: the notes before the methods, the methods, and the closing sections."""

    notes: tuple[str, ...]
    methods: tuple[str, ...]
    closing: tuple[str, ...]


def library(name: str, functions: Sequence[str] = ()) -> Prefix:
    """Return the prefix of a problem in the ICR arm, with its `[PROBLEM]` header; equal prefixes are one object.

    Every block of the library is a method that may be left out, including each function of a catalogue and each closing
    section.

    Args:
        name: a file of `pfe/icr/libraries/`; a .yaml file is the catalogue of documented functions.
        functions: the functions that the problem offers, for such a catalogue: names in it, or definitions.

    Raises:
        UserError: the library or a function does not exist.
    """
    return _catalogue(name, tuple(functions)) if name.endswith(".yaml") else _text(name)


def wrong_library(name: str, functions: Sequence[str] = ()) -> Prefix:
    """Return the false twin of a library, `wrong_<name>`: its form, with methods that are false.

    Args:
        name: a file of `pfe/icr/libraries/`.
        functions: as in `library`, but only names of the catalogue: definitions have no twin.

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
    """Return the library of a problem: its own, or else that of its benchmark, `name`.

    Raises:
        UserError: there is neither, or the library or a function does not exist.
    """
    if problem.library_bound:
        return own_library(problem.library)
    if name is None:
        raise UserError(f"{problem.id} brings no library, and its benchmark names none; set benchmark.….library")
    return library(name, problem.functions)


def own_library(texts: Sequence[str]) -> Prefix:
    """Return the prefix of a library-bound problem: the library that was written for it, one method per text."""
    return Prefix("[LIBRARY]\n\n", tuple(f"{text}\n\n" for text in texts), PROBLEM_HEADER) if texts else Prefix()


def blocks(text: str) -> tuple[str, ...]:
    """Return the parts of a text that are separated by blank lines, each with the blank line after it."""
    return tuple(_BETWEEN_BLOCKS.split(f"{text.strip()}\n\n")) if text.strip() else ()


def is_heading(line: str) -> bool:
    """Return whether a line is only a heading, `[IN SQUARE BRACKETS]` or IN CAPITALS."""
    return _HEADING.fullmatch(line) is not None


def sections(prefix: Prefix) -> Sections:
    """Split the blocks of a library into notes, methods and closing sections, by the rules of the module docstring."""
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

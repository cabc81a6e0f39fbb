"""The method libraries, and how one is put in front of a problem.

Example, the ICR arm of a GSM1K problem:
    [METHOD LIBRARY]
    METHOD 1: …

    [PROBLEM]
    Question: Sam has 12 apples …
    Answer:
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pfe.errors import UserError, nearest
from pfe.icr.functions import catalogue, documentation

LIBRARIES = Path(__file__).parent / "libraries"
PROBLEM_HEADER = "\n\n[PROBLEM]\n"


def library_prefix(library: str, functions: Sequence[str]) -> str:
    """What stands in front of a problem in the ICR arm, `[PROBLEM]` header included.

    Args:
        library: a file of `pfe/icr/libraries/`; a .yaml file is the catalogue of documented functions.
        functions: the functions the problem offers, for such a catalogue.

    Raises:
        UserError: there is no such library.
    """
    if library.endswith(".yaml"):
        return f"{_documentation(tuple(functions))}{PROBLEM_HEADER}"
    return f"{_text(library)}{PROBLEM_HEADER}"


@cache
def _documentation(functions: tuple[str, ...]) -> str:
    documented = "\n\n".join(documentation(catalogue()[name]) for name in functions)
    return f"[AVAILABLE FUNCTIONS]\n\n{documented}"


@cache
def _text(library: str) -> str:
    try:
        return (LIBRARIES / library).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        known = [path.name for path in LIBRARIES.iterdir()]
        raise UserError(f"unknown ICR library '{library}'; {nearest(library, known)}") from None

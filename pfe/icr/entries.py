"""The hand-written entries of the retrieval base, `base/<domain>.txt`: facts under a category, and methods.

Example, two entries of one line and one entry of three:
    CATEGORY: Rivers
    - The Loire is the longest river that flows in France alone.
    - The Orinoco bends around the Guiana highlands on its way to the sea.

    METHOD: Unit price
    When: The price of many is given and that of one is asked
    Do: Divide the price by how many there are.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import cast, get_args

from pfe.errors import UserError, nearest
from pfe.icr.contexts import blocks
from pfe.icr.retrieval import Entry
from pfe.problem import Domain

FOLDER = Path(__file__).parent / "base"
CATEGORY = "CATEGORY: "


def written() -> list[Entry]:
    """Return every entry of every file, in order.

    Raises:
        UserError: a file is not named after a domain, or a line under a category is not a fact.
    """
    return [entry for path in sorted(FOLDER.glob("*.txt")) for entry in _of_file(path)]


def _of_file(path: Path) -> Iterator[Entry]:
    if path.stem not in get_args(Domain):
        raise UserError(f"{path}: no domain is called '{path.stem}'; {nearest(path.stem, get_args(Domain))}")
    domain, line = cast(Domain, path.stem), 1
    for block in blocks(path.read_text(encoding="utf-8")):
        text = block.strip()
        if text.startswith(CATEGORY):
            yield from _facts(domain, path, text, line)
        else:
            yield Entry(domain, f"base/{path.name}", line, text, text)
        line += block.count("\n")


def _facts(domain: Domain, path: Path, text: str, first: int) -> Iterator[Entry]:
    for line, fact in zip(count(first + 1), text.splitlines()[1:], strict=False):
        if not fact.startswith("- "):
            raise UserError(f"{path}:{line}: below a category every line is a fact, '- …'; put an empty line before it")
        yield Entry(domain, f"base/{path.name}", line, fact[2:], fact[2:])

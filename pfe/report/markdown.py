"""Tables in Markdown and for the terminal, built with tabulate.

Example: `markdown(["gate", "recall"], [["dilution", "97.5 %"]])` is
    | gate     |   recall |
    |:---------|---------:|
    | dilution |   97.5 % |
"""

from collections.abc import Collection, Sequence

from tabulate import tabulate


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return a table in Markdown; the columns with indices in `left` are left-aligned, the others right-aligned.

    Line breaks in a cell become spaces, and bars are escaped.
    """
    return _table(_escaped(head), list(map(_escaped, rows)), left, "pipe")


def plain(head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """Return the same table for the terminal, with cells unchanged."""
    return _table(head, rows, left, "simple")


def _escaped(row: Sequence[str]) -> list[str]:
    return [" ".join(cell.splitlines()).replace("|", "\\|") for cell in row]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int], form: str) -> str:
    sides = ["left" if place in left else "right" for place in range(len(head))]
    return tabulate(rows, head, tablefmt=form, colalign=sides, disable_numparse=True)

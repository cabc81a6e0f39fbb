"""Tables in Markdown and for the screen, both by tabulate.

Example: `markdown(["gate", "recall"], [["dilution", "97.5 %"]])` is
    | gate     |   recall |
    |:---------|---------:|
    | dilution |   97.5 % |
"""

from collections.abc import Collection, Sequence

from tabulate import tabulate


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """A table in Markdown; the columns at the places `left` begin at the left, the others end at the right.

    A cell is one line, and a bar in it ends no cell.
    """
    return _table(_escaped(head), list(map(_escaped, rows)), left, "pipe")


def plain(head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> str:
    """The same for the screen."""
    return _table(head, rows, left, "simple")


def _escaped(row: Sequence[str]) -> list[str]:
    return [" ".join(cell.splitlines()).replace("|", "\\|") for cell in row]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int], form: str) -> str:
    sides = ["left" if place in left else "right" for place in range(len(head))]
    return tabulate(rows, head, tablefmt=form, colalign=sides, disable_numparse=True)

"""Reading of numeric tables from gzip'd text: one line of column names, then one line per row.

Example: `read(Path("pmlb20/215_2dplanes.tsv.gz"), ("x1", "target"), "\\t")` has shape (40768, 2). If the third and the
ninth line held a word, the error would end with "…: line 3, column 'x1': 'one' is not a number; line 9, …".
"""

import gzip
import zlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pfe.errors import UserError, nearest
from pfe.rows.listing import listed

REMEDY = "correct the file or get it again"


def header(path: Path, separator: str) -> tuple[str, ...]:
    """Return the names of the columns.

    Raises:
        UserError: the file cannot be read, or a name is empty or used twice.
    """
    return _names(path, _text(path, lines=1), separator)


@lru_cache(maxsize=32)  # repetitions share their data set's file; the largest takes 4 MB
def read(path: Path, columns: tuple[str, ...], separator: str) -> NDArray[np.float64]:
    """Return the given columns of all rows, in that order: shape (rows, columns), not writable.

    Raises:
        UserError: the file cannot be read or has no rows, columns are missing, a row has another number of cells, or
            cells hold no finite number. The message names the file, and the first of the lines and columns concerned.
    """
    first, *lines = _text(path).removesuffix("\n").split("\n")
    names = _names(path, first, separator)
    if missing := [column for column in columns if column not in names]:
        told = listed(("", f"no column '{column}'; {nearest(column, names)}") for column in missing)
        raise UserError(f"{path}: line 1: {told}")
    if not lines:
        raise UserError(f"{path}: line 2: no rows; {REMEDY}")
    places = [names.index(column) for column in columns]
    rows = [line.split(separator) for line in lines]
    if ragged := [
        (at, f": {len(row)} cells for {len(names)} columns") for at, row in enumerate(rows, 2) if len(row) != len(names)
    ]:
        raise UserError(f"{path}: {listed(ragged, 'line')}; {REMEDY}")
    values = np.array([[_number(row[place]) for place in places] for row in rows])
    if not np.isfinite(values).all():
        wrong = (
            (int(at) + 2, f", column '{columns[column]}': '{rows[at][places[column]]}' is not a number")
            for at, column in np.argwhere(~np.isfinite(values))
        )
        raise UserError(f"{path}: {listed(wrong, 'line')}; {REMEDY}")
    values.setflags(write=False)
    return values


def _text(path: Path, lines: int | None = None) -> str:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return file.read() if lines is None else "".join(file.readline() for _ in range(lines))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; see that the folder of data sets is whole") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise UserError(f"{path}: damaged or not to be read ({error}); get it again") from None


def _names(path: Path, line: str, separator: str) -> tuple[str, ...]:
    names = tuple(line.rstrip("\n").split(separator))
    for place, name in enumerate(names, 1):
        if not name or names.index(name) < place - 1:
            raise UserError(f"{path}: line 1, column {place}: the name '{name}' is empty or there twice; {REMEDY}")
    return names


def _number(cell: str) -> float:
    """Return the number in a cell; NaN if it holds none."""
    try:
        return float(cell)
    except ValueError:
        return float("nan")

"""Tables of numbers in gzip'd text: one line of column names, then one line a row.

Example: `read(Path("pmlb20/215_2dplanes.tsv.gz"), ("x1", "target"), "\\t")` has shape (40768, 2); were the third
line's first cell a word, it would end with "…: line 3, column 'x1': 'one' is not a number; …".
"""

import gzip
import zlib
from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pfe.errors import UserError, nearest

REMEDY = "correct the file or get it again"


def header(path: Path, separator: str) -> tuple[str, ...]:
    """The names of the columns.

    Raises:
        UserError: the file cannot be read, or a name is empty or stands twice.
    """
    return _names(path, _text(path, lines=1), separator)


@lru_cache(maxsize=32)  # repetitions share their data set's file; the largest takes 4 MB
def read(path: Path, columns: tuple[str, ...], separator: str) -> NDArray[np.float64]:
    """The columns named, in that order, of all rows: shape (rows, columns), not writable.

    Raises:
        UserError: the file cannot be read, or a column is missing, or a cell holds no finite number; it names the
            file, line and column.
    """
    first, *lines = _text(path).removesuffix("\n").split("\n")
    names = _names(path, first, separator)
    for column in columns:
        if column not in names:
            raise UserError(f"{path}: line 1: no column '{column}'; {nearest(column, names)}")
    if not lines:
        raise UserError(f"{path}: line 2: no rows; {REMEDY}")
    places = [names.index(column) for column in columns]
    rows = [_row(path, number, line.split(separator), names, places) for number, line in enumerate(lines, 2)]
    values = np.array(rows)
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


def _row(path: Path, number: int, cells: Sequence[str], names: Sequence[str], places: Sequence[int]) -> list[float]:
    if len(cells) != len(names):
        raise UserError(f"{path}: line {number}: {len(cells)} cells for {len(names)} columns; {REMEDY}")
    values = []
    for place in places:
        try:
            value = float(cells[place])
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise UserError(
                f"{path}: line {number}, column '{names[place]}': '{cells[place]}' is not a number; {REMEDY}"
            )
        values.append(value)
    return values

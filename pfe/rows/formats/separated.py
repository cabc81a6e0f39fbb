"""CSV and TSV, plain or compressed: a header, then one record per row, whose quoted fields may contain line breaks.

Example:
    id,question,answer
    1,"What is 2 + 2, said Ann?",4
"""

import csv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO

from pfe.errors import UserError
from pfe.rows.formats.format import Shard, TextFormat, check_names, check_unpacked, not_utf8, read_errors, unpacked
from pfe.rows.formats.lines import LONGEST_LINE
from pfe.rows.row import Entry

_SEPARATORS = ",;\t|"


class Separated(TextFormat):
    """The CSV and TSV formats. The separator is the one of comma, semicolon, tab and bar that the header has most of.

    In TSV it is always the tab.
    """

    suffixes = (".csv", ".tsv")
    unit = "line"

    def shards(self, path: Path, rows: int, size: int) -> Iterator[Shard]:
        for shard in super().shards(path, rows, size):
            next(self.records(shard))
            yield shard

    def records(self, shard: Shard) -> Iterator[tuple[bytes, Entry | None]]:
        csv.field_size_limit(LONGEST_LINE)
        with unpacked(shard.path) as file:
            lines = _Lines(shard, file)
            first = next(lines, "")
            fields = csv.reader(chain([first], lines), delimiter=_separator(shard.path, first), strict=True)
            header = _next(fields, lines, 1) or []
            check_names(shard.path, header)
            if lines.trouble:
                raise UserError(f"{shard.path}: its header is {lines.trouble}")
            yield lines.take_record(), None
            place = lines.number + 1
            while (values := _next(fields, lines, place)) is not None:
                uneven = f"{len(values)} fields, and {len(header)} in the header" if len(values) != len(header) else ""
                trouble = lines.trouble or uneven
                entry = Entry(place, {} if trouble else dict(zip(header, values, strict=True)), trouble)
                yield lines.take_record(), entry if values else None
                place = lines.number + 1


class _Lines:
    """The lines of a file as `csv` reads them, and the bytes of the current record."""

    def __init__(self, shard: Shard, file: IO[bytes]) -> None:
        self.path, self.number = shard.path, 0
        self.trouble: str = ""
        self._shard, self._file, self._record, self._length = shard, file, bytearray(), 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        with read_errors(self.path, lambda: f", line {self.number + 1}"):
            line = self._file.readline(LONGEST_LINE + 1)
        if not line:
            raise StopIteration
        self.number, self._length = self.number + 1, self._length + len(line)
        self._record += line
        check_unpacked(self._shard, self._length)
        if len(self._record) > LONGEST_LINE:
            raise csv.Error(f"more than {LONGEST_LINE:,} bytes in one record")
        try:
            return line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            self.trouble = not_utf8(error)
            return line.decode("utf-8", "replace")

    def take_record(self) -> bytes:
        """Return the bytes of the current record, and begin another one."""
        record = bytes(self._record)
        self._record, self.trouble = bytearray(), ""
        return record


def _separator(path: Path, header: str) -> str:
    if ".tsv" in path.suffixes:
        return "\t"
    names = header.splitlines()[:1]
    return max(_SEPARATORS, key=lambda mark: len(next(csv.reader(names, delimiter=mark), [])))


def _next(fields: Iterator[list[str]], lines: _Lines, place: int) -> list[str] | None:
    """Return the next record, which begins at line `place`; None at the end."""
    try:
        return next(fields, None)
    except csv.Error as error:
        raise UserError(
            f"{lines.path}, line {place} or after: no CSV ({error}); a quote within quotes is written twice, "
            "and every quote is closed"
        ) from None

"""JSON files: an array of objects, or consecutive objects, read one piece at a time.

Example: [{"question": "What is 2 + 2?", "answer": "4"}, {"question": "What is 2 + 3?", "answer": "5"}]
"""

import codecs
import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from pfe.errors import UserError
from pfe.rows.formats.format import PIECE, Format, Shard, check_unpacked, read_errors, repacked, unpacked
from pfe.rows.formats.lines import LONGEST_LINE
from pfe.rows.row import Entry

_GAP = re.compile(r"[\s,\ufeff]*")


class Element(NamedTuple):
    """A value as written, after the separator before it; the text around all values has no entry."""

    gap: str
    text: str = ""
    entry: Entry | None = None


class Array(Format):
    """The JSON format. A copy retains the white space of the remaining rows and has no superfluous comma."""

    suffixes = (".json",)
    is_text = True

    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        return (element.entry for element in _elements(shard) if element.entry)

    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        size, any_written = path.stat().st_size, False
        with repacked(path, target) as file:
            for gap, text, entry in _elements(Shard(path, 0, size, size)):
                if entry is None:
                    file.write(gap.encode())
                elif next(keep):
                    file.write(f"{gap if any_written else ''}{text}".encode())
                    any_written = True


def _elements(shard: Shard) -> Iterator[Element]:
    """Yield the whole text of a file, value by value.

    Raises:
        UserError: the file is not JSON, truncated, not UTF-8, or a single object instead of a list of rows.
    """
    with unpacked(shard.path) as file:
        text = _Text(shard, file)
        opening = text.gap()
        is_array = text.next == "["
        yield Element(opening + (text.take(1) + text.gap() if is_array else ""))
        gap, row = "", 0
        while text.next not in ("", "]"):
            value = text.value(row)
            yield Element(gap, value.text, value.entry)
            gap, row = text.gap(), row + 1
        if text.next != ("]" if is_array else ""):
            text.refuse(row, "a bracket is closed that was not opened" if text.next else "cut short")
        if row == 1 and not is_array:
            text.refuse(
                row, "one object; give its rows as an array, as `jq .data` does, or one a line in a .jsonl file"
            )
        yield Element((gap if row else "") + (text.take(1) + text.gap() if is_array else ""))
        if text.next:
            text.refuse(row, "there is more after the array")


class _Text:
    """The text of a file, which is read one piece at a time as it is consumed."""

    def __init__(self, shard: Shard, file: IO[bytes]) -> None:
        self._shard, self._file, self._text, self._at, self._length = shard, file, "", 0, 0
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object)
        self._twice = False

    @property
    def next(self) -> str:
        """Return the next character; "" at the end."""
        return self._text[self._at : self._at + 1]

    def take(self, length: int) -> str:
        """Consume and return the next `length` characters that were read."""
        self._at += length
        return self._text[self._at - length : self._at]

    def gap(self) -> str:
        """Consume and return white space and commas."""
        gap = ""
        while True:
            gap += self.take(len(_GAP.match(self._text, self._at)[0]))  # type: ignore[index]  # matches always
            if self.next or not self._more(0):
                return gap

    def value(self, row: int) -> Element:
        """Consume and return a value."""
        while True:
            self._twice = False
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if len(self._text) - self._at > LONGEST_LINE or not self._more(row):
                    self.refuse(row, f"not JSON, cut short, or longer than {LONGEST_LINE:,} characters ({error.msg})")
            except (ValueError, RecursionError) as error:
                self.refuse(row, f"not JSON ({error})")
            else:
                if end < len(self._text) or not self._more(row):
                    break
        trouble = "a key is there twice" if self._twice else "" if isinstance(value, dict) else "not a JSON object"
        return Element("", self.take(end - self._at), Entry(row, {} if trouble else value, trouble))

    def refuse(self, row: int, why: str) -> NoReturn:
        """Raise a UserError with the file and the row."""
        raise UserError(f"{self._shard.path}, row {row}: {why}")

    def _more(self, row: int) -> bool:
        """Read another piece; return whether there was one."""
        with read_errors(self._shard.path, lambda: f", row {row} or after"):
            piece = self._file.read(PIECE)
            text = self._utf8.decode(piece, final=not piece)
        self._length += len(piece)
        check_unpacked(self._shard, self._length)
        self._text, self._at = self._text[self._at :] + text, 0
        return bool(piece)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        self._twice = self._twice or len(values) < len(pairs)
        return values

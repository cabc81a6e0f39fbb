"""JSON lines, plain or compressed: one object per line.

Example: {"question": "What is 2 + 2?", "answer": "4"}
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from pfe.errors import UserError
from pfe.rows.formats import format
from pfe.rows.formats.format import (
    Shard,
    TextFormat,
    check_text,
    check_unpacked,
    not_utf8,
    packing,
    read_errors,
    unpacked,
)
from pfe.rows.row import Entry

LONGEST_LINE = 32 << 20


class Lines(TextFormat):
    """The JSON lines format. Plain files are split at the starts of lines."""

    suffixes = (".jsonl", ".ndjson")
    unit = "line"

    def shards(self, path: Path, rows: int, size: int) -> Iterator[Shard]:
        check_text(path)
        length, line = path.stat().st_size, 0
        step = length if packing(path) else size
        with path.open("rb") as file:
            for start in range(0, max(length, 1), max(step, 1)):
                yield Shard(path, start, min(start + step, length), length, line)
                line += sum(piece.count(b"\n") for piece in format.span(file, start, min(start + step, length)))

    def records(self, shard: Shard) -> Iterator[tuple[bytes, Entry | None]]:
        for number, line in _lines(shard):
            if len(line) > LONGEST_LINE:
                yield line, Entry(number, {}, f"a line of more than {LONGEST_LINE} bytes")
            else:
                yield line, _entry(line, number) if line.strip() else None

    def pieces(self, shard: Shard, file: IO[bytes]) -> Iterator[bytes]:
        if packing(shard.path):
            yield from super().pieces(shard, file)
            return
        offset, ended = _first(file, shard), True
        while (offset < shard.stop or not ended) and (piece := file.readline(format.PIECE)):
            yield piece
            offset, ended = offset + len(piece), piece.endswith(b"\n")


def _lines(shard: Shard) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that start in the shard, with their numbers; only the beginning of a line that is too long."""
    packed = bool(packing(shard.path))
    offset = 0
    with read_errors(shard.path, lambda: f", byte {offset}"), unpacked(shard.path) as file:
        offset = 0 if packed else _first(file, shard)
        number = shard.line + 1 + (offset > shard.start)
        while packed or offset < shard.stop:
            line = piece = file.readline(LONGEST_LINE + 1)
            if not piece:
                break
            yield number, line
            offset, number = offset + len(piece), number + 1
            check_unpacked(shard, offset)
            while not piece.endswith(b"\n") and (piece := file.readline(format.PIECE)):
                offset += len(piece)
                check_unpacked(shard, offset)
    if not packed and offset < shard.stop:
        raise UserError(f"{shard.path}, byte {offset}: the file was cut short while it was read; start again")


def _first(file: IO[bytes], shard: Shard) -> int:
    """Seek the first line that starts in the shard and return its offset; `stop` or more if there is none."""
    if not shard.start:
        return 0
    offset = shard.start - 1
    file.seek(offset)
    while offset < shard.stop:
        piece = file.readline(format.PIECE)
        offset += len(piece)
        if not piece or piece.endswith(b"\n"):
            break
    return offset


def _entry(line: bytes, number: int) -> Entry:
    try:
        values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"), object_pairs_hook=once)
    except UnicodeDecodeError as error:
        return Entry(number, {}, not_utf8(error))
    except (ValueError, RecursionError) as error:
        return Entry(number, {}, f"not JSON ({error})")
    return Entry(number, values) if isinstance(values, dict) else Entry(number, {}, "not a JSON object")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dict.

    JSON parsers differ in which of two equal keys they use, so a duplicate could hide text from the screening.

    Raises:
        ValueError: a key occurs twice.
    """
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a key is there twice")
    return values

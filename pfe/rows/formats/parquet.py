"""Parquet files, split by rows, and read a few rows at a time, however large the row groups are.

Example: a column `messages` of lists of {role, content}, as the hub stores conversations.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pfe.errors import UserError
from pfe.processes.headroom import headroom
from pfe.rows.formats.format import PIECE, Format, Shard, read_errors, span
from pfe.rows.formats.table import BATCH, HEADROOM, check_columns, check_length, entries, mask, readable_columns
from pfe.rows.row import Entry

_GROUP = 64 << 20  # bytes of rows that a copy writes at once


class Parquet(Format):
    """The Parquet format. A copy has the same columns, types and compression, but row groups of its own."""

    suffixes = (".parquet",)

    def shards(self, path: Path, rows: int, size: int) -> Iterator[Shard]:
        with pq.ParquetFile(path) as file:
            check_columns(path, file.schema_arrow)
            total = int(file.metadata.num_rows)
        size = path.stat().st_size
        for batch in (BATCH, 1):  # row by row if the rows are large; a row that alone is too large is told by `entries`
            with suppress(MemoryError), pq.ParquetFile(path, buffer_size=PIECE) as file:
                check_length(Shard(path, 0, total, size), file.iter_batches(batch, use_threads=False))
                break
        for start in range(0, max(total, 1), rows):
            yield Shard(path, start, min(start + rows, total), size)

    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        row = shard.start
        with read_errors(shard.path, lambda: f", row {row} or after"):
            for size in (BATCH, 1):
                try:
                    for entry in _entries(replace(shard, start=row), size, extra_columns):
                        row += 1
                        yield entry
                    break
                except MemoryError:
                    if size == 1:
                        raise UserError(
                            f"{shard.path}, row {row}: unpacks to more than {HEADROOM:,} bytes at once; "
                            "if it is no mistake, give it as plain JSON lines"
                        ) from None
        if row < shard.stop:
            raise UserError(f"{shard.path}, row {row}: fewer rows than the footer says; make it again")

    def pieces(self, shard: Shard, file: IO[bytes]) -> Iterator[bytes]:
        with pq.ParquetFile(shard.path) as parquet:
            metadata = parquet.metadata
            footer = metadata.serialized_size
            places = [
                (_column_start(column), _column_start(column) + column.total_compressed_size)
                for group in _groups(metadata, shard)[0]
                for column in map(metadata.row_group(group).column, range(metadata.num_columns))
            ]
        yield from span(file, shard.size - footer - 8, shard.size)
        for start, stop in places:
            yield from span(file, start, stop)

    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        with read_errors(path), pq.ParquetFile(path, buffer_size=PIECE, page_checksum_verification=True) as file:
            columns = file.metadata.row_group(0) if file.metadata.num_row_groups else None
            codec = columns.column(0).compression if columns else "NONE"
            with pq.ParquetWriter(target, file.schema_arrow, compression=codec) as writer:
                waiting: list[Any] = []
                for batch in file.iter_batches(BATCH, use_threads=False):
                    waiting.append(batch.filter(mask(keep, batch)))
                    if sum(part.nbytes for part in waiting) > _GROUP:
                        writer.write_table(pa.Table.from_batches(waiting))
                        waiting = []
                if any(len(part) for part in waiting):
                    writer.write_table(pa.Table.from_batches(waiting))


def _entries(shard: Shard, size: int, extra_columns: Collection[str] | None) -> Iterator[Entry]:
    """Yield the rows of a shard, decoded `size` rows at a time."""
    # A row group may be the whole file: the buffer size keeps Arrow from reading a column of it at once.
    with pq.ParquetFile(shard.path, buffer_size=PIECE, page_checksum_verification=True) as file:
        groups, row = _groups(file.metadata, shard)
        columns = readable_columns(file.schema_arrow, extra_columns)
        batches = file.iter_batches(size, row_groups=groups, columns=columns, use_threads=False)
        while groups and row < shard.stop:
            with headroom(HEADROOM):
                batch = next(batches, None)
                if batch is None:
                    break
                first, last = max(shard.start, row), min(shard.stop, row + len(batch))
                rows = list(entries(batch[first - row : last - row], first))
            row += len(batch)
            del batch
            yield from rows


def _groups(metadata: Any, shard: Shard) -> tuple[list[int], int]:
    """Return the row groups that hold a shard's rows, and the number of the first row of the first group."""
    groups: list[int] = []
    first = row = 0
    for index in range(metadata.num_row_groups):
        end = row + metadata.row_group(index).num_rows
        if row < shard.stop and end > shard.start:
            first = first if groups else row
            groups.append(index)
        row = end
    return groups, first


def _column_start(column: Any) -> int:
    pages = (column.dictionary_page_offset, column.data_page_offset)
    return min(int(offset) for offset in pages if offset)

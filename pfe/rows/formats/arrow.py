"""Arrow files and streams, as `datasets` and Feather write them.

Example: data-00000-of-00001.arrow in a folder that `Dataset.save_to_disk` wrote.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from pfe.errors import UserError
from pfe.processes.headroom import headroom
from pfe.rows.formats.format import Format, Shard, read_errors
from pfe.rows.formats.table import BATCH, HEADROOM, check_columns, check_length, entries, mask, readable_columns
from pfe.rows.row import Entry

_FILE, _END = b"ARROW1", b"\xff\xff\xff\xff\0\0\0\0"


class Arrow(Format):
    """The Arrow format. A copy has the same schema and is written batch by batch."""

    suffixes = (".arrow", ".feather")

    def shards(self, path: Path, rows: int, size: int) -> Iterator[Shard]:
        with _open(path) as (schema, _):
            check_columns(path, schema)
        with path.open("rb") as file:
            is_file = file.read(len(_FILE)) == _FILE
            file.seek(-len(_END), os.SEEK_END)
            if not is_file and file.read() != _END:
                raise UserError(f"{path}: cut short, a stream without its end; make it again")
        for shard in super().shards(path, rows, size):
            with suppress(MemoryError), _open(path) as (_, batches):  # `entries` reports rows that are too large
                check_length(shard, _parts(batches))
            yield shard

    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        row = 0
        try:
            with read_errors(shard.path, lambda: f", row {row} or after"), _open(shard.path) as (schema, batches):
                columns = readable_columns(schema, extra_columns)
                while True:
                    with headroom(HEADROOM):
                        batch = next(batches, None)
                    if batch is None:
                        break
                    batch = batch.select(columns)
                    for start in range(0, len(batch), BATCH):
                        with headroom(HEADROOM):
                            rows = list(entries(batch[start : start + BATCH], row))
                        row += len(rows)
                        yield from rows
        except MemoryError:
            raise UserError(
                f"{shard.path}, row {row} or after: unpacks to more than {HEADROOM:,} bytes at once; "
                "write it in smaller batches"
            ) from None

    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        with path.open("rb") as file:
            create = pa.ipc.new_file if file.read(len(_FILE)) == _FILE else pa.ipc.new_stream
        with read_errors(path), _open(path) as (schema, batches), create(str(target), schema) as writer:
            for batch in batches:
                writer.write_batch(batch.filter(mask(keep, batch)))


def _parts(batches: Iterator[Any]) -> Iterator[Any]:
    return (batch[start : start + BATCH] for batch in batches for start in range(0, len(batch), BATCH))


@contextmanager
def _open(path: Path) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Yield the schema of a file and an iterator over its batches."""
    with ExitStack() as stack:
        with read_errors(path):
            source = stack.enter_context(pa.memory_map(str(path)))
            if source.read(len(_FILE)) == _FILE:
                file = stack.enter_context(pa.ipc.open_file(source))
                batches = map(file.get_batch, range(file.num_record_batches))
            else:
                source.seek(0)
                file = stack.enter_context(pa.ipc.open_stream(source))
                batches = iter(file)
        yield file.schema, batches

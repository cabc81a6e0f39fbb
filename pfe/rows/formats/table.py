"""Code shared by Parquet and Arrow: the selection of columns, and the rows of a batch as Python values.

Example: from {question: string, image: struct<bytes, path>, width: int32} the first two are read.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pfe.errors import UserError
from pfe.processes.headroom import headroom
from pfe.rows.formats.format import Shard, check_names, check_unpacked
from pfe.rows.named import is_named
from pfe.rows.row import Entry

HEADROOM = 512 << 20  # bytes that one batch may take, unpacked
BATCH = 256


def check_columns(path: Path, schema: Any) -> None:
    """Check that there are not too many columns, that no two have the same name, and that one can hold text.

    Raises:
        UserError: they fail this check.
    """
    check_names(path, schema.names)
    if not any(_holds_text(field.type) for field in schema):
        raise UserError(f"{path}: no column that could hold text among {', '.join(schema.names) or 'none'}")


def readable_columns(schema: Any, extra: Collection[str] | None) -> list[str]:
    """Return the columns that hold text, that are named like answers, choices or labels, or that are in `extra`.

    If `extra` is None, return all columns.
    """
    if extra is None:
        return list(schema.names)
    return [field.name for field in schema if _holds_text(field.type) or is_named(field.name) or field.name in extra]


def entries(batch: Any, place: int) -> Iterator[Entry]:
    """Yield the rows of a batch, the first of which has number `place`."""
    try:
        rows = batch.to_pylist()
    except (UnicodeDecodeError, pa.ArrowException, ValueError) as error:
        if len(batch) == 1:
            yield Entry(place, {}, f"not readable as text ({error})")
            return
        for number in range(len(batch)):
            yield from entries(batch[number : number + 1], place + number)
        return
    yield from (Entry(number, row) for number, row in enumerate(rows, place))


def check_length(shard: Shard, batches: Iterator[Any]) -> None:
    """Check the length of a whole file's rows, which its metadata do not bound: a dictionary or a run repeats values.

    Damage is left to be reported when the rows are read.

    Args:
        batches: all rows of the file, at most `BATCH` at a time.

    Raises:
        UserError: they unpack to more than `check_unpacked` allows.
        MemoryError: a batch unpacks to more than `HEADROOM` bytes.
    """
    unpacked = 0
    with suppress(pa.ArrowException, OSError):
        while True:
            with headroom(HEADROOM):
                batch = next(batches, None)
                unpacked += 0 if batch is None else sum(map(_length, batch.columns))
            check_unpacked(shard, unpacked)
            if batch is None:
                return


def _length(array: Any) -> int:
    """Return the bytes of an array in memory once its dictionaries, runs and views are decoded."""
    kind, types = array.type, pa.types
    if isinstance(kind, pa.BaseExtensionType):
        return _length(array.storage)
    if types.is_dictionary(kind):
        return _length(array.dictionary_decode())
    if types.is_run_end_encoded(kind):
        return _length(pc.run_end_decode(array))
    if types.is_string_view(kind) or types.is_binary_view(kind):
        return int(array.cast(pa.large_binary()).nbytes)
    if types.is_map(kind):
        return _length(array.keys) + _length(array.items)
    if types.is_struct(kind):
        return sum(map(_length, array.flatten()))
    return _length(array.flatten()) if types.is_nested(kind) and hasattr(array, "flatten") else int(array.nbytes)


def mask(keep: Iterator[bool], batch: Any) -> Any:
    """Return a Boolean mask of the rows of a batch to keep, for `filter`."""
    return pa.array([next(keep) for _ in range(len(batch))], pa.bool_())


def _holds_text(kind: Any) -> bool:
    types = pa.types
    if types.is_dictionary(kind):
        return _holds_text(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return _holds_text(kind.storage_type)
    if types.is_nested(kind):
        return any(_holds_text(kind.field(place).type) for place in range(kind.num_fields))
    return not (types.is_primitive(kind) or types.is_decimal(kind))

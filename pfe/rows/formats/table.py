"""Code shared by Parquet and Arrow: the selection of columns, and the rows of a batch as Python values.

Example: from {question: string, image: struct<bytes, path>, width: int32} the first two are read.
"""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from pfe.errors import UserError
from pfe.rows.named import is_named
from pfe.rows.row import Entry

HEADROOM = 512 << 20  # bytes that one batch may take, unpacked
BATCH = 256


def check_columns(path: Path, schema: Any) -> None:
    """Check that no two columns have the same name, and that one can hold text.

    Raises:
        UserError: they fail this check.
    """
    if twice := sorted(name for name in set(schema.names) if schema.names.count(name) > 1):
        raise UserError(f"{path}: column '{twice[0]}' is there twice; keep one")
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

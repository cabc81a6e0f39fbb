"""Small files of any format that hold very much: the same bound for all, and rows and tables that are too wide."""

import gzip
import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.rows.files import SUFFIXES, entries, problems, read, split
from pfe.rows.formats import format
from pfe.rows.row import Unreadable

TEXT = "a boat carries crates and sails " * 10
COUNT = 4000  # rows, 1.3 MB of text
OBJECT = json.dumps({"question": TEXT}).encode()
UNPACKED: dict[str, bytes] = {
    ".jsonl": (OBJECT + b"\n") * COUNT,
    ".ndjson": (OBJECT + b"\n") * COUNT,
    ".json": b"[" + b",".join([OBJECT] * COUNT) + b"]",
    ".csv": b"question\n" + f"{TEXT}\n".encode() * COUNT,
    ".tsv": b"question\n" + f"{TEXT}\n".encode() * COUNT,
}


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def column(count: int = COUNT) -> Any:
    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), count), pa.array([TEXT]))


def strings() -> Any:
    return pa.repeat(TEXT, COUNT)


def views() -> Any:
    place = len(TEXT).to_bytes(4, "little") + TEXT[:4].encode() + bytes(8)
    return pa.Array.from_buffers(
        pa.string_view(), COUNT, [None, pa.py_buffer(place * COUNT), pa.py_buffer(TEXT.encode())]
    )


def parquet(values: Callable[[], Any], **options: Any) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        options.setdefault("compression", "zstd")
        pq.write_table(pa.table({"question": values()}), path, row_group_size=500, **options)

    return write


def arrow(values: Callable[[], Any], compression: str | None = "zstd", create: Any = pa.ipc.new_file) -> Any:
    def write(path: Path) -> None:
        table = pa.table({"question": values()})
        options = pa.ipc.IpcWriteOptions(compression=compression)
        with create(str(path), table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=500)

    return write


def nested(values: Any) -> Any:
    return pa.ListArray.from_arrays(pa.array(range(COUNT + 1), pa.int32()), values)


BOMBS: dict[str, Callable[[Path], object]] = {
    **{
        f"a{suffix}{packing}": lambda path, pack=pack, content=content: path.write_bytes(pack(content))  # type: ignore[misc]
        for suffix, content in UNPACKED.items()
        for packing, pack in ((".gz", gzip.compress), (".zst", zstd))
    },
    "dictionary.parquet": parquet(strings),
    "typed.parquet": parquet(column),
    "nested.parquet": parquet(lambda: nested(strings())),
    "prefixes.parquet": parquet(strings, use_dictionary=False, column_encoding={"question": "DELTA_BYTE_ARRAY"}),
    "plain.parquet": parquet(strings, use_dictionary=False),
    "typed.arrow": arrow(column, None),
    "nested.arrow": arrow(lambda: nested(column())),
    "stream.arrow": arrow(column, create=pa.ipc.new_stream),
    "packed.feather": arrow(strings),
    "runs.arrow": arrow(lambda: pa.RunEndEncodedArray.from_arrays([COUNT], [TEXT]), None),
    "views.arrow": arrow(views),
}


def test_every_format_that_can_be_small_is_tried() -> None:
    packed = {suffix for suffix in SUFFIXES if suffix.endswith((".gz", ".zst", ".parquet", ".arrow", ".feather"))}
    assert {suffix for name in BOMBS for suffix in packed if name.endswith(suffix)} == packed


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_of_many_small_rows_has_the_same_bound_in_every_format(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    BOMBS[name](path)
    monkeypatch.setattr(format, "FREE", 1_000_000)
    monkeypatch.setattr(format, "MOST_TIMES", 5)
    assert path.stat().st_size < 200_000
    for reader in (read, entries):  # as screened data are read, and as benchmarks and tables of runs are
        with pytest.raises(UserError, match=r"bytes that unpack to more than 1,[0-3]\d\d,\d{3}"):
            [*chain.from_iterable(map(reader, split([path], rows=100)))]  # no part is large
    monkeypatch.setattr(format, "FREE", 2_000_000)
    assert sum(isinstance(row.problem, Problem) for row in problems(path)) == COUNT


def test_five_million_equal_rows_are_refused_before_any_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": column(5_000_000)}), path, compression="zstd")
    assert path.stat().st_size < 340_000
    with pytest.raises(UserError, match="bytes that unpack to more than 268,"):
        split([path])


def wide(count: int) -> dict[str, str]:
    return {f"c{number}": f"some words of text {number}" for number in range(count)}


WIDE: dict[str, Callable[[Path], object]] = {
    "a.csv": lambda path: path.write_text(",".join(wide(200_000)) + "\n" + ",".join(wide(200_000).values())),
    "a.tsv.gz": lambda path: path.write_bytes(gzip.compress("\t".join(wide(200_000)).encode())),
    "a.parquet": lambda path: pq.write_table(pa.Table.from_pylist([wide(20_000)]), path),
    "a.arrow": lambda path: arrow_table(path, pa.Table.from_pylist([wide(20_000)])),
}


def arrow_table(path: Path, table: Any) -> None:
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize("name", WIDE)
def test_a_table_of_too_many_columns_is_refused(name: str, tmp_path: Path) -> None:
    WIDE[name](tmp_path / name)
    with pytest.raises(UserError, match=r"00,000 columns, more than 10,000|20,000 columns, more than 10,000"):
        split([tmp_path / name])


ROWS: dict[str, Any] = {
    "many keys": wide(200_000),
    "many keys inside": {"question": wide(200_000)},
    "a long list": {"question": [*wide(200_000).values()]},
    "JSON in a text": {"question": json.dumps(wide(200_000))},
    "a long text": {"question": "word " * 500_000},
}


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
@pytest.mark.parametrize("case", ROWS)
def test_a_row_of_too_much_is_an_error_and_the_next_is_read(case: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text(json.dumps(ROWS[case]) + '\n{"question": "What is next?"}\n')
    first, second = (row.problem for row in problems(path))
    assert isinstance(first, Unreadable)
    assert "more than" in first.why
    assert isinstance(second, Problem)

"""Every format is read row by row, and written again without some rows, the rest as it was."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.rows.files import SUFFIXES, columns_of, data_files, entries, files_left_out, format_of, problems, split
from pfe.rows.row import Placed
from tests.rows.memory import counted, needs_proc

ROWS = [{"question": f"What is {n} + 1?", "answer": str(n + 1)} for n in range(5)]


def jsonl(rows: Sequence[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def separated(rows: Sequence[dict[str, str]], mark: str = ",") -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, ["question", "answer"], delimiter=mark)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def parquet(rows: Sequence[dict[str, str]]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(list(rows)), sink, compression="zstd", row_group_size=2)
    return bytes(sink.getvalue())


def arrow(rows: Sequence[dict[str, str]], create: Callable[..., Any] = pa.ipc.new_stream) -> bytes:
    sink, table = pa.BufferOutputStream(), pa.Table.from_pylist(list(rows)).replace_schema_metadata({"made": "here"})
    with create(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    return bytes(sink.getvalue())


Writer = Callable[[Sequence[dict[str, str]]], bytes]
PLAIN: dict[str, Writer] = {
    "a.jsonl": jsonl,
    "a.ndjson": jsonl,
    "a.json": lambda rows: json.dumps(rows, indent=1).encode(),
    "flat.json": lambda rows: json.dumps(rows).encode(),
    "lines.json": jsonl,
    "a.csv": separated,
    "semicolons.csv": lambda rows: separated(rows, ";"),
    "a.tsv": lambda rows: separated(rows, "\t"),
    "a.parquet": parquet,
    "a.arrow": arrow,
    "a.feather": lambda rows: arrow(rows, pa.ipc.new_file),
}


def packed(write: Writer, pack: Callable[[bytes], bytes]) -> Writer:
    return lambda rows: pack(write(rows))


WRITERS = PLAIN | {
    f"{name}{suffix}": packed(write, pack)
    for suffix, pack in ((".gz", gzip.compress), (".zst", zstd))
    for name, write in PLAIN.items()
    if f"{Path(name).suffix}{suffix}" in SUFFIXES
}


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def read(path: Path) -> list[Placed]:
    return list(problems(path))


def columns(path: Path) -> list[Any]:
    return [entry.columns for shard in split([path]) for entry in entries(shard)]


def copied(path: Path, keep: Sequence[bool]) -> Path:
    target = path.with_name(f"rest-{path.name}")
    format_of(path).copy(path, iter(keep), target)
    return target


def plain(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def test_every_suffix_is_tried() -> None:
    assert {suffix for name in WRITERS for suffix in SUFFIXES if name.endswith(suffix)} == set(SUFFIXES)


@pytest.mark.parametrize("name", WRITERS)
def test_a_row_is_the_same_problem_in_every_format(tmp_path: Path, name: str) -> None:
    rows = read(written(tmp_path / name, WRITERS[name](ROWS)))
    questions = [(row.problem.question, row.problem.answer) for row in rows if isinstance(row.problem, Problem)]
    assert questions == [(row["question"], row["answer"]) for row in ROWS]
    first = {"row": 0, "line": 1 if "json" in name else 2}[format_of(Path(name)).unit]
    assert [row.place for row in rows] == list(range(first, first + 5))
    assert rows[1].problem.id == f"{name}:{first + 1}"


@pytest.mark.parametrize(
    "keep", [[True] * 5, [False] * 5, [False, True, False, True, True], [True, True] + [False] * 3]
)
@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_again_has_the_rows_that_are_kept_and_nothing_else(
    tmp_path: Path, name: str, keep: list[bool]
) -> None:
    path = written(tmp_path / name, WRITERS[name](ROWS))
    rest = copied(path, keep)
    assert columns(rest) == [row for row, kept in zip(ROWS, keep, strict=True) if kept]
    if all(keep) and not name.endswith((".zst", ".parquet", ".arrow", ".feather")):
        assert plain(rest) == plain(path)
    if name.endswith((".arrow", ".feather")):
        assert rest.read_bytes()[:6] == path.read_bytes()[:6]
    if name == "a.parquet":
        before, after = pq.ParquetFile(path), pq.ParquetFile(rest)
        assert before.schema_arrow.equals(after.schema_arrow, check_metadata=True)
        codecs = {after.metadata.row_group(n).column(0).compression for n in range(after.num_row_groups)}
        assert codecs <= {"ZSTD"}


def test_a_row_is_written_again_as_it_stood(tmp_path: Path) -> None:
    table = b'\xef\xbb\xbfid,"question"\r\n1,"two\r\nlines, ""quoted"""\r\n\r\n2,gone\n3,"\xc3\xa9"'
    path = written(tmp_path / "a.csv", table)
    assert [row["question"] for row in columns(path)] == ['two\r\nlines, "quoted"', "gone", "é"]
    assert [row.place for row in read(path)] == [2, 5, 6]
    assert copied(path, [True, False, True]).read_bytes() == table.replace(b"2,gone\n", b"")
    array = '\ufeff[\n {"question":  "a\\u00e9", "n": 1.50},\n\t{"question": "gone"} ,{"question": "é"}\n]\n'.encode()
    path = written(tmp_path / "a.json", array)
    assert copied(path, [True, False, True]).read_bytes() == array.replace(b',\n\t{"question": "gone"}', b"")
    assert copied(path, [False, True, False]).read_bytes() == b'\xef\xbb\xbf[\n {"question": "gone"}\n]\n'
    lines = b'\xef\xbb\xbf{"question":  "a"}\r\n\n{"question": "gone"}\n  \n{"question": "\xc3\xa9"}'
    path = written(tmp_path / "a.jsonl", lines)
    assert copied(path, [True, False, True]).read_bytes() == lines.replace(b'{"question": "gone"}\n', b"")


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(st.lists(st.tuples(texts, texts), max_size=8), st.data())
def test_whatever_csv_holds_comes_back_and_is_kept_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], data: st.DataObject
) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    mark, end = data.draw(st.sampled_from(",;\t|")), data.draw(st.sampled_from(["\n", "\r\n"]))

    def table(rows: Sequence[tuple[str, str]]) -> bytes:
        file = io.StringIO(newline="")
        csv.writer(file, delimiter=mark, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *rows])
        return file.getvalue().encode()

    path = written(tmp_path_factory.mktemp("csv") / "a.csv", table(rows))
    assert [(row["a"], row["b"]) for row in columns(path)] == rows
    assert copied(path, keep).read_bytes() == table([row for row, kept in zip(rows, keep, strict=True) if kept])


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.lists(st.dictionaries(texts, values, max_size=3), max_size=6)


@given(objects, st.sampled_from([None, 0, 2]), st.integers(1, 40), st.data())
def test_whatever_an_array_holds_comes_back_however_it_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], indent: int | None, piece: int, data: st.DataObject
) -> None:
    path = written(tmp_path_factory.mktemp("json") / "a.json", json.dumps(rows, indent=indent).encode())
    keep = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pfe.rows.formats.array.PIECE", piece)
        assert columns(path) == rows
        rest = copied(path, keep)
    assert json.loads(rest.read_bytes()) == [row for row, kept in zip(rows, keep, strict=True) if kept]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"a,a\n1,2\n", "column 'a' is there twice; keep one"),
        ("a.csv", b'a,b\n1,"open\n2,3\n', "line 2 or after: no CSV .*every quote is closed"),
        ("a.csv", b'a,b\n1,"cut" off\n', "line 2 or after: no CSV"),
        ("a.csv", b"a,b\r1,2\r", "line 1 or after: no CSV"),
        ("a.csv", b"\xe9,b\n1,2\n", "its header is not UTF-8 .*; convert the file"),
        ("a.csv", "a,b\n1,2\n".encode("utf-16"), "UTF-16 by its content"),
        ("a.csv", b"PK\x03\x04", "zip by its content"),
        ("a.csv.gz", b"a,b\n1,2\n", "not a gz file"),
        ("a.csv.gz", gzip.compress(b"a,b\n1,2\n", mtime=0)[:-9], r"line \d: damaged, cut short"),
        ("a.json", b'[{"a": "b"}', "row 1: cut short"),
        ("a.json", b'[{"a": "b"}, {"a', "row 1: not JSON, cut short"),
        ("a.json", b'[{"a": "b"}] {"a": "c"}', "row 1: there is more after the array"),
        ("a.json", b'{"data": [{"a": "b"}]}', "row 1: one object; give its rows as an array"),
        ("a.json", b'[{"a": "\xff"}]', "row 0 or after: not UTF-8 .*; convert the file"),
        ("a.json", b"[" * 100_000, "row 0: not JSON"),
        ("a.json", b'{"a": "b"}\n{"a": "c"}]', "row 2: a bracket is closed that was not opened"),
        ("a.json.zst", zstd(b'[{"a": "b"}]' * 99)[:-9], "damaged, cut short"),
        ("a.arrow", b"", "damaged, cut short"),
        ("a.arrow", arrow(ROWS)[:-8], "cut short, a stream without its end"),
        ("a.arrow", arrow(ROWS)[:-100], "damaged, cut short|without its end"),
        ("a.feather", arrow(ROWS, pa.ipc.new_file)[:-8], "damaged, cut short"),
        ("a.arrow", arrow([{"n": 1}]), "no column that could hold text among n"),  # type: ignore[dict-item]
    ],
)  # fmt: skip
def test_a_file_of_which_not_every_row_can_be_told_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(UserError, match=message):
        read(path)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.csv", b"question,answer\nWhat?,4,5\nAnd?,6\n", "3 fields, and 2 in the header"),
        ("a.csv", b"question,answer\nWhat?\nAnd?,6\n", "1 fields, and 2 in the header"),
        ("a.csv", b"question,answer\n\xff,4\nAnd?,6\n", "convert the file, as by iconv"),
        ("a.csv", b"question,answer\n,4\nAnd?,6\n", "no text in 'question'"),
        ("a.json", b'[[1], {"question": "And?"}]', "not a JSON object"),
        ("a.json", b'[{"question": "a", "question": "b"}, {"question": "And?"}]', "a key is there twice"),
        ("a.json", b'[{"question": null}, {"question": "And?"}]', "no text in 'question'"),
    ],
)
def test_a_row_that_is_no_problem_is_told_and_the_next_is_read(
    tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    first, second = (row.problem for row in read(written(tmp_path / name, content)))
    assert why in getattr(first, "why", "")
    assert isinstance(second, Problem)


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", b""), ("a.csv", b"a,b\n"), ("a.json", b""), ("a.json", b" [] ")]
)
def test_a_file_without_rows_has_none(tmp_path: Path, name: str, content: bytes) -> None:
    path = written(tmp_path / name, content)
    assert read(path) == []
    assert copied(path, []).read_bytes() == content


def test_columns_of_dictionaries_and_nested_ones_are_read_from_arrow(tmp_path: Path) -> None:
    turns = [
        [{"role": "user", "content": f"What is {n} + 1?"}, {"role": "assistant", "content": "2"}] for n in range(4)
    ]
    table = pa.table({"messages": turns, "source": pa.array(["web", "book", "web", None]).dictionary_encode()})
    with pa.ipc.new_stream(str(tmp_path / "a.arrow"), table.schema) as writer:
        writer.write_table(table)
    rows = [row.problem for row in read(tmp_path / "a.arrow")]
    assert [row.question for row in rows if isinstance(row, Problem)] == [f"What is {n} + 1?" for n in range(4)]
    rest = copied(tmp_path / "a.arrow", [False, True, True, False])
    assert pa.ipc.open_stream(rest).read_all().combine_chunks() == table.slice(1, 2).combine_chunks()


def saved(folder: Path) -> Path:
    rows = datasets.Dataset.from_list(ROWS)
    datasets.DatasetDict({"train": rows, "test": rows.select([3])}).save_to_disk(folder)
    return folder


def test_what_datasets_saves_is_read_and_its_descriptions_are_no_data(tmp_path: Path) -> None:
    folder = saved(tmp_path / "set")
    assert [path.relative_to(folder).parts[0] for path in data_files([folder])] == ["test", "train"]
    names = {str(path.relative_to(folder)) for path in files_left_out([folder])}
    assert names == {"dataset_dict.json"} | {
        f"{split}/{name}.json" for split in ("train", "test") for name in ("state", "dataset_info")
    }
    assert [row.problem.id for path in data_files([folder]) for row in read(path)][1:] == [
        f"data-00000-of-00001.arrow:{n}" for n in range(5)
    ]
    next(folder.glob("test/*.arrow")).unlink()
    with pytest.raises(UserError, match=r"named in .*test/state.json, but not there; copy the data set whole"):
        data_files([folder])


def test_a_file_that_is_only_named_as_a_description_is_data(tmp_path: Path) -> None:
    for name in ("state.json", "dataset_info.json", "dataset_dict.json"):
        written(tmp_path / name, json.dumps(ROWS).encode())
    assert len(data_files([tmp_path])) == 3


def test_the_columns_of_the_first_rows_are_named(tmp_path: Path) -> None:
    one = written(tmp_path / "a.csv", b"body,label\nx,1\n")
    two = written(tmp_path / "b.jsonl", b'{"label": 2}\nno JSON\n{"note": "x"}\n')
    assert columns_of([one, two]) == ["body", "label", "note"]


STREAMED = """from pfe.rows.files import problems
---
count = sum(1 for _ in problems(Path(sys.argv[1])))
"""
KEPT = STREAMED.replace("sum(1 for _ in problems(Path(sys.argv[1])))", "len(list(problems(Path(sys.argv[1]))))")


def many(path: Path, count: int) -> Path:
    rows = (
        {"question": f"Row {n}: a boat carries {n % 97} crates and loses {n % 13}; what is left?"} for n in range(count)
    )
    match path.suffix:
        case ".json":
            content = b"[" + b",\n".join(json.dumps(row).encode() for row in rows) + b"]"
        case ".csv":
            content = b"question\n" + b"\n".join(f'"{row["question"]}"'.encode() for row in rows)
        case _:
            content = arrow(list(rows))
    return written(path, content)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("name", ["a.json", "a.csv", "a.arrow"])
def test_rows_stream_in_less_memory_than_keeping_them_takes(tmp_path: Path, name: str) -> None:
    path = many(tmp_path / name, 60_000)
    (count, streamed), (_, kept) = counted(STREAMED, path), counted(KEPT, path)
    assert count == 60_000
    assert streamed < kept - 20


BOMBS: dict[str, Callable[[], Iterator[bytes]]] = {
    "a.csv.zst": lambda: (b"question\n" if not n else b"word " * 200_000 + b"\n" for n in range(300)),
    "a.json.zst": lambda: (b"[" if not n else b'{"text": "%s"},' % (b"word " * 200_000) for n in range(300)),
    "blank.json.zst": lambda: (b" " * 1_000_000 for _ in range(300)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_small_packed_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pa.output_stream(str(path), compression="zstd") as file:
        for piece in BOMBS[name]():
            file.write(piece)
    with pytest.raises(UserError, match="bytes that unpack to more than"):
        read(path)

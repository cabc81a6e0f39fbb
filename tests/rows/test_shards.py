"""Files of rows: split and read once and in order, in bounded memory; damaged and hostile ones are one line."""

import gzip
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.rows import files
from pfe.rows.files import data_files, digest, read, split
from pfe.rows.formats import format, parquet
from pfe.rows.formats import lines as json_lines
from pfe.rows.formats.format import Shard
from pfe.rows.row import Unreadable
from tests.rows.memory import counted, needs_proc

OURS = Problem(
    "arc/1", "arc", "science", "Which tool?", "ruler", "A lab.", ("ruler", "clock"), ("rule",), "Because.",
    "import math", ("assert True",), ("def f(): ...",), "twin", "tools", 7, "derive",
)  # fmt: skip
PLAIN = {"id": "a", "set": "s", "domain": "science", "question": "Which tool?", "answer": "ruler"}


def rows(path: Path, batch: int = 7, **sizes: int) -> list[Problem | Unreadable]:
    return [row.problem for shard in split([path], **sizes) for some in read(shard, batch) for row in some]


def one(path: Path, row: Any) -> Problem | Unreadable:
    """What is read of one row, given as JSON or as the bytes of its line."""
    path.write_bytes(row if isinstance(row, bytes) else json.dumps(row).encode())
    (found,) = rows(path)
    return found


def problem(path: Path, row: Any) -> Problem:
    found = one(path, row)
    assert isinstance(found, Problem), found
    return found


def why(path: Path, row: Any) -> str:
    found = one(path, row)
    assert isinstance(found, Unreadable), found
    return found.why


texts = st.text(st.sampled_from('aé漢😀 \u2028\x0b\x85\\"')).map(
    lambda text: json.dumps({"text": f"x{text}"}, ensure_ascii=False)
)
lines = st.lists(st.one_of(texts, st.sampled_from(["", "  ", "{", "[]", "\ufeff{}"])), max_size=12)


@given(lines, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 80), st.integers(1, 5))
def test_every_line_is_read_once_and_in_order_however_a_file_is_split(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, ended: bool, size: int, batch: int
) -> None:
    path = tmp_path_factory.mktemp("split") / "a.jsonl"
    path.write_bytes((end.join(lines) + (end if ended else "")).encode())
    whole = rows(path, size=1 << 20)
    assert rows(path, batch, size=size) == whole
    told = [json.loads(line)["text"] for line in lines if line.startswith('{"text')]
    assert [row.question for row in whole if isinstance(row, Problem)] == told
    assert len(whole) == sum(bool(line.strip()) for line in lines)
    parts = split([path], size=size)
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    (path.parent / "a.jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
    packed = rows(path.parent / "a.jsonl.gz")
    assert [row.id.replace(".gz", "") for row in packed] == [row.id for row in whole]


@given(st.integers(0, 30), st.integers(1, 12), st.integers(1, 12), st.integers(1, 40))
def test_every_row_of_a_parquet_file_is_read_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, count: int, group: int, batch: int, size: int
) -> None:
    path = tmp_path_factory.mktemp("split") / "a.parquet"
    pq.write_table(pa.table({"text": pa.array([f"row {row}" for row in range(count)])}), path, row_group_size=group)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "BATCH", 4)
        found = rows(path, batch, rows=size)
    assert [(row.id, row.question) for row in found if isinstance(row, Problem)] == [
        (f"a.parquet:{row}", f"row {row}") for row in range(count)
    ]
    assert max((shard.stop - shard.start for shard in split([path], rows=size)), default=0) <= size


problems = st.builds(
    Problem,
    id=st.text(min_size=1, max_size=8), set=st.text(min_size=1, max_size=8),
    domain=st.sampled_from(["math", "code", "reading"]),
    question=st.text(min_size=1).filter(str.strip), answer=st.text(), context=st.text(),
    choices=st.lists(st.text()).map(tuple), solution=st.text(), tests=st.lists(st.text(), max_size=2).map(tuple),
    seed=st.integers(-1, 2**63 - 1), family=st.text(max_size=8),  # a label of five words is text
)  # fmt: skip


@given(st.lists(problems, max_size=4))
def test_our_own_problems_come_back_as_they_are(
    tmp_path_factory: pytest.TempPathFactory, problems: list[Problem]
) -> None:
    folder = tmp_path_factory.mktemp("own")
    Problem.write(problems, folder / "a.parquet")
    (folder / "b.jsonl").write_text("\n".join(json.dumps(asdict(problem)) for problem in problems))
    assert rows(folder / "a.parquet") == problems
    assert rows(folder / "b.jsonl") == problems


def test_every_column_of_ours_is_read(tmp_path: Path) -> None:
    Problem.write([OURS], tmp_path / "a.parquet")
    assert rows(tmp_path / "a.parquet") == [OURS]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"text": "Tom has 3."}, Problem("a.jsonl:1", "a", "reading", "Tom has 3.", "")),
        ({"question": "Tom has 3?", "answer": 18.0}, Problem("a.jsonl:1", "a", "math", "Tom has 3?", "18")),
        ({"id": 5, "text": "Is it?", "answer": True}, Problem("5", "a", "reading", "Is it?", "yes")),
        ({"text": "Q?\nAnswer: \n#### 1,800"}, Problem("a.jsonl:1", "a", "math", "Q?", "1,800")),
        ({"question": "Q?", "answer": "3+4=<<3+4=7>>7\n#### 7"},
         Problem("a.jsonl:1", "a", "math", "Q?", "7", solution="3+4=<<3+4=7>>7")),
        ({"text": "Write f.", "tests": "assert f()", "code": "def f(): 1", "meta": {"x": [1]}, "group": 3},
         Problem("a.jsonl:1", "a", "code", "Write f.", "def f(): 1", tests=("assert f()",), group="3")),
        ({"question": "Which?", "choices": {"text": ["a", 2], "label": ["A", "B"]}, "domain": "physics"},
         Problem("a.jsonl:1", "a", "reading", "Which?", "", choices=("a", "2"))),
        ({"id": None, "set": "s", "text": "x", "domain": "boolean", "context": None, "choices": None},
         Problem("a.jsonl:1", "s", "boolean", "x", "")),
    ],
)  # fmt: skip
def test_anybodys_rows_become_problems(tmp_path: Path, row: dict[str, Any], expected: Problem) -> None:
    assert problem(tmp_path / "a.jsonl", row) == expected


@pytest.mark.parametrize("text", ["What is hidden?", "Shown. Then: What is asked?", ""])
def test_nothing_a_row_shows_is_left_out(tmp_path: Path, text: str) -> None:
    found = problem(tmp_path / "a.jsonl", {"text": text, "question": "What is asked?"})
    assert text in found.question
    assert found.question.count("What is asked?") == 1


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b'{"text": "half', "not JSON"),
        (b"\x00\x01\x02", "not JSON"),
        (b'{"text": "\xff\xfe"}', "; convert the file, as by iconv"),
        (b"[" * 100_000, "not JSON"),
        (b'{"text": "shown", "text": "screened"}', "a key is there twice"),
        (b'{"text": "x", "answer": ' + b"9" * 5000 + b"}", "not JSON"),
        (["text"], "not a JSON object"),
        ({}, "no text"),
        ({"body": None, "score": 3}, "no text"),
        ({"text": " \n"}, "no text in 'text'"),
        ({"text": 7}, "no text in 'text'"),
        ({"text": None, "answer": "18"}, "no text in 'text'"),
        ({"messages": []}, "no text in 'messages'"),
        ({"messages": [{"role": "user", "content": None}]}, "no text in 'messages'"),
        ({"prompt": "", "Messages": {}, "label": "b"}, "no text in 'prompt', 'Messages'"),
        ({"text": "x \ud800"}, "question: half a surrogate pair"),
        ({"text": "x", "choices": ["\ud83d", "\ude00"]}, "choices: half a surrogate pair"),
        ({"text": "x", "id": "\udfff"}, "id: half a surrogate pair"),
        (PLAIN | {"question": ""}, "no text"),
    ],
)
def test_what_cannot_be_a_problem_is_told_and_neither_stops_nor_passes(tmp_path: Path, row: Any, reason: str) -> None:
    assert reason in why(tmp_path / "a.jsonl", row)
    before = (tmp_path / "a.jsonl").read_bytes()
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "before"}\n' + before + b'\n{"text": "after"}\n')
    found = rows(tmp_path / "a.jsonl")
    assert [type(row) for row in found] == [Problem, Unreadable, Problem]
    assert found[1].id == "a.jsonl:2"


def test_rows_of_parquet_that_are_no_problems_are_told(tmp_path: Path) -> None:
    broken = pa.Array.from_buffers(
        pa.string(), 3, [None, pa.array([0, 2, 3, 5], pa.int32()).buffers()[1], pa.py_buffer(b"ab\xffcd")]
    )
    pq.write_table(pa.table({"question": broken}), tmp_path / "a.parquet")
    found = rows(tmp_path / "a.parquet")
    assert [row.question if isinstance(row, Problem) else row.id for row in found] == ["ab", "a.parquet:1", "cd"]
    pq.write_table(pa.table({"text": [b"\xff", None, b"read"]}), tmp_path / "b.parquet")
    assert [row.why if isinstance(row, Unreadable) else row.question for row in rows(tmp_path / "b.parquet")] == [
        "question: bytes, not text", "no text in 'text'", "read",
    ]  # fmt: skip


def test_a_long_text_is_read_and_a_line_without_end_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(problem(tmp_path / "a.jsonl", {"text": "x" * 1_000_000}).question) == 1_000_000
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 100)
    monkeypatch.setattr(format, "PIECE", 16)
    (tmp_path / "a.jsonl").write_text('{"text": "%s"}\n{"text": "after"}' % ("x" * 300))
    for size in (1000, 50):
        first, second = rows(tmp_path / "a.jsonl", size=size)
        assert first == Unreadable("a.jsonl:1", "a line of more than 100 bytes")
        assert isinstance(second, Problem)


def test_a_batch_of_long_texts_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BATCH_CHARACTERS", 100)
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"text": "x" * 60}) for _ in range(5)))
    (shard,) = split([tmp_path / "a.jsonl"])
    assert [len(batch) for batch in read(shard, 4)] == [2, 2, 1]


BOMBS: dict[str, Callable[[Path], None]] = {
    "dictionary.parquet": lambda path: pq.write_table(pa.table({"text": ["a" * 900_000] * 320}), path),
    "prefixes.parquet": lambda path: pq.write_table(
        pa.table({"text": [f"{'word ' * 100_000}{row}" for row in range(600)]}), path,
        compression="zstd", use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"},
    ),
    "list.parquet": lambda path: pq.write_table(
        pa.Table.from_arrays(
            [pa.array(["a"]), pa.ListArray.from_arrays([0, 4 << 20], pa.repeat("some words " * 9, 4 << 20))],
            ["text", "turns"],
        ), path,
    ),
    "rows.jsonl.zst": lambda path: repeated(path, ('{"text": "%s"}\n' % ("word " * 200_000)).encode(), 300),
    "line.jsonl.zst": lambda path: repeated(path, b"a" * 1_000_000, 300),
}  # fmt: skip


def repeated(path: Path, piece: bytes, times: int) -> None:
    with pa.output_stream(str(path), compression="zstd") as stream:
        for _ in range(times):
            stream.write(piece)


STREAMED = """import pyarrow.parquet
from pfe.rows.files import read, split
---
count = 0
for shard in split([Path(sys.argv[1])]):
    for batch in read(shard):
        count += len(batch)
"""
KEPT = STREAMED.replace("count = 0", "count, kept = 0, []").replace("count +=", "kept += [batch]; count +=")
REFUSED = """import pyarrow.parquet
from pfe.errors import UserError
from pfe.rows.files import read, split
---
try:
    count = sum(len(batch) for shard in split([Path(sys.argv[1])]) for batch in read(shard))
except UserError as error:
    count = -("unpack" in str(error))
"""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_unpacks_to_gigabytes_is_refused_in_bounded_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    BOMBS[name](path)
    assert path.stat().st_size < 470_000
    count, mebibytes = counted(REFUSED, path)
    assert count == -1
    assert mebibytes < 1300


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path) -> None:
    assert problem(tmp_path / "a.jsonl", b'\xef\xbb\xbf{"text": "x"}').question == "x"


def test_files_and_folders_are_split_in_one_order_each_once(tmp_path: Path) -> None:
    for name in ("b/c/z.parquet", "b/a.jsonl", "d.jsonl.gz", "e.jsonl", "b/.hidden.jsonl", ".gitignore"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    pq.write_table(pa.table({"text": ["x"] * 5}), tmp_path / "b/c/z.parquet")
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(b""))
    found = split([tmp_path / "e.jsonl", tmp_path, tmp_path / "b/../e.jsonl"], rows=2)
    assert found == split([tmp_path], rows=2)
    names = [(str(shard.path.relative_to(tmp_path)), shard.start) for shard in found]
    assert names == [
        ("b/.hidden.jsonl", 0), ("b/a.jsonl", 0), ("b/c/z.parquet", 0), ("b/c/z.parquet", 2), ("b/c/z.parquet", 4),
        ("d.jsonl.gz", 0), ("e.jsonl", 0),
    ]  # fmt: skip


def test_links_are_followed_once(tmp_path: Path) -> None:
    for name in ("in/a.jsonl", "out/b.jsonl", "out/deep/c.jsonl"):
        written(tmp_path / name, b'{"text": "x"}')
    (tmp_path / "in/again").symlink_to(tmp_path / "in")
    (tmp_path / "in/there").symlink_to(tmp_path / "out")
    (tmp_path / "out/deep/back").symlink_to(tmp_path / "in")
    (tmp_path / "in/same.jsonl").symlink_to("a.jsonl")
    names = [str(path.relative_to(tmp_path)) for path in data_files([tmp_path / "in"])]
    assert [Path(name).name for name in names] == ["a.jsonl", "b.jsonl", "c.jsonl"]


def test_packed_files_are_read_whole(tmp_path: Path) -> None:
    text = "".join(f'{{"text": "row {row}"}}\n' for row in range(1000)).encode()
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(text[:5000]) + gzip.compress(text[5000:]))
    with pa.output_stream(str(tmp_path / "a.jsonl.zst"), compression="zstd") as stream:
        stream.write(text)
    (tmp_path / "a.jsonl").write_bytes(text)
    plain = [row.question for row in rows(tmp_path / "a.jsonl") if isinstance(row, Problem)]
    for name in ("a.jsonl.gz", "a.jsonl.zst"):
        assert len(split([tmp_path / name], size=10)) == 1
        assert [row.question for row in rows(tmp_path / name) if isinstance(row, Problem)] == plain


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (lambda path: [], "no path: no data; give files or folders"),
        (lambda path: [path], r"no data; give files or folders with \.jsonl"),
        (lambda path: [path / "a.jsonl"], "a.jsonl: no such file"),
        (lambda path: [written(path / "a.xml")], r"a.xml: no data file by its name, .* allowed: \.jsonl"),
        (lambda path: [written(path / "a.parquet")], "a.parquet: damaged, cut short or unreadable"),
        (lambda path: [written(path / "a.parquet", table(path)[:-9])], "a.parquet: damaged, cut short or unreadable"),
        (lambda path: [written(path / "a.parquet", numbers(path))], "no column that could hold text among text, seen"),
        (lambda path: [written(path / "a.parquet", table(path, "text", "text"))], "column 'text' is there twice"),
        (lambda path: [written(path / "a.jsonl.gz", b"{}")], "not a gz file"),
        (lambda path: [written(path / "a.jsonl.zst", b"")], "not a zst file"),
    ],
)  # fmt: skip
def test_what_cannot_be_split_says_so(tmp_path: Path, prepare: Callable[[Path], list[Path]], message: str) -> None:
    with pytest.raises(UserError, match=message):
        split(prepare(tmp_path))


def written(path: Path, content: bytes = b"PAR1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def table(folder: Path, *names: str) -> bytes:
    columns = [pa.array([f"row {row} {row**9}" for row in range(2000)])] * len(names or ("text",))
    made = pa.Table.from_arrays(columns, names or ("text",))
    pq.write_table(made, folder / "made", write_page_checksum=True, row_group_size=500)
    content = (folder / "made").read_bytes()
    (folder / "made").unlink()
    return content


def numbers(folder: Path) -> bytes:
    pq.write_table(pa.table({"text": [1.5, 2.0], "seen": [[1, 2], []]}), folder / "made")
    content = (folder / "made").read_bytes()
    (folder / "made").unlink()
    return content


def test_a_folder_that_cannot_be_searched_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(place: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(place))

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(UserError, match=r"cannot be read \(Permission denied\)"):
        split([tmp_path])


@pytest.mark.parametrize("cut", [1, 9, 400])
@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_a_packed_file_that_was_cut_short_is_told_with_its_place(tmp_path: Path, packing: str, cut: int) -> None:
    path = tmp_path / f"a.jsonl.{'gz' if packing == 'gzip' else 'zst'}"
    text = "".join(f'{{"text": "row {row} {row**9}"}}\n' for row in range(2000)).encode()
    path.write_bytes(pa.compress(text, packing, asbytes=True) if packing == "gzip" else zstd(path, text))
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(UserError, match=r"a\.jsonl\.\w+, byte \d+: damaged, cut short or unreadable .*make it again"):
        rows(path)


def zstd(path: Path, text: bytes) -> bytes:
    with pa.output_stream(str(path), compression="zstd") as stream:
        stream.write(text)
    return path.read_bytes()


def test_a_damaged_page_is_told_with_its_place(tmp_path: Path) -> None:
    content = bytearray(table(tmp_path))
    content[pq.ParquetFile(pa.BufferReader(bytes(content))).metadata.row_group(2).column(0).data_page_offset + 200] ^= (
        255
    )
    path = written(tmp_path / "a.parquet", bytes(content))
    parts = split([path], rows=500)
    (damaged,) = (part for part in parts if part.start == 1000)
    with pytest.raises(UserError, match=r"a\.parquet, row 1000 or after: damaged, cut short or unreadable"):
        list(read(damaged))
    assert [len(batch) for part in parts if part != damaged for batch in read(part, 500)] == [500] * 3


@pytest.mark.parametrize("use", [lambda shard: list(read(shard)), digest])
def test_a_file_that_changed_since_it_was_split_is_told(tmp_path: Path, use: Callable[[Shard], Any]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "one"}\n{"text": "two"}\n')
    (shard,) = split([path])
    path.write_text('{"text": "one"}\n')
    with pytest.raises(UserError, match="has 16 bytes, 32 when it was split"):
        use(shard)
    path.unlink()
    with pytest.raises(UserError, match=r"a\.jsonl: damaged, cut short or unreadable"):
        use(shard)


def changed(path: Path, offset: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset] ^= 1
    path.write_bytes(bytes(content))


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(1, 60), st.data())
def test_a_changed_byte_changes_the_digest_of_the_shards_that_show_it_and_of_no_other(
    tmp_path_factory: pytest.TempPathFactory, lengths: Sequence[int], size: int, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("digest") / "a.jsonl"
    path.write_text("".join(json.dumps({"question": "x" * length}) + "\n" for length in lengths))
    parts = split([path], size=size)
    before, shown = [digest(part) for part in parts], [list(read(part)) for part in parts]
    assert len(set(before)) == len(parts)
    content = path.read_text()
    offset = data.draw(st.sampled_from([place for place, letter in enumerate(content) if letter == "x"]))
    changed(path, offset)
    after, shows = [digest(part) for part in parts], [list(read(part)) for part in parts]
    assert [a != b for a, b in zip(before, after, strict=True)] == [a != b for a, b in zip(shown, shows, strict=True)]


def test_a_changed_row_group_changes_the_digests_of_its_rows(tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", table(tmp_path))
    parts = split([path], rows=250)
    before = [digest(part) for part in parts]
    assert len(set(before)) == len(parts)
    start = pq.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
    changed(path, start + 100)
    after = [digest(part) for part in parts]
    assert [a != b for a, b in zip(before, after, strict=True)] == [False] * 4 + [True] * 2 + [False] * 2
    changed(path, len(path.read_bytes()) - 20)
    assert all(a != digest(part) for a, part in zip(after, parts, strict=True))


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_rows_stream_in_less_memory_than_keeping_them_takes(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    texts = [f"Row {row}: a boat carries {row % 97} crates and {row % 13} sails; and then?" for row in range(60_000)]
    if suffix == "parquet":
        pq.write_table(pa.table({"id": texts, "question": texts, "answer": texts}), path)
        assert pq.ParquetFile(path).num_row_groups == 1
    else:
        path.write_text("".join(json.dumps({"id": text, "question": text}) + "\n" for text in texts))
    (count, streamed), (_, kept) = counted(STREAMED, path), counted(KEPT, path)
    assert count == 60_000
    assert streamed < kept - 20

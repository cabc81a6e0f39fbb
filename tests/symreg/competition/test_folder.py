"""Tables of one's own: which files are data sets, how they are split, and what a bad one is told."""

import gzip
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from pfe.errors import UserError
from pfe.symreg.competition import folder as module
from pfe.symreg.competition.catalog import catalog
from pfe.symreg.competition.dataset import DataSet
from pfe.symreg.competition.folder import check, tables

ROWS: list[tuple[float, float, float]] = [(row, row * row % 7, 2.5 * row) for row in range(12)]
COLUMNS = "a,b,target"


def lines(rows: Sequence[tuple[object, ...]] = ROWS, names: str = COLUMNS, separator: str = ",") -> str:
    cells = [separator.join(map(str, row)) for row in rows]
    return "\n".join([names.replace(",", separator), *cells]) + "\n"


def parquet(path: Path, **columns: object) -> None:
    pyarrow.parquet.write_table(pa.table(columns), path)


def only(path: Path, target: str = "target") -> DataSet:
    (dataset,) = tables(path, target, 0).values()
    return dataset


WRITTEN: dict[str, Callable[[Path], object]] = {
    "own.csv": lambda path: path.write_text(lines()),
    "own.CSV": lambda path: path.write_text(lines()),
    "own.tsv": lambda path: path.write_text(lines(separator="\t")),
    "own.csv.gz": lambda path: path.write_bytes(gzip.compress(lines().encode())),
    "own.tsv.gz": lambda path: path.write_bytes(gzip.compress(lines(separator="\t").encode())),
    "own.parquet": lambda path: parquet(
        path, **{name: [float(row[at]) for row in ROWS] for at, name in enumerate(COLUMNS.split(","))}
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_of_any_kind_is_a_set_split_anew_in_each_repetition(name: str, tmp_path: Path) -> None:
    WRITTEN[name](tmp_path / name)
    dataset = only(tmp_path)
    check(dataset)
    draw = dataset.draw(0)
    assert (dataset.name, dataset.columns, dataset.property, dataset.draws) == ("own", ("a", "b"), None, None)
    assert (draw.train.x.shape, draw.test.x.shape) == ((9, 2), (3, 2))
    both = np.vstack([np.column_stack([table.x, table.y]) for table in (draw.train, draw.test)])
    assert sorted(map(tuple, both)) == ROWS
    assert draw.sha256() == only(tmp_path).draw(0).sha256() != dataset.draw(1).sha256()


def test_windows_text_with_quotes_and_a_mark_of_its_order_of_bytes_is_read(tmp_path: Path) -> None:
    rows = "".join(f'"{a}",{b},"{c}"\r\n' for a, b, c in ROWS)
    (tmp_path / "w.csv").write_bytes(b"\xef\xbb\xbf" + f'"a, in m",b,target\r\n{rows}'.encode())
    assert only(tmp_path).columns == ("a, in m", "b")
    assert only(tmp_path).draw(0).train.x.shape == (9, 2)


def test_the_target_may_have_another_name(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(lines(names="price,b,target"))
    assert only(tmp_path, "price").columns == ("b", "target")


@pytest.mark.parametrize("beside", [True, False])
def test_two_files_are_the_two_parts_in_every_repetition(tmp_path: Path, beside: bool) -> None:
    place = tmp_path if beside else tmp_path / "own"
    place.mkdir(exist_ok=True)
    begin = "own_" if beside else ""
    (place / f"{begin}train.csv").write_text(lines(ROWS[:8]))
    (place / f"{begin}test.tsv").write_text(lines([(c, a, b) for a, b, c in ROWS[8:]], "target,a,b", "\t"))
    dataset = only(tmp_path)
    draw = dataset.draw(0)
    assert dataset.name == "own"
    assert draw.train.y.tolist() == [row[2] for row in ROWS[:8]]
    assert draw.test.x.tolist() == [list(row[:2]) for row in ROWS[8:]]
    assert draw.sha256() == dataset.draw(5).sha256()


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_column_says_which_rows_are_to_test_on(tmp_path: Path, kind: str) -> None:
    parts = ["Train", "test "] * 6
    if kind == "csv":
        rows = [(*row, part) for row, part in zip(ROWS, parts, strict=True)]
        (tmp_path / "own.csv").write_text(lines(rows, f"{COLUMNS},split"))
    else:
        columns = {name: [row[at] for row in ROWS] for at, name in enumerate(COLUMNS.split(","))}
        parquet(tmp_path / "own.parquet", **columns, split=parts)
    dataset = only(tmp_path)
    assert dataset.columns == ("a", "b")
    assert dataset.draw(0).test.y.tolist() == [row[2] for row in ROWS[1::2]]
    assert dataset.draw(0).sha256() == dataset.draw(1).sha256()


def test_a_folder_of_one_table_is_a_set_and_what_is_no_table_is_left_alone(tmp_path: Path) -> None:
    for name in ("steel", "several", ".hidden", "none"):
        (tmp_path / name).mkdir()
    (tmp_path / "steel" / "data.csv").write_text(lines())
    (tmp_path / "several" / "one.csv").write_text(lines())
    (tmp_path / "several" / "two.csv").write_text(lines())
    (tmp_path / ".hidden" / "data.csv").write_text(lines())
    (tmp_path / "README.md").write_text("# not a table")
    (tmp_path / "b.csv").write_text(lines())
    assert list(tables(tmp_path, "target", 0)) == ["b", "steel"]
    assert [name for name in catalog(0, tmp_path) if not name.startswith("made/")] == ["tables/b", "tables/steel"]


def text(content: str, name: str = "bad.csv") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content)


def several(*files: str) -> Callable[[Path], object]:
    return lambda folder: [(folder / name).write_text(lines()) for name in files]


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "a missing cell": (text(lines([*ROWS[:4], (1, "", 2)])), "line 6, column 'b': missing"),
    "NaN": (text(lines([(float("nan"), 1, 2), *ROWS])), "line 2, column 'a': missing"),
    "NA": (text(lines([*ROWS, ("NA", 1, 2)])), "line 14, column 'a': missing"),
    "infinity": (text(lines([*ROWS, (1, float("inf"), 2)])), "line 14, column 'b': inf is no finite number"),
    "text": (text(lines([*ROWS, ("Oslo", 1, 2)])), "line 14, column 'a': 'Oslo' is not a number"),
    "a date": (text(lines([("2020-01-01", 1, 2)] * 12)), "lines 2, 3, 4, 5, 6 and 7 more, column 'a': '2020-01-01"),
    "an empty column": (text(lines([("", 1, 2)] * 12)), "lines 2, 3, 4, 5, 6 and 7 more, column 'a': missing"),
    "text in the target": (text(lines([*ROWS, (1, 2, "x")])), "column 'target': 'x' is not"),
    "a comma for decimals": (
        text("a;target\n1,5;2\n"),
        "its columns are separated by semicolons (;); save it with commas as .csv (decimals with a point)",
    ),
    "tabs in a CSV": (text(lines(names="a\tb\ttarget")), "its columns are separated by tabs; save it with commas"),
    "commas in a TSV": (text(lines(), "bad.tsv"), "its columns are separated by commas (,); save it with commas as"),
    "a constant target": (text(lines([(row, 1, 3) for row in range(12)])), "'target': every value is 3; a constant"),
    "one row": (text(lines(ROWS[:1])), "0 rows to train and 1 to test on are too few"),
    "few rows": (text(lines(ROWS[:9])), "6 rows to train and 3 to test on are too few; give 10 in all"),
    "no rows": (text(f"{COLUMNS}\n"), "0 rows to train and 0 to test on are too few"),
    "no header": (text(lines(names="1,2,3.5")), "line 1: 1, … are numbers; the first line is to name the columns"),
    "empty": (text(""), "empty; the first line is to name the columns"),
    "blank": (text("\n\n"), "empty; the first line is to name the columns"),
    "no target": (text(lines(names="a,b,Target")), "no column 'target'; did you mean 'Target'?, or set"),
    "the target alone": (text(lines([(row,) for row in range(12)], "target")), "no column but 'target'"),
    "a name twice": (text(lines(names="a,a,target")), "line 1, column 2: the name 'a' is empty or there twice"),
    "a nameless column": (text(lines(names=",b,target")), "line 1, column 1: the name '' is empty"),
    "a short line": (text(lines([*ROWS[:3], (1, 2)])), "line 5: 2 cells for 3 columns"),
    "a long line": (text(lines([*ROWS[:3], (1, 2, 3, 4)])), "line 5: 4 cells for 3 columns"),
    "a split in three": (
        text(lines([(*row, "train") for row in ROWS] + [(1, 2, 3, "dev")], f"{COLUMNS},split")),
        "line 14, column 'split': 'dev' is neither train nor test",
    ),
    "nothing to test on": (
        text(lines([(*row, "train") for row in ROWS], f"{COLUMNS},split")),
        "12 rows to train and 0 to test on are too few",
    ),
    "no text at all": (lambda folder: (folder / "bad.csv").write_bytes(b"a,target\n\xff\xfe,1\n" * 9), "bad.csv: "),
    "no Parquet": (text("a,target\n", "bad.parquet"), "damaged or not to be read"),
    "no gzip": (text(lines(), "bad.csv.gz"), "damaged or not to be read"),
    "Parquet with text": (
        lambda folder: parquet(folder / "bad.parquet", a=["x"] * 12, target=list(range(12))),
        "lines 2, 3, 4, 5, 6 and 7 more, column 'a': 'x' is not a number",
    ),
    "Parquet with numbers as text": (
        lambda folder: parquet(folder / "bad.parquet", a=["1", "nan", "1_0"] * 4, target=list(range(12))),
        "line 2, column 'a': its numbers are of the type string; leave the column out, or write it in numbers",
    ),
    "cells of several columns": (
        text(lines([(1, "", 2), *ROWS, ("Oslo", 1, float("inf")), (1, "", 2)])),
        "lines 2, 16, column 'b': missing; fill it in, or leave the row or column out; line 15, column 'a': 'Oslo' is "
        "not a number; leave the column out, or write it in numbers; line 15, column 'target': inf is no finite number",
    ),
    "Parquet with lists": (
        lambda folder: parquet(folder / "bad.parquet", a=[[1]] * 12, target=list(range(12))),
        "column 'a' holds list<",
    ),
    "Parquet with gaps": (
        lambda folder: parquet(folder / "bad.parquet", a=[1, None] * 6, target=list(range(12))),
        "lines 3, 5, 7, 9, 11 and 1 more, column 'a': missing",
    ),
    "a name that is none": (several("a b.csv"), "'a b' is no name for a data set; use letters"),
    "a name for a shell": (several("x; touch F.csv"), "'x; touch F' is no name for a data set"),
    "training without testing": (several("own_train.csv"), "there is no test file beside it"),
    "testing without training": (several("own_test.csv"), "there is no train file beside it"),
    "two of one name": (several("own.csv", "own.tsv"), "one table is wanted, or one for train and one for test"),
    "three of one name": (several("own.csv", "own_train.csv", "own_test.csv"), "one table is wanted, or one for"),
    "other columns to test on": (
        lambda folder: [text(lines(), "o_train.csv")(folder), text(lines(names="a,c,target"), "o_test.csv")(folder)],
        "o_test.csv: no column 'b', which o_train.csv has",
    ),
    "several other columns to test on": (
        lambda folder: [text(lines(), "o_train.csv")(folder), text(lines(names="c,d,target"), "o_test.csv")(folder)],
        "o_test.csv: no column 'a', 'b', which o_train.csv has",
    ),
    "several rows for neither part": (
        text(lines([(*row, "train") for row in ROWS] + [(1, 2, 3, "dev"), (4, 5, 6, "dev")], f"{COLUMNS},split")),
        "lines 14, 15, column 'split': 'dev' is neither train nor test; correct that",
    ),
}


def check_all(folder: Path) -> None:
    for dataset in tables(folder, "target", 0).values():
        check(dataset)


@pytest.mark.parametrize("case", BAD)
def test_a_bad_table_is_told_in_a_line_with_its_file_and_place(case: str, tmp_path: Path) -> None:
    write, told = BAD[case]
    write(tmp_path)
    with pytest.raises(UserError) as caught:
        check_all(tmp_path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_file_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_TEXT", 1 << 20)
    monkeypatch.setattr(module, "MOST_CELLS", 10_000)
    (tmp_path / "long.csv.gz").write_bytes(gzip.compress(b"a,target\n" + b"1,2\n" * 1_000_000))
    with pytest.raises(UserError, match="more than 1 MB of text; take a sample"):
        only(tmp_path).draw(0)
    (tmp_path / "long.csv.gz").unlink()
    parquet(tmp_path / "many.parquet", a=np.zeros(20_000), target=np.zeros(20_000))
    with pytest.raises(UserError, match="20,000 rows of 2 columns are more than 10,000 cells; take a sample"):
        only(tmp_path).draw(0)

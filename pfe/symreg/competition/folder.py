"""The user's own tables as data sets: CSV, TSV or Parquet files with a target column.

Example: a folder with `yacht.csv`, `wine_train.tsv.gz`, `wine_test.tsv.gz` and `steel/steel.parquet` has the data sets
`yacht`, `wine` and `steel`. `yacht.csv` may begin with the lines
    length,beam,target,split
    2.3,0.56,0.11,train

The first of these rules that applies splits a set into training and test points:
    two files NAME_train and NAME_test, or train and test in a folder NAME;
    a column `split` with the values `train` and `test`;
    a random three quarters of the rows for training, which differ in each repetition.
A folder NAME with one table is a set too. A folder with several tables is a set only if they are `train` and `test`.
All other columns are numeric and have no missing values.
"""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
from numpy.typing import NDArray

from pfe.errors import UserError, nearest
from pfe.rows.listing import listed
from pfe.symreg.competition.dataset import DataSet, Draw, Values, generator, labelled, name_of, split_rows

SPLIT = "split"
PARTS = ("train", "test")
FEWEST = 10  # rows of a data set, training and test points together
MOST_CELLS = 50_000_000  # 400 MB in float64
MOST_TEXT = 1 << 29  # bytes of a text file, decompressed
LONGEST_LINE = 1 << 22  # bytes of the header line
_HOW_TO_SEPARATE = "save it with commas as .csv (decimals with a point), or with tabs as .tsv"
_TABLE = re.compile(r"(?P<stem>.+?)\.(?P<kind>csv|tsv|parquet)(?:\.gz)?", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """The files of a data set: one file, or one with training points and one with test points."""

    name: str
    files: tuple[Path, ...]


def tables(folder: Path, target: str, seed: int, apart: Collection[str] = ()) -> dict[str, DataSet]:
    """Return a data set by name for every table in the folder and in its subfolders except those `apart`.

    Only the headers are read. A table that cannot be read, or that has no target or no other column, is a data set too;
    its draw raises the error.

    Raises:
        UserError: a name is invalid or used twice, or the files of a set are neither one table nor a training and a
            test table; the message names the file or folder.
    """
    return {source.name: _dataset(source, target, seed) for source in _sources(folder, apart)}


def check(dataset: DataSet) -> None:
    """Read the values of a data set once.

    Raises:
        UserError: the data set cannot be used; the message names the file, and the line or column.
    """
    dataset.draw(0)


def _sources(folder: Path, apart: Collection[str]) -> list[Source]:
    by_name: dict[str, list[Path]] = {}
    for path, stem in _files(folder):
        name, _, part = stem.rpartition("_")
        by_name.setdefault(name if name and part.lower() in PARTS else stem, []).append(path)
    sources = [_source(name, paths) for name, paths in by_name.items()]
    sources += [_source(inner.name, files) for inner in _folders(folder, apart) if (files := _files_of_set(inner))]
    for place, source in enumerate(sources):
        for other in sources[:place]:
            if other.name == source.name:
                raise UserError(f"{source.files[0]}: so is {other.files[0]} named; rename one of them")
    return sources


def _files(folder: Path) -> list[tuple[Path, str]]:
    """Return the tables directly in a folder, each with the stem of its name."""
    paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    return [(path, match["stem"]) for path in paths if (match := _TABLE.fullmatch(path.name))]


def _folders(folder: Path, apart: Collection[str]) -> list[Path]:
    below = (path for path in folder.iterdir() if path.is_dir())
    return sorted(path for path in below if path.name not in apart and not path.name.startswith("."))


def _files_of_set(folder: Path) -> list[Path]:
    """Return the tables of a folder that holds one data set; none if it holds something else."""
    files = [path for path, _ in _files(folder)]
    return files if len(files) == 1 or sorted(map(_part, files), key=str) == sorted(PARTS) else []


def _source(name: str, paths: Sequence[Path]) -> Source:
    name = name_of(paths[0], name)
    if len(paths) == 1:
        if part := _part(paths[0]):
            other = PARTS[1 - PARTS.index(part)]
            raise UserError(f"{paths[0]}: there is no {other} file beside it; add it, or rename this one")
        return Source(name, tuple(paths))
    ordered = {part: [path for path in paths if _part(path) == part] for part in PARTS}
    if len(paths) != 2 or any(len(part_paths) != 1 for part_paths in ordered.values()):
        names = ", ".join(path.name for path in paths[:4])
        raise UserError(f"{paths[0].parent}: {name}: {names}: one table is wanted, or one for train and one for test")
    return Source(name, (ordered["train"][0], ordered["test"][0]))


def _part(path: Path) -> str:
    """Return the part that a file's name gives, `train` or `test`; "" if it gives none."""
    match = _TABLE.fullmatch(path.name)
    last = match["stem"].rpartition("_")[2].lower() if match else ""
    return last if last in PARTS else ""


def _dataset(source: Source, target: str, seed: int) -> DataSet:
    try:
        return _readable_dataset(source, target, seed)
    except UserError as error:
        return DataSet(source.name, (), partial(_raise, str(error)))


def _raise(message: str, repetition: int) -> Draw:
    raise UserError(message)


def _readable_dataset(source: Source, target: str, seed: int) -> DataSet:
    names = [_names(path) for path in source.files]
    for path, header in zip(source.files, names, strict=True):
        if target not in header:
            if len(header) == 1 and (other := _other_separator(path, header[0])):
                raise UserError(f"{path}: its columns are separated by {other}; {_HOW_TO_SEPARATE}")
            raise UserError(f"{path}: no column '{target}'; {_column_hint(target, header)}, or set competition.target")
    columns = tuple(name for name in names[0] if name not in (target, SPLIT) or (name == SPLIT and len(names) == 2))
    if not columns:
        raise UserError(f"{source.files[0]}: no column but '{target}'; a model needs at least one more")
    if len(names) == 2:
        if missing := [name for name in (*columns, target) if name not in names[1]]:
            told = ", ".join(f"'{name}'" for name in missing)
            raise UserError(f"{source.files[1]}: no column {told}, which {source.files[0].name} has; add or rename it")
        return DataSet(source.name, columns, partial(_draw_of_two, source.files, columns, target))
    if SPLIT in names[0]:
        return DataSet(source.name, columns, partial(_draw_of_column, source.files[0], columns, target))
    return DataSet(source.name, columns, partial(_draw_of_rows, source, columns, target, seed))


def _other_separator(path: Path, line: str) -> str:
    """Return, in words, the separator of a header line that lacks the expected one; "" if none is found."""
    separators = {";": "semicolons (;)", "\t": "tabs", ",": "commas (,)", "|": "bars (|)"}
    return next((words for sign, words in separators.items() if sign != _separator(path) and sign in line), "")


def _column_hint(name: str, columns: Sequence[str]) -> str:
    examples = columns if len(columns) <= 12 else [*columns[:12]]
    return nearest(name, columns if name.lower() in map(str.lower, columns) else examples)


def _draw_of_two(files: Sequence[Path], columns: tuple[str, ...], target: str, repetition: int) -> Draw:
    train, test = (_values(path, columns, target) for path in files)
    return _usable_draw(files[0], target, train, test)


def _draw_of_column(path: Path, columns: tuple[str, ...], target: str, repetition: int) -> Draw:
    values = _values(path, columns, target)
    parts = _parts(path)
    train, test = (values[parts == part] for part in PARTS)
    return _usable_draw(path, target, train, test)


def _draw_of_rows(source: Source, columns: tuple[str, ...], target: str, seed: int, repetition: int) -> Draw:
    values = _values(source.files[0], columns, target)
    return _usable_draw(source.files[0], target, *split_rows(values, generator(seed, source.name, repetition)))


def _usable_draw(path: Path, target: str, train: Values, test: Values) -> Draw:
    if len(train) + len(test) < FEWEST or min(len(train), len(test)) < 2:
        raise UserError(
            f"{path}: {len(train)} rows to train and {len(test)} to test on are too few; "
            f"give {FEWEST} in all, and two of each"
        )
    if not np.ptp(np.concatenate([train[:, -1], test[:, -1]])):
        raise UserError(f"{path}: column '{target}': every value is {train[0, -1]:g}; a constant target tells nothing")
    return Draw(labelled(train), labelled(test))


def _names(path: Path) -> list[str]:
    """Return the names of the columns.

    Raises:
        UserError: there is no header line, or a name is empty or used twice.
    """
    names = _parquet(path).schema_arrow.names if _kind(path) == "parquet" else _first_line(path)
    if not any(names):
        raise UserError(f"{path}: empty; the first line is to name the columns, each further one is a row")
    if _kind(path) != "parquet" and all(map(_is_number, names)):
        raise UserError(f"{path}: line 1: {names[0]}, … are numbers; the first line is to name the columns")
    for place, name in enumerate(names, 1):
        if not name.strip() or names.index(name) < place - 1:
            raise UserError(f"{path}: line 1, column {place}: the name '{name}' is empty or there twice; rename it")
    return list(names)


def _first_line(path: Path) -> list[str]:
    try:
        with _open(path) as file:
            line = file.readline(LONGEST_LINE).decode("utf-8-sig")
        return next(csv.reader([line.rstrip("\r\n")], delimiter=_separator(path)), [])
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise _damaged(path, error) from None


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _kind(path: Path) -> str:
    match = _TABLE.fullmatch(path.name)
    return match["kind"].lower() if match else ""


def _separator(path: Path) -> str:
    return "\t" if _kind(path) == "tsv" else ","


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.GzipFile(path) if path.suffix.lower() == ".gz" else path.open("rb"))


@lru_cache(maxsize=16)  # all repetitions of a data set share its table
def _values(path: Path, columns: tuple[str, ...], target: str) -> Values:
    """Return the columns and then the target of all rows, float64 of shape (rows, columns + 1), not writable.

    Raises:
        UserError: cells are missing or not finite numbers, or the table is too large; the message names lines and
            columns.
    """
    table = _read(path, (*columns, target))
    if table.num_rows * table.num_columns > MOST_CELLS:
        raise _too_large(path, table.num_rows, table.num_columns)
    values = np.empty((table.num_rows, table.num_columns))
    if not table.num_rows:
        return values
    mistakes: list[tuple[int, str]] = []
    for place, name in enumerate(table.column_names):
        if wrong := list(_mistakes(name, table.column(name))):
            mistakes += wrong
        else:
            values[:, place] = table.column(name).cast(pa.float64()).to_numpy()
    if mistakes:
        raise UserError(f"{path}: {listed(sorted(mistakes), 'line')}")
    values.setflags(write=False)
    return values


def _mistakes(name: str, cells: pa.ChunkedArray) -> Iterator[tuple[int, str]]:
    """Yield the line and the mistake of every cell of a column that is not a finite number."""
    kind = cells.type
    is_numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    for row in np.flatnonzero(pc.is_null(cells).to_numpy()).tolist():
        yield row + 2, f", column '{name}': missing; fill it in, or leave the row or column out"
    if is_numeric:
        values = cells.cast(pa.float64()).to_numpy()
        for row in np.flatnonzero(np.isinf(values)).tolist():
            yield row + 2, f", column '{name}': {values[row]} is no finite number; leave the row out"
    elif not pa.types.is_null(kind):
        remedy = "leave the column out, or write it in numbers"
        words = [(row, str(cell)) for row, cell in enumerate(cells.to_pylist()) if cell is not None]
        wrong = [(row, f"'{word[:40]}' is not a number") for row, word in words if not _is_number(word)]
        for row, problem in wrong or [(0, f"its numbers are of the type {kind}")]:
            yield row + 2, f", column '{name}': {problem}; {remedy}"


@lru_cache(maxsize=16)
def _parts(path: Path) -> NDArray[np.str_]:
    """Return the part of each row, `train` or `test`.

    Raises:
        UserError: a row has neither.
    """
    parts = [str(part).strip().lower() for part in _read(path, (SPLIT,)).column(SPLIT).to_pylist()]
    neither = [
        (row + 2, f", column '{SPLIT}': '{part[:40]}' is neither train nor test")
        for row, part in enumerate(parts)
        if part not in PARTS
    ]
    if neither:
        raise UserError(f"{path}: {listed(neither, 'line')}; correct that, or give the column another name")
    return np.array(parts)


def _read(path: Path, columns: Sequence[str]) -> pa.Table:
    if _kind(path) == "parquet":
        return _read_parquet(path, columns)
    raw = _unpacked(path)
    try:
        return pyarrow.csv.read_csv(
            io.BytesIO(raw),
            read_options=pyarrow.csv.ReadOptions(use_threads=False),
            parse_options=pyarrow.csv.ParseOptions(delimiter=_separator(path)),
            convert_options=pyarrow.csv.ConvertOptions(
                include_columns=list(columns), strings_can_be_null=True, column_types={SPLIT: pa.string()}
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise _odd_line(path, raw) or _damaged(path, error) from None


def _read_parquet(path: Path, columns: Sequence[str]) -> pa.Table:
    file = _parquet(path)
    if file.metadata.num_rows * len(columns) > MOST_CELLS:
        raise _too_large(path, file.metadata.num_rows, len(columns))
    try:
        for name in columns:
            kind = file.schema_arrow.field(name).type
            if pa.types.is_nested(kind):
                raise UserError(f"{path}: column '{name}' holds {kind}, not numbers; leave it out")
        return file.read(columns=list(columns))
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def _unpacked(path: Path) -> bytes:
    try:
        with _open(path) as file:
            raw = file.read(MOST_TEXT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(path, error) from None
    if len(raw) > MOST_TEXT:
        raise UserError(f"{path}: more than {MOST_TEXT >> 20:,} MB of text; take a sample of its rows")
    return raw


def _odd_line(path: Path, raw: bytes) -> UserError | None:
    """Return an error about the first line whose number of cells differs from the header's; None if none is found."""
    try:
        lines = csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""), delimiter=_separator(path))
        names = next(lines)
        for line in lines:
            if line and len(line) != len(names):
                return UserError(
                    f"{path}: line {lines.line_num}: {len(line)} cells for {len(names)} columns; correct it"
                )
    except (UnicodeDecodeError, csv.Error, StopIteration):
        pass
    return None


def _parquet(path: Path) -> pyarrow.parquet.ParquetFile:
    try:
        return pyarrow.parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, error) from None


def _too_large(path: Path, rows: int, columns: int) -> UserError:
    return UserError(
        f"{path}: {rows:,} rows of {columns:,} columns are more than {MOST_CELLS:,} cells; take a sample of its rows"
    )


def _damaged(path: Path, error: Exception) -> UserError:
    return UserError(f"{path}: damaged or not to be read ({' '.join(str(error).split())[:160]}); get it again")

"""Candidates from Parquet and JSONL files of any size, a part at a time, in bounded memory.

Example: `split([Path("corpus")])` gives `Shard(Path("corpus/a.jsonl"), 0, 8388608, 20000000)`, and so on;
`read` of it gives lists of `Problem`, one for every line such as {"text": "Tom has 3 apples and …"}, and an
`Unreadable("a.jsonl:5120", "not JSON: …")` for a line that cannot be one.

What the columns of a row are to a problem is told in `rows`; all that hold text are read. A row without an id is
called "<file name>:<place>": in JSONL the byte offset at which its line starts (of the unpacked text, where the file
is packed), in Parquet its number, from 0.
"""

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.processes.headroom import headroom
from pfe.screening.rows import Row, Unreadable, is_named, read_row

LONGEST_LINE = 32 << 20
_PACKED = {".jsonl.gz": b"\x1f\x8b", ".jsonl.zst": b"\x28\xb5\x2f\xfd"}
_SUFFIXES = (".parquet", ".jsonl", *_PACKED)
_CONTENTS = {b"PAR1": "Parquet", b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\xff\xfe": "UTF-16",
             b"\xfe\xff": "UTF-16", b"PK\x03\x04": "zip"}  # fmt: skip
NO_DATA = ("README", "README.md", "LICENSE", ".gitignore", ".gitattributes", ".gitkeep", ".DS_Store")
_PIECE = 1 << 20
_BATCH_CHARACTERS = 32 << 20
_ARROW_BATCH = 256
HEADROOM = 512 << 20  # bytes that one batch of a Parquet file may take, unpacked
MOST_TIMES, FREE = 1000, 256 << 20  # a file that unpacks to more than FREE, and so many times its size, is refused


@dataclass(frozen=True)
class Shard:
    """A part of one input file that had `size` bytes when it was split.

    `start` and `stop` are row numbers of a Parquet file, byte offsets of a plain JSONL file (a line belongs to
    the shard in which it starts), and 0 and `size` for a packed JSONL file, which is never divided.
    """

    path: Path
    start: int
    stop: int
    size: int

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.stop}"


def split(paths: Sequence[Path], rows: int = 20_000, size: int = 8 << 20) -> list[Shard]:
    """The shards of files and folders: Parquet in parts of at most `rows` rows, JSONL of about `size` bytes.

    Folders are searched to the bottom, and a file named twice is taken once. The order (by path, then place)
    depends on nothing else. Every file has at least one shard, an empty one too.

    Raises:
        UserError: nothing there, an unknown suffix, or a file that cannot be opened as what its suffix says.
    """
    if rows < 1 or size < 1:
        raise UserError(f"a shard of {rows} rows or {size} bytes; give at least 1")
    return [shard for path in data_files(paths) for shard in _split(path, rows, size)]


def read(shard: Shard, batch: int = 1024) -> Iterator[list[Row]]:
    """The rows of a shard in their order, in lists of at most `batch`, fewer where texts are long.

    Blank lines are no rows. What is read before an error is raised is not the whole shard.

    Raises:
        UserError: the file changed since it was split, or is truncated or damaged; names file and place.
    """
    _check(shard)
    found = _parquet(shard) if _suffix(shard.path) == ".parquet" else _jsonl(shard)
    rows: list[Row] = []
    characters = unpacked = 0
    for row in found:
        rows.append(row)
        length = sum(map(len, row.parts)) if isinstance(row, Problem) else 0
        characters, unpacked = characters + length, unpacked + length
        _check_unpacked(shard, unpacked)
        if len(rows) == batch or characters > _BATCH_CHARACTERS:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows


def digest(shard: Shard) -> str:
    """SHA-256 (hex) of what decides the rows of a shard: the file's name, the place, and the bytes read there.

    Of a Parquet file these are the footer and every row group that the shard touches.

    Raises:
        UserError: the file changed since it was split, or cannot be read.
    """
    _check(shard)
    found = hashlib.sha256(f"{shard.path.name}\0{shard.start}\0{shard.stop}\0".encode("utf-8", "surrogateescape"))
    suffix = _suffix(shard.path)
    with _telling(shard.path), shard.path.open("rb") as file:
        if suffix == ".parquet":
            pieces = _parquet_bytes(shard, file)
        elif suffix == ".jsonl":
            pieces = _line_bytes(shard, file)
        else:
            pieces = _range(file, 0, shard.size)
        for piece in pieces:
            found.update(piece)
    return found.hexdigest()


def data_files(paths: Sequence[Path], leave_out: Sequence[str] = ()) -> list[Path]:
    """The files that are named, and those in the folders that are named, to the bottom and through links.

    Every one is read, so a file that cannot be is an error, but for those of `files_left_out`.

    Raises:
        UserError: nothing there, or a file that is no data file by its name; all of them are counted.
    """
    named = [path for path, left in _files(paths, leave_out) if not left]
    files = {path.resolve(): path for path in sorted(named, key=_order, reverse=True)}
    strange = sorted(path for path in files.values() if not _suffix(path))
    if strange:
        others = f", and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        raise UserError(
            f"{strange[0]}{others}: no data file by its name, and nothing may go unread; "
            f"allowed: {', '.join(_SUFFIXES)}; what holds no data is left out with --leave-out '{strange[0].name}'"
        )
    if not files:
        raise UserError(
            f"{', '.join(map(str, paths)) or 'no path'}: no data; give files or folders with {', '.join(_SUFFIXES)}"
        )
    return sorted(files.values())


def files_left_out(paths: Sequence[Path], leave_out: Sequence[str] = ()) -> list[Path]:
    """The files in folders that are not read: those of `NO_DATA`, and those of which a pattern of `leave_out` fits
    the name, the path, or a folder above (`*.md`, `.git`)."""
    return sorted({path for path, left in _files(paths, leave_out) if left})


def _order(path: Path) -> tuple[int, Path]:
    """Of several paths to one file the shortest is kept."""
    return len(path.parts), path


def _files(paths: Sequence[Path], leave_out: Sequence[str]) -> Iterator[tuple[Path, bool]]:
    """Every file, and whether it is left out."""
    for path in paths:
        if path.is_dir():
            yield from ((file, _left_out(file.relative_to(path), leave_out)) for file in _inside(path))
        elif not path.exists():
            raise UserError(f"{path}: no such file or folder; give what exists")
        elif not path.is_file():
            raise UserError(f"{path}: neither a file nor a folder; write it to a file first")
        else:
            yield path, False


def _left_out(path: Path, patterns: Sequence[str]) -> bool:
    return path.name in NO_DATA or any(
        fnmatchcase(name, pattern) for pattern in patterns for name in (str(path), *path.parts)
    )


def _inside(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise UserError(f"{error.filename}: cannot be read ({error.strerror}); give a folder that can")

    seen = {folder.resolve()}
    for place, folders, names in os.walk(folder, onerror=fail, followlinks=True):
        # A link may lead back to where we come from.
        fresh = {name: (Path(place) / name).resolve() for name in sorted(folders)}
        folders[:] = [name for name, target in fresh.items() if target not in seen]
        seen.update(fresh.values())
        for name in names:
            path = Path(place) / name
            if not path.is_file():
                raise UserError(f"{path}: neither a file nor a folder, or a link to nothing; remove it")
            yield path


def _suffix(path: Path) -> str:
    """Which of the known suffixes a file has; empty where it has none."""
    return next((suffix for suffix in _SUFFIXES if path.name.lower().endswith(suffix)), "")


def _split(path: Path, rows: int, size: int) -> list[Shard]:
    suffix = _suffix(path)
    with _telling(path), path.open("rb") as file:
        length = os.fstat(file.fileno()).st_size
        head = file.read(4)
        kind = next((kind for mark, kind in _CONTENTS.items() if head.startswith(mark)), "")
        if kind and suffix == ".jsonl":
            raise UserError(f"{path}: {kind} by its content, not JSON lines in UTF-8; convert it, or name it rightly")
        if suffix in _PACKED and not head.startswith(_PACKED[suffix]):
            raise UserError(f"{path}: not a {suffix.rpartition('.')[2]} file; make it again, or give it its right name")
        total, step = length, length if suffix in _PACKED else size
        if suffix == ".parquet":
            total, step = _parquet_rows(path), rows
    return [Shard(path, start, min(start + step, total), length) for start in range(0, max(total, 1), max(step, 1))]


@contextmanager
def _telling(path: Path, place: str = "") -> Iterator[None]:
    """Tell every way in which a file can fail to be read as a mistake of the user's, with file and place."""
    try:
        yield
    except (pa.ArrowException, OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UserError(f"{path}{place}: damaged, cut short or unreadable ({reason}); make it again") from error


def _check(shard: Shard) -> None:
    with _telling(shard.path):
        size = shard.path.stat().st_size
    if size != shard.size:
        raise UserError(
            f"{shard.path}: has {size} bytes, {shard.size} when it was split; it changed or was cut short, start again"
        )


def _check_unpacked(shard: Shard, length: int) -> None:
    if length > max(FREE, MOST_TIMES * shard.size):
        raise UserError(
            f"{shard.path}: {shard.size:,} bytes that unpack to more than {length:,}; "
            "if it is no mistake, give it as plain JSON lines"
        )


def _jsonl(shard: Shard) -> Iterator[Row]:
    name = shard.path.name
    own = _set(shard.path)
    for offset, line in _lines(shard):
        if line.strip():
            yield _from_line(line, f"{name}:{offset}", own)


def _set(path: Path) -> str:
    """The set of rows that name none: the file's name without its suffix."""
    return path.name[: -len(_suffix(path))]


def _lines(shard: Shard) -> Iterator[tuple[int, bytes]]:
    """The lines that start in the shard, with their offsets; of too long a line only the beginning."""
    packed = _suffix(shard.path) in _PACKED
    offset = 0
    try:
        with _opened(shard.path) as file:
            offset = 0 if packed else _first(file, shard)
            while packed or offset < shard.stop:
                line = piece = file.readline(LONGEST_LINE + 1)
                if not piece:
                    break
                yield offset, line
                offset += len(piece)
                _check_unpacked(shard, offset)
                while not piece.endswith(b"\n") and (piece := file.readline(_PIECE)):
                    offset += len(piece)
                    _check_unpacked(shard, offset)
    except (pa.ArrowException, OSError, EOFError, zlib.error) as error:
        with _telling(shard.path, f", byte {offset}"):
            raise error
    if not packed and offset < shard.stop:
        raise UserError(f"{shard.path}, byte {offset}: the file was cut short while it was read; start again")


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    suffix = _suffix(path)
    if suffix == ".jsonl.zst":
        with pa.input_stream(str(path), compression="zstd") as stream:
            yield BufferedReader(stream, _PIECE)
    else:
        with gzip.open(path, "rb") if suffix == ".jsonl.gz" else path.open("rb") as file:
            yield cast("IO[bytes]", file)


def _first(file: IO[bytes], shard: Shard) -> int:
    """Go to the first line that starts in the shard and give its offset; `stop` or more where there is none."""
    if not shard.start:
        return 0
    offset = shard.start - 1
    file.seek(offset)
    while offset < shard.stop:
        piece = file.readline(_PIECE)
        offset += len(piece)
        if not piece or piece.endswith(b"\n"):
            break
    return offset


def _line_bytes(shard: Shard, file: IO[bytes]) -> Iterator[bytes]:
    offset, ended = _first(file, shard), True
    while (offset < shard.stop or not ended) and (piece := file.readline(_PIECE)):
        yield piece
        offset, ended = offset + len(piece), piece.endswith(b"\n")


def _range(file: IO[bytes], start: int, stop: int) -> Iterator[bytes]:
    file.seek(start)
    while start < stop and (piece := file.read(min(_PIECE, stop - start))):
        yield piece
        start += len(piece)


def _parquet_rows(path: Path) -> int:
    """How many rows a Parquet file has, by its footer, once its columns are found to be usable."""
    with pq.ParquetFile(path) as file:
        schema = file.schema_arrow
        if twice := sorted(name for name in set(schema.names) if schema.names.count(name) > 1):
            raise UserError(f"{path}: column '{twice[0]}' is there twice; keep one")
        if not any(_holds_text(field.type) for field in schema):
            raise UserError(f"{path}: no column that could hold text among {', '.join(schema.names) or 'none'}")
        return int(file.metadata.num_rows)


def _wanted(schema: Any) -> list[str]:
    """The columns that hold text, and numbers where they are answers, choices or labels by their names."""
    return [field.name for field in schema if _holds_text(field.type) or is_named(field.name)]


def _holds_text(kind: Any) -> bool:
    types = pa.types
    if types.is_dictionary(kind):
        return _holds_text(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return _holds_text(kind.storage_type)
    if types.is_nested(kind):
        return any(_holds_text(kind.field(place).type) for place in range(kind.num_fields))
    return not (types.is_primitive(kind) or types.is_decimal(kind))


def _groups(metadata: Any, shard: Shard) -> tuple[list[int], int]:
    """The row groups that hold a shard's rows, and the number of the first row of the first of them."""
    groups: list[int] = []
    first = row = 0
    for index in range(metadata.num_row_groups):
        end = row + metadata.row_group(index).num_rows
        if row < shard.stop and end > shard.start:
            first = first if groups else row
            groups.append(index)
        row = end
    return groups, first


def _parquet(shard: Shard) -> Iterator[Row]:
    row, own = shard.start, _set(shard.path)
    for size in (_ARROW_BATCH, 1):
        try:
            for values in _records(shard, row, size):
                place = f"{shard.path.name}:{row}"
                row += 1
                yield Unreadable(place, values.why) if isinstance(values, Unreadable) else read_row(values, place, own)
            break
        except MemoryError:
            if size == 1:
                raise UserError(
                    f"{shard.path}, row {row}: unpacks to more than {HEADROOM:,} bytes at once; "
                    "if it is no mistake, give it as plain JSON lines"
                ) from None
        except (pa.ArrowException, OSError) as error:
            with _telling(shard.path, f", row {row} or after"):
                raise error
    if row < shard.stop:
        raise UserError(f"{shard.path}, row {row}: fewer rows than the footer says; make it again")


def _records(shard: Shard, start: int, size: int) -> Iterator[Mapping[str, Any] | Unreadable]:
    """What stands in the rows of a shard from `start` on, unpacked `size` rows at a time."""
    # A row group may be the whole file: the buffer size keeps Arrow from reading a column of it at once.
    with pq.ParquetFile(shard.path, buffer_size=_PIECE, page_checksum_verification=True) as file:
        groups, row = _groups(file.metadata, replace(shard, start=start))
        batches = file.iter_batches(size, row_groups=groups, columns=_wanted(file.schema_arrow), use_threads=False)
        while groups and row < shard.stop:
            with headroom(HEADROOM):
                batch = next(batches, None)
                if batch is None:
                    break
                values = list(_values(batch[max(start - row, 0) : max(shard.stop - row, 0)]))
            row += len(batch)
            del batch
            yield from values


def _values(batch: Any) -> Iterator[Mapping[str, Any] | Unreadable]:
    try:
        yield from batch.to_pylist()
    except (UnicodeDecodeError, pa.ArrowException, ValueError) as error:
        if len(batch) == 1:
            yield Unreadable("", f"not readable as text ({error})")
            return
        for place in range(len(batch)):
            yield from _values(batch[place : place + 1])


def _parquet_bytes(shard: Shard, file: IO[bytes]) -> Iterator[bytes]:
    with pq.ParquetFile(shard.path) as parquet:
        metadata = parquet.metadata
        footer = metadata.serialized_size
        places = [
            (_column_start(column), _column_start(column) + column.total_compressed_size)
            for group in _groups(metadata, shard)[0]
            for column in map(metadata.row_group(group).column, range(metadata.num_columns))
        ]
    yield from _range(file, shard.size - footer - 8, shard.size)
    for start, stop in places:
        yield from _range(file, start, stop)


def _column_start(column: Any) -> int:
    pages = (column.dictionary_page_offset, column.data_page_offset)
    return min(int(offset) for offset in pages if offset)


def _from_line(line: bytes, place: str, own: str) -> Row:
    if len(line) > LONGEST_LINE:
        return Unreadable(place, f"a line of more than {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8-sig" if place.endswith(":0") else "utf-8")
        values = json.loads(text, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        return Unreadable(place, f"not UTF-8 ({error.reason})")
    except (ValueError, RecursionError) as error:
        return Unreadable(place, f"not JSON ({error})")
    return read_row(values, place, own) if isinstance(values, dict) else Unreadable(place, "not a JSON object")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers differ in which of two equal keys they keep, so one could show what the other had screened."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found

"""The interface of file formats, and the byte-level reading that they share.

Example: `Shard(Path("corpus/a.jsonl"), 8388608, 16777216, 20000000, 9120)` is the part of a file of 20 MB whose
lines start in its second 8 MiB, after 9,120 line ends.
"""

import gzip
import os
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from pfe.errors import UserError
from pfe.rows.row import Entry

PIECE = 1 << 20
MOST_TIMES, FREE = 1000, 256 << 20  # a file that unpacks to more than FREE bytes and MOST_TIMES its size is refused
MOST_COLUMNS = 10_000
PACKINGS = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
_CONTENTS = {b"PAR1": "Parquet", b"ARRO": "Arrow", b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd",
             b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "zip"}  # fmt: skip


@dataclass(frozen=True)
class Shard:
    """A part of one input file that had `size` bytes when it was split.

    `start` and `stop` are row numbers of a Parquet file, and byte offsets of a plain JSONL file: a line belongs to the
    shard in which it starts, and `line` line ends precede the shard. They are 0 and `size` if a file is never split.
    """

    path: Path
    start: int
    stop: int
    size: int
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.stop}"


class Format(ABC):
    """A file format with its suffixes; files are not split unless the format implements it."""

    suffixes: tuple[str, ...]
    is_text = False  # text files may be compressed
    unit = "row"  # what `Entry.place` counts: rows from 0, or lines from 1

    def shards(self, path: Path, rows: int, size: int) -> Iterator[Shard]:
        """Yield the parts of a file, at least one, of about this many rows or bytes.

        Raises:
            UserError: it cannot be opened as its suffix says.
        """
        if self.is_text:
            check_text(path)
        yield Shard(path, 0, path.stat().st_size, path.stat().st_size)

    @abstractmethod
    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        """Return the rows of a shard in order.

        Args:
            extra_columns: if given, a column without text is read only if it is one of these or has a known name.

        Raises:
            UserError: the file is truncated or damaged, or rows cannot be separated; the message names the place.
        """

    def pieces(self, shard: Shard, file: IO[bytes]) -> Iterator[bytes]:
        """Yield the bytes that determine the result of `entries`."""
        yield from span(file, 0, shard.size)

    @abstractmethod
    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        """Copy the file without some rows; `keep` has one value per entry."""


class TextFormat(Format):
    """A text format with one record after another, which may be compressed; a copy retains the bytes of each row."""

    is_text = True

    @abstractmethod
    def records(self, shard: Shard) -> Iterator[tuple[bytes, Entry | None]]:
        """Yield all bytes of a shard in order, record by record, each with its row if it is one."""

    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        return (entry for _, entry in self.records(shard) if entry is not None)

    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        size = path.stat().st_size
        with repacked(path, target) as file:
            for content, entry in self.records(Shard(path, 0, size, size)):
                if entry is None or next(keep):
                    file.write(content)


def packing(path: Path) -> str:
    """Return ".gz" or ".zst" for a compressed file, otherwise "", by its suffix."""
    return path.suffix.lower() if path.suffix.lower() in PACKINGS else ""


def check_text(path: Path) -> None:
    """Check that a file does not begin like another format, and is compressed as its name says.

    Raises:
        UserError: it fails this check.
    """
    with path.open("rb") as file:
        head = file.read(4)
    if packed := packing(path):
        if not head.startswith(PACKINGS[packed]):
            raise UserError(f"{path}: not a {packed[1:]} file; make it again, or give it its right name")
    elif kind := next((kind for mark, kind in _CONTENTS.items() if head.startswith(mark)), ""):
        raise UserError(f"{path}: {kind} by its content, not text in UTF-8; convert it, or name it rightly")


def not_utf8(error: UnicodeDecodeError) -> str:
    """Return why a row cannot be read, and how to fix its file."""
    return f"not UTF-8 ({error.reason}); convert the file, as by iconv -f LATIN1 -t UTF-8"


@contextmanager
def read_errors(path: Path, place: Callable[[], str] = str) -> Iterator[None]:
    """Convert every error of reading a file to a UserError with file and place.

    Args:
        place: returns how far the file was read before it failed.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        raise UserError(f"{path}{place()}: {not_utf8(error)}") from error
    except (pa.ArrowException, OSError, EOFError, zlib.error) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UserError(f"{path}{place()}: damaged, cut short or unreadable ({reason}); make it again") from error


def check_unpacked(shard: Shard, length: int) -> None:
    """Check that a file does not unpack to more bytes than any text does.

    Raises:
        UserError: it unpacks to more than `FREE` bytes and `MOST_TIMES` its size.
    """
    if length > max(FREE, MOST_TIMES * shard.size):
        raise UserError(
            f"{shard.path}: {shard.size:,} bytes that unpack to more than {length:,}; "
            "if it is no mistake, give it as plain JSON lines"
        )


def check_names(path: Path, names: Sequence[str]) -> None:
    """Check the names of a table's columns.

    Raises:
        UserError: there are more than `MOST_COLUMNS`, or two have the same name.
    """
    if len(names) > MOST_COLUMNS:
        raise UserError(
            f"{path}: {len(names):,} columns, more than {MOST_COLUMNS:,}; leave out those that hold no text, or give "
            "one row for each text"
        )
    if twice := sorted(name for name, count in Counter(names).items() if count > 1):
        raise UserError(f"{path}: column '{twice[0]}' is there twice; keep one")


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed if its name says that it is compressed."""
    if packing(path) == ".zst":
        with pa.input_stream(str(path), compression="zstd") as stream:
            yield BufferedReader(stream, PIECE)
    else:
        with gzip.open(path, "rb") if packing(path) == ".gz" else path.open("rb") as file:
            yield cast("IO[bytes]", file)


@contextmanager
def repacked(path: Path, target: Path) -> Iterator[IO[bytes]]:
    """Open `target` for writing with the compression of `path`, whatever its own name."""
    if packing(path) == ".zst":
        with pa.output_stream(str(target), compression="zstd") as stream:
            yield stream
    elif packing(path) == ".gz":
        with target.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
            yield cast("IO[bytes]", file)
    else:
        with target.open("wb") as file:
            yield file


def span(file: IO[bytes], start: int, stop: int) -> Iterator[bytes]:
    """Yield the bytes of a file from `start` to `stop`, one piece at a time."""
    file.seek(start, os.SEEK_SET)
    while start < stop and (piece := file.read(min(PIECE, stop - start))):
        yield piece
        start += len(piece)

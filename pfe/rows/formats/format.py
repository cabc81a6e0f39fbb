"""What every format of files can do, and the reading of bytes that formats share.

Example: `Shard(Path("corpus/a.jsonl"), 8388608, 16777216, 20000000, 9120)` is the part of a file of 20 MB whose
lines start in its second 8 MiB, behind 9,120 ends of lines.
"""

import gzip
import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from pfe.errors import UserError
from pfe.rows.row import Entry

PIECE = 1 << 20
MOST_TIMES, FREE = 1000, 256 << 20  # a file that unpacks to more than FREE, and so many times its size, is refused
PACKINGS = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
_CONTENTS = {b"PAR1": "Parquet", b"ARRO": "Arrow", b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd",
             b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK\x03\x04": "zip"}  # fmt: skip


@dataclass(frozen=True)
class Shard:
    """A part of one input file that had `size` bytes when it was split.

    `start` and `stop` are row numbers of a Parquet file, byte offsets of a plain JSONL file (a line belongs to the
    shard in which it starts, and `line` ends of lines stand before), and 0 and `size` where a file is never divided.
    """

    path: Path
    start: int
    stop: int
    size: int
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.stop}"


class Format(ABC):
    """How files of some suffixes are read; they are not divided unless the format says how."""

    suffixes: tuple[str, ...]
    is_text = False  # such files may be packed
    unit = "row"  # what `Entry.place` counts: rows from 0, or lines from 1

    def shards(self, path: Path, rows: int, size: int) -> Iterator[Shard]:
        """The parts of a file, at least one, of about so many rows or bytes.

        Raises:
            UserError: it cannot be opened as what its suffix says.
        """
        if self.is_text:
            check_text(path)
        yield Shard(path, 0, path.stat().st_size, path.stat().st_size)

    @abstractmethod
    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        """The rows of a shard in their order.

        Args:
            extra_columns: where given, of columns that hold no text only these and those of a known name are read.

        Raises:
            UserError: the file is cut short or damaged, or a row cannot be told from the next; names the place.
        """

    def pieces(self, shard: Shard, file: IO[bytes]) -> Iterator[bytes]:
        """The bytes that decide what `entries` gives."""
        yield from span(file, 0, shard.size)

    @abstractmethod
    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        """Write the file again without some rows; `keep` has a word on every entry."""


class TextFormat(Format):
    """Formats of text, one record after the other, which may be packed; a row is written as it stands."""

    is_text = True

    @abstractmethod
    def records(self, shard: Shard) -> Iterator[tuple[bytes, Entry | None]]:
        """All bytes of a shard in their order, record by record, each with its row where it is one."""

    def entries(self, shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
        return (entry for _, entry in self.records(shard) if entry is not None)

    def copy(self, path: Path, keep: Iterator[bool], target: Path) -> None:
        size = path.stat().st_size
        with repacked(path, target) as file:
            for content, entry in self.records(Shard(path, 0, size, size)):
                if entry is None or next(keep):
                    file.write(content)


def packing(path: Path) -> str:
    """ ".gz" or ".zst" of a packed file, otherwise ""."""
    return path.suffix.lower() if path.suffix.lower() in PACKINGS else ""


def check_text(path: Path) -> None:
    """Raises UserError where a file's first bytes are not those of text, packed as its name says."""
    with path.open("rb") as file:
        head = file.read(4)
    if packed := packing(path):
        if not head.startswith(PACKINGS[packed]):
            raise UserError(f"{path}: not a {packed[1:]} file; make it again, or give it its right name")
    elif kind := next((kind for mark, kind in _CONTENTS.items() if head.startswith(mark)), ""):
        raise UserError(f"{path}: {kind} by its content, not text in UTF-8; convert it, or name it rightly")


def not_utf8(error: UnicodeDecodeError) -> str:
    """Why a row cannot be read, and what to do about its file."""
    return f"not UTF-8 ({error.reason}); convert the file, as by iconv -f LATIN1 -t UTF-8"


@contextmanager
def read_errors(path: Path, place: Callable[[], str] = str) -> Iterator[None]:
    """Tell every way in which a file can fail to be read as a mistake of the user's, with file and place.

    Args:
        place: says how far it was read, when it fails.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        raise UserError(f"{path}{place()}: {not_utf8(error)}") from error
    except (pa.ArrowException, OSError, EOFError, zlib.error) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UserError(f"{path}{place()}: damaged, cut short or unreadable ({reason}); make it again") from error


def check_unpacked(shard: Shard, length: int) -> None:
    """Raises UserError where a file unpacks to more than any text does."""
    if length > max(FREE, MOST_TIMES * shard.size):
        raise UserError(
            f"{shard.path}: {shard.size:,} bytes that unpack to more than {length:,}; "
            "if it is no mistake, give it as plain JSON lines"
        )


@contextmanager
def unpacked(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked where its name says that they are packed."""
    if packing(path) == ".zst":
        with pa.input_stream(str(path), compression="zstd") as stream:
            yield BufferedReader(stream, PIECE)
    else:
        with gzip.open(path, "rb") if packing(path) == ".gz" else path.open("rb") as file:
            yield cast("IO[bytes]", file)


@contextmanager
def repacked(path: Path, target: Path) -> Iterator[IO[bytes]]:
    """Write a file that is packed as `path` is, whatever its own name."""
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
    """The bytes of a file from `start` to `stop`, a piece at a time."""
    file.seek(start, os.SEEK_SET)
    while start < stop and (piece := file.read(min(PIECE, stop - start))):
        yield piece
        start += len(piece)

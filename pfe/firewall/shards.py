"""Candidates from Parquet and JSONL files of any size, a part at a time, in bounded memory.

Example: `split([Path("corpus")])` gives `Shard(Path("corpus/a.jsonl"), 0, 8388608, 20000000)`, and so on;
`read` of it gives lists of `Problem`, one for every line such as {"text": "Tom has 3 apples and …"}, and an
`Unreadable("a.jsonl:5120", "not JSON: …")` for a line that cannot be one.

A row is one of ours (the columns of `Problem`) or anybody's, with `text` or `question` and, where it has them,
`id`, `set`, `domain`, `context`, `choices`, `answer`, `solution`, `tests`; other columns are ignored.
A row without an id is called "<file name>:<place>": in JSONL the byte offset at which its line starts (of the
unpacked text, where the file is packed), in Parquet its number, from 0.
"""

import gzip
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from pfe.errors import UserError
from pfe.problem import DOMAINS, Domain, Problem

LONGEST_LINE = 32 << 20
_PACKED = {".jsonl.gz": b"\x1f\x8b", ".jsonl.zst": b"\x28\xb5\x2f\xfd"}
_SUFFIXES = (".parquet", ".jsonl", *_PACKED)
_PIECE = 1 << 20
_BATCH_CHARACTERS = 32 << 20
_ARROW_BATCH = 256
_TUPLES = ("choices", "aliases", "tests", "functions")
_COLUMNS = tuple(field.name for field in fields(Problem))
_REQUIRED = tuple(field.name for field in fields(Problem) if field.default is MISSING)
_NUMBER = re.compile(r"[-+]?\$?\d[\d,]*(?:\.\d+)?%?\Z")
_FINAL = re.compile(r"\s*(?:\bAnswer:\s*)?####\s*([-+]?\$?\d[\d,]*(?:\.\d+)?%?)\s*\Z")


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


@dataclass(frozen=True)
class Unreadable:
    """A row of which no Problem can be made, and why; to be rejected, never to be left out."""

    id: str
    why: str


Row = Problem | Unreadable


def split(paths: Sequence[Path], rows: int = 20_000, size: int = 8 << 20) -> list[Shard]:
    """The shards of files and folders: Parquet in parts of at most `rows` rows, JSONL of about `size` bytes.

    Folders are searched to the bottom for *.parquet, *.jsonl, *.jsonl.gz and *.jsonl.zst; hidden files are left
    out, and a file named twice is taken once. The order (by path, then place) depends on nothing else.
    Every file has at least one shard, an empty one too.

    Raises:
        UserError: nothing there, an unknown suffix, or a file that cannot be opened as what its suffix says.
    """
    if rows < 1 or size < 1:
        raise UserError(f"a shard of {rows} rows or {size} bytes; give at least 1")
    shortest_last = sorted(_files(paths), key=lambda path: (len(path.parts), path), reverse=True)
    files = {path.resolve(): path for path in shortest_last}
    if not files:
        told = ", ".join(map(str, paths)) or "no path"
        raise UserError(f"{told}: no candidates; give files or folders with {', '.join(_SUFFIXES)}")
    return [shard for path in sorted(files.values()) for shard in _split(path, rows, size)]


def read(shard: Shard, batch: int = 1024) -> Iterator[list[Row]]:
    """The rows of a shard in their order, in lists of at most `batch`, fewer where texts are long.

    Blank lines are no rows. What is read before an error is raised is not the whole shard.

    Raises:
        UserError: the file changed since it was split, or is truncated or damaged; names file and place.
    """
    _check(shard)
    found = _parquet(shard) if _suffix(shard.path) == ".parquet" else _jsonl(shard)
    rows: list[Row] = []
    characters = 0
    for row in found:
        rows.append(row)
        characters += len(row.text) if isinstance(row, Problem) else 0
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


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from _inside(path)
        elif not path.exists():
            raise UserError(f"{path}: no such file or folder; give what exists")
        elif not _suffix(path):
            raise UserError(f"{path}: no candidates' file by its name; allowed: {', '.join(_SUFFIXES)}")
        else:
            yield path


def _inside(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise UserError(f"{error.filename}: cannot be read ({error.strerror}); give a folder that can")

    for place, _, names in os.walk(folder, onerror=fail):
        yield from (Path(place) / name for name in names if _suffix(Path(name)) and not name.startswith("."))


def _suffix(path: Path) -> str:
    """Which of the known suffixes a file has; empty where it has none."""
    return next((suffix for suffix in _SUFFIXES if path.name.lower().endswith(suffix)), "")


def _split(path: Path, rows: int, size: int) -> list[Shard]:
    suffix = _suffix(path)
    with _telling(path), path.open("rb") as file:
        length = os.fstat(file.fileno()).st_size
        if suffix in _PACKED and not file.read(4).startswith(_PACKED[suffix]):
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
                while not piece.endswith(b"\n") and (piece := file.readline(_PIECE)):
                    offset += len(piece)
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
        names = file.schema_arrow.names
        if not {"text", "question"} & set(names):
            raise UserError(f"{path}: neither a column 'text' nor 'question' among {', '.join(names)}; rename one")
        if twice := sorted(name for name in _wanted(names) if names.count(name) > 1):
            raise UserError(f"{path}: column '{twice[0]}' is there twice; keep one")
        return int(file.metadata.num_rows)


def _wanted(names: Iterable[str]) -> list[str]:
    return [name for name in names if name in (*_COLUMNS, "text")]


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
    # A row group may be the whole file: the buffer size keeps Arrow from reading a column of it at once.
    row = shard.start
    try:
        with pq.ParquetFile(shard.path, buffer_size=_PIECE, page_checksum_verification=True) as file:
            groups, row = _groups(file.metadata, shard)
            wanted = _wanted(file.schema_arrow.names)
            own = _set(shard.path)
            batches = file.iter_batches(_ARROW_BATCH, row_groups=groups, columns=wanted, use_threads=False)
            for batch in batches if groups else ():
                begin, end = max(shard.start - row, 0), min(shard.stop - row, len(batch))
                for place, values in enumerate(_values(batch[begin:end]) if begin < end else (), row + begin):
                    yield _from_values(values, f"{shard.path.name}:{place}", own)
                row += len(batch)
                if row >= shard.stop:
                    break
    except (pa.ArrowException, OSError) as error:
        with _telling(shard.path, f", row {row} or after"):
            raise error
    if row < shard.stop:
        raise UserError(f"{shard.path}, row {row}: fewer rows than the footer says; make it again")


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
    return _from_values(values, place, own) if isinstance(values, dict) else Unreadable(place, "not a JSON object")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Readers differ in which of two equal keys they keep, so one could show what the other had screened."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _from_values(values: Mapping[str, Any] | Unreadable, place: str, own: str) -> Row:
    if isinstance(values, Unreadable):
        return Unreadable(place, values.why)
    try:
        problem = _problem(values, place, own)
        _as_text(problem)
    except (TypeError, ValueError) as error:
        return Unreadable(place, " ".join(str(error).split()))
    return problem if problem.text.strip() else Unreadable(place, "no text")


def _problem(values: Mapping[str, Any], place: str, own: str) -> Problem:
    """A Problem from the columns of a row.

    Where the columns are not those of Problem, the answer after a final "####" is taken from the answer or the
    text, and a missing or unknown domain is guessed: tests make it code, a number for an answer math, and all
    else is "reading", for which no structure is compared.

    Raises:
        TypeError: a column is neither text nor what text can be made of.
    """
    domain = next((known for known in DOMAINS if known == values.get("domain")), None)
    if domain and all(name in values for name in _REQUIRED) and "text" not in values:
        return _made(values, place, own, domain, {})
    question, answer, solution = _shown(values), _text(values, "answer"), _text(values, "solution")
    if answer and (final := _FINAL.search(answer)):
        solution, answer = solution or answer[: final.start()], final.group(1)
    elif not answer and (final := _FINAL.search(question)):
        question, answer = question[: final.start()], final.group(1)
    guess: Domain = "code" if values.get("tests") else "math" if _NUMBER.match(answer.strip()) else "reading"
    return _made(values, place, own, domain or guess, {"question": question, "answer": answer, "solution": solution})


def _shown(values: Mapping[str, Any]) -> str:
    """What a row shows: its text where that contains its question, otherwise both."""
    text, question = _text(values, "text"), _text(values, "question")
    return text if question in text else question if text in question else f"{text}\n{question}"


def _made(values: Mapping[str, Any], place: str, own: str, domain: Domain, known: Mapping[str, str]) -> Problem:
    def text(name: str) -> str:
        return known[name] if name in known else _text(values, name)

    return Problem(
        id=_text(values, "id") or place,
        set=_text(values, "set") or own,
        domain=domain,
        question=text("question"),
        answer=text("answer"),
        context=_text(values, "context"),
        choices=_texts(values, "choices"),
        aliases=_optional(values, "aliases"),
        solution=text("solution"),
        setup=_plain(values, "setup"),
        tests=_texts(values, "tests"),
        functions=_optional(values, "functions"),
        group=_plain(values, "group"),
        family=_plain(values, "family"),
        seed=seed if isinstance(seed := values.get("seed"), int) and -(2**63) <= seed < 2**63 else -1,
        tutor=_plain(values, "tutor"),
    )


def _text(values: Mapping[str, Any], name: str) -> str:
    """A column as text: numbers as they are written, truth as yes and no, what is missing as nothing."""
    value = values.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and name not in ("text", "question", "context"):
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    raise TypeError(f"{name}: {type(value).__name__}, not text")


def _texts(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A column as texts: a list, one text, or {"text": [...]} as the ARC sets have it."""
    value = values.get(name)
    if isinstance(value, Mapping) and "text" in value:
        value = value["text"]
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list):
        raise TypeError(f"{name}: {type(value).__name__}, not a list of texts")
    return tuple(_text({name: part}, name) for part in value)


def _plain(values: Mapping[str, Any], name: str) -> str:
    """A column that anybody's rows may hold in another sense: as text where it is text."""
    return value if isinstance(value := values.get(name), str) else ""


def _optional(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = values.get(name)
    return tuple(value) if isinstance(value, list) and all(isinstance(part, str) for part in value) else ()


def _as_text(problem: Problem) -> None:
    """Raises ValueError where a text holds half a surrogate pair, which no file in UTF-8 can."""
    for name in _COLUMNS:
        value = getattr(problem, name)
        try:
            if isinstance(value, str):
                value.encode()
            elif isinstance(value, tuple):
                "".join(value).encode()
        except UnicodeEncodeError:
            raise ValueError(f"{name}: half a surrogate pair") from None

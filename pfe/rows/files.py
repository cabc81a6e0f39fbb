"""Reading of data files of any format and size, one part at a time, in bounded memory.

Example: `split([Path("corpus")])` returns `Shard(Path("corpus/a.jsonl"), 0, 8388608, 20000000)`, and so on;
`read` of it yields lists of `Placed`: a `Problem` for every line such as {"text": "Tom has 3 apples and …"}, and an
`Unreadable("a.jsonl:17", "not JSON: …")` for a line that cannot be read.

The module `named` assigns the roles of columns; all columns with text are read. A row without an id is called
"<file name>:<place>": the line at which it starts, from 1, in JSON lines and CSV, and its number, from 0, in the
other formats.
"""

import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

from pfe.errors import UserError, nearest_file
from pfe.problem import Problem
from pfe.rows.formats.array import Array
from pfe.rows.formats.arrow import Arrow
from pfe.rows.formats.format import PACKINGS, Format, Shard, check_unpacked, read_errors
from pfe.rows.formats.lines import Lines
from pfe.rows.formats.parquet import Parquet
from pfe.rows.formats.separated import Separated
from pfe.rows.row import Entry, Placed, Unreadable
from pfe.rows.shapes import read_row
from pfe.terminal import is_utf8

FORMATS: tuple[Format, ...] = (Lines(), Array(), Separated(), Parquet(), Arrow())
_BY_SUFFIX: Mapping[str, Format] = {
    suffix + packing: form
    for form in FORMATS
    for packing in ("", *(PACKINGS if form.is_text else ()))
    for suffix in form.suffixes
}
SUFFIXES = tuple(_BY_SUFFIX)
NO_DATA = ("README", "README.md", "LICENSE", ".gitignore", ".gitattributes", ".gitkeep", ".DS_Store")
_STATE, _INFO, _SPLITS = "state.json", "dataset_info.json", "dataset_dict.json"
BATCH_CHARACTERS = 32 << 20


def split(paths: Sequence[Path], rows: int = 20_000, size: int = 8 << 20) -> list[Shard]:
    """Return the shards of files and folders: Parquet in parts of at most `rows` rows, JSONL of about `size` bytes.

    Folders are searched recursively, and a file that is named twice is read once. The order depends only on path and
    place. Every file has at least one shard, even an empty one.

    Raises:
        UserError: a path does not exist, a suffix is unknown, a file cannot be opened as its suffix says, or `rows` or
            `size` is below 1.
    """
    if rows < 1 or size < 1:
        raise UserError(f"a shard of {rows} rows or {size} bytes; give at least 1")
    return [shard for path in data_files(paths) for shard in _shards(path, rows, size)]


def read(shard: Shard, batch: int = 1024, columns: Mapping[str, str] | None = None) -> Iterator[list[Placed]]:
    """Yield the rows of a shard in order, in lists of at most `batch`, fewer if texts are long.

    Blank lines are skipped. If an error is raised, the rows read before it are not the whole shard.

    Args:
        columns: the role of columns by name, as `pfe check --column question=body` sets it.

    Raises:
        UserError: the file changed since it was split, or is truncated or damaged; the message names file and place.
    """
    rows: list[Placed] = []
    characters = 0
    set = shard.path.name[: -len(suffix_of(shard.path))]
    for entry in entries(shard, columns or ()):
        id = f"{shard.path.name}:{entry.place}"
        problem = Unreadable(id, entry.trouble) if entry.trouble else read_row(entry.columns, id, set, columns)
        rows.append(Placed(entry.place, problem))
        characters += sum(map(len, problem.parts)) if isinstance(problem, Problem) else 0
        if len(rows) == batch or characters > BATCH_CHARACTERS:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows


def problems(path: Path) -> Iterator[Placed]:
    """Return all rows of a file in order.

    Raises:
        UserError: as in `split` and `read`.
    """
    return (row for shard in split([path]) for rows in read(shard) for row in rows)


def entries(shard: Shard, extra_columns: Collection[str] | None = None) -> Iterator[Entry]:
    """Return the rows of a shard as its file has them.

    Args:
        extra_columns: if given, a column without text is read only if it is one of these or has a known name.

    Raises:
        UserError: as in `read`, or the rows are longer than `check_unpacked` allows.
    """
    _check(shard)
    unpacked = 0
    for entry in format_of(shard.path).entries(shard, extra_columns):
        unpacked += _length(entry.columns)
        check_unpacked(shard, unpacked)
        yield entry


def _length(value: Any) -> int:
    """Return the characters and bytes of all texts inside a value, at least 8 for each of its parts."""
    length, values = 0, [value]
    while values:
        match values.pop():
            case str() | bytes() as text:
                length += max(8, len(text))
            case Mapping() as inner:
                values += [*inner.keys(), *inner.values()]
            case list() | tuple() as inner:
                values += inner
            case _:
                length += 8
    return length


def columns_of(paths: Sequence[Path], most: int = 1000) -> list[str]:
    """Return the columns of the first `most` rows of each file, in the order in which they occur."""
    rows = (entry for path in paths for entry in islice(entries(_shards(path, most, 1 << 62)[0]), most))
    return list(dict.fromkeys(column for entry in rows for column in entry.columns))


def digest(shard: Shard) -> str:
    """Return the SHA-256 (hex) of everything that determines a shard's rows: file name, place and the bytes read there.

    For a Parquet file, the bytes are the footer and every row group that the shard touches.

    Raises:
        UserError: the file changed since it was split, or cannot be read.
    """
    _check(shard)
    place = f"{shard.path.name}\0{shard.start}\0{shard.stop}\0{shard.line}\0"
    hasher = hashlib.sha256(place.encode("utf-8", "surrogateescape"))
    with read_errors(shard.path), shard.path.open("rb") as file:
        for piece in format_of(shard.path).pieces(shard, file):
            hasher.update(piece)
    return hasher.hexdigest()


def format_of(path: Path) -> Format:
    """Return the format of a file, by its name.

    Raises:
        UserError: the name has no known suffix.
    """
    if not suffix_of(path):
        raise UserError(f"{path}: no data file by its name; allowed: {', '.join(SUFFIXES)}")
    return _BY_SUFFIX[suffix_of(path)]


def place_of(path: Path, place: int) -> str:
    """Return the place of a row in readable form: "mine.csv, line 17"."""
    return f"{path}, {format_of(path).unit} {place}"


def data_files(paths: Sequence[Path], leave_out: Sequence[str] = ()) -> list[Path]:
    """Return the files that are named, and those in the folders that are named, recursively and through links.

    Every file is read, so one that cannot be read is an error, except those of `files_left_out`.

    Raises:
        UserError: a path does not exist or is not UTF-8, a file has no known suffix (the message counts all of them),
            or a folder of `datasets` lacks a file.
    """
    included = [path for path, skipped in _files(paths, leave_out) if not skipped]
    if unnameable := [path for path in included if not is_utf8(str(path))]:
        raise UserError(f"{min(unnameable)}: its name is not UTF-8; rename it, or leave it out with --leave-out")
    files = {path.resolve(): path for path in sorted(included, key=_order, reverse=True)}
    strange = sorted(path for path in files.values() if not suffix_of(path))
    if strange:
        more = f", and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        raise UserError(
            f"{strange[0]}{more}: no data file by its name, and nothing may go unread; "
            f"allowed: {', '.join(SUFFIXES)}; what holds no data is left out with --leave-out '{strange[0].name}'"
        )
    if not files:
        raise UserError(
            f"{', '.join(map(str, paths)) or 'no path'}: no data; give files or folders with {', '.join(SUFFIXES)}"
        )
    return sorted(files.values())


def files_left_out(paths: Sequence[Path], leave_out: Sequence[str] = ()) -> list[Path]:
    """Return the files in folders that are not read.

    These are the files of `NO_DATA`, the metadata that `datasets` writes next to its data, and files whose name, path
    or parent folder matches a pattern of `leave_out` (`*.md`, `.git`).
    """
    return sorted({path for path, skipped in _files(paths, leave_out) if skipped})


def is_beside_data(path: Path) -> bool:
    """Return whether a file is metadata that `datasets` wrote: the state or description of a data set, or its splits.

    Raises:
        UserError: a file that it names does not exist.
    """
    folder = path.parent
    if path.name == _SPLITS:
        parts = [Path(name) / _STATE for name in _listed(path, "splits")]
    elif path.name in (_STATE, _INFO) and (folder / _STATE).is_file() and (folder / _INFO).is_file():
        files = _listed(folder / _STATE, "_data_files")
        parts = [Path(file["filename"]) for file in files if isinstance(file, dict) and "filename" in file]
    else:
        return False
    if missing := [part for part in parts if not (folder / part).is_file()]:
        raise UserError(f"{folder / missing[0]}: named in {path}, but not there; copy the data set whole")
    return bool(parts)


def _listed(path: Path, key: str) -> list[Any]:
    """Return a list in a metadata file of `datasets`; empty if the file has no such list, and so is ordinary data."""
    try:
        values = json.loads(path.read_bytes())[key]
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return []
    return values if isinstance(values, list) else []


def _order(path: Path) -> tuple[int, Path]:
    """Return a sort key by length: of several paths to one file, the shortest is used."""
    return len(path.parts), path


def _files(paths: Sequence[Path], leave_out: Sequence[str]) -> Iterator[tuple[Path, bool]]:
    """Yield every file, and whether it is left out."""
    for path in paths:
        if path.is_dir():
            yield from ((file, _left_out(file, path, leave_out)) for file in _inside(path))
        elif not path.exists():
            raise UserError(f"{path}: no such file or folder; {nearest_file(path) or 'give what exists'}")
        elif not path.is_file():
            raise UserError(f"{path}: neither a file nor a folder; write it to a file first")
        else:
            yield path, False


def _left_out(path: Path, folder: Path, patterns: Sequence[str]) -> bool:
    inside = path.relative_to(folder)
    return (
        path.name in NO_DATA
        or any(fnmatchcase(name, pattern) for pattern in patterns for name in (str(inside), *inside.parts))
        or is_beside_data(path)
    )


def _inside(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise UserError(f"{error.filename}: cannot be read ({error.strerror}); give a folder that can")

    visited = {folder.resolve()}
    for place, folders, names in os.walk(folder, onerror=fail, followlinks=True):
        # A link may lead back to a folder that was already visited.
        fresh = {name: (Path(place) / name).resolve() for name in sorted(folders)}
        folders[:] = [name for name, target in fresh.items() if target not in visited]
        visited.update(fresh.values())
        for name in names:
            path = Path(place) / name
            if not path.is_file():
                raise UserError(f"{path}: neither a file nor a folder, or a link to nothing; remove it")
            yield path


def suffix_of(path: Path) -> str:
    """Return the known suffix of a file; "" if it has none."""
    return next((suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)), "")


def _shards(path: Path, rows: int, size: int) -> list[Shard]:
    with read_errors(path):
        return list(format_of(path).shards(path, rows, size))


def _check(shard: Shard) -> None:
    with read_errors(shard.path):
        size = shard.path.stat().st_size
    if size != shard.size:
        raise UserError(
            f"{shard.path}: has {size} bytes, {shard.size} when it was split; it changed or was cut short, start again"
        )

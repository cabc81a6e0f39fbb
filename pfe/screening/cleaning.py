"""A copy of a data set without the rejected rows, in the same format, with the same columns and other rows unchanged.

Example: if the firewall rejects the row in line 3 of mine.csv, the copy has all other lines, byte for byte.

Compressed files are compressed again; Parquet and Arrow files have the same values; a folder of `datasets` can be
loaded as before.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, groupby
from pathlib import Path

import pyarrow.parquet as pq

from pfe.canonical.seal import sha256_of
from pfe.errors import UserError
from pfe.files import check_new, new_folder, replacing
from pfe.firewall.firewall import PASSED
from pfe.rows.files import digest, files_left_out, format_of, is_beside_data, suffix_of
from pfe.screening.files import Part


@dataclass(frozen=True)
class FilteredFile:
    """A screened file, and whether to keep each of its rows, in order."""

    parts: tuple[Part, ...]
    keep: tuple[bool, ...]

    @property
    def path(self) -> Path:
        """Return the path of the screened file."""
        return self.parts[0].shard.path

    def write(self, target: Path) -> None:
        """Write the rows to keep to `target`.

        Raises:
            UserError: the file changed since it was screened.
        """
        keep = iter(self.keep)
        format_of(self.path).copy(self.path, chain(keep, self._changed()), target)
        if next(keep, None) is not None or any(digest(part.shard) != part.digest for part in self.parts):
            next(self._changed())

    def _changed(self) -> Iterator[bool]:
        yield from ()
        raise UserError(f"{self.path}: changed since it was screened, so nothing was written; start again")


def filtered_files(parts: Sequence[Part]) -> list[FilteredFile]:
    """Return every screened file, with the rows to keep."""
    groups = (tuple(group) for _, group in groupby(parts, key=lambda part: part.shard.path))
    return [FilteredFile(group, tuple(_passed(group))) for group in groups]


def check_target(data: Sequence[Path], out: Path) -> bool:
    """Return whether the cleaned `data` goes to a single file, as for a single data file; otherwise to a folder.

    Raises:
        UserError: `out` exists already, or has the suffix of another format.
    """
    suffix = suffix_of(out)
    check_new(out, "--clean")
    if not suffix or out.is_dir() or [path.is_file() for path in data] != [True]:
        return False
    if not data[0].name.lower().endswith(suffix):
        raise UserError(f"{out}: another format than {data[0]}, and rows are written as they were; give its suffix")
    return True


def clean(files: Sequence[FilteredFile], data: Sequence[Path], out: Path) -> None:
    """Write the files below `data` without the rejected rows, all of them or none.

    Raises:
        UserError: a file changed since it was screened, two files would have the same name, or `out` is taken.
    """
    if check_target(data, out):
        with replacing(out) as temporary:
            files[0].write(temporary)
        return
    with new_folder(out, "--clean") as folder:
        places = [_place(file.path, data) for file in files]
        if duplicate := next((place for place in places if places.count(place) > 1), None):
            raise UserError(f"{duplicate}: the name of two files of the data; clean one folder at a time")
        for file, place in zip(files, places, strict=True):
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            file.write(folder / place)
        for path in files_left_out(data):
            if is_beside_data(path):
                _describe(path, folder / _place(path, data))


def _passed(parts: Sequence[Part]) -> Iterator[bool]:
    for part in parts:
        reasons = pq.read_table(part.verdicts, columns=["reason"])["reason"]
        yield from (reason == PASSED for reason in reasons.to_pylist())


def _place(path: Path, data: Sequence[Path]) -> Path:
    """Return the path of a file relative to the folder in `data`, after that folder's name if there are several."""
    root = next(root for root in data if path == root or (root.is_dir() and path.is_relative_to(root)))
    place = path.relative_to(root) if root.is_dir() else Path(path.name)
    return Path(root.name) / place if root.is_dir() and len(data) > 1 else place


def _describe(path: Path, target: Path) -> None:
    """Copy a metadata file of `datasets` with a new fingerprint, since `datasets` caches results by fingerprint."""
    values = json.loads(path.read_bytes())
    if "_fingerprint" in values:
        hashes = [sha256_of(file) for file in sorted(target.parent.glob("*.arrow"))]
        values["_fingerprint"] = sha256("".join(hashes).encode()).hexdigest()[:16]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(values, indent=2, ensure_ascii=False), encoding="utf-8")

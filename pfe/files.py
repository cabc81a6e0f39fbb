"""Files that are there whole or not at all: write beside, then rename.

Example:
    with replacing(Path("metrics/lift.json")) as temporary:
        temporary.write_text("{}")
"""

import errno
import json
import os
import re
import shutil
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pfe.errors import UserError

T = TypeVar("T")
_REFUSALS = (
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY,
    errno.ENAMETOOLONG, errno.ELOOP, errno.EBUSY, errno.EXDEV, errno.EINVAL, errno.ENOENT,
)  # fmt: skip


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path beside `path`; rename it to `path` at the end, delete it on any error.

    Raises:
        UserError: nothing can be written there.
    """
    with _refusal_as_mistake(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        temporary = _beside(path)
        temporary.touch()
    try:
        yield temporary
        with _refusal_as_mistake(path):
            os.replace(temporary, path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path, ours: Callable[[Path], bool] | None = None) -> Iterator[Path]:
    """Yield an empty folder beside `path`; swap it in at the end, delete it on any error.

    What was in `path` is gone then, so where a user names it, `ours` says of a folder that is not empty whether
    it is an earlier result of ours and holds nothing else.

    Raises:
        UserError: no folder can be made there, it would replace what is not ours, the path climbs (".."), or it is
            the folder we work in.
    """
    if ".." in path.parts or Path.cwd().is_relative_to(path.absolute()):
        raise UserError(f"{path}: would be replaced whole; give a folder of its own, by a path without '..'")
    _check_replaceable(path, ours)
    with scratch_folder(path) as temporary:
        yield temporary
        _check_replaceable(path, ours)
        with _refusal_as_mistake(path):
            _swap(temporary, path)


@contextmanager
def replacing_together(*paths: Path) -> Iterator[list[Path]]:
    """Yield a path beside each of `paths`, a folder for one without a suffix; at the end all are swapped in, or none.

    Raises:
        UserError: as `replacing` and `replacing_folder` do.
    """
    with ExitStack() as stack:
        yield [stack.enter_context(replacing(path) if path.suffix else replacing_folder(path)) for path in paths]


@contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside `path`, deleted at the end if it is still there.

    Raises:
        UserError: it cannot be made.
    """
    with _refusal_as_mistake(path):
        temporary = _beside(path)
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
    try:
        yield temporary
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _check_replaceable(folder: Path, ours: Callable[[Path], bool] | None) -> None:
    with _refusal_as_mistake(folder):
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise UserError(f"{folder}: is there and is no folder; give a new one")
        if ours and folder.exists() and any(folder.iterdir()) and not ours(folder):
            raise UserError(f"{folder}: is neither empty nor an earlier result of this command; give a new folder")


def _swap(temporary: Path, path: Path) -> None:
    """Put a folder in the place of another, which is set aside first: a kill leaves one of them there."""
    aside = temporary.with_name(temporary.name.removesuffix(".tmp") + ".old.tmp")
    if path.exists():
        os.replace(path, aside)
    try:
        os.replace(temporary, path)
    except OSError:
        if aside.exists():
            os.replace(aside, path)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _beside(path: Path) -> Path:
    """A name beside `path` for what is not whole yet; what dead processes left under such names goes."""
    for leftover in _leftovers(path.parent.absolute()).get(path.name, ()):
        with suppress(OSError):
            if leftover.name.endswith(".old.tmp") and not path.exists():
                os.replace(leftover, path)
            elif leftover.is_dir() and not leftover.is_symlink():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{os.getpid()}.{_host()}.tmp")


@cache
def _leftovers(parent: Path) -> Mapping[str, list[Path]]:
    """What dead processes of this machine left in a folder, by the names it was for; looked for once a process."""
    pattern = re.compile(rf"\.(.+?)\.(\d{{1,10}})(?:\.{re.escape(_host())})?(?:\.old)?\.tmp", re.DOTALL)
    leftovers: dict[str, list[Path]] = {}
    for path in parent.iterdir() if parent.is_dir() else ():
        if (match := pattern.fullmatch(path.name)) and not _is_alive(int(match[2])):
            leftovers.setdefault(match[1], []).append(path)
    return leftovers


def _host() -> str:
    """This machine's name: processes on others, of which nothing is known here, may share a folder with us."""
    return re.sub(r"\W+", "-", socket.gethostname()) or "-"


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def _refusal_as_mistake(path: Path) -> Iterator[None]:
    """What the file system refuses, told as a mistake of the user's; a full disk is none."""
    try:
        yield
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
        raise UserError(f"{path}: cannot be written ({error.strerror}); give a place that can") from None


def read_record(path: Path, kind: type[T]) -> T:
    """What `write_record` wrote: a dataclass, or a `list` or `Mapping` of them.

    Raises:
        UserError: the file is missing, or holds something else.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run `dvc repro` to make it") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        reason = f"{place}: {first['msg']}" if place else first["msg"]
        raise UserError(f"{path}: not what PFE writes there ({reason}); run `dvc repro` to make it again") from None


def write_record(path: Path, record: T, kind: type[T] | None = None) -> None:
    """Write a dataclass, or with its `kind` a `list` or `Mapping` of them, as JSON; no number stands as null."""
    from pydantic import TypeAdapter

    write_json(path, json.loads(TypeAdapter(kind or type(record)).dump_json(record)))


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON with sorted keys, so that equal values are equal bytes."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")

"""Atomic writes: a file is written under a temporary name next to its place, then renamed.

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
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pfe.errors import UserError

T = TypeVar("T")
NAMED = 3  # existing files that an error message names
_REFUSALS = (
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY,
    errno.ENAMETOOLONG, errno.ELOOP, errno.EBUSY, errno.EXDEV, errno.EINVAL, errno.ENOENT,
)  # fmt: skip


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to `path`; rename it to `path` at the end, delete it on any error.

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
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder next to `path`; swap it in at the end, delete it on any error.

    The previous content of `path` is deleted: use `new_folder` for a place that a user names.

    Raises:
        UserError: no folder can be made there, the path climbs (".."), or it is the folder we work in.
    """
    if ".." in path.parts or Path.cwd().is_relative_to(path.absolute()):
        raise UserError(f"{path}: would be replaced whole; give a folder of its own, by a path without '..'")
    _check_is_folder(path)
    with scratch_folder(path) as temporary:
        yield temporary
        _check_is_folder(path)
        with _refusal_as_mistake(path):
            _swap(temporary, path)


@contextmanager
def new_folder(path: Path, option: str) -> Iterator[Path]:
    """Yield an empty folder next to `path`, where nothing may be yet; rename it to `path` at the end if all went well.

    Args:
        option: the command-line option that named the place, for messages.

    Raises:
        UserError: as `check_new` and `replacing_folder` do.
    """
    check_new(path, option)
    with replacing_folder(path.resolve()) as folder:
        yield folder
        check_new(path, option)


def check_new(path: Path, option: str) -> None:
    """Check that nothing exists at a path, or only an empty folder.

    Raises:
        UserError: something does.
    """
    with _refusal_as_mistake(path):
        contents = sorted(inside.name for inside in path.iterdir()) if path.is_dir() else []
        taken = bool(contents) or path.is_symlink() or (path.exists() and not path.is_dir())
    if taken:
        more = ", …" if len(contents) > NAMED else ""
        what = f" ({', '.join(contents[:NAMED])}{more})" if contents else ""
        raise UserError(f"{path}: is there already{what}, and is not replaced; give another place: {option} OTHER")


@contextmanager
def replacing_together(*paths: Path) -> Iterator[list[Path]]:
    """Yield a temporary path next to each of `paths`, a folder for one without a suffix; finally swap in all or none.

    Raises:
        UserError: as `replacing` and `replacing_folder` do.
    """
    with ExitStack() as stack:
        yield [stack.enter_context(replacing(path) if path.suffix else replacing_folder(path)) for path in paths]


@contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder next to `path`; delete it at the end if it is still there.

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


def _check_is_folder(path: Path) -> None:
    with _refusal_as_mistake(path):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise UserError(f"{path}: is there and is no folder; give a new one")


def _swap(temporary: Path, path: Path) -> None:
    """Replace a folder by another; the old one is renamed first, so that a kill leaves one of them on disk."""
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
    """Return a temporary name next to `path`; delete or restore what dead processes left under such names."""
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
    """Return the temporary files that dead processes of this machine left in a folder, by target; once a process."""
    pattern = re.compile(rf"\.(.+?)\.(\d{{1,10}})(?:\.{re.escape(_host())})?(?:\.old)?\.tmp", re.DOTALL)
    leftovers: dict[str, list[Path]] = {}
    for path in parent.iterdir() if parent.is_dir() else ():
        if (match := pattern.fullmatch(path.name)) and not _is_alive(int(match[2])):
            leftovers.setdefault(match[1], []).append(path)
    return leftovers


def _host() -> str:
    """Return this machine's name: processes on other machines, whose state is unknown here, may share the folder."""
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
    """Turn a refusal of the file system into a UserError; a full disk stays an OSError."""
    try:
        yield
    except OSError as error:
        if error.errno not in _REFUSALS:
            raise
        is_closed = error.errno == errno.ENOENT and path.parent.is_dir()
        reason = f"no file can be made in {path.parent}" if is_closed else error.strerror
        raise UserError(f"{path}: cannot be written ({reason}); give a place where you can write") from None


def read_record(path: Path, kind: type[T], remedy: str = "run `dvc repro` to make it") -> T:
    """Read what `write_record` wrote: a dataclass, or a `list` or `Mapping` of them.

    Args:
        remedy: the advice for a file that is missing or damaged.

    Raises:
        UserError: the file is missing, or holds something else.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; {remedy}") from None
    except ValidationError as error:
        first = error.errors()[0]
        reason = first["msg"].removeprefix("Value error, ")
        place = ".".join(map(str, first["loc"]))
        where = f"{place}: {reason}" if place else reason
        raise UserError(f"{path}: not what PFE writes there ({where}); {remedy}") from None


def write_record(path: Path, record: T, kind: type[T] | None = None) -> None:
    """Write a dataclass, or with its `kind` a `list` or `Mapping` of them, as JSON; NaN and infinity become null."""
    from pydantic import TypeAdapter

    write_json(path, json.loads(TypeAdapter(kind or type(record)).dump_json(record)))


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON with sorted keys, so that equal values are equal bytes."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")

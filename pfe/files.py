"""Files that are there whole or not at all: write beside, then rename.

Example:
    with replacing(Path("metrics/lift.json")) as temporary:
        temporary.write_text("{}")
"""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pfe.errors import UserError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path beside `path`; rename it to `path` at the end, delete it on any error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside `path`; swap it in at the end, delete it on any error."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    try:
        yield temporary
        shutil.rmtree(path, ignore_errors=True)
        os.replace(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def read_json(path: Path) -> Any:
    """The value of a JSON file.

    Raises:
        UserError: the file is missing, or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run `dvc repro` to make it") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not JSON ({error}); delete it and run `dvc repro`") from None


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON with sorted keys, so that equal values are equal bytes."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")

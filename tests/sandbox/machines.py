"""Machines that lack something, for tests of what is refused there."""

import shutil
from pathlib import Path

import pytest

from pfe.sandbox import process
from tests.conftest import ROOT


def lacking(call: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """From here on programs are started by a copy of our code in a folder, to which a system call is unknown.

    Args:
        call: as it is written in `sandboxed.py`.
    """
    (folder / "pfe").mkdir()
    shutil.copy(ROOT / "pfe/__init__.py", folder / "pfe")
    for room in ("processes", "sandbox"):
        shutil.copytree(ROOT / "pfe" / room, folder / "pfe" / room, ignore=shutil.ignore_patterns("__pycache__"))
    inside = folder / "pfe/sandbox/sandboxed.py"
    source = inside.read_text()
    assert call in source
    inside.write_text(source.replace(call, call.replace('"', '"no_such_', 1)))
    patch.setattr(process, "ROOT", folder)

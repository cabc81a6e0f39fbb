"""A control group (version 2) for each program, if this process may create one: it also counts memory of the kernel.

Example: where systemd has delegated user@1000.service/app.slice to the user, each program runs in a group
app.slice/pfe-sandbox-k2x81f with limits on its memory and its threads.

A group can only be created where no process lives, so that is never the group of this process but one above it. Without
such a group, programs run without one.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import get_ident

from pfe.sandbox.workplace import PREFIX, YOUNG

ROOTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
CONTROLLERS = ("memory", "pids")
JOIN = "import sys; open(sys.argv[1], 'w').write('0')"


@contextmanager
def group(parent: Path | None, name: str, memory: int, threads: int) -> Iterator[str]:
    """Yield the file to which a process writes "0" to join a new group, and remove the group at the end.

    Args:
        parent: the folder of the group above; without one, or if the group cannot be created, "" is yielded.
        memory: bytes, including memory of the kernel and files in memory; nothing of it is swapped.
    """
    folder = _create(parent / name, memory, threads) if parent else None
    try:
        yield str(folder / "cgroup.procs") if folder else ""
    finally:
        if folder:
            with suppress(OSError):  # a process of it is still ending: `delegated` removes the group another time
                folder.rmdir()


def _create(folder: Path, memory: int, threads: int) -> Path | None:
    try:
        folder.mkdir()
        (folder / "memory.max").write_text(str(memory))
        (folder / "pids.max").write_text(str(threads))
    except OSError:
        return None
    with suppress(OSError):  # a kernel without swapping
        (folder / "memory.swap.max").write_text("0")
    return folder


@cache
def delegated() -> Path | None:
    """Return the nearest group in which this process can create groups and move processes to them, if there is one."""
    membership = Path("/proc/self/cgroup")
    for folder in above(membership.read_text() if membership.exists() else "", ROOTS):
        if _works(folder):
            for left in folder.glob(f"{PREFIX}*"):
                with suppress(OSError):
                    if time.time() - left.stat().st_mtime > YOUNG:
                        left.rmdir()  # which fails if a process lives there
            return folder
    return None


def above(membership: str, roots: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the folder of a process's group and those above it.

    Args:
        membership: the text of /proc/self/cgroup.
        roots: where the tree of groups may be mounted.
    """
    own = next((line.removeprefix("0::/") for line in membership.splitlines() if line.startswith("0::/")), None)
    for root in roots if own is not None else ():
        if (root / "cgroup.controllers").exists():
            folder = root / str(own)
            yield from (place for place in (folder, *folder.parents) if place.is_relative_to(root))


def _works(folder: Path) -> bool:
    """Return whether a process could be moved to a group with limits below the folder."""
    try:
        control = folder / "cgroup.subtree_control"
        if missing := set(CONTROLLERS) - set(control.read_text().split()):
            control.write_text(" ".join(f"+{controller}" for controller in sorted(missing)))
        with group(folder, f"{PREFIX}{os.getpid()}-{get_ident()}", 1 << 28, 16) as join:
            subprocess.run([sys.executable, "-I", "-S", "-c", JOIN, join], check=True, capture_output=True)
    except (OSError, subprocess.SubprocessError):
        return False
    return True

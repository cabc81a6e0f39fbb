"""Python as on macOS, as far as Linux can play it: what only Linux has is missing, /proc too.

Every Python whose PYTHONPATH holds this folder begins with it.
"""

import ctypes
import fcntl
import os
import resource
import select
import signal
import sys
import sysconfig
from typing import Any

LINUX: dict[Any, tuple[str, ...]] = {
    ctypes: ("CDLL", "cdll"),  # whose None has no prctl there
    fcntl: ("F_ADD_SEALS", "F_GET_SEALS", "F_SETPIPE_SZ", "F_GETPIPE_SZ", "F_OFD_SETLK"),
    os: (
        "copy_file_range", "eventfd", "getresuid", "memfd_create", "pidfd_open", "posix_fadvise", "posix_fallocate",
        "process_cpu_count", "sched_getaffinity", "sched_setaffinity", "sched_setscheduler", "setns", "setresuid",
        "splice", "unshare", "O_DIRECT", "O_LARGEFILE", "O_NOATIME", "O_PATH", "O_TMPFILE",
    ),
    resource: ("prlimit", "RLIMIT_MSGQUEUE", "RLIMIT_NICE", "RLIMIT_OFILE", "RLIMIT_RTPRIO", "RLIMIT_SIGPENDING"),
    select: ("epoll", "EPOLLIN"),
    signal: ("SIGCLD", "SIGPOLL", "SIGPWR", "SIGRTMAX", "SIGRTMIN", "SIGSTKFLT", "sigtimedwait", "sigwaitinfo"),
}  # fmt: skip


def play() -> None:
    """From here on this process is a Mac's."""
    sysconfig.get_config_vars()  # which are those of the Python that was built, for Linux
    for module, names in LINUX.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.platform = "darwin"
    sys.addaudithook(_no_proc)


def _no_proc(event: str, given: tuple[Any, ...]) -> None:
    if event in ("open", "os.listdir") and str(given[0]).startswith("/proc"):
        raise FileNotFoundError(given[0])


if __name__ == "sitecustomize":
    play()

"""What children do in the tests; `note` is a file that gets a line with the number of each process."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn


def echo(text: str) -> bytes:
    return text.encode()


def number() -> bytes:
    """Of the process; and of its guard."""
    return f"{os.getpid()} {os.getppid()}".encode()


def count() -> bytes:
    """How often this module was asked in this process."""
    _calls.append(0)
    return str(len(_calls)).encode()


def fail() -> bytes:
    raise ValueError("not\ntoday")


def leave() -> bytes:
    os._exit(3)


def spin(seconds: float) -> bytes:
    """Use so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return b"done"


def ignore_the_end() -> bytes:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    return spin(60)


def wait() -> bytes:
    time.sleep(60)
    return b"done"


def kill_the_guard() -> NoReturn:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
    sys.exit()


def large(size: int) -> bytes:
    return bytes(size)


def grow() -> bytes:
    return bytes(1 << 30)


def wait_noted(note: str) -> bytes:
    _note(note)
    return wait()


def leave_a_grandchild(note: str) -> bytes:
    """Wait, with a process that has left group and session and lost its parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            wait_noted(note)
        os._exit(0)
    os.wait()
    return wait_noted(note)


def _note(note: str) -> None:
    with Path(note).open("a") as file:
        file.write(f"{os.getpid()}\n")


_calls: list[int] = []

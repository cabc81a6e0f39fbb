"""Entry and exit of stages and commands: arguments are checked, errors become one line and an exit status.

Example:
    @reports_mistakes
    def main(model: str) -> None: ...

    if __name__ == "__main__":
        run(main, "model")
"""

import errno
import functools
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, ParamSpec

from pfe.errors import UserError
from pfe.extras import remedy
from pfe.lock import verify
from pfe.run_times import recorded
from pfe.terminal import plain

STDOUT = 1  # its file descriptor
FULL = (errno.ENOSPC, errno.EDQUOT)
P = ParamSpec("P")


def run(main: Callable[..., None], *parameters: str) -> None:
    """Call a script's `main` with the arguments after `python -m …`, one for each of `parameters`.

    DVC names a stage `evaluate@student` in DVC_STAGE: the part after the @ replaces an argument that is not given.
    `--help` prints the script's docstring; another number of arguments prints the usage and exits with status 2.
    The inputs of a stage are first checked against dvc.lock, and its run time is recorded.
    """
    script = sys.modules["__main__"]
    item = os.environ.get("DVC_STAGE", "").partition("@")[2]
    arguments = sys.argv[1:] or ([item] if item else [])
    if {"-h", "--help"} & set(arguments):
        reports_mistakes(print)((script.__doc__ or "").strip())
        return
    if len(arguments) != len(parameters):
        name = script.__spec__.name if script.__spec__ else sys.argv[0]
        usage = " ".join(["python -m", name, *(parameter.upper() for parameter in parameters)])
        _end(f"usage: {usage}; given: {' '.join(arguments) or 'nothing'}", 2)
    if not (script.__spec__ and script.__spec__.name.startswith("stages.")):
        main(*arguments)
        return
    stage, key = script.__spec__.name.removeprefix("stages."), next(iter(arguments), None)
    reports_mistakes(verify)(stage, key)
    with recorded(stage if key is None else f"{stage}@{key}"):
        main(*arguments)


def reports_mistakes(main: Callable[P, None]) -> Callable[P, None]:
    """Decorate a main function so that user errors and system errors print one line instead of a traceback."""

    @functools.wraps(main)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        with reporting_mistakes(1):
            main(*args, **kwargs)

    return wrapper


class _TerminationError(KeyboardInterrupt):
    """SIGTERM came: handled like an interrupt, so that child processes end and scratch folders are deleted."""


def _terminate(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise _TerminationError


def _mask_around_fork(how: signal.Sigmasks, is_child: bool = False) -> None:
    if signal.getsignal(signal.SIGTERM) is _terminate:
        if is_child:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(how, {signal.SIGTERM})


# A child process gets the default handler: it would not run a Python handler while it computes or waits in C, and the
# process that ends it waits for it. SIGTERM is blocked until then, since Python drops earlier signals in a new child.
os.register_at_fork(
    before=functools.partial(_mask_around_fork, signal.SIG_BLOCK),
    after_in_parent=functools.partial(_mask_around_fork, signal.SIG_UNBLOCK),
    after_in_child=functools.partial(_mask_around_fork, signal.SIG_UNBLOCK, is_child=True),
)


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Raise on SIGTERM inside the block; forked children, and this process on a second SIGTERM, end at once."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def reporting_mistakes(status: int) -> Iterator[None]:
    """End the process with one line and `status` after a user error or a system error.

    If the reader of our output is gone (`… | head`), end silently, as by SIGPIPE.
    """
    try:
        try:
            with _termination_as_interrupt():
                yield
        except SystemExit:  # from argparse, whose --help may still be in the buffer
            sys.stdout.flush()
            raise
        sys.stdout.flush()
    except UserError as error:
        _end(str(error), status)
    except _TerminationError:
        _end("terminated; nothing half-written was kept, run it again to go on", 128 + signal.SIGTERM)
    except KeyboardInterrupt:
        _end("interrupted; nothing half-written was kept, run it again to go on", 130)
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _is_unread():
            sys.exit(128 + signal.SIGPIPE)
        if isinstance(error, MemoryError) or "not enough memory" in str(error):
            _end("not enough memory; ask for less at a time or of smaller size, or run it where there is more", status)
        if _disk_is_full(error):
            _end("no space left on the disk; free some and run it again, nothing half-written was kept", status)
        if isinstance(error, OSError):
            _end(_refusal(error), status)
        if isinstance(error, ModuleNotFoundError) and (hint := remedy((error.name or "").partition(".")[0])):
            _end(f"{error}; {hint}", status)
        raise


def _is_unread() -> bool:
    """Return whether nobody reads our output any more; if so, discard the rest, so that the last flush works."""
    pipe = select.poll()
    pipe.register(STDOUT, 0)
    unread = any(event & select.POLLERR for _, event in pipe.poll(0))
    if unread:
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    return unread


def _disk_is_full(error: Exception) -> bool:
    """Return whether the disk is full: libraries in other languages (safetensors, Arrow) may say so in words only."""
    return (isinstance(error, OSError) and error.errno in FULL) or "No space left on device" in str(error)


def _refusal(error: OSError) -> str:
    """Return what the file system or the network refused, and the path."""
    reason = f"{error.filename}: {error.strerror}" if error.filename else str(error) or type(error).__name__
    if isinstance(error, FileNotFoundError):
        stages = "if it is made by a stage, run `dvc repro`, otherwise " if Path("dvc.yaml").is_file() else ""
        return f"{reason}; {stages}check the path"
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return f"{reason}; make it writable for you, or work in a copy"
    return reason


def _end(message: str, status: int) -> NoReturn:
    print(f"pfe: {plain(' '.join(message.split()))}", file=sys.stderr)
    sys.exit(status)

"""How a stage or command begins and ends: its arguments are checked, its mistakes are one line and a status.

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
from pfe.terminal import plain
from pfe.took import recorded

STDOUT = 1  # its file descriptor
FULL = (errno.ENOSPC, errno.EDQUOT)
P = ParamSpec("P")


def run(main: Callable[..., None], *parameters: str) -> None:
    """Call a script's `main` with what stands behind `python -m …`, one argument for each of `parameters`.

    DVC names a stage `evaluate@student` in DVC_STAGE: what is behind the @ stands in for an argument that is not given.
    `--help` prints the script's docstring; another number of arguments ends with the usage and status 2.
    What a stage reads is held against dvc.lock first, and how long it took is kept.
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
    """Decorate a main function so that the user's mistakes, and what the machine refuses, are told, not traced."""

    @functools.wraps(main)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        with reporting_mistakes(1):
            main(*args, **kwargs)

    return wrapper


class _TerminationError(KeyboardInterrupt):
    """SIGTERM came: all that an interrupt sets going happens, such as the end of processes and scratch folders."""


def _terminate(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise _TerminationError


def _mask_around_fork(how: signal.Sigmasks, is_child: bool = False) -> None:
    if signal.getsignal(signal.SIGTERM) is _terminate:
        if is_child:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(how, {signal.SIGTERM})


# A child runs no handler while it computes or waits in C, and whoever ends it waits for it. Until it has the default
# one SIGTERM waits, for Python forgets in a new child what came before.
os.register_at_fork(
    before=functools.partial(_mask_around_fork, signal.SIG_BLOCK),
    after_in_parent=functools.partial(_mask_around_fork, signal.SIG_UNBLOCK),
    after_in_child=functools.partial(_mask_around_fork, signal.SIG_UNBLOCK, is_child=True),
)


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Within it SIGTERM raises in this process; forked children, and a second SIGTERM, end at once."""
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
    """End the process with one line and `status` where the user made a mistake, or the machine refuses.

    Where whoever read our output has left (`… | head`), it ends without a word, as by SIGPIPE.
    """
    try:
        try:
            with _termination_as_interrupt():
                yield
        except SystemExit:  # of argparse, whose --help may still be on its way
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
    """Whether nobody reads our output any more; what is still to come then goes nowhere, so that no exit trips."""
    pipe = select.poll()
    pipe.register(STDOUT, 0)
    unread = any(event & select.POLLERR for _, event in pipe.poll(0))
    if unread:
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    return unread


def _disk_is_full(error: Exception) -> bool:
    """Libraries in other languages (safetensors, Arrow) tell it in words, not always by number."""
    return (isinstance(error, OSError) and error.errno in FULL) or "No space left on device" in str(error)


def _refusal(error: OSError) -> str:
    """What the file system or the network refused, and where."""
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

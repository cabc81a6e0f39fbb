"""Entry and exit of stages and commands: arguments are checked, errors become one line and an exit status.

Example:
    @reports_mistakes
    def main(model: str) -> None: ...

    if __name__ == "__main__":
        run(main, "model")

Every exit status is decided here:
    0    success
    1    `main` returned False: a check failed or found something. No error has this status.
    2    an error that the user can fix: the arguments, the input, the memory, the disk, the network
    70   any other exception (EX_SOFTWARE): one line, then the traceback for the report
    130  an interrupt (Ctrl-C); 141 if the reader of the output is gone; 143 after SIGTERM
"""

import errno
import functools
import os
import select
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, ParamSpec

from pfe.errors import UserError
from pfe.extras import remedy
from pfe.lock import verify
from pfe.run_times import recorded
from pfe.terminal import is_utf8, plain

FAILURE, MISTAKE, DEFECT, INTERRUPTED = 1, 2, 70, 130  # exit statuses
STDOUT = 1  # its file descriptor
_PARSERS = ("argparse", "typer")  # they end the process after --help and after a mistake in the arguments
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
        _end(f"usage: {usage}; given: {' '.join(arguments) or 'nothing'}", MISTAKE)
    reports_mistakes(check_utf8)(arguments)
    if not (script.__spec__ and script.__spec__.name.startswith("stages.")):
        main(*arguments)
        return
    stage, key = script.__spec__.name.removeprefix("stages."), next(iter(arguments), None)
    reports_mistakes(verify)(stage, key)
    with recorded(stage if key is None else f"{stage}@{key}"):
        main(*arguments)


def check_utf8(words: Sequence[str]) -> None:
    """Check that the arguments and the working folder are UTF-8: Arrow and YAML can name no other path.

    Raises:
        UserError: one is not.
    """
    for what, path in (*(("argument", word) for word in words), ("working folder", os.path.realpath("."))):
        if not is_utf8(path):
            raise UserError(f"the {what} '{path}' is not UTF-8; rename the file or folder")


def reports_mistakes(main: Callable[P, object]) -> Callable[P, None]:
    """Decorate a main function so that errors end the process as `reporting_mistakes` does, and False with status 1."""

    @functools.wraps(main)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> None:
        with reporting_mistakes():
            if main(*args, **kwargs) is False:
                _flush()
                raise _EndedError(FAILURE)

    return wrapper


class _EndedError(SystemExit):
    """The end of the process with a status of this module."""


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
def reporting_mistakes() -> Iterator[None]:
    """End the process after any exception: with one line if the user can fix its cause, else with a traceback too.

    If the reader of our output is gone (`… | head`), end silently, as by SIGPIPE.
    """
    try:
        try:
            with _termination_as_interrupt():
                yield
        except SystemExit as end:
            if not isinstance(end, _EndedError) and not _is_of_parser(end):
                raise
            _flush()  # --help may still be in the buffer
            raise _EndedError(end.code) from None
        _flush()
    except _EndedError:
        raise
    except _TerminationError:
        _end("terminated; nothing half-written was kept, run it again to go on", 128 + signal.SIGTERM)
    except KeyboardInterrupt:
        _end("interrupted; nothing half-written was kept, run it again to go on", INTERRUPTED)
    except BaseException as error:
        if any(isinstance(one, BrokenPipeError) for one in (error, error.__context__)) and _is_unread():
            raise _EndedError(128 + signal.SIGPIPE) from None
        said = "".join(traceback.format_exception_only(error)).strip()
        if cause := _cause(error, said):
            _end(cause, MISTAKE)
        details = plain(traceback.format_exc())
        _end(f"an error of PFE itself, not of yours ({said}); report it with what follows", DEFECT, details)


def _cause(error: BaseException, said: str) -> str:
    """Return what the user can do about an error, in one line; "" if it is a defect.

    Args:
        said: the error's type and message.
    """
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, MemoryError) or "not enough memory" in said or "out of memory" in said:
        return "not enough memory; ask for less at a time or of smaller size, or run it where there is more"
    # Libraries in other languages (safetensors, Arrow) may report a full disk in words only.
    if (isinstance(error, OSError) and error.errno in FULL) or "No space left on device" in said:
        return "no space left on the disk; free some and run it again, nothing half-written was kept"
    if isinstance(error, OSError):
        return _refusal(error)
    if isinstance(error, ModuleNotFoundError) and (hint := remedy((error.name or "").partition(".")[0])):
        return f"{error}; {hint}"
    return ""


def _is_of_parser(end: SystemExit) -> bool:
    """Return whether a parser of arguments ended the process, rather than a library that must not."""
    frames = [frame for frame, _ in traceback.walk_tb(end.__traceback__)]
    module = str(frames[-1].f_globals.get("__name__")) if frames else ""
    return module.partition(".")[0] in _PARSERS and end.code in (None, 0, MISTAKE)


def _flush() -> None:
    if sys.stdout:  # None if the process was started without one
        sys.stdout.flush()


def _is_unread() -> bool:
    """Return whether nobody reads our output any more; if so, discard the rest, so that the last flush works."""
    pipe = select.poll()
    pipe.register(STDOUT, 0)
    unread = any(event & select.POLLERR for _, event in pipe.poll(0))
    if unread:
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    return unread


def _refusal(error: OSError) -> str:
    """Return what the file system or the network refused, and the path."""
    reason = f"{error.filename}: {error.strerror}" if error.filename else str(error) or type(error).__name__
    if isinstance(error, FileNotFoundError):
        stages = "if it is made by a stage, run `dvc repro`, otherwise " if Path("dvc.yaml").is_file() else ""
        return f"{reason}; {stages}check the path"
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return f"{reason}; make it writable for you, or work in a copy"
    return reason


def _end(message: str, status: int, details: str = "") -> NoReturn:
    with suppress(OSError):  # nobody reads the message, and the status must still be ours
        print(f"pfe: {plain(' '.join(message.split()))}\n{details}", end="", file=sys.stderr)
    raise _EndedError(status)

"""The end of a stage or a command: one line and a status for mistakes, closed pipes, full memory and SIGTERM."""

import asyncio
import errno
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from pfe.errors import UserError, nearest
from pfe.stage import reporting_mistakes, reports_mistakes, run


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (UserError("conf: mend it"), 2, "pfe: conf: mend it"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RuntimeError("I/O error: No space left on device (os error 28)"), 2, "no space left on the disk"),
        (OSError(errno.ENOSPC, "full", "data/x"), 2, "no space left on the disk"),
        (
            FileNotFoundError(errno.ENOENT, "No such file", "data/x"),
            2,
            "data/x: No such file; if it is made",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "data"), 2, "data: Permission denied; make it writable"),
        (OSError(errno.EROFS, "Read-only file system", "data"), 2, "data: Read-only file system; make it writable"),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory", "data/x"), 2, "data/x: Not a directory"),
        (OSError("a library's own words,\non two lines"), 2, "a library's own words, on two lines"),
        (MemoryError(), 2, "not enough memory; ask for less"),
        (RuntimeError("DefaultCPUAllocator: not enough memory: you tried"), 2, "not enough memory; ask for less"),
        (RuntimeError("CUDA out of memory. Tried to allocate 2 GiB"), 2, "not enough memory; ask for less"),
        (UserError("a name with \x1b[31mcolour\n"), 2, "a name with \\x1b[31mcolour"),
    ],
)
def test_a_mistake_is_one_line_and_a_status(
    error: BaseException, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    @reports_mistakes
    def main() -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == status
    printed = capsys.readouterr().err
    assert words in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("lines", [1, 100_000], ids=["at the end", "on the way"])
@pytest.mark.parametrize(
    "way",
    [
        "reports_mistakes(main)()",
        "run(main)",
        "sys.argv.append('--help'); run(main)",
        "reports_mistakes(ArgumentParser(epilog=__doc__, formatter_class=RawTextHelpFormatter).parse_args)(['--help'])",
    ],
)
def test_output_that_nobody_reads_ends_it_without_a_word(way: str, lines: int, unbuffered: str) -> None:
    script = f"""
import sys
from argparse import ArgumentParser, RawTextHelpFormatter
from pfe.stage import reporting_mistakes, reports_mistakes, run
__doc__ = "line\\n" * {lines}
__spec__ = None
def main():
    print(__doc__)
{way.replace("run(main)", "run(reports_mistakes(main))")}
"""
    command = [sys.executable, "-c", script]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        process.stdout.close()
        assert process.wait() in (128 + signal.SIGPIPE, 0)  # argparse takes no notice of it
        assert process.stderr
        assert process.stderr.read() == b""


TERMINATED = """
import os, signal, sys
from pathlib import Path
from pfe.files import new_folder
from pfe.stage import reporting_mistakes

with reporting_mistakes():
    for _ in range(200):  # one that is ended before it has begun would wait for ever
        child = os.fork()
        if not child:
            signal.pause()
        os.kill(child, signal.SIGTERM)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGTERM
    child = os.fork()
    if not child:
        signal.pause()
    with new_folder(Path(sys.argv[1]), "--out") as folder:
        (folder / "half").touch()
        os.kill(child, signal.SIGTERM)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
"""


def test_a_termination_leaves_no_scratch_folder_and_ends_forked_children_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TERMINATED, str(tmp_path / "out")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stderr == "pfe: terminated; nothing half-written was kept, run it again to go on\n"
    assert (ended.returncode, ended.stdout) == (143, f"{-signal.SIGTERM}\n")
    assert list(tmp_path.iterdir()) == []


def test_another_pipe_that_broke_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    @reports_mistakes
    def main() -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe", "a child")

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "pfe: a child: Broken pipe" in capsys.readouterr().err


class Panic(BaseException):
    """What a library in Rust raises, as tokenizers does."""


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise ValueError


def bottomless() -> None:
    bottomless()


def raising(error: BaseException) -> Callable[[], None]:
    def main() -> None:
        raise error

    return main


DEFECTS: dict[str, Callable[[], object]] = {
    "ours": raising(ZeroDivisionError("division by zero")),
    "recursion": bottomless,
    "panic": raising(Panic("called `Option::unwrap()`")),
    "cancelled": raising(asyncio.CancelledError()),
    "unprintable": raising(UnprintableError()),
    "not text": raising(UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed")),
    "two lines": raising(KeyError("a\nb")),
    **{f"exit {code}": raising(SystemExit(code)) for code in (None, 0, 1, 2, "bye")},
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_one_line_and_its_traceback_and_never_the_status_of_a_finding(
    defect: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        reports_mistakes(DEFECTS[defect])()
    assert ended.value.code == 70
    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first.startswith("pfe: an error of PFE itself, not of yours (")
    assert first.endswith("); report it with what follows")
    assert second == "Traceback (most recent call last):"


UNREPORTED = """
import sys
from pfe.errors import UserError
from pfe.stage import reports_mistakes
reports_mistakes(lambda: 1 / 0 if len(sys.argv) > 1 else exec("raise UserError('mend it')"))()
"""


@pytest.mark.parametrize(("words", "status"), [((), 2), (("defect",), 70)])
@pytest.mark.parametrize("closed", ["2>/dev/full", "2>&-", ">&-", "2>&1 | :"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is full")
def test_a_message_that_nobody_can_read_leaves_the_status(words: tuple[str, ...], status: int, closed: str) -> None:
    command = shlex.join([sys.executable, "-c", UNREPORTED, *words])
    done = subprocess.run(["bash", "-c", f"{command} {closed}; exit ${{PIPESTATUS[0]}}"], capture_output=True)
    assert done.returncode == status


def test_what_was_found_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        reports_mistakes(lambda: False)()
    assert ended.value.code == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["base"], 0, "given base"),
        ([], 2, "usage: python -m pytest MODEL; given: nothing"),
        (["a", "b"], 2, "usage: python -m pytest MODEL; given: a b"),
        (["--help"], 0, (sys.modules["__main__"].__doc__ or "").strip()),
    ],
)
def test_a_script_takes_the_arguments_it_names(
    arguments: list[str], status: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["script", *arguments])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", SimpleNamespace(name="pytest"))
    with pytest.raises(SystemExit) if status else nullcontext() as ended:
        run(lambda model: print("given", model), "model")
    printed = capsys.readouterr()
    assert words in printed.out + printed.err
    assert ended is None or ended.value.code == status


@pytest.mark.parametrize(
    ("stage", "arguments", "received"),
    [("evaluate@mine", [], "mine"), ("evaluate@x; touch F", [], "x; touch F"), ("evaluate@mine", ["base"], "base")],
)
def test_under_dvc_the_stage_s_name_holds_the_argument(
    stage: str, arguments: list[str], received: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["script", *arguments])
    monkeypatch.setenv("DVC_STAGE", stage)
    seen: list[str] = []
    run(seen.append, "model")
    assert seen == [received]


def test_the_nearest_name_or_the_list() -> None:
    assert nearest("studnet", ["student", "base"]) == "did you mean 'student'?"
    assert nearest("zzz", ["student", "base"]) == "allowed: base, student"


def test_stages_are_named_as_a_remedy_only_in_the_folder_of_an_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit), reporting_mistakes():
        Path("runs.csv").read_text()
    assert capsys.readouterr().err == "pfe: runs.csv: No such file or directory; check the path\n"

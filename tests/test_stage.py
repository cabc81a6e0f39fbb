import errno
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from pfe.errors import UserError, nearest
from pfe.stage import reporting_mistakes, reports_mistakes, run


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (UserError("conf: mend it"), 1, "pfe: conf: mend it"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (RuntimeError("I/O error: No space left on device (os error 28)"), 1, "no space left on the disk"),
        (OSError(errno.ENOSPC, "full", "data/x"), 1, "no space left on the disk"),
        (
            FileNotFoundError(errno.ENOENT, "No such file", "data/x"),
            1,
            "data/x: No such file; if it is made",
        ),
        (PermissionError(errno.EACCES, "Permission denied", "data"), 1, "data: Permission denied; make it writable"),
        (OSError(errno.EROFS, "Read-only file system", "data"), 1, "data: Read-only file system; make it writable"),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory", "data/x"), 1, "data/x: Not a directory"),
        (OSError("a library's own words,\non two lines"), 1, "a library's own words, on two lines"),
        (MemoryError(), 1, "not enough memory; ask for less"),
        (RuntimeError("DefaultCPUAllocator: not enough memory: you tried"), 1, "not enough memory; ask for less"),
        (UserError("a name with \x1b[31mcolour\n"), 1, "a name with \\x1b[31mcolour"),
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

with reporting_mistakes(1):
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
    assert ended.value.code == 1
    assert "pfe: a child: Broken pipe" in capsys.readouterr().err


def test_a_defect_of_ours_keeps_its_traceback() -> None:
    @reports_mistakes
    def main() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        main()


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
    with pytest.raises(SystemExit), reporting_mistakes(2):
        Path("runs.csv").read_text()
    assert capsys.readouterr().err == "pfe: runs.csv: No such file or directory; check the path\n"

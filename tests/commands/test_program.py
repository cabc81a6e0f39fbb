"""The program: its commands are found, its help is quick, its status says what came of it."""

import asyncio
import functools
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from pfe import commands
from pfe.__main__ import main, program
from pfe.completion import completion
from pfe.errors import UserError
from tests.conftest import ROOT

HEAVY = ("datasets", "dvc", "hydra", "matplotlib", "pandas", "pyarrow", "scipy", "torch", "transformers")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the module of a command `mine` may be written."""
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "pfe.commands.mine", raising=False)
    return tmp_path / "mine.py"


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(*words)
    return ended.value.code


@pytest.mark.parametrize(
    ("body", "expected", "words"),
    [
        ("print('did', name)", 0, "did it"),
        ("return True", 0, ""),
        ("return False", 1, ""),
        ("raise UserError('mend it')", 2, "pfe: mend it\n"),
        ("open('/no/such/file')", 2, "pfe: /no/such/file: No such file"),
        ("raise KeyboardInterrupt", 130, "pfe: interrupted"),
        ("import typer; raise typer.Exit(0)", 70, "pfe: an error of PFE itself"),
        ("import typer; raise typer.Abort", 70, "pfe: an error of PFE itself"),
    ],
)
def test_a_command_is_found_by_being_there_and_its_end_is_the_status(
    body: str, expected: int, words: str, command: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.write_text(f'"""Do it."""\nfrom pfe.errors import UserError\ndef main(name: str):\n    {body}\n')
    assert status("mine", "it") == expected
    printed = capsys.readouterr()
    assert words in printed.out + printed.err


COMMANDS = get_command(program()).commands  # type: ignore[attr-defined]  # those of the app, so a new one is tried too


def words_of(name: str) -> list[str]:
    """The fewest words that a command takes."""
    words = [name]
    for parameter in COMMANDS[name].params:
        if parameter.required:
            words += [*parameter.opts[:1] * (parameter.param_type_name == "option"), "1"]
    return words


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ZeroDivisionError(), 70), (RecursionError(), 70), (SystemExit(0), 70), (SystemExit(1), 70),
        (asyncio.CancelledError(), 70), (typer.Exit(1), 70), (MemoryError(), 2), (BrokenPipeError(), 2),
        (UserError("mend it"), 2), (KeyboardInterrupt(), 130),
    ],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("name", COMMANDS)
def test_no_accident_in_any_command_has_the_status_of_a_finding(
    name: str, error: BaseException, expected: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = import_module(f"{commands.__name__}.{name}")

    @functools.wraps(module.main)
    def fails(*_: object, **__: object) -> bool:
        raise error

    monkeypatch.setattr(module, "main", fails)
    assert status(*words_of(name)) == expected
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.startswith("pfe: ")
    assert bool(rest) == (expected == 70)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_name_that_is_not_utf8_is_refused_by_every_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([*words_of(name), "\udcff.jsonl"], [*words_of(name), "--out=\udcff"]):
        assert status(*words) == 2
        assert capsys.readouterr().err.count("is not UTF-8; rename the file or folder\n") == 1


@pytest.mark.parametrize("place", ["working folder", "cache folder", "a file in a folder"])
def test_a_place_that_is_not_utf8_is_refused(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = tmp_path / "\udcff"
    strange.mkdir()
    (strange / "a.jsonl").write_text('{"question": "How many rolls does a baker sell in all?"}\n')
    if place == "working folder":
        monkeypatch.chdir(strange)
    elif place == "cache folder":
        monkeypatch.setenv("PFE_CACHE_DIR", str(strange))
    data = tmp_path if place == "a file in a folder" else ROOT / "data/sample/gsm1k/test.jsonl"
    assert status("check", str(data), "--against", "sample/gsm1k") == 2
    assert "is not UTF-8" in capsys.readouterr().err


def test_the_help_of_a_command_is_its_docstring_as_it_is_written(
    command: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = "    pfe mine it     # once\n    pfe mine that   # again\n"
    command.write_text(f'"""Do it.\n\n{examples}\nAs often as wanted.\n"""\ndef main(): ...\n')
    assert status("mine", "--help") == 0
    assert "      pfe mine it     # once\n      pfe mine that   # again\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["parms"], "pfe: No such command 'parms'. Did you mean 'params'?; `pfe --help` shows what there is\n"),
        (["params", "--chek"], "No such option: --chek (Possible options: --check"),
        (["problem"], "pfe: Missing argument 'id'; `pfe problem --help` shows what there is\n"),
    ],
)
def test_a_mistyped_command_is_one_line_with_the_nearest_and_status_2(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(*words) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["check", "mine.jsonl", "--against", ""],
        ["check", "mine.jsonl", "--against="],
        ["check", "mine.jsonl", "--against", "sample", "--out", " "],
        ["check", "", "--against", "sample"],
        ["explain", "--in", "", "an id"],
        ["explain", ""],
        ["judge", "runs.csv", "--baseline", ""],
        ["judge", "runs.csv", "--expert="],
        ["judge", "runs.csv", "-S", ""],
    ],
)
def test_an_empty_value_is_never_taken_for_this_folder_or_for_nothing(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").write_text('{"question": "How many rolls does a baker sell in all?"}\n')
    assert status(*words) == 2
    assert "an empty value behind '" in capsys.readouterr().err


def test_the_help_names_every_command_and_loads_no_library_that_takes_time() -> None:
    code = f"""
import sys
from pfe.__main__ import main
from pfe.completion import completion
try:
    main("--help")
finally:
    assert not {HEAVY}.__class__(name for name in {HEAVY} if name in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    listed = done.stdout.partition("Commands:")[2].split()
    names = {path.stem for path in (ROOT / "pfe/commands").glob("*.py")} - {"__init__"}
    assert names <= set(listed)


@pytest.mark.parametrize("module", sorted((ROOT / "pfe/commands").glob("*.py")), ids=lambda path: path.stem)
def test_the_help_of_every_command_shows_it_in_use(module: Path) -> None:
    assert module.stem == "__init__" or f"\n    pfe {module.stem}" in module.read_text()


def test_a_shell_completes_the_commands() -> None:
    asked = os.environ | {"_PFE_COMPLETE": "complete_bash", "COMP_WORDS": "pfe par", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-m", "pfe"], cwd=ROOT, env=asked, capture_output=True, text=True)
    assert done.stdout.split() == ["params"]


def test_help_that_nobody_reads_ends_without_a_word() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pfe", "--help"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.close()
        assert process.wait() in (0, 128 + signal.SIGPIPE)
        assert process.stderr
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("pfe judge runs.csv --rules srbench2022_", ["srbench2022_as_run"]),
        ("pfe check mine.csv --gates sp", ["spec"]),
        ("pfe check mine.csv --against arc_e", ["arc_easy"]),
        ("pfe check mine.csv --against sample/gs", ["sample/gsm1k"]),
        ("pfe eval model --benchmark arc", ["arc_challenge", "arc_easy"]),
        ("pfe eval model --benchmark arc_easy,gs", ["arc_easy,gsm1k"]),
        ("pfe eval model --benchmark arc_easy,arc", ["arc_easy,arc_challenge"]),
        ("pfe eval model --arms canonical,ic", ["canonical,icr"]),
        ("pfe eval model --canonical h", ["hub"]),
        ("pfe show student gs", ["gsm1k"]),
        ("pfe show student gsm1k --arm pl", ["placebo"]),
    ],
)
def test_a_shell_completes_the_names_that_there_are(line: str, completed: list[str], tmp_path: Path) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_PFE_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pfe"],
        cwd=tmp_path, env=os.environ | words | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == completed
    loaded = {row.rpartition("|")[2].strip() for row in done.stderr.splitlines()}
    assert not loaded & set(HEAVY)


def test_a_shell_completes_the_names_of_the_folder_it_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conf/rules").mkdir(parents=True)
    (tmp_path / "conf/rules/ours.yaml").touch()
    monkeypatch.chdir(tmp_path)
    complete = completion("rules")
    assert complete
    assert complete("") == ["ours"]

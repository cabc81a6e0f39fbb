"""Every command that a text of ours prints names what there is: programs, stages, options, overrides that compose.

The commands are read out of the texts, so that one that is written is tested. test_printed.py runs them.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import typer
from dvc.cli import parse_args
from dvc.repo import Repo

from pfe.__main__ import program as pfe
from pfe.params import composed
from tests import guide
from tests.conftest import ROOT
from tests.pipeline.commands import PLACEHOLDER, THEIRS, Command, commands, shell_lines

COMMANDS = commands()


def test_the_commands_are_found_where_they_stand() -> None:
    texts = {command.text: command.where for command in COMMANDS}
    assert texts["dvc exp run -S 'model=[base,student,mine]'"] == "docs/add.md"
    assert texts["dvc exp run -S 'tutor=[read]'"] == "conf/tutor/read.yaml"
    assert texts["dvc repro generate"] == "stages/generate.py"
    assert texts["pfe params --check"] == "pfe/__main__.py"
    assert len(COMMANDS) > 90


def test_no_line_of_a_block_is_left_out() -> None:
    """So that another way to write a command, or another program, does not pass by what is tested here."""
    known = {command.text for command in COMMANDS}
    left = {line.text for line in shell_lines()} - known
    assert [line for line in left if not line.startswith("pytest ")] == [], "tests/pipeline/commands.py does not see it"


@pytest.fixture(scope="module")
def composes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[tuple[str, ...]], bool]]:
    """Whether overrides compose where the guide's own model is; what several texts print is composed once."""
    folder = tmp_path_factory.mktemp("own_model")
    shutil.copytree(ROOT / "conf", folder / "conf")
    for file, content in guide.steps():
        if file and file.startswith("conf/"):
            (folder / file).write_text(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield cache(lambda overrides: bool(composed(overrides)))


@pytest.fixture(scope="module")
def stages() -> set[str]:
    names = {stage.addressing for stage in Repo(str(ROOT)).index.stages}
    return names | {name.partition("@")[0] for name in names} | {"evaluate@mine", "tutor@wide"}


def one_by_one(override: str) -> Iterator[str]:
    """The overrides that a sweep stands for; of any other itself."""
    key, _, value = override.partition("=")
    yield from (f"{key}={one}" for one in ([value] if "[" in value else value.split(",")))


@pytest.mark.gate
def test_every_printed_command_names_what_there_is(
    stages: set[str], composes: Callable[[tuple[str, ...]], bool]
) -> None:
    failed = []
    for command in COMMANDS:
        try:
            _check(command, stages, composes)
        except (Exception, SystemExit) as error:
            failed.append(f"{command.where}: {command.text}\n    {type(error).__name__}: {error}")
    assert not failed, "\n".join(failed)


def _check(command: Command, stages: set[str], composes: Callable[[tuple[str, ...]], bool]) -> None:
    program, *words = [word for word in command.words if "=…" not in word]
    if program == "dvc":
        asked = parse_args(["exp", "apply", "name"] if words == ["exp", "apply"] else words)
        assert set(getattr(asked, "targets", None) or []) <= stages
        for override in command.overrides if words[:2] == ["exp", "run"] else []:
            for one in one_by_one(override):
                chosen = [one if other == override else next(one_by_one(other)) for other in command.overrides]
                assert composes(tuple(PLACEHOLDER.sub("owner/name", other) for other in chosen))
    elif program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    elif program in ("pip", "pipx"):
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(re.findall(r"\[(\w+)\]", words[-1])) <= set(extras)
    elif program == "pfe":
        parsed = typer.main.get_group(pfe()).commands[words[0]]
        assert not words[1:] or parsed.make_context(words[0], words[1:])  # where it stands alone it is only named
    elif program in THEIRS:
        printed = usage(program, "run" if program == "lm_eval" else words[0])  # `run` may be left out
        assert {word for word in words if word.startswith("-") and word != "-m"} <= set(
            re.findall(r"--?[\w-]+", printed)
        )
    else:
        assert words[0] == "-m"
        module = importlib.util.find_spec(words[1])
        assert module
        main = importlib.util.find_spec(f"{words[1]}.__main__") if module.submodule_search_locations else module
        assert main
        assert main.origin
        text = Path(main.origin).read_text()
        options = [word for word in words[2:] if word.startswith("-")]
        assert all(option in text for option in options), options


@cache
def usage(program: str, action: str) -> str:
    """The help that another tool prints."""
    path = Path(sys.executable).with_name(program)
    done = subprocess.run([path, action, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout

"""`pfe show`: what was answered, listed, side by side, and as JSON."""

import json
import os
import re
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pfe.__main__ import main
from pfe.canonical.seal import SHOTS, write_sealed
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.evaluation.reconstruction import prompt_of
from pfe.evaluation.runner import examine
from pfe.models.chance import Chance
from pfe.problem import Problem, ScoredPrediction
from pfe.scores.scored import score_predictions
from tests.conftest import ROOT

Shown = Callable[..., tuple[object, str, str]]


@pytest.fixture
def problems(settings: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Problem]:
    """Four problems of which `chance` got one right in both arms, one in each alone, one in neither."""
    sample = Canonical("sample", str(ROOT / "data/sample"))
    few = load("arc_easy", settings.benchmark["arc_easy"], sample)[:4]
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    write_sealed({"arc_easy": few}, settings.benchmark, sample)
    write_sealed({}, settings.benchmark, sample, SHOTS)
    evaluated = replace(settings, evaluate=replace(settings.evaluate, arms=("canonical", "icr", "reference")))
    rows = examine(Chance(0), "chance", "arc_easy", evaluated, few, [])
    right = {("canonical", 0), ("icr", 0), ("canonical", 1), ("icr", 2)}
    marked = [
        replace(row, correct=(row.arm, few.index(problem)) in right, extracted=problem.choices[0])
        for row in score_predictions(rows, few, settings.benchmark["arc_easy"])
        for problem in few
        if problem.id == row.problem_id
    ]
    ScoredPrediction.write(marked, tmp_path / "data/scores/chance/arc_easy.parquet")
    return few


@pytest.fixture
def show(problems: list[Problem], capsys: pytest.CaptureFixture[str]) -> Shown:
    """Run `pfe show chance arc_easy` with more words."""

    def run(*words: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as ended:
            main("show", "chance", "arc_easy", *words)
        return (ended.value.code or 0, *capsys.readouterr())

    return run


def test_problems_are_listed_with_what_the_library_did(show: Shown, problems: list[Problem]) -> None:
    status, printed, _ = show()
    assert status == 0
    head, *lines = printed.splitlines()
    assert re.split(r"  +", head) == ["problem", "outcome", "canonical read", "icr read"]
    told = [line.split()[:2] for line in lines]
    both, broken, fixed, neither = (problem.id for problem in problems)
    assert told == [[both, "both"], [broken, "broken"], [fixed, "fixed"], [neither, "neither"]]
    assert repr(problems[0].choices[0]) in printed
    for outcome, one in (("fixed", fixed), ("broken", broken), ("both", both), ("neither", neither)):
        assert [line.split()[0] for line in show(f"--{outcome}")[1].splitlines()] == ["problem", one]
    assert len(show("--fixed", "--broken")[1].splitlines()) == 3


def test_the_list_has_what_was_read_in_the_arms_that_are_asked_for(show: Shown, problems: list[Problem]) -> None:
    head, first, *_ = show("--arm", "reference")[1].splitlines()
    assert head.endswith("reference read")
    assert first.endswith(repr(problems[0].choices[0]))
    assert "canonical" not in head


def test_where_no_problem_fits_or_none_was_answered_it_says_so(show: Shown, problems: list[Problem]) -> None:
    path = Path("data/scores/chance/arc_easy.parquet")
    rows = ScoredPrediction.read(path)
    ScoredPrediction.write([replace(row, correct=True) for row in rows], path)
    for words in ((), ("--json",)):
        status, printed, errors = show("--fixed", "--broken", *words)
        assert (status, printed) == (0, "")
        assert errors == "no problem is broken or fixed; without that, all are listed\n"
    ScoredPrediction.write(rows, path.with_name("gsm1k.parquet"))
    ScoredPrediction.write([], path)
    assert show()[::2] == (2, "pfe: chance has no answers on 'arc_easy'; allowed: gsm1k\n")
    ScoredPrediction.write([], path.with_name("gsm1k.parquet"))
    assert "chance: no answers in data/scores/chance" in show()[2]


def test_an_id_is_taken_as_links_of_the_page_have_it(show: Shown, problems: list[Problem]) -> None:
    assert show(problems[0].id.removeprefix("arc_easy/")) == show(problems[0].id)


def test_one_problem_is_shown_arm_by_arm_and_in_full_where_wanted(show: Shown, problems: list[Problem]) -> None:
    _, printed, _ = show(problems[2].id)
    assert printed.startswith(f"{problems[2].id}: fixed\n{problems[2].question}\n")
    assert f"Gold: {problems[2].answer}\n" in printed
    arms = [line for line in printed.splitlines() if re.fullmatch(r"\w+: (right|wrong)", line)]
    assert arms == ["canonical: wrong", "icr: right", "reference: wrong"]
    assert re.search(r"▸ \[SCIENCE FACT LIBRARY\], icr: \d+ methods, [\d,]+ words\n", printed)
    _, whole, _ = show(problems[2].id, "--full", "--arm", "icr")
    assert "▸" not in whole
    assert len(whole.splitlines()) > 60
    assert "canonical:" not in whole


@pytest.mark.parametrize(("columns", "beside"), [(60, False), (140, True)])
def test_on_a_terminal_it_goes_through_the_pager_of_the_person(
    problems: list[Problem], tmp_path: Path, columns: int, beside: bool
) -> None:
    (tmp_path / "paged").write_text("#!/bin/sh\nprintf 'the pager\\n'; cat\n")
    (tmp_path / "paged").chmod(0o755)
    reader, writer = os.openpty()
    termios.tcsetwinsize(writer, (40, columns))
    environment = os.environ | {"PAGER": str(tmp_path / "paged"), "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    environment = {
        name: value for name, value in environment.items() if name not in ("COLUMNS", "MANPAGER", "NO_COLOR")
    }
    words = [
        sys.executable,
        "-m",
        "pfe",
        "show",
        "chance",
        "arc_easy",
        problems[2].id,
        "--arm",
        "canonical",
        "--arm",
        "icr",
    ]
    with subprocess.Popen(words, cwd=tmp_path, env=environment, stdin=writer, stdout=writer) as process:
        os.close(writer)
        screen = b"".join(iter(partial(_read, reader), b"")).decode()
    os.close(reader)
    assert process.returncode == 0
    assert screen.startswith("the pager\r\n")
    assert "\x1b[1m" in screen
    text = re.sub(r"\x1b\[[\d;]*m", "", screen)
    assert any("canonical: wrong" in line and "icr: right" in line for line in text.splitlines()) == beside
    assert max(map(len, text.splitlines())) <= columns


def _read(terminal: int) -> bytes:
    """What came from a terminal; nothing once its program ended."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_as_json_it_is_everything_a_line_a_problem(show: Shown, problems: list[Problem], settings: Config) -> None:
    lines = [json.loads(line) for line in show("--json")[1].splitlines()]
    assert [line["problem"]["id"] for line in lines] == [problem.id for problem in problems]
    answer = lines[0]["answers"][1]
    row = ScoredPrediction.read(Path("data/scores/chance/arc_easy.parquet"))[4]
    assert (answer["arm"], answer["scores"], answer["correct"]) == ("icr", list(row.scores), True)
    assert answer["prompt"] == prompt_of(row, problems[0], settings, [])[0].context
    assert answer["options"] == [f" {choice}" for choice in problems[0].choices]


@pytest.mark.slow
def test_a_folder_that_eval_wrote_is_shown_too(
    model_folder: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    arms = ("--arms", "canonical,icr,placebo,reference,retrieved")
    for words in (
        ("eval", model_folder("gpt2"), "--benchmark", "hellaswag", "--limit", "2", "--out", "mine", *arms),
        ("show", "mine", "hellaswag", "--json"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(*words)
        assert not ended.value.code
        printed = capsys.readouterr().out
    answers = [json.loads(line)["answers"] for line in printed.splitlines()]
    assert [[answer["arm"] for answer in one] for one in answers] == [
        ["canonical", "icr", "placebo", "reference", "retrieved"]
    ] * 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("arc_easy/none",), "arc_easy/none: not among these 4 problems; `pfe show chance arc_easy` lists all"),
        (("--json", "--arm", "icrr"), "--arm: chance was not asked in icrr; it was in canonical, icr, reference"),
        (("--arm", "icrr", "--arm", "icr"), "--arm: chance was not asked in icrr; it was in canonical, icr, reference"),
    ],
)
def test_a_mistake_is_one_line(words: tuple[str, ...], told: str, show: Shown) -> None:
    status, _, errors = show(*words)
    assert (status, errors) == (2, f"pfe: {told}\n")


def test_a_model_or_benchmark_without_answers_names_the_nearest(
    problems: list[Problem], capsys: pytest.CaptureFixture[str]
) -> None:
    for words, told in ((("chnce", "arc_easy"), "did you mean 'chance'?"), (("chance", "arc_esy"), "'arc_easy'?")):
        with pytest.raises(SystemExit):
            main("show", *words)
        assert told in capsys.readouterr().err

"""The Python API: what the commands call, on a small model, on rows in memory and on a table of runs."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import pfe
from pfe.canonical.sources import load
from pfe.config import Canonical
from pfe.config import load as load_settings
from pfe.errors import UserError
from pfe.scored_answers import ScoredAnswers
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def result(model_folder: Callable[[str], str]) -> pfe.Result:
    return pfe.evaluate(model_folder("gpt2"), ["arc_easy", "winogrande"], limit=4)


def test_the_frames_hold_the_figures_of_the_scores(result: pfe.Result) -> None:
    scores = result.examination.score.benchmarks
    assert list(result.lifts.index) == list(scores) == ["arc_easy", "winogrande"]
    for name, score in scores.items():
        assert score.lift
        assert result.lifts.loc[name, "lift"] == score.lift.value
        for arm, one in score.arms.items():
            assert result.accuracies.loc[(name, arm), "accuracy"] == one.value
            rows = result.problems.query("benchmark == @name and arm == @arm")
            assert 100 * rows["correct"].mean() == one.value
            assert len(rows) == one.n == 4


def test_one_benchmark_and_one_arm_need_no_list(model_folder: Callable[[str], str]) -> None:
    path = model_folder("gpt2")
    one = pfe.evaluate(path, "arc_easy", "canonical", limit=2)
    several = pfe.evaluate(path, ["arc_easy"], ["canonical"], limit=2)
    assert one.problems.equals(several.problems)


@pytest.mark.parametrize("given", [{"benchmarks": 3}, {"arms": [None]}, {"overrides": {"seed": 1}}])
def test_what_is_no_name_is_said(given: dict[str, Any]) -> None:
    (argument,) = given
    with pytest.raises(UserError, match=f"^{argument}: .* is no name; give one, or several in a list"):
        pfe.evaluate("chance", **given)


def test_printed_it_is_the_table_of_the_command(result: pfe.Result) -> None:
    assert "Benchmark: ARC-Easy" in str(result)
    assert "PFE: averages over benchmarks" in str(result)


def test_what_it_writes_is_found_again(result: pfe.Result, tmp_path: Path) -> None:
    result.write(tmp_path)
    examined = ScoredAnswers.find(str(tmp_path))
    assert set(examined.files) == {"arc_easy", "winogrande"}
    assert examined.settings == result.examination.settings


def test_a_library_that_does_not_fit_is_a_warning(model_folder: Callable[[str], str]) -> None:
    result = pfe.evaluate(model_folder("llama"), ["arc_easy"], ["canonical", "icr"], limit=3)  # its window: 256 tokens
    (line,) = result.warnings
    assert "asked with a shortened library or none" in line
    assert "icr 3 of 3" in line
    assert line in str(result)


def test_entries_of_the_model_are_keywords_and_a_wrong_one_is_named(model_folder: Callable[[str], str]) -> None:
    path = model_folder("gpt2")
    examination = pfe.evaluate(path, ["arc_easy"], ["canonical"], limit=1, batch_size=2, dtype="float32").examination
    assert examination.settings.models[examination.name].batch_size == 2
    with pytest.raises(UserError, match=r"models\.\w+\.bach_size: unknown"):
        pfe.evaluate(path, ["arc_easy"], bach_size=2)


def test_a_model_may_be_a_file_of_its_entries(model_folder: Callable[[str], str], tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"kind: huggingface\nlabel: My own\npath: {model_folder('gpt2')}\nbatch_size: 3\n")
    examination = pfe.evaluate(file, ["arc_easy"], ["canonical"], limit=1).examination
    assert (examination.name, examination.label) == ("mine", "My own")
    assert examination.settings.models["mine"].batch_size == 3
    with pytest.raises(UserError, match=r"nowhere.yaml: no such file; give the file of a model"):
        pfe.evaluate(tmp_path / "nowhere.yaml")
    file.write_text("- kind")
    with pytest.raises(UserError, match=r"mine.yaml: no model's entry"):
        pfe.evaluate(file)


def rows() -> list[dict[str, str]]:
    """A problem of the sample with other spaces and capitals, and one of our own."""
    settings = load_settings(ROOT / "params.yaml")
    sealed = load("arc_easy", settings.benchmark["arc_easy"], Canonical("sample", str(ROOT / "data/sample")))[0]
    return [
        {"question": sealed.question.upper().replace(" ", "  "), "answer": sealed.answer},
        {"question": "A kite and a lantern drift over the harbour. How many things drift?", "answer": "two"},
    ]


@pytest.mark.gate
def test_rows_in_memory_are_screened_as_those_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    pd.DataFrame(rows()).to_csv(file, index=False)
    for data in (iter(rows()), pd.DataFrame(rows()), [str(file)]):
        screened = pfe.check(data, against="sample/arc_easy")
        assert screened.contaminated
        assert screened.rejected == [0]
        assert list(screened.verdicts["reason"])[1] == "passed"
        assert set(screened.findings["problem_id"]) >= {screened.verdicts["problem_id"][0]}
        assert "1 passed" in str(screened)
    assert not pfe.check(rows()[1:], against="sample/arc_easy").contaminated
    assert pfe.check(rows(), "sample/arc_easy", columns={"question": "question"}, overrides=["threshold=0.9"]).rejected


@pytest.mark.parametrize("strange", [[1, 2], [["question"]]])
def test_what_are_no_rows_is_said(strange: list[object]) -> None:
    with pytest.raises(UserError, match=r"check: a row is a .*; give mappings of columns, or names of files"):
        pfe.check(strange, against="sample")


def runs() -> pd.DataFrame:
    methods = {"linear": (0.70, 3), "tree": (0.90, 40), "formula": (0.88, 9)}
    return pd.DataFrame(
        {
            "track": track, "method": method, "dataset": f"{track}_{dataset}", "repetition": repetition,
            "status": "ok", "r2": r2 + repetition / 100, "components": size,
        }
        for track in ("qualification", "synthetic")
        for method, (r2, size) in methods.items()
        for dataset in ("falling", "cooling")
        for repetition in range(3)
    )  # fmt: skip


def test_a_table_is_judged_as_its_file_is(tmp_path: Path) -> None:
    file = tmp_path / "runs.csv"
    runs().to_csv(file, index=False)
    options = {"baseline": "linear", "overrides": ["aspects=[accuracy,simplicity]", "rules.resamples=50"]}
    ours, theirs = (pfe.judge(one, **options) for one in (runs(), file))  # type: ignore[arg-type]
    assert str(ours) == str(theirs)
    assert list(ours.ranking.index) == list(ours.verdict.order())
    assert set(ours.ranking.index) == {"tree", "formula"}
    assert {"place", "score", "accuracy", "simplicity"} <= set(ours.ranking.columns)
    same = pfe.judge(runs(), overrides=["baseline=linear", "aspects=[accuracy,simplicity]", "resamples=50"])
    assert str(same) == str(ours)


@pytest.mark.gate
def test_the_examples_of_its_page_run(tmp_path: Path) -> None:
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "Benchmark: WinoGrande" in run.stdout
    assert "False []" in run.stdout
    assert re.search(r"lift [+-]\d", run.stdout)


def test_importing_pfe_loads_no_library() -> None:
    code = "import pfe, sys; print(*sorted({'torch', 'pandas', 'numpy', 'transformers'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == ""
    with pytest.raises(AttributeError, match="module 'pfe' has no attribute 'evalaute'"):
        pfe.evalaute  # type: ignore[attr-defined]  # noqa: B018

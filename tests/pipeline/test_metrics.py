"""What a reviewer reads: few numbers, few rows, none of them noise; the real `dvc` on the recorded metrics."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe.report.firewall import MOST_FALSE_POSITIVES
from tests.conftest import ROOT
from tests.pipeline.conftest import Run, runner

DECLARED = yaml.safe_load((ROOT / "dvc.yaml").read_text())
MOST, ROWS = 300, 60


def numbers(value: Any) -> list[Any]:
    return [one for part in value.values() for one in numbers(part)] if isinstance(value, dict) else [value]


def test_the_metrics_are_nine_files_in_git_of_at_most_300_numbers_lift_first() -> None:
    assert DECLARED["metrics"][0] == "metrics/lift.json"
    shown = [number for path in DECLARED["metrics"] for number in numbers(json.loads((ROOT / path).read_text()))]
    assert len(DECLARED["metrics"]) == 9
    assert 100 < len(shown) <= MOST


def test_a_metric_has_no_more_decimals_than_it_can_carry() -> None:
    for path in DECLARED["metrics"]:
        for number in numbers(json.loads((ROOT / path).read_text())):
            places = 2 if path in ("metrics/judge.json", "metrics/corpus.json") else 1
            exact = number if isinstance(number, str) else round(number, places)
            assert number == exact, path


def test_few_of_the_clean_problems_are_rejected() -> None:
    """tests/calibration/test_recall.py measures the figure again."""
    assert json.loads((ROOT / "metrics/firewall.json").read_text())["false_alarms"] <= MOST_FALSE_POSITIVES


def test_every_other_output_is_dvc_s() -> None:
    in_git = [
        path
        for stage in DECLARED["stages"].values()
        for output in stage.get("do", stage).get("outs", [])
        for path, options in output.items()
        if not options.get("cache", True)
    ]
    assert sorted(in_git) == sorted(DECLARED["metrics"])


@pytest.fixture
def review(tmp_path: Path) -> tuple[Path, Run]:
    """A repository that has the recorded metrics."""
    run = runner(tmp_path)
    for name in ("dvc.yaml", "params.yaml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "metrics", tmp_path / "metrics")
    for command in (["git", "init", "-q"], ["dvc", "init", "-q"], ["git", "add", "-A"], ["git", "commit", "-qm", "a"]):
        run(*command)
    return tmp_path, run


def change(folder: Path, name: str, edit: Callable[[dict[str, Any]], None]) -> None:
    path = folder / f"metrics/{name}.json"
    values = json.loads(path.read_text())
    edit(values)
    path.write_text(json.dumps(values))


def other(values: dict[str, Any]) -> None:
    """Every number is another one."""
    for key, value in values.items():
        if isinstance(value, dict):
            other(value)
        else:
            values[key] = f"{value}, too" if isinstance(value, str) else value + 1


def rows(run: Run) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(run("dvc", "metrics", "diff", "--json").stdout)
    return found


def test_another_threshold_is_a_diff_of_fewer_than_60_rows(review: tuple[Path, Run]) -> None:
    """At most: everything of the student, of its training and of the firewall."""
    folder, run = review
    for name in ("canonical", "icr", "lift", "pfe"):
        change(folder, name, lambda values: other(values["student"]))
    change(folder, "train", other)
    change(folder, "firewall", other)
    diff = rows(run)
    assert set(diff) == {f"metrics/{name}.json" for name in ("canonical", "icr", "lift", "pfe", "train", "firewall")}
    assert 30 < sum(map(len, diff.values())) < ROWS
    assert diff["metrics/pfe.json"]["student.lift"]["diff"] == pytest.approx(1)


def test_an_added_model_is_a_diff_of_fewer_than_60_rows(review: tuple[Path, Run]) -> None:
    folder, run = review
    for name in ("canonical", "icr", "lift", "pfe"):
        change(folder, name, lambda values: values.update(mine=values["student"]))
    diff = rows(run)
    assert all(row.startswith("mine.") for by_row in diff.values() for row in by_row)
    assert 30 < sum(map(len, diff.values())) < ROWS


def test_metrics_show_begins_with_lift(review: tuple[Path, Run]) -> None:
    _, run = review
    first = run("dvc", "metrics", "show").stdout.splitlines()[1]
    assert first.startswith("metrics/lift.json")

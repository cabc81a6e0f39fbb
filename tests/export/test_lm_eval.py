"""Exported tasks in lm-evaluation-harness itself: requests, answers and figures of `pfe eval`, problem by problem."""

import json
from pathlib import Path
from typing import Any

import pytest

from pfe.config import Config
from pfe.files import read_record
from pfe.problem import ScoredPrediction
from pfe.scores.model import ModelScore
from tests.export.conftest import BENCHMARKS, WINDOW, status

Samples = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def harness(examined: Path, llama: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the harness makes of the same model on the exported tasks."""
    folder = tmp_path_factory.mktemp("exported") / "tasks"
    assert status("export", "lm-eval", str(examined), "--out", str(folder)) == 0
    return evaluated(folder, llama, "pfe_canonical", "pfe_icr")


def evaluated(folder: Path, llama: Path, *tasks: str) -> dict[str, Any]:
    import lm_eval
    from lm_eval.models.huggingface import HFLM
    from lm_eval.tasks import TaskManager

    model = HFLM(pretrained=str(llama), device="cpu", max_length=WINDOW, dtype="float32")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    results: dict[str, Any] = lm_eval.simple_evaluate(
        model, tasks=list(tasks), task_manager=manager, log_samples=True, bootstrap_iters=0
    )
    return results


@pytest.mark.slow
def test_the_groups_have_our_averages(harness: dict[str, Any], examined: Path) -> None:
    averages = read_record(examined / "scores.json", ModelScore).averages
    for arm in ("canonical", "icr"):
        ours = getattr(averages, arm)
        assert ours.benchmarks == len(BENCHMARKS)
        assert harness["results"][f"pfe_{arm}"]["acc,none"] * 100 == pytest.approx(ours.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_problem_is_asked_answered_and_scored_as_in_our_run(
    name: str, harness: dict[str, Any], examined: Path
) -> None:
    rows = {(row.arm, row.problem_id): row for row in ScoredPrediction.read(examined / f"answers/{name}.parquet")}
    assert len(rows) == 6
    for arm in ("canonical", "icr"):
        for sample in harness["samples"][f"pfe_{name}_{arm}"]:
            row = rows.pop((arm, sample["doc"]["id"]))
            assert sample["acc"] == row.correct
            if row.scores:
                likelihoods = [score for score, _ in sample["filtered_resps"]]
                assert likelihoods == pytest.approx(row.scores, abs=1e-3)
            else:
                assert sample["filtered_resps"] == [row.output]
            if row.correct_norm is not None:
                assert sample["acc_norm"] == row.correct_norm
            if row.strict_correct is not None:
                assert sample["acc_strict"] == row.strict_correct
    assert not rows


def test_samples_are_the_lines_that_the_harness_writes(harness: dict[str, Any], examined: Path, tmp_path: Path) -> None:
    """But for what is not known of our answers, whether a choice is what the model would write."""
    from lm_eval.loggers import EvaluationTracker

    tracker = EvaluationTracker(output_path=str(tmp_path / "theirs"))
    tracker.general_config_tracker.model_name_sanitized = "run"
    tracker.date_id = "2024-07-26T00-00-00"
    for task, samples in harness["samples"].items():
        tracker.save_results_samples(task, samples)
    assert status("export", "samples", str(examined), "--out", str(tmp_path / "ours")) == 0
    theirs = {path.name.rsplit("_", 1)[0]: path for path in (tmp_path / "theirs/run").glob("*.jsonl")}
    ours = {path.name.rsplit("_", 1)[0]: path for path in (tmp_path / "ours/llama").glob("*.jsonl")}
    assert set(ours) == set(theirs)
    for name, path in ours.items():
        for line, reference in zip(lines(path), lines(theirs[name]), strict=True):
            assert list(line) == list(reference)
            for field in ("resps", "filtered_resps"):
                assert numbers(line.pop(field)) == pytest.approx(numbers(reference.pop(field)), abs=1e-3)
            assert line == reference


@pytest.mark.slow
def test_all_benchmarks_are_tasks_and_a_mixed_one_is_two_under_a_group(
    llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Config
) -> None:
    monkeypatch.chdir(tmp_path)
    short = [f"-Sbenchmark.{name}.max_tokens=4" for name, one in settings.benchmark.items() if one.max_tokens > 1]
    few = ("--limit", "4", "--arms", "canonical,icr", "--out", "run", "--dtype", "float32")
    assert status("eval", str(llama), *few, *short) == 0
    assert status("export", "lm-eval", "run", "--out", "tasks") == 0
    beside = ("pfe_invented_canonical", "pfe_invented_icr")
    results = evaluated(tmp_path / "tasks", llama, "pfe_canonical", "pfe_icr", *beside)
    score = read_record(Path("run/scores.json"), ModelScore)
    for arm in ("canonical", "icr"):
        ours = getattr(score.averages, arm)
        assert ours.benchmarks == 10
        assert results["results"][f"pfe_{arm}"]["acc,none"] * 100 == pytest.approx(ours.value)
        mixed = score.benchmarks["invented"].arms[arm].value
        assert results["results"][f"pfe_invented_{arm}"]["acc,none"] * 100 == pytest.approx(mixed)
    answers = {path.stem: ScoredPrediction.read(path) for path in Path("run/answers").glob("*.parquet")}
    right = {(row.arm, row.problem_id): row.correct for rows in answers.values() for row in rows}
    samples = [(task, sample) for task, some in results["samples"].items() for sample in some]
    assert {(task.rsplit("_", 1)[1], sample["doc"]["id"]): sample["acc"] == 1 for task, sample in samples} == right


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def numbers(value: Any) -> Any:
    """Texts as they are, log-likelihoods as numbers, whether they are greedy left out; flat."""
    if isinstance(value, list) and len(value) == 2 and value[1] in ("True", "False", "None"):
        return [float(value[0])]
    return [one for item in value for one in numbers(item)] if isinstance(value, list) else [value]

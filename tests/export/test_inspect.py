"""Inspect opens our answers as its logs, and runs our benchmarks with our scorers."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pfe.errors import UserError
from pfe.problem import Problem, ScoredPrediction
from tests.export.conftest import BENCHMARKS, status

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog


@pytest.fixture(scope="module")
def logs(examined: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "logs"
    assert status("export", "inspect", str(examined), "--out", str(folder)) == 0
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHMARKS)
@pytest.mark.parametrize("arm", ["canonical", "icr"])
def test_a_log_has_every_answer_with_its_prompt_and_scores(name: str, arm: str, logs: Path, examined: Path) -> None:
    from inspect_ai.log import read_eval_log

    rows = [row for row in ScoredPrediction.read(examined / f"answers/{name}.parquet") if row.arm == arm]
    log = read_eval_log(str(logs / f"llama_pfe_{name}_{arm}.eval"))
    assert (log.status, log.eval.task, log.eval.model) == ("success", f"pfe_{name}_{arm}", "pfe/llama")
    assert log.results
    assert log.results.scores[0].metrics["accuracy"].value == sum(row.correct for row in rows) / len(rows)
    for sample, row in zip(log.samples or [], rows, strict=True):
        assert (sample.id, sample.metadata["arm"], sample.metadata["tokens_in"]) == (row.problem_id, arm, row.tokens_in)
        assert isinstance(sample.input, str)
        assert ("[PROBLEM]" in sample.input) == (arm == "icr")
        assert sample.output.completion == (row.extracted if row.scores else row.output)
        scores = sample.scores or {}
        assert scores["pfe"].value == ("C" if row.correct else "I")
        assert ("acc_norm" in scores) == (row.correct_norm is not None)
        assert ("acc_strict" in scores) == (row.strict_correct is not None)
        assert len(sample.choices or []) == len(row.scores)


def test_inspect_s_own_tables_are_made_of_the_logs(logs: Path) -> None:
    from inspect_ai.analysis import samples_df

    table = samples_df(str(logs))
    assert len(table) == 6 * len(BENCHMARKS)
    assert set(table["metadata_arm"]) == {"canonical", "icr"}


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "task"
    asked = ("--benchmark", "arc_easy,gsm1k", "--out", str(folder))
    assert status("export", "inspect-task", "sample", *asked) == 0
    return folder


def answered(task: Path, name: str, arm: str, output: str, folder: Path) -> "EvalLog":
    """The log of the exported task file with a model that always says the same."""
    from inspect_ai import eval as examine
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    reply = ModelOutput.from_content("mockllm/model", output)
    reply.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=[reply] * 2)
    words: dict[str, Any] = {"task_args": {"benchmark": name, "arm": arm}, "model": model, "limit": 2}
    (log,) = examine(f"{task}/pfe_task.py@pfe", **words, log_dir=str(folder), display="none", max_connections=1)
    assert log.status == "success", log.error
    return log


@pytest.mark.slow
def test_a_task_asks_in_either_arm_and_scores_by_our_scorer(task: Path, tmp_path: Path) -> None:
    numbers = Problem.read(task / "problems/gsm1k.parquet")[:2]
    log = answered(task, "gsm1k", "icr", f"So she has\n#### {numbers[0].answer}", tmp_path)
    assert [sample.scores["pfe"].value for sample in log.samples or [] if sample.scores] == ["C", "I"]
    assert all("[METHOD LIBRARY]" in str(sample.input) for sample in log.samples or [])
    log = answered(task, "arc_easy", "canonical", "The answer is B.", tmp_path)
    problems = Problem.read(task / "problems/arc_easy.parquet")[:2]
    for sample, problem in zip(log.samples or [], problems, strict=True):
        assert sample.scores
        assert sample.scores["pfe"].answer == problem.choices[1]
        assert f"B. {problem.choices[1]}" in str(sample.input)
        assert "[PROBLEM]" not in str(sample.input)


def test_a_benchmark_or_arm_that_is_not_there_is_named(task: Path) -> None:
    from pfe.export.inspect_task import examination

    with pytest.raises(UserError, match=r"benchmark=arc_esy: not in .*; did you mean 'arc_easy'"):
        examination(task, "arc_esy", "icr")
    with pytest.raises(UserError, match="arm=placebo: a task has the arms canonical and icr"):
        examination(task, "arc_easy", "placebo")

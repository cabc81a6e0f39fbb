"""Export of answers for the Hugging Face Hub: one row per answer, and the dataset card that `datasets` reads.

Example, from the card's head: `{config_name: arc_easy, data_files: [{split: test, path: answers/*/arc_easy.parquet}]}`.

A row is a `ScoredPrediction` with `question`, `context` and `options` of its problem; `gold` is the problem's answer.
If the licence of a benchmark forbids redistribution of its texts, these three are null, and `gold`, `extracted` and
`output`, which may repeat them, are empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from pfe.config import Benchmark
from pfe.export.run import Run
from pfe.problem import Problem, ScoredPrediction
from pfe.report.card import front_matter
from pfe.report.cells import with_interval
from pfe.report.markdown import markdown

_TEXTS = pa.schema([
    pa.field("question", pa.string()), pa.field("context", pa.string()),
    pa.field("options", pa.list_(pa.string())),
])  # fmt: skip
_ROWS = (
    "A row is one answer: the model's `output`, or the log-likelihoods (nats) of the choices in `scores`; `extracted` "
    "is what was read of it, `correct` whether that is right. `arm` says what stood in front of the problem: nothing "
    "(canonical), its benchmark's method library (icr), or a control. `group` names the problems that are one cluster."
)


def shown(row: ScoredPrediction, benchmark: Benchmark) -> ScoredPrediction:
    """Return the answer as it may be redistributed.

    If the licence of the benchmark forbids redistribution, the texts that may repeat the benchmark are empty.
    """
    return row if benchmark.shareable else replace(row, output="", extracted="", gold="")


def table(rows: Sequence[ScoredPrediction], problems: Mapping[str, Problem], benchmark: Benchmark) -> pa.Table:
    """Return the answers to a benchmark with the texts of their problems; `problems` are by id."""
    answers = ScoredPrediction.table(
        replace(shown(row, benchmark), gold=problems[row.problem_id].answer if benchmark.shareable else "")
        for row in rows
    )
    asked = [problems[row.problem_id] for row in rows] if benchmark.shareable else []
    texts: list[dict[str, Any]] = [
        {"question": p.question, "context": p.context, "options": list(p.choices)} for p in asked
    ] or [dict.fromkeys(_TEXTS.names)] * len(rows)
    for field, column in zip(_TEXTS, pa.Table.from_pylist(texts, schema=_TEXTS).columns, strict=True):
        answers = answers.append_column(field, column)
    return answers


def card(runs: Sequence[Run]) -> str:
    """Return README.md for a folder of answers, `answers/<model>/<benchmark>.parquet`."""
    names = list(dict.fromkeys(name for run in runs for name in run.answers))
    described = {name: run.settings.benchmark[name] for run in runs for name in run.answers}
    configs = [
        {"config_name": name, "data_files": [{"split": "test", "path": f"answers/*/{name}.parquet"}]} for name in names
    ]
    head = ["model", "benchmark", "canonical", "ICR", "lift", "rows"]
    parts = [
        front_matter("PFE answers", configs),
        "# PFE answers\n\nAnswers of models to benchmarks, zero-shot and with a method library in context, in percent.",
        markdown(head, [_row(run, name) for run in runs for name in run.answers]),
        _ROWS,
        "## Texts of the benchmarks",
        markdown(["benchmark", "from", "licence", "texts"], [_source(name, described[name]) for name in names]),
        "## Not for\n\nTraining: these are answers to the test problems of benchmarks.",
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _row(run: Run, name: str) -> list[str]:
    score = run.score.benchmarks.get(name)
    arms = score.arms if score else {}
    figures = [with_interval(arms.get("canonical")), with_interval(arms.get("icr"))]
    lift = with_interval(score.lift if score else None, "+")
    return [run.label, run.settings.benchmark[name].title, *figures, lift, f"{len(run.answers[name]):,}"]


def _source(name: str, benchmark: Benchmark) -> list[str]:
    texts = "here" if benchmark.shareable else "left out, outputs too"
    return [name, benchmark.hub or "PFE", benchmark.license or ("PFE's own" if benchmark.path else "not shared"), texts]

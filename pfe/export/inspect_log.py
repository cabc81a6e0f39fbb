"""Export of answers as Inspect logs: one log per model, benchmark and arm, with one sample per problem and order.

Example: `inspect view` shows `log(run, "arc_easy", "icr", rows, problems, prompt, created)` as the task
`pfe_arc_easy_icr`, with prompt, choices, answer and the scores `pfe` and `acc_norm` of every problem.

Further orders of the library are further epochs. Accuracies are fractions, as everywhere in Inspect. PFE's own accuracy
with its CI, in percent, is in the metadata.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from statistics import fmean, stdev
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
)
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput, ModelUsage
from inspect_ai.scorer import CORRECT, INCORRECT, Score

from pfe.evaluation.reconstruction import split
from pfe.export.lm_eval import task_name
from pfe.export.run import Run
from pfe.models.request import Option, chat_stops
from pfe.problem import Problem, ScoredPrediction

SCORER = "pfe"
# Inspect's stop reasons.
_STOPS: Mapping[str, Any] = {
    "length": "max_tokens", "repeat": "max_tokens", "too_long": "model_length", "none": "unknown",
}  # fmt: skip
# The fields of a row that become metadata of its sample. The others are its output and scores, or equal in all rows.
_METADATA = (
    "arm", "order", "stop", "tokens_in", "tokens_out", "dropped", "way", "group", "skill", "prompt_sha256", "unsafe",
)  # fmt: skip


def log(
    run: Run,
    name: str,
    arm: str,
    rows: Sequence[ScoredPrediction],
    problems: Mapping[str, Problem],
    prompt: Callable[[ScoredPrediction], Sequence[Option]],
    created: str,
) -> EvalLog:
    """Return the log of one benchmark in one arm.

    Args:
        run: the run of the model.
        name: of the benchmark.
        arm: of the answers.
        rows: the answers in this arm, of all orders.
        problems: by id.
        prompt: returns the texts that the model was given for an answer, as `pfe.evaluation.reconstruction.prompt_of`.
        created: the date of the answers, in ISO 8601.
    """
    benchmark, task = run.settings.benchmark[name], task_name(name, arm)
    samples = [_sample(row, problems[row.problem_id], prompt(row)) for row in rows]
    identity = sha256(repr((run.model, task, rows)).encode()).hexdigest()[:22]
    score = run.score.benchmarks.get(name)
    figure = score.arms.get(arm) if score else None
    chats = rows[0].way == "chat" or bool(rows[0].chat_before or rows[0].chat_after)
    stop = chat_stops(benchmark.stop) if chats else benchmark.stop
    config = GenerateConfig(stop_seqs=list(stop), max_tokens=benchmark.max_tokens)
    count = len({row.problem_id for row in rows})
    provenance = {part: getattr(rows[0], part) for part in ("engine", "versions", "weights", "revision")}
    return EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=identity,
            run_id=identity,
            task_id=identity,
            created=created,
            task=task,
            task_display_name=f"{benchmark.title}, {arm}",
            task_args={"benchmark": name, "arm": arm},
            model=f"pfe/{run.model}",
            model_generate_config=config,
            dataset=EvalDataset(name=name, location=benchmark.hub, samples=count, shuffled=False),
            config=EvalConfig(epochs=1 + max(row.order for row in rows)),
            metadata={
                "label": run.label,
                "seed": run.settings.seed,
                **provenance,
                "accuracy": asdict(figure) if figure else None,
            },
        ),
        results=EvalResults(total_samples=len(samples), completed_samples=len(samples), scores=_results(samples)),
        stats=EvalStats(started_at=created, completed_at=created, model_usage={run.model: _usage(rows)}),
        samples=samples,
    )


def _sample(row: ScoredPrediction, problem: Problem, texts: Sequence[Option]) -> EvalSample:
    asked, choices = split(texts)
    options = choices if row.scores else ()
    said = row.output if not row.scores else row.extracted
    output = ModelOutput.from_content(row.model, said, stop_reason=_STOPS.get(row.stop, "stop"))
    output.usage = _usage([row])
    return EvalSample(
        id=row.problem_id,
        epoch=row.order + 1,
        input=asked,
        choices=list(options) or list(problem.choices) or None,
        target=[problem.answer, *problem.aliases],
        messages=[ChatMessageUser(content=asked), ChatMessageAssistant(content=said, model=row.model)],
        output=output,
        scores=_scores(row, problem, options),
        metadata={name: getattr(row, name) for name in _METADATA},
        model_usage={row.model: _usage([row])},
    )


def _scores(row: ScoredPrediction, problem: Problem, options: Sequence[str]) -> dict[str, Score]:
    likelihoods = [{"choice": text.strip(), "nats": nats} for text, nats in zip(options, row.scores, strict=False)]
    lines = "\n".join(f"{one['nats']:.3f}  {one['choice']}" for one in likelihoods)
    explanation = f"log-likelihood (nats) of each choice:\n\n{lines}" if likelihoods else f"ended by: {row.stop}"
    scores = {SCORER: _score(row.correct, row.extracted, explanation, {"likelihoods": likelihoods})}
    if row.correct_norm is not None:
        scores["acc_norm"] = _score(row.correct_norm, "", "log-likelihood per character")
    if row.strict_correct is not None:
        scores["acc_strict"] = _score(row.strict_correct, row.strict or "", "in the form that the prompt shows")
    return scores


def _score(right: bool, answer: str, explanation: str, metadata: dict[str, Any] | None = None) -> Score:
    return Score(value=CORRECT if right else INCORRECT, answer=answer, explanation=explanation, metadata=metadata)


def _results(samples: Sequence[EvalSample]) -> list[EvalScore]:
    """Return accuracy and standard error of each score, as fractions."""
    values: dict[str, list[float]] = {}
    for sample in samples:
        for name, score in (sample.scores or {}).items():
            values.setdefault(name, []).append(float(score.value == CORRECT))
    results = []
    for name, marks in values.items():
        error = stdev(marks) / len(marks) ** 0.5 if len(marks) > 1 else 0.0
        metrics = {"accuracy": fmean(marks), "stderr": error}
        results.append(
            EvalScore(
                name=name,
                scorer=name,
                scored_samples=len(marks),
                unscored_samples=0,
                metrics={key: EvalMetric(name=key, value=value) for key, value in metrics.items()},
            )
        )
    return results


def _usage(rows: Sequence[ScoredPrediction]) -> ModelUsage:
    tokens_in, tokens_out = sum(row.tokens_in for row in rows), sum(row.tokens_out for row in rows)
    return ModelUsage(input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out)

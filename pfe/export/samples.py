"""Export of PFE's answers in the sample format that lm-evaluation-harness writes with --log_samples.

Example, for a choice:
    {"doc_id": 0, "doc": {"id": "arc_easy/7", …}, "target": "0", "arguments": {"gen_args_0": {"arg_0": "Question: …",
     "arg_1": " barometer"}, …}, "resps": [[["-7.2", "None"]], …], "filtered_resps": [["-7.2", "None"], …],
     "filter": "none", "metrics": ["acc", "acc_norm"], "doc_hash": "…", "prompt_hash": "…", "target_hash": "…",
     "acc": 1.0, "acc_norm": 0.0}
The second item of a response is "None", because PFE does not record whether a choice is the greedy continuation.
Source: `EvaluationTracker.save_results_samples` of lm-evaluation-harness 0.4.13.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from pfe.config import Benchmark
from pfe.export.docs import Doc, kind_of, parts
from pfe.export.figures import metrics
from pfe.export.lm_eval import generation, task_name
from pfe.export.run import by_arm
from pfe.models.request import Option
from pfe.problem import Problem, ScoredPrediction


def tasks(
    name: str,
    benchmark: Benchmark,
    problems: Mapping[str, Problem],
    rows: Sequence[ScoredPrediction],
    prompt: Callable[[ScoredPrediction], Sequence[Option]],
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the name and the samples of each harness task for the answers to a benchmark.

    Args:
        name: of the benchmark.
        benchmark: its settings.
        problems: by id, in their order.
        rows: the answers.
        prompt: returns the texts that a model was given for an answer, as `pfe.evaluation.reconstruction.prompt_of`.
    """
    asked = {row.problem_id for row in rows}
    for part in parts(name, benchmark, [problem for id, problem in problems.items() if id in asked]):
        places = {doc["id"]: place for place, doc in enumerate(part.docs)}
        for arm, order, answers in by_arm(rows):
            yield (
                task_name(part.name, arm, order),
                [
                    _sample(place, row, problems[row.problem_id], part.docs[place], prompt(row), benchmark)
                    for row in answers
                    if (place := places.get(row.problem_id)) is not None
                ],
            )


def _sample(
    place: int, row: ScoredPrediction, problem: Problem, doc: Doc, prompt: Sequence[Option], benchmark: Benchmark
) -> dict[str, Any]:
    """Return the sample of one answer, where `place` is the index of its problem in the task."""
    if row.scores:
        arguments: list[tuple[str, Any]] = [(option.context, option.continuation) for option in prompt]
        filtered: list[Any] = [[str(score), "None"] for score in row.scores]
    else:
        arguments = [(option.context, generation(benchmark)) for option in prompt]
        filtered = [row.output]
    figures = metrics(row)
    target = str(doc[{"choices": "gold", "suffix": "continuation", "written": "answer"}[kind_of(problem, benchmark)]])
    return {
        "doc_id": place,
        "doc": doc,
        "target": target,
        "arguments": {f"gen_args_{n}": {"arg_0": text, "arg_1": more} for n, (text, more) in enumerate(arguments)},
        "resps": [[answer] for answer in filtered],
        "filtered_resps": filtered,
        "filter": "none",
        "metrics": list(figures),
        "doc_hash": _hash(json.dumps(doc, indent=2, ensure_ascii=False)),
        "prompt_hash": _hash(arguments[0][0] if arguments else ""),
        "target_hash": _hash(target),
        **figures,
    }


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

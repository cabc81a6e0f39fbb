"""One model, one benchmark, every arm: requests out, predictions back."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from pfe.config import Arm, Benchmark
from pfe.evaluation.prompts import request_for
from pfe.models.request import Examinee, Request, Writer
from pfe.problem import Prediction, Problem
from pfe.scorers import score


def drawn(problems: Sequence[Problem], limit: int | None, seed: int) -> list[Problem]:
    """At most `limit` problems, drawn by seed and id; a smaller limit draws a subset, in the sealed order."""
    if limit is None or limit >= len(problems):
        return list(problems)
    lots = {problem.id: sha256(f"{seed}:{problem.id}".encode()).digest() for problem in problems}
    last = sorted(lots.values())[limit - 1]
    return [problem for problem in problems if lots[problem.id] <= last]


def examine(
    examinee: Examinee, model: str, name: str, benchmark: Benchmark, problems: Sequence[Problem], arms: Iterable[Arm]
) -> list[Prediction]:
    """The predictions of one model on one benchmark, arm by arm.

    Empty where the benchmark wants text and the examinee only chooses.

    Raises:
        UserError: a prompt template or a library is at fault, or the model cannot answer.
    """
    if benchmark.form == "generate" and not isinstance(examinee, Writer):
        return []
    predictions = []
    for arm in arms:
        requests = [request_for(problem, benchmark, arm) for problem in problems]
        for request, output, scores in zip(requests, *_answers(examinee, requests), strict=True):
            scored = score(benchmark.scorer, request.problem, output)
            prediction = Prediction(
                problem_id=request.problem.id,
                benchmark=name,
                model=model,
                arm=arm,
                output=output,
                extracted=scored.extracted,
                correct=scored.correct,
                group=request.problem.group or request.problem.id,
                prompt_sha256=sha256((request.prefix + request.prompt).encode()).hexdigest(),
                scores=scores,
            )
            predictions.append(prediction)
    return predictions


def _answers(examinee: Examinee, requests: Sequence[Request]) -> tuple[list[str], list[tuple[float, ...]]]:
    """What was written or chosen, and the scores of the choices; the first of equal scores wins."""
    if isinstance(examinee, Writer) and not requests[0].options:
        return examinee.generate(requests), [()] * len(requests)
    scores = examinee.choose(requests)
    chosen = [
        request.problem.choices[max(range(len(row)), key=row.__getitem__)]
        for request, row in zip(requests, scores, strict=True)
    ]
    return chosen, scores

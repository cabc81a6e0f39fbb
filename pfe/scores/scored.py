"""Scoring of predictions with the scorer of their benchmark.

Example: the prediction "9 * 2 = 18\\n#### 18" on GSM1K becomes a `ScoredPrediction` with extracted="18", correct=True.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace

from pfe.config import Benchmark, Config
from pfe.errors import UserError
from pfe.problem import UNENDED, Prediction, Problem, ScoredPrediction
from pfe.sandbox.process import UnsupportedError
from pfe.scorers import score_all
from pfe.scorers.choice import best, best_per_character, named_choice
from pfe.scores.benchmark import BenchmarkScore, Drawn, score_benchmark
from pfe.thoughts import after_thoughts


def score_answers(
    model: str, name: str, predictions: Sequence[Prediction], problems: Sequence[Problem], settings: Config
) -> tuple[list[ScoredPrediction], BenchmarkScore | None]:
    """Return the scored answers of a model to the benchmark `name`, and their figures; None if there are no answers.

    Raises:
        UserError: as `score_predictions`.
    """
    answers = score_predictions(predictions, problems, settings.benchmark[name], settings.evaluate.unsafe_code)
    drawn = Drawn.create(settings.limit_of(model), len(problems))
    return answers, score_benchmark(answers, settings.seed, drawn=drawn)


def score_predictions(
    predictions: Sequence[Prediction], problems: Sequence[Problem], benchmark: Benchmark, unsafe: bool = False
) -> list[ScoredPrediction]:
    """Return the predictions of one model on one benchmark with their scores, in the same order.

    If the predictions are programs that this system cannot run, print a note to stderr and return an empty list.

    Args:
        predictions: of one model on one benchmark.
        problems: the sealed problems, matched to predictions by id.
        benchmark: the settings of the benchmark, which name its scorer.
        unsafe: run programs even if they cannot be isolated.

    Raises:
        UserError: a prediction has no sealed problem, or programs cannot be isolated on this machine.
    """
    questions = _problems_of(predictions, problems)
    choices = [_choice(*pair, benchmark) for pair in zip(predictions, questions, strict=True)]
    outputs = [row.output if choice is None else choice for row, choice in zip(predictions, choices, strict=True)]
    ended = [row.stop not in UNENDED for row in predictions]
    try:
        scores = score_all(benchmark.scorer, questions, outputs, unsafe, ended)
    except UnsupportedError as error:
        print(f"NOTE: {predictions[0].model} is not scored on {benchmark.title}: {error}", file=sys.stderr)
        return []
    several_families = len({problem.family for problem in questions}) > 1
    by_world = _by_world(predictions, questions, outputs, benchmark, ended)
    return [
        ScoredPrediction(
            **vars(row),
            group=(several_families and problem.family) or problem.group or problem.id,
            choices=0 if choice is None else len(problem.choices),
            correct_norm=_correct_norm(row, problem, choice) if benchmark.form == "choices" else None,
            otherwise=otherwise,
            gold="" if benchmark.scorer == "program" else problem.answer,
            skill=problem.skill,
            rung=problem.rung,
            names=problem.names,
            **vars(score),
        )
        for row, problem, choice, otherwise, score in zip(
            predictions, questions, choices, by_world, scores, strict=True
        )
    ]


def _problems_of(predictions: Sequence[Prediction], problems: Sequence[Problem]) -> list[Problem]:
    by_id = {problem.id: problem for problem in problems}
    for row in predictions:
        if row.problem_id not in by_id:
            raise UserError(
                f"predictions of {row.model} on {row.benchmark}: {row.problem_id} is no sealed problem; "
                f"run `dvc repro evaluate@{row.model}`"
            )
    return [_with_answer_in(row.arm, by_id[row.problem_id]) for row in predictions]


def _with_answer_in(arm: str, problem: Problem) -> Problem:
    """Return the problem with the answer that is correct in an arm."""
    return replace(problem, answer=problem.answer_in(arm))


def _by_world(
    predictions: Sequence[Prediction],
    problems: Sequence[Problem],
    outputs: Sequence[str],
    benchmark: Benchmark,
    ended: Sequence[bool],
) -> list[bool | None]:
    """Return whether each answer in the arm `contradicted` is true of the real world; None in other arms."""
    found: list[bool | None] = [None] * len(predictions)
    rows = [place for place, row in enumerate(predictions) if row.arm == "contradicted"]
    world = [replace(problems[place], answer=_otherwise(problems[place])) for place in rows]
    scores = score_all(
        benchmark.scorer, world, [outputs[place] for place in rows], ended=[ended[place] for place in rows]
    )
    for place, score in zip(rows, scores, strict=True):
        found[place] = score.correct
    return found


def _otherwise(problem: Problem) -> str:
    contradicted = problem.variant("contradicted")
    return contradicted.otherwise if contradicted else ""


def _choice(row: Prediction, problem: Problem, benchmark: Benchmark) -> str | None:
    """Return the choice with the best score or, if a letter was requested, the named one; None if there is neither."""
    if row.scores:
        return problem.choices[best(row.scores)]
    answer = after_thoughts(row.output)
    return None if benchmark.writes(problem) or answer is None else named_choice(problem.choices, answer)


def _correct_norm(row: Prediction, problem: Problem, choice: str | None) -> bool | None:
    """Return whether the choice is correct if picked by log-likelihood per character; None if there is no choice.

    Without log-likelihoods it is the given `choice` that is checked.
    """
    if row.scores:
        choice = problem.choices[best_per_character(row.scores, problem.choices)]
    return None if choice is None else choice == problem.answer

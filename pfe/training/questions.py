"""Validation questions: what a model is asked to measure its training, and how its answers are scored.

Example: a library-bound problem becomes four questions: zero-shot (`bare`), with its library in context, with a changed
library, and with an irrelevant one. "moss" is correct with the first library and "eggs" with the changed one. With the
changed library in context, the answer "eggs" follows it, and "moss" is the answer of the original library.

Questions have the format of evaluation (`pfe.evaluation.prompts`): choices by the likelihood of the continuation, other
answers by greedy decoding, each scored by the set's own scorer.
"""

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pfe.config import Benchmark
from pfe.errors import UserError
from pfe.evaluation.prompts import completed, request_for
from pfe.icr.contexts import own_library
from pfe.icr.definitions import definition
from pfe.models.request import Answer, Examinee, Option, Request
from pfe.problem import UNENDED, Domain, Problem, Scorer
from pfe.progress import progress
from pfe.scorers import SCORER_OF, Score, score_all
from pfe.scorers.choice import best
from pfe.training.corpus import asked_plainly
from pfe.training.figures import Kind, Outcome, ValidationArm

_LONGER = 2  # an answer is cut off at this multiple of the longest correct answer
_LONGEST = 256  # maximum tokens of an answer if no benchmark sets it


@dataclass(frozen=True)
class Question:
    """A problem in one arm, whose `answer` is the correct one there; `otherwise` has the original library's (changed).

    `target` is the prompt with the correct answer as continuation, for the likelihood; None if the arm does not
    give the answer.
    """

    set: str
    kind: Kind
    arm: ValidationArm
    problem: Problem
    request: Request
    scorer: Scorer
    target: Option | None = None
    otherwise: Problem | None = None


def questions(
    problems: Sequence[Problem], kind: Kind, benchmarks: Mapping[Domain, Benchmark], count: Callable[[str], int]
) -> list[Question]:
    """Return the questions about problems; those that are not library-bound are asked zero-shot only.

    Programs are not asked with a changed library, since their tests fit the original one.

    Args:
        count: returns the tokens of a text: an answer is cut off at twice the longest of its set.
    """
    asked = [
        question
        for problem in problems
        for question in _of(problem, kind, benchmarks.get(problem.domain))
        if question.arm != "changed" or problem.domain != "code"
    ]
    most: dict[str, int] = {}
    for question in asked:
        length = _LONGER * count(_text(question.problem))
        most[question.set] = max(most.get(question.set, 1), length)
    return [
        replace(question, request=replace(request, max_tokens=min(request.max_tokens, most[question.set])))
        for question in asked
        for request in [question.request]
    ]


def outcomes(examinee: Examinee, asked: Sequence[Question]) -> list[Outcome]:
    """Ask the questions and score the answers, in order; programs are left out if they cannot be run here.

    Raises:
        UserError: the model's logits are not finite.
    """
    with progress(len(asked), "validation", "question") as done:
        answers = examinee.answer([question.request for question in asked], done)
    nats = _nats(examinee, asked, answers)
    by_scorer: dict[Scorer, list[int]] = {}
    for place, question in enumerate(asked):
        by_scorer.setdefault(question.scorer, []).append(place)
    made: dict[int, Outcome] = {}
    for scorer, places in by_scorer.items():
        try:
            made |= _scored(scorer, places, asked, answers, nats)
        except UserError as error:
            if scorer != "program":
                raise
            print(f"NOTE: programs are left out of validation: {error}", file=sys.stderr)
    return [made[place] for place in sorted(made)]


def _of(problem: Problem, kind: Kind, benchmark: Benchmark | None) -> Iterator[Question]:
    if problem.domain == "boolean":
        problem = replace(problem, choices=("no", "yes"))
    if not problem.library_bound:
        yield _question(problem, "plain", "bare", (), benchmark)
        return
    yield replace(_question(problem, kind, "bare", (), benchmark), target=None)
    yield _question(problem, kind, "library", problem.library, benchmark)
    if irrelevant := problem.variant("irrelevant"):
        yield replace(_question(problem, kind, "irrelevant", irrelevant.library, benchmark), target=None)
    if changed := problem.variant("changed"):
        functions = tuple(map(definition, changed.library)) if problem.functions else ()
        shown = replace(problem, answer=changed.answer, solution="", tests=(), aliases=(), functions=functions)
        question = _question(shown, kind, "changed", changed.library, benchmark)
        yield replace(question, otherwise=replace(problem, answer=changed.otherwise))


def _question(
    problem: Problem, kind: Kind, arm: ValidationArm, library: Sequence[str], benchmark: Benchmark | None
) -> Question:
    prefix = own_library(library)
    if benchmark is None:
        options = tuple(asked_plainly(problem, choice) for choice in problem.choices)
        request = Request(problem, prefix, asked_plainly(problem, "").context, options, max_tokens=_LONGEST)
        target = asked_plainly(problem, _text(problem))
    else:
        request = request_for(problem, benchmark, prefix)
        target = completed(problem, benchmark, _text(problem))
    scorer = benchmark.scorer if benchmark else SCORER_OF[problem.domain]
    return Question(problem.set, kind, arm, problem, request, scorer, target)


def _text(problem: Problem) -> str:
    """Return the correct answer as lessons write it: for a word problem with its solution, if that is known."""
    return problem.solution if problem.domain == "math" and problem.solution else problem.answer


def _nats(examinee: Examinee, asked: Sequence[Question], answers: Sequence[Answer]) -> dict[int, float]:
    """Return the negative log-likelihood of the correct answers, by index."""
    targets = {place: question.target for place, question in enumerate(asked) if question.target}
    chosen = {place for place in targets if asked[place].request.options}
    written = [place for place in targets if place not in chosen]
    requests = [
        replace(asked[place].request, prompt=option.context, options=(option,))
        for place, option in targets.items()
        if place not in chosen
    ]
    values = {place: _among_choices(asked[place].problem, answers[place]) for place in chosen}
    for place, answer in zip(written, examinee.answer(requests), strict=True):
        values[place] = -answer.scores[0] / answer.tokens_out if answer.scores else None
    return {place: value for place, value in values.items() if value is not None}


def _among_choices(problem: Problem, answer: Answer) -> float | None:
    if not answer.scores or problem.answer not in problem.choices:
        return None
    most = max(answer.scores)
    total = most + math.log(math.fsum(math.exp(score - most) for score in answer.scores))
    return total - answer.scores[problem.choices.index(problem.answer)]


def _scored(
    scorer: Scorer,
    places: Sequence[int],
    asked: Sequence[Question],
    answers: Sequence[Answer],
    nats: Mapping[int, float],
) -> dict[int, Outcome]:
    outputs = {place: _output(asked[place].problem, answers[place]) for place in places}
    others = [(problem, place) for place in places if (problem := asked[place].otherwise)]
    scores = _scores(scorer, [(asked[place].problem, place) for place in places], outputs, answers)
    kept = _scores(scorer, others, outputs, answers)
    return {
        place: Outcome(
            set=asked[place].set,
            kind=asked[place].kind,
            arm=asked[place].arm,
            problem_id=asked[place].problem.id,
            group=asked[place].problem.group or asked[place].problem.id,
            extracted=scores[place].extracted,
            correct=scores[place].correct,
            choices=len(asked[place].request.options),
            gold="" if scorer == "program" else asked[place].problem.answer,
            skill=asked[place].problem.skill,
            kept=place in kept and kept[place].correct,
            nats=nats.get(place),
        )
        for place in places
    }


def _scores(
    scorer: Scorer, pairs: Sequence[tuple[Problem, int]], outputs: Mapping[int, str], answers: Sequence[Answer]
) -> dict[int, Score]:
    ended = [answers[place].stop not in UNENDED for _, place in pairs]
    scores = score_all(scorer, [problem for problem, _ in pairs], [outputs[place] for _, place in pairs], ended=ended)
    return {place: score for (_, place), score in zip(pairs, scores, strict=True)}


def _output(problem: Problem, answer: Answer) -> str:
    return problem.choices[best(answer.scores)] if answer.scores else answer.output

"""The problem browser's data: columns over all problems, and the texts in parts that are opened one by one.

Example, of the columns of one benchmark:
    {"name": "arc_easy", "title": "ARC-Easy", "shown": true, "ids": ["Mercury_7", …], "families": ["biology"],
     "family": [0, …], "right": {"student": {"canonical": "3f0a…", "icr": "7f0a…"}}, "asked": {}}

A mark a problem would be a megabyte a model: `right` and `asked` hold bits, four problems a hexadecimal digit, the
first in the lowest bit; an arm that all problems were asked in has no entry in `asked`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from pfe.arms import Arm
from pfe.problem import Problem, ScoredPrediction
from pfe.report.html.prompts import Prompt, Prompts
from pfe.report.html.results import Part
from pfe.report.show import ENDINGS

PART = 250  # problems whose texts are in one part
DECIMALS = 3  # of log-likelihoods
# What stands in front of the problem, as docs/arms.md has it in short.
IN_FRONT: Mapping[Arm, str] = {
    "canonical": "nothing: the bare problem",
    "icr": "the benchmark's method library, or the one that a problem brings",
    "placebo": "a library of the same title and length, with methods for other things: one of three, drawn by problem",
    "format": "the library with … for everything that it says",
    "shuffled": "the library with every example under another method",
    "wrong": "a library of the same form, whose methods are false",
    "reference": "as many solved problems as published figures show",
    "retrieved": "the entries of a larger base that are nearest to this problem",
    "contradicted": "a library that says otherwise than the world does; right is what it says",
    "agreeing": "the same library with what the world says; right is what both say",
}

Rows = Mapping[str, Sequence[ScoredPrediction]]  # by model


@dataclass(frozen=True)
class Asked:
    """One benchmark's problems, those that were asked, and the answers to them by model."""

    name: str
    title: str
    shown: bool
    problems: Sequence[Problem]
    rows: Rows

    @classmethod
    def create(cls, name: str, title: str, shown: bool, problems: Sequence[Problem], rows: Rows) -> "Asked":
        """Of all problems those that somebody answered; `shown` is whether their texts may be."""
        answered = {row.problem_id for of_model in rows.values() for row in of_model}
        return cls(name, title, shown, [problem for problem in problems if problem.id in answered], rows)


def columns(asked: Asked) -> dict[str, Any]:
    """What the list and the filters of the browser need of one benchmark."""
    families = [problem.family or problem.skill or problem.domain for problem in asked.problems]
    names = list(dict.fromkeys(families))
    place = {problem.id: at for at, problem in enumerate(asked.problems)}
    count = len(place)
    right: dict[str, dict[str, str]] = {}
    partly: dict[str, dict[str, str]] = {}
    for model, rows in asked.rows.items():
        seen: dict[str, list[int]] = {}
        marks: dict[str, list[int]] = {}
        for row in rows:
            if row.order == 0:
                seen.setdefault(row.arm, []).append(place[row.problem_id])
                marks.setdefault(row.arm, []).extend([place[row.problem_id]] * row.correct)
        right[model] = {arm: bits(places, count) for arm, places in marks.items()}
        if some := {arm: bits(places, count) for arm, places in seen.items() if len(places) < count}:
            partly[model] = some
    return {
        "name": asked.name,
        "title": asked.title,
        "shown": asked.shown,
        "ids": [short_id(problem.id, asked.name) for problem in asked.problems],
        "families": names,
        "family": [names.index(family) for family in families] if len(names) > 1 else [],
        "right": right,
        "asked": partly,
    }


def browser(benchmarks: Sequence[Mapping[str, Any]], labels: Mapping[str, str], beside: str) -> Part:
    """The browser over the columns of all benchmarks; `beside` is the folder of the parts that are not in the page."""
    asked = {arm for one in benchmarks for by_arm in one["right"].values() for arm in by_arm}
    arms = [arm for arm in get_args(Arm) if arm in asked and arm != "canonical"]
    data = {"benchmarks": benchmarks, "models": labels, "size": PART, "beside": beside, "endings": dict(ENDINGS)}
    return Part(
        {"arms": arms, "in_front": {arm: IN_FRONT[arm] for arm in IN_FRONT if arm in asked}}, {"problems": data}
    )


def short_id(id: str, benchmark: str) -> str:
    """An id without the benchmark that it begins with, as links have it."""
    return id.removeprefix(f"{benchmark}/")


def bits(places: Sequence[int], count: int) -> str:
    """Which of `count` places are among these, as hexadecimal digits of four."""
    digits = [0] * -(-count // 4)
    for place in places:
        digits[place // 4] |= 1 << place % 4
    return "".join(f"{digit:x}" for digit in digits)


@dataclass
class _Strings:
    """Texts that occur more than once in a part, each once; the place of each."""

    places: dict[str, int] = field(default_factory=dict)

    def __call__(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))


def parts(asked: Asked, prompts: Prompts) -> Iterator[tuple[str, Any]]:
    """The texts of the problems and, model by model, of the answers: a name and its content a part.

    Of what may not be shown there are the answers' figures alone.

    Raises:
        UserError: a prompt cannot be made again.
    """
    by_model = {model: _by_problem(rows) for model, rows in asked.rows.items()}
    for number, start in enumerate(range(0, len(asked.problems), PART)):
        problems = asked.problems[start : start + PART]
        strings, answers = _Strings(), {model: list[list[Any]]() for model in by_model}
        for problem in problems:
            rows = [row for of_model in by_model.values() for row in of_model.get(problem.id, ())]
            shown = prompts.of(problem, rows) if asked.shown else [Prompt("", "", ())] * len(rows)
            written = {id(row): prompt for row, prompt in zip(rows, shown, strict=True)}
            for model, of_model in by_model.items():
                of_problem = of_model.get(problem.id, [])
                answers[model].append([_answer(row, written[id(row)], problem, asked, strings) for row in of_problem])
        texts = [_problem(problem) for problem in problems] if asked.shown else []
        yield f"{asked.name}-{number}", {"problems": texts, "strings": list(strings.places)}
        for model, of_part in answers.items():
            yield f"{model}/{asked.name}-{number}", of_part


def _by_problem(rows: Sequence[ScoredPrediction]) -> dict[str, list[ScoredPrediction]]:
    by_problem: dict[str, list[ScoredPrediction]] = {}
    for row in rows:
        by_problem.setdefault(row.problem_id, []).append(row)
    return by_problem


def _problem(problem: Problem) -> dict[str, Any]:
    fields = {
        "context": problem.context, "question": problem.question, "choices": list(problem.choices),
        "answer": problem.answer, "aliases": list(problem.aliases), "tests": list(problem.tests),
    }  # fmt: skip
    return {name: value for name, value in fields.items() if value}


def _answer(row: ScoredPrediction, prompt: Prompt, problem: Problem, asked: Asked, strings: _Strings) -> list[Any]:
    """Arm, order, right, what was read, how it ended, tokens in and out, methods left out, words of the library, and
    where the text is shown head, tail, options, scores and output."""
    extracted = row.extracted
    if not asked.shown:
        place = problem.choices.index(extracted) + 1 if extracted in problem.choices else 0
        extracted = f"choice {place} of {len(problem.choices)}" if place else ""
    figures = [row.arm, row.order, int(row.correct), strings(extracted), row.stop, row.tokens_in, row.tokens_out]
    figures += [row.dropped, row.library_words]
    if not asked.shown:
        return figures
    scores = [round(score, DECIMALS) for score in row.scores]
    options = [strings(option.strip()) for option in prompt.options]
    return [*figures, strings(prompt.head), strings(prompt.tail), options, scores, row.output]

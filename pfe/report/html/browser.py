"""The data of the problem browser: columns over all problems, and the texts in parts that are loaded on demand.

Example, the columns of one benchmark:
    {"name": "arc_easy", "title": "ARC-Easy", "shown": true, "ids": ["Mercury_7", …], "families": ["biology"],
     "family": [0, …], "right": {"student": {"canonical": "3f0a…", "icr": "7f0a…"}}, "asked": {}}

To save about a megabyte per model, `right` and `asked` are bit strings: four problems per hexadecimal digit, the first
in the lowest bit. An arm in which all problems were asked has no entry in `asked`.
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
# The prefix of each arm, a short form of docs/arms.md.
IN_FRONT: Mapping[Arm, str] = {
    "canonical": "nothing: the problem alone",
    "icr": "the benchmark's method library, or the one that a problem brings",
    "placebo": "a library of the same title and length, with methods for other things: one of three, by problem",
    "format": "the library with … for everything that it says",
    "shuffled": "the library with every example under another method",
    "wrong": "a library of the same form with incorrect methods",
    "reference": "as many solved problems as published figures show",
    "retrieved": "the entries of a larger base that are nearest to this problem",
    "contradicted": "a library that contradicts the real world; the library's answer is correct",
    "agreeing": "the same library with the real facts; the library and the world agree",
}

Rows = Mapping[str, Sequence[ScoredPrediction]]  # by model


@dataclass(frozen=True)
class Asked:
    """The problems of one benchmark that were asked, and the answers to them by model."""

    name: str
    title: str
    shown: bool
    problems: Sequence[Problem]
    rows: Rows

    @classmethod
    def create(cls, name: str, title: str, shown: bool, problems: Sequence[Problem], rows: Rows) -> "Asked":
        """Keep only the problems that a model answered; `shown` is whether their texts may be shown."""
        answered = {row.problem_id for of_model in rows.values() for row in of_model}
        return cls(name, title, shown, [problem for problem in problems if problem.id in answered], rows)


def columns(asked: Asked) -> dict[str, Any]:
    """Return the data of one benchmark for the list and the filters of the browser."""
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
    """Return the browser over the columns of all benchmarks; `beside` is the folder of the parts outside the page."""
    asked = {arm for one in benchmarks for by_arm in one["right"].values() for arm in by_arm}
    arms = [arm for arm in get_args(Arm) if arm in asked and arm != "canonical"]
    data = {"benchmarks": benchmarks, "models": labels, "size": PART, "beside": beside, "endings": dict(ENDINGS)}
    return Part(
        {"arms": arms, "in_front": {arm: IN_FRONT[arm] for arm in IN_FRONT if arm in asked}}, {"problems": data}
    )


def short_id(id: str, benchmark: str) -> str:
    """Return an id without its leading benchmark name, as used in links."""
    return id.removeprefix(f"{benchmark}/")


def bits(places: Sequence[int], count: int) -> str:
    """Return a bit string of length `count` with the bits at `places` set, four bits per hexadecimal digit."""
    digits = [0] * -(-count // 4)
    for place in places:
        digits[place // 4] |= 1 << place % 4
    return "".join(f"{digit:x}" for digit in digits)


@dataclass
class _Strings:
    """The distinct texts of a part; calling it returns the index of a text."""

    places: dict[str, int] = field(default_factory=dict)

    def __call__(self, text: str) -> int:
        return self.places.setdefault(text, len(self.places))


def parts(asked: Asked, prompts: Prompts) -> Iterator[tuple[str, Any]]:
    """Yield the name and content of each part: the texts of its problems, then the answers to them of each model.

    If the texts may not be shown, the parts hold only the figures of the answers.

    Raises:
        UserError: a prompt cannot be reconstructed.
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
    """Return the columns of one answer.

    They are arm, order, correct (0 or 1), extracted answer, stop reason, tokens in, tokens out, dropped methods and
    library words. If the texts may be shown, head, tail, options, scores and output follow.
    """
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

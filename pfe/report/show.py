"""One problem, and what a model was asked and answered in every arm, side by side.

Example:
    arc_easy/7: fixed
    Which tool measures air pressure?
    barometer
    ruler
    Answer: barometer

    canonical: wrong, 'ruler' (choice; 12 tokens in, 8 out)
        Question: Which tool measures air pressure?
        Answer:
             -7.20  barometer
        >    -6.90  ruler
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from os.path import commonprefix
from textwrap import shorten
from typing import Any, Literal

from pfe.config import Config
from pfe.evaluation.reconstruction import prompt_of
from pfe.icr.retrieval import Entry
from pfe.problem import Problem, ScoredPrediction

Outcome = Literal["fixed", "broken", "both", "neither"]
OUTCOMES: Mapping[tuple[bool, bool], Outcome] = {
    (False, True): "fixed", (True, False): "broken", (True, True): "both", (False, False): "neither",
}  # fmt: skip
_FIRST, _LAST = 4, 8  # lines of a prompt that are shown of a long one


@dataclass(frozen=True)
class ArmAnswer:
    """One arm's answer, the prompt it is one to, and what of each option stands behind that."""

    row: ScoredPrediction
    prompt: str
    options: tuple[str, ...]


def outcomes(rows: Iterable[ScoredPrediction]) -> dict[str, Outcome]:
    """What the library did to each problem, by id: "fixed" where ICR alone is right, "broken" where canonical alone.

    Problems without an answer in one of these arms are left out.
    """
    marks_by_id: dict[str, dict[str, bool]] = {}
    for row in rows:
        if row.order == 0 and row.arm in ("canonical", "icr"):
            marks_by_id.setdefault(row.problem_id, {})[row.arm] = row.correct
    return {id: OUTCOMES[marks["canonical"], marks["icr"]] for id, marks in marks_by_id.items() if len(marks) == 2}


def arm_answers(
    problem: Problem,
    rows: Iterable[ScoredPrediction],
    settings: Config,
    shots: Sequence[Problem],
    entries: Sequence[Entry] = (),
) -> list[ArmAnswer]:
    """The answers to one problem, with their prompts.

    Raises:
        UserError: a prompt cannot be made again.
    """
    answers = []
    for row in rows:
        texts = prompt_of(row, problem, settings, shots, entries)
        prompt = commonprefix([text.context for text in texts])  # noqa: RUF071 (by characters is what is meant)
        options = tuple(text.context[len(prompt) :] + text.continuation for text in texts)
        answers.append(ArmAnswer(row, prompt, options))
    return answers


def listing(rows: Iterable[ScoredPrediction], outcome_of: Mapping[str, Outcome]) -> list[str]:
    """A line a problem: its id, what the library did, and what was read out of the answers, canonical and ICR."""
    extracted: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.order == 0:
            extracted.setdefault(row.problem_id, {})[row.arm] = repr(shorten(row.extracted, 40, placeholder="…"))
    width = max(map(len, extracted), default=0)
    lines = (
        f"{id:<{width}}  {outcome_of.get(id, ''):<7}  {readings.get('canonical', ''):<42}  {readings.get('icr', '')}"
        for id, readings in extracted.items()
    )
    return [line.rstrip() for line in lines]


def figures(problem: Problem, arms: Sequence[ArmAnswer], outcome: str) -> dict[str, Any]:
    """All that `page` shows and all that the rows hold, for JSON."""
    answers = [{**vars(answer.row), "prompt": answer.prompt, "options": answer.options} for answer in arms]
    return {"problem": asdict(problem), "outcome": outcome, "answers": answers}


def page(problem: Problem, arms: Sequence[ArmAnswer], outcome: str = "", full: bool = False) -> str:
    """The problem and its answers as text; of a long prompt the first and last lines, or all where `full`."""
    head = [f"{problem.id}: {outcome}" if outcome else problem.id, problem.text, f"Answer: {problem.answer}"]
    return "\n\n".join(["\n".join(head), *(_block(answer, full) for answer in arms)])


def _block(answer: ArmAnswer, full: bool) -> str:
    row = answer.row
    order = f", order {row.order}" if row.order else ""
    dropped = f", {row.dropped} methods left out" if row.dropped else ""
    title = (
        f"{row.arm}{order}: {'right' if row.correct else 'wrong'}, "
        f"{row.extracted!r} ({row.stop}; {row.tokens_in:,} tokens in{dropped}, {row.tokens_out:,} out)"
    )
    lines = answer.prompt.split("\n")
    left_out = len(lines) - _FIRST - _LAST
    if left_out > 1 and not full:
        lines = [*lines[:_FIRST], f"… {left_out:,} lines …", *lines[-_LAST:]]
    best = max(row.scores, default=None)
    for option, score in zip(answer.options, row.scores, strict=False):  # a letter is asked for in one text, unscored
        lines.append(f"{'>' if score == best else ' '} {score:8.2f}  {option.strip()}")
    if not row.scores:
        lines += [f"> {line}" for line in row.output.split("\n")]
    return "\n".join([title, *(f"    {line}" for line in lines)])

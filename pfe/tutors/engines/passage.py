"""A passage and a multiple-choice question with four choices: reading comprehension.

Example: `content/race_synth/first_job.yaml`. Its `slots`, `points` and `passage` are as in
`pfe.tutors.passage_template`. Every point with an `ask` is a question, and its incorrect choices are the point's other
ways. If the meanings of at least four points are sentences, there are also questions about which statement is true and
which is not. `asks` defines
further kinds of question:

| keys | asks |
| --- | --- |
| `ask`, `answer` | for a slot: the incorrect choices are the other values of its table |
| `ask`, `answer`, `wrong` | for a text with slots; `wrong` lists the incorrect choices |
| `ask`, `answer`, `each: 4` | one such question for each number `#`; the incorrect choices are the others' answers |
| `after`, `before`, `first`, `last`; `order`, `answer` | the order of events: `order` lists the slots, `{did}` is one |
| `ask`, `number`, `near`, `answer` | for `{n}`, computed from the slots: `{price} * {count}` |

The choices of a question that ends in a blank (`because  _  .`) have no capital letter and no full stop.
"""

from dataclasses import field
from pathlib import Path
from random import Random
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as pydantic_dataclass

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import Filled, Weight, engine_and_rest, read_content
from pfe.tutors.family import ContentFamily, Draft, Facts, quoted
from pfe.tutors.passage_questions import Ask, asks_of, claims_of
from pfe.tutors.passage_template import telling
from pfe.tutors.place import Place
from pfe.tutors.wording import capital

_CHOICES = 4


@pydantic_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """The content of a family's file."""

    passage: Filled[list[Any]]
    slots: dict[str, Any] = field(default_factory=dict)
    points: dict[str, Any] = field(default_factory=dict)
    asks: dict[str, dict[str, Any]] = field(default_factory=dict)
    weight: Weight = 1.0


class Engine(ContentFamily):
    """A family of passages, each with one question."""

    domain = "reading"
    scorer = "choice"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = content.weight
        self.told = telling(content.slots, content.points, content.passage, Place(path), "in_passing")
        self.asks: list[Ask] = [*asks_of(content.asks, self.told), *claims_of(self.told)]
        if not self.asks:
            raise UserError(f"{path}: nothing is asked; give a point its `ask`, or add `asks:`")

    def facts(self, rng: Random) -> Facts:
        facts = self.told.draw(rng)
        (ask,) = rng.choices(range(len(self.asks)), [ask.weight for ask in self.asks])
        return facts | {"ask": ask} | self.asks[ask].draw(facts, rng)

    def write(self, facts: Facts, rng: Random) -> Draft:
        ask = self.asks[facts["ask"]]
        passage = self.told.tell(facts, rng, ask.needed)
        choices = list(dict.fromkeys([ask.answer(facts), *ask.wrong(facts, rng)]))[:_CHOICES]
        question = capital(ask.question.vary(facts, rng))
        return Draft(question, context=passage, choices=tuple(rng.sample(choices, len(choices))))

    def solve(self, facts: Facts) -> str:
        return self.asks[facts["ask"]].answer(facts)

    def check(self, facts: Facts, answer: str) -> bool:
        return self.asks[facts["ask"]].fits(facts, answer)

    def solution(self, facts: Facts, draft: Draft) -> str:
        texts = self.told.quotes(draft.context, self.asks[facts["ask"]].about(facts), facts)
        return quoted("passage", texts) or "This follows from the passage."

    def read(self, problem: Problem) -> Facts:
        spans = list(self.told.spans(problem.context))
        found = self.told.completed(spans[-1][2] if spans else {})
        for place, ask in enumerate(self.asks):
            try:
                asked = ask.question.read(_uncapital(problem.question), dict(found))
            except ValueError:
                try:
                    asked = ask.question.read(problem.question, dict(found))
                except ValueError:
                    continue
            return self.told.completed(asked) | {"ask": place} | ask.seen(problem.choices)
        raise ValueError(f"{problem.id}: {problem.question!r} is no question of {self.name}")


def _uncapital(text: str) -> str:
    return text[:1].lower() + text[1:]

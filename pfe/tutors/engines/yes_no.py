"""An encyclopaedic passage and a yes/no question, worded like a query to a search engine.

Example: `content/boolq_synth/bridge.yaml`. Its `slots`, `points` and `passage` are as in `pfe.tutors.passage_template`.
The lines `yes` and `no` of a point are sentences that make this the answer to its `ask`. `asks` defines other
questions:

| keys | the answer is yes if |
| --- | --- |
| `ask`, `answer`, `wrong` | `{asked}` is the first of these texts with slots; one of the others makes it no |
| `ask`, `answer` | `{asked}` is the text; the other values of its slot make it no |
| `ask`, `more` | the first of two sums of slots, as `[{length}, 300]`, is larger than the second |

About three of five answers are yes, as in questions that people ask.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as pydantic_dataclass

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.arithmetic import evaluate
from pfe.tutors.content import Filled, Weight, check_keys, check_texts, engine_and_rest, read_content
from pfe.tutors.family import ContentFamily, Draft, Facts, quoted
from pfe.tutors.passage_questions import slots_of
from pfe.tutors.passage_template import PassageTemplate, Point, lines, telling
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Either

YES = 0.62


@pydantic_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Content:
    """The content of a family's file."""

    title: Filled[str]
    passage: Filled[list[Any]]
    slots: dict[str, Any] = field(default_factory=dict)
    points: dict[str, Any] = field(default_factory=dict)
    asks: dict[str, dict[str, Any]] = field(default_factory=dict)
    weight: Weight = 1.0


class Ask(ABC):
    """A kind of question about a passage."""

    own: ClassVar[tuple[str, ...]] = ()  # slots of a question that do not occur in a passage

    def __init__(self, questions: Sequence[str], told: PassageTemplate, where: Place) -> None:
        self.told = told
        self.question = Either(tuple(told.lowered(question, where, self.own) for question in questions))

    @property
    @abstractmethod
    def needed(self) -> frozenset[str]:
        """Return the names that the passage must state for this question."""

    def draw(self, facts: Facts, rng: Random) -> dict[str, Any]:
        """Return the facts that the question adds to those of the passage."""
        return {}

    @abstractmethod
    def answer(self, facts: Facts) -> str:
        """Return yes or no, computed forwards from the facts."""

    @abstractmethod
    def refuted(self, facts: Facts) -> bool:
        """Return whether the passage contradicts what is asked."""


class OfPoint(Ask):
    """Questions about whether a point is true."""

    def __init__(self, point: Point, told: PassageTemplate) -> None:
        super().__init__(point.asks, told, told.where / "points" / point.name / "ask")
        self.point = point

    @property
    def needed(self) -> frozenset[str]:
        return frozenset({self.point.name})

    def answer(self, facts: Facts) -> str:
        return self.point.means[facts[self.point.name]].text(0, facts)

    def refuted(self, facts: Facts) -> bool:
        return int(facts[self.point.name]) >= sum(means.text(0, facts) == "yes" for means in self.point.means)


class OfText(Ask):
    """Questions about whether a text agrees with the passage."""

    own = ("asked",)

    def __init__(self, content: Mapping[str, Any], told: PassageTemplate, where: Place) -> None:
        check_keys(content, ("ask", "answer"), ("wrong",), where)
        check_texts(content, content, where)
        super().__init__(lines(content["ask"]), told, where / "ask")
        self.right = told.parsed(content["answer"], where / "answer")
        self.rivals = [told.parsed(text, where / "wrong") for text in lines(content.get("wrong", ""))]
        if not self.rivals and len(self.right.names) != 1:
            raise UserError(f"{where / 'answer'}: has {len(self.right.names)} slots, not one; write what is `wrong`")

    @property
    def needed(self) -> frozenset[str]:
        return self.right.names

    def draw(self, facts: Facts, rng: Random) -> dict[str, Any]:
        right = self.right.text(0, facts)
        if rng.random() < YES:
            return {"asked": right}
        return {"asked": rng.choice([text for text in self._wrong(facts) if text != right])}

    def answer(self, facts: Facts) -> str:
        return "yes" if facts["asked"] == self.right.text(0, facts) else "no"

    def refuted(self, facts: Facts) -> bool:
        try:
            self.right.read(facts["asked"], {name: facts[name] for name in self.right.names})
        except ValueError:
            return True
        return False

    def _wrong(self, facts: Facts) -> list[str]:
        if self.rivals:
            return [rival.text(0, facts) for rival in self.rivals]
        (slot,) = self.right.names
        return [self.right.text(0, {**facts, slot: value}) for value in self.told.others(slot, facts)]


class OfMore(Ask):
    """Questions about whether one number or sum in the passage is larger than another."""

    own = ("limit",)

    def __init__(self, content: Mapping[str, Any], told: PassageTemplate, where: Place) -> None:
        check_keys(content, ("ask", "more"), (), where)
        check_texts(content, ("ask",), where)
        super().__init__(lines(content["ask"]), told, where / "ask")
        self.sums = tuple(map(str, content["more"]))
        if isinstance(content["more"], str) or len(self.sums) != 2:
            raise UserError(f"{where / 'more'}: found {content['more']!r:.60}; list two sums, the first the greater")
        for number, text in enumerate(self.sums):
            refuse_unknown(slots_of(text), {*told.names, *self.own}, where / "more" / number)

    @property
    def needed(self) -> frozenset[str]:
        return slots_of(" ".join(self.sums)) - {*self.own}

    def draw(self, facts: Facts, rng: Random) -> dict[str, Any]:
        if "{limit}" not in self.sums[1]:
            return {}
        value = int(self._sum(0, facts))
        step = {1: 1, 2: 1, 3: 5, 4: 25}.get(len(str(value)), 10 ** max(0, len(str(value)) - 2))
        near = [value // step * step + change * step for change in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6)]
        wanted = rng.random() < YES
        fitting = [limit for limit in near if limit > 1 and self._holds({**facts, "limit": limit}) == wanted]
        return {"limit": rng.choice(fitting or [value])}

    def answer(self, facts: Facts) -> str:
        return "yes" if self._holds(facts) else "no"

    def refuted(self, facts: Facts) -> bool:
        return not self._sum(1, facts) - self._sum(0, facts) < 0

    def _holds(self, facts: Facts) -> bool:
        return self._sum(0, facts) > self._sum(1, facts)

    def _sum(self, place: int, facts: Facts) -> Fraction:
        return evaluate(re.sub(r"\{(\w+)\}", lambda slot: str(facts[slot[1]]), self.sums[place]))


class Engine(ContentFamily):
    """A family of passages, each with one yes/no question."""

    domain = "boolean"
    scorer = "boolean"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        content = read_content(path, Content, engine_and_rest(path)[1])
        self.weight = content.weight
        self.told = telling(content.slots, content.points, content.passage, Place(path), "according_to")
        self.title = self.told.parsed(content.title, Place(path) / "title")
        self.asks: list[Ask] = [OfPoint(point, self.told) for point in self.told.points.values() if point.asks]
        for name, asked in content.asks.items():
            where = Place(path) / "asks" / name
            self.asks.append(OfMore(asked, self.told, where) if "more" in asked else OfText(asked, self.told, where))
        if not self.asks:
            raise UserError(f"{path}: nothing is asked; give a point its `ask`, or add `asks:`")

    def facts(self, rng: Random) -> Facts:
        facts = self.told.draw(rng, way)
        ask = rng.randrange(len(self.asks))
        return facts | {"ask": ask} | self.asks[ask].draw(facts, rng)

    def write(self, facts: Facts, rng: Random) -> Draft:
        ask = self.asks[facts["ask"]]
        passage = self.told.tell(facts, rng, ask.needed, paragraphs=" ")
        question = ask.question.vary(facts, rng).lower()
        return Draft(question, context=f"{self.title_of(facts, rng)} -- {passage}")

    def title_of(self, facts: Facts, rng: Random) -> str:
        """Return the title of the passage."""
        return self.title.vary(facts, rng)

    def solve(self, facts: Facts) -> str:
        return self.asks[facts["ask"]].answer(facts)

    def check(self, facts: Facts, answer: str) -> bool:
        return self.asks[facts["ask"]].refuted(facts) == (answer == "no")

    def candidates(self, problem: Problem) -> Sequence[str]:
        return ("yes", "no")

    def solution(self, facts: Facts, draft: Draft) -> str:
        texts = self.told.quotes(draft.context, self.asks[facts["ask"]].needed, facts)
        return quoted("passage", texts) or "This follows from the passage."

    def read(self, problem: Problem) -> Facts:
        spans = list(self.told.spans(problem.context.partition(" -- ")[2]))
        found = self.told.completed(spans[-1][2] if spans else {})
        for place, ask in enumerate(self.asks):
            if not ask.needed <= found.keys():
                continue
            try:
                asked = ask.question.read(problem.question, lowered(found))
            except ValueError:
                continue
            return {**asked, **found, "ask": place}
        raise ValueError(f"{problem.id}: {problem.question!r} is no question of {self.name}")


def way(point: Point, rng: Random) -> int:
    """Sample a way of a point; about three times in five, one that means yes."""
    means = [means.text(0, {}) for means in point.means]
    wanted = "yes" if rng.random() < YES else "no"
    return rng.choice([number for number, meant in enumerate(means) if meant == wanted])


def lowered(facts: Facts) -> Facts:
    """Return the facts in lower case, as a question writes them."""
    return {name: value.lower() if isinstance(value, str) else value for name, value in facts.items()}

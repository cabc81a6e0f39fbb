"""How-to articles that break off within one of their points; the correct ending continues that point.

Example: "How to store potatoes. Pick a dark place. Light turns the skin green." goes on "A cellar or a closed cupboard
will do.", not "Look through the pile every two weeks.", which belongs to another point of the same article.

The incorrect endings continue other points, some of them points of another article on the subject. Each ending is
correct equally often, so the endings alone do not reveal the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from pfe.problem import Problem
from pfe.tutors.content import Filled, engine_and_rest, read_content, table
from pfe.tutors.family import ContentFamily, Draft, Facts
from pfe.tutors.place import Place
from pfe.tutors.wording import Either, Joined, Wording, wording

_CHOICES = 4
_SENTENCES = 3  # minimum number in a point
_LONGEST = 4  # maximum number of sentences in an ending
_OPENED = 0.65  # share of sentences with an introductory phrase, among those that allow one
_STRANGE = (1, 1, 2, 2)  # numbers of incorrect endings from other articles
_EARLIER = (0, 1, 1, 2)  # maximum numbers of complete points before the one that breaks off


@dataclass(frozen=True)
class Article:
    """A how-to article.

    Attributes:
        title: its subject, as it follows "How to".
        topic: the heading under which it is filed.
        points: for each point the sentence that says what to do, and two or more that explain it; the explanations make
            sense with no other point of this article.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    title: Filled[str]
    topic: Filled[str]
    points: Annotated[
        tuple[Annotated[tuple[Filled[str], ...], Field(min_length=_SENTENCES)], ...], Field(min_length=_CHOICES)
    ]


@dataclass(frozen=True)
class Articles:
    """The content of a family's file: articles by name."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    articles: Filled[dict[str, Article]]


@dataclass(frozen=True)
class Points:
    """The wordings of one article."""

    article: Article
    where: Place

    @cached_property
    def title(self) -> Wording:
        return wording(
            table("articles")["title"].replace("TITLE", self.article.title), where=self.where / "title", names=()
        )

    @cached_property
    def topic(self) -> Wording:
        return wording(self.article.topic, where=self.where / "topic", names=())

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Return the sentences of all points in sequence."""
        return tuple(sentence for point in self.article.points for sentence in point)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Return, for every point, the index of its first sentence among all sentences."""
        return tuple(accumulate((len(point) for point in self.article.points[:-1]), initial=0))

    def tell(self, first: int, last: int, rng: Random) -> str:
        """Render the sentences from `first` to `last` (exclusive), some of them with an introductory phrase."""
        told = []
        for number in range(first, last):
            plain, opened = self._wordings[number]
            told.append((opened if opened and rng.random() < _OPENED else plain).vary({}, rng))
        return " ".join(told)

    def match(self, text: str, start: int, first: int, last: int) -> Iterator[int]:
        """Yield where these sentences may end in a text, if the first of them begins at `start`."""
        for told in self._wordings[first]:
            for end, _ in told.match(text, start, {}) if told else ():
                if first + 1 == last:
                    yield end
                elif text.startswith(" ", end):
                    yield from self.match(text, end + 1, first + 1, last)

    def is_told(self, text: str, first: int, last: int) -> bool:
        """Return whether the text consists of these sentences, in any wording."""
        return any(end == len(text) for end in self.match(text, 0, first, last))

    def quote(self, text: str, number: int) -> str:
        """Return sentence number `number` in the wording that a text uses."""
        return Either(tuple(filter(None, self._wordings[number]))).part_of(text)

    def option(self, point: int, first: int, told: range, rng: Random) -> str:
        """Render an ending that continues this point after `first` of its sentences, with none of those in `told`."""
        start = self.starts[point] + first
        ends = [end for end in self.ends(start) if not {*range(start, end)} & {*told}]
        return self.tell(start, rng.choice(ends), rng)

    def ends(self, start: int) -> range:
        """Return where an ending may end (exclusive) that begins with sentence number `start`.

        It may continue into the next point.
        """
        return range(start + 1, min(start + _LONGEST, len(self.sentences)) + 1)

    @cached_property
    def _wordings(self) -> tuple[tuple[Wording, Wording | None], ...]:
        """Return each sentence as it is and with an introductory phrase, or None if it does not allow one."""
        phrases = table("articles")
        before = Either(tuple(wording(phrase) for phrase in phrases["before"]))
        stating = Either((before, *(wording(phrase) for phrase in phrases["before statements"])))
        advice = Either(tuple(wording(phrase) for phrase in phrases["advice"]))
        pairs: list[tuple[Wording, Wording | None]] = []
        for number, sentence in enumerate(self.sentences):
            told, first = (
                wording(sentence, where=self.where / "points", names=()),
                re.split(r"[<| ,>]+", sentence.lstrip("<"))[0],
            )
            explaining = stating if first in phrases["statements"] else before
            opener, unmoved = (advice, "fixed") if number in self.starts else (explaining, "unmoved")
            lowered = None if first in phrases[unmoved] else wording(_lowered(sentence), where=self.where)
            pairs.append((told, Joined((opener, lowered), ("", " ")) if lowered else None))
        return tuple(pairs)


class Engine(ContentFamily):
    """Articles on one subject; `Article` documents the content of the file."""

    domain = "commonsense"
    scorer = "choice"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        articles = read_content(path, Articles, rest).articles
        self.articles = {name: Points(article, Place(path) / "articles" / name) for name, article in articles.items()}
        self.weight = float(len(articles))

    def facts(self, rng: Random) -> Facts:
        name = rng.choice(list(self.articles))
        points = self.articles[name]
        chosen = rng.sample(range(len(points.article.points)), _CHOICES)
        first = rng.randint(1, min(len(points.article.points[point]) for point in chosen) - 1)
        due, *others = chosen
        begin = due
        while begin > max(0, due - rng.choice(_EARLIER)) and begin - 1 not in others:
            begin -= 1
        told = range(points.starts[begin], points.starts[due] + first)
        strangers = self._strangers(name, rng)
        options = [points.option(point, first, told, rng) for point in (due, *others[len(strangers) :])]
        options += [other.option(rng.randrange(len(other.starts)), first, range(0), rng) for other in strangers]
        rng.shuffle(options)
        return {"article": name, "begin": begin, "due": due, "first": first, "options": tuple(options)}

    def _strangers(self, name: str, rng: Random) -> list[Points]:
        """Sample other articles that contribute an ending."""
        others = [other for key, other in self.articles.items() if key != name]
        return rng.sample(others, min(len(others), rng.choice(_STRANGE)))

    def write(self, facts: Facts, rng: Random) -> Draft:
        points = self.articles[facts["article"]]
        told = points.tell(points.starts[facts["begin"]], points.starts[facts["due"]] + facts["first"], rng)
        return Draft(
            f"{points.title.vary({}, rng)} {told}", context=points.topic.write({}, rng), choices=facts["options"]
        )

    def solve(self, facts: Facts) -> str:
        found = [option for option in facts["options"] if facts["due"] in self._points_of(facts, option)]
        if len(found) != 1:
            raise ValueError(f"{len(found)} of the endings go on with this point, not one")
        return str(found[0])

    def check(self, facts: Facts, answer: str) -> bool:
        return {*self._points_of(facts, answer)} == {facts["due"]}

    def solution(self, facts: Facts, draft: Draft) -> str:
        points, answer = self.articles[facts["article"]], self.solve(facts)
        lines = []
        for option in facts["options"]:
            if option != answer:
                belongs = next(self._points_of(facts, option), None)
                other = "is of another article."
                why = other if belongs is None else f"would go with another point: {_heading(points, belongs)}"
                lines.append(f'"{option}" {why}')
        due = points.quote(draft.question, points.starts[facts["due"]])
        return "\n".join([*lines, f'The text has come to "{due}" One ending goes on with that.'])

    def read(self, problem: Problem) -> Facts:
        for name, points in self.articles.items():
            for end, _ in points.title.match(problem.question, 0, {}):
                for due, first in _followed(points, problem.question, end):
                    return {"article": name, "due": due, "first": first, "options": problem.choices}
        raise ValueError(f"{problem.id}: {problem.question!r:.80} is no article of {self.name}")

    def _points_of(self, facts: Facts, ending: str) -> Iterator[int]:
        points = self.articles[facts["article"]]
        for point, start in enumerate(points.starts):
            start += facts["first"]
            if any(points.is_told(ending, start, end) for end in points.ends(start)):
                yield point


def _heading(points: Points, point: int) -> str:
    return wording(points.sentences[points.starts[point]]).text(0, {})


def _lowered(sentence: str) -> str:
    """Return the source of a wording with the first letter of its texts in lower case."""
    if not sentence.startswith("<"):
        return sentence[0].lower() + sentence[1:]
    first, _, rest = sentence[1:].partition(">")
    return f"<{'|'.join(part[:1].lower() + part[1:] for part in first.split('|'))}>{rest}"


def _followed(points: Points, text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield every way to parse the text from `start` on.

    Each is the point in which it breaks off, and the number of its sentences that the text has.
    """
    for point, begin in enumerate(points.starts):
        for due in range(point, len(points.starts)):
            for first in range(1, len(points.article.points[due])):
                ends = points.match(text, start + 1, begin, points.starts[due] + first)
                if any(end == len(text) for end in ends):
                    yield due, first

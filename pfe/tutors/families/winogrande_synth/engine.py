"""How a blank sentence is put together, read back and resolved.

Example: the clause "Ada was much stronger than Bo" makes Ada the stronger one; the predicate "took the
light end of the piano" suits the weaker one; "so" joins what is expected:
    Ada was much stronger than Bo, so _ took the light end of the piano.   -> Bo
and "although" joins what is not:
    Although Ada was much stronger than Bo, _ took the light end of the piano.   -> Ada
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar

from pfe.problem import Problem
from pfe.tutors.families.winogrande_synth.names import MEN, PRONOUNS, WOMEN
from pfe.tutors.family import Draft, Facts, Family, unfill

EXPECTED = {
    "cause": """
{clause}, so {blank} {predicate}.
{clause}, which is why {blank} {predicate}.
{clause}. As a result, {blank} {predicate}.
because {clause}, {blank} {predicate}.
since {clause}, {blank} {predicate}.
""",
    "event": """
{clause} because {blank} {predicate}.
{clause}, since {blank} {predicate}.
{clause}, as {blank} {predicate}.
{clause}; after all, {blank} {predicate}.
because {blank} {predicate}, {clause}.
""",
}
UNEXPECTED = {
    "cause": """
although {clause}, {blank} {predicate}.
even though {clause}, {blank} {predicate}.
{clause}, yet strangely enough {blank} {predicate}.
{clause}, but to everyone's surprise {blank} {predicate}.
""",
    "event": """
{clause}, although {blank} {predicate}.
{clause} even though {blank} {predicate}.
although {blank} {predicate}, {clause}.
{clause}, despite the fact that {blank} {predicate}.
""",
}
CONCESSIONS = 0.3
"""The share of sentences that say what is not expected, where a family has any."""


@dataclass(frozen=True)
class Phrase:
    """A clause or predicate, `{slots}` and all.

    A clause of `sign` +1 gives the first pole to `{a}`, of -1 to `{b}`; a predicate of sign +1
    suits the first pole, of -1 the second. A `soft` predicate may also be true against expectation.
    """

    text: str
    sign: int
    soft: bool


@dataclass(frozen=True)
class Pattern:
    """A form of sentence: how a clause of one kind and a predicate are joined."""

    text: str
    kind: str
    concessive: bool


def patterns(blank: str) -> tuple[Pattern, ...]:
    """Every form, with `_` or `the _` for the blank."""
    return tuple(
        Pattern(line.replace("{blank}", blank), kind, forms is UNEXPECTED)
        for forms in (EXPECTED, UNEXPECTED)
        for kind, lines in forms.items()
        for line in lines.strip().splitlines()
    )


def phrases(text: str) -> tuple[Phrase, ...]:
    """One phrase a line: `+` or `-` for the sign, `~` if it is soft, then the words."""
    marked = [line.partition(" ") for line in text.strip().splitlines()]
    return tuple(Phrase(words, 1 if mark[0] == "+" else -1, "~" in mark) for mark, _, words in marked)


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


class Coreference(Family):
    """Two participants, a scale on which they differ, and a blank that stands for one of them.

    `poles` names the two ends of the scale. Causes go with effects, events with reasons; each is a
    text that `phrases` reads, and may be empty. `rows` is a table with a head line; each problem
    draws one row, and its columns fill the slots of the phrases.
    """

    domain = "coreference"
    scorer = "choice"
    blank: ClassVar[str] = "_"
    poles: ClassVar[tuple[str, str]]
    rows: ClassVar[str]
    causes: ClassVar[str] = ""
    effects: ClassVar[str] = ""
    events: ClassVar[str] = ""
    reasons: ClassVar[str] = ""

    @cached_property
    def table(self) -> tuple[Mapping[str, str], ...]:
        head, *lines = self.rows.strip().splitlines()
        return tuple(dict(zip(head.split("|"), line.split("|"), strict=True)) for line in lines)

    @cached_property
    def clauses(self) -> Mapping[str, tuple[Phrase, ...]]:
        return {"cause": phrases(self.causes), "event": phrases(self.events)}

    @cached_property
    def predicates(self) -> Mapping[str, tuple[Phrase, ...]]:
        return {"cause": phrases(self.effects), "event": phrases(self.reasons)}

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        return patterns(self.blank)

    def cast(self, row: Mapping[str, str], rng: Random) -> dict[str, str]:
        """The slots of a problem: the participants `a` and `b`, and what else the phrases name."""
        raise NotImplementedError

    def facts(self, rng: Random) -> Facts:
        slots = self.cast(rng.choice(self.table), rng)
        kinds = [kind for kind, clauses in self.clauses.items() for _ in clauses]
        kind = rng.choice(kinds)
        soft = [phrase for phrase in self.predicates[kind] if phrase.soft]
        concessive = bool(soft) and rng.random() < CONCESSIONS
        sign = rng.choice((1, -1))
        usable = soft if concessive else self.predicates[kind]
        predicate = rng.choice([phrase for phrase in usable if phrase.sign == sign] or usable)
        clause = rng.choice(self.clauses[kind])
        return {"slots": slots, "kind": kind, "clause": clause, "predicate": predicate, "concessive": concessive}

    def write(self, facts: Facts, rng: Random) -> Draft:
        wanted = (facts["kind"], facts["concessive"])
        form = rng.choice([form for form in self.patterns if (form.kind, form.concessive) == wanted])
        clause = facts["clause"].text.format(**facts["slots"])
        predicate = facts["predicate"].text.format(**facts["slots"])
        choices = [facts["slots"]["a"], facts["slots"]["b"]]
        rng.shuffle(choices)
        return Draft(capital(form.text.format(clause=clause, predicate=predicate)), choices=tuple(choices))

    def solve(self, facts: Facts) -> str:
        first, second = self._by_pole(facts)
        suited, other = (first, second) if facts["predicate"].sign > 0 else (second, first)
        return other if facts["concessive"] else suited

    def check(self, facts: Facts, answer: str) -> bool:
        slots = facts["slots"]
        height = {slots["a"]: facts["clause"].sign, slots["b"]: -facts["clause"].sign}
        if answer not in height:
            return False
        (rest,) = height.keys() - {answer}
        rises = facts["predicate"].sign > 0
        expected = height[answer] > height[rest] if rises else height[answer] < height[rest]
        return bool(expected != facts["concessive"])

    def solution(self, facts: Facts) -> str:
        first, second = self._by_pole(facts)
        pole = self.poles[0] if facts["predicate"].sign > 0 else self.poles[1]
        predicate = facts["predicate"].text.format(**facts["slots"])
        lines = [
            f"{self._named(first)} is {self.poles[0]}, {self._named(second)} {self.poles[1]}.",
            f'"{predicate}" is what one expects of {pole}.',
        ]
        if facts["concessive"]:
            lines.append("But the sentence says that things went against expectation, so it is the other one.")
        return capital("\n".join(lines))

    def read(self, problem: Problem) -> Facts:
        start = problem.question[0].lower() + problem.question[1:]
        for form in self.patterns:
            for text in (problem.question, start):
                for parts in _fits(form.text, text):
                    for clause, slots in self._match(self.clauses[form.kind], parts["clause"]):
                        for predicate, more in self._match(self.predicates[form.kind], parts["predicate"]):
                            if {slots["a"], slots["b"]} == {*problem.choices}:
                                return {
                                    "slots": more | slots, "kind": form.kind, "clause": clause,
                                    "predicate": predicate, "concessive": form.concessive,
                                }  # fmt: skip
        raise ValueError(f"{problem.id}: {problem.question!r} is not a sentence of {self.name}")

    def _by_pole(self, facts: Facts) -> tuple[str, str]:
        a, b = facts["slots"]["a"], facts["slots"]["b"]
        return (a, b) if facts["clause"].sign > 0 else (b, a)

    def _named(self, participant: str) -> str:
        return self.blank.replace("_", participant)

    @staticmethod
    def _match(known: Iterable[Phrase], text: str) -> Iterator[tuple[Phrase, dict[str, str]]]:
        for phrase in known:
            for slots in _fits(phrase.text, text):
                yield phrase, slots


def _fits(template: str, text: str) -> Iterator[dict[str, str]]:
    try:
        yield unfill(template, text)
    except ValueError:
        return


class PeopleFamily(Coreference):
    """Two people of one sex, so that no pronoun gives them away."""

    def cast(self, row: Mapping[str, str], rng: Random) -> dict[str, str]:
        names, sex = rng.choice(((WOMEN, "she"), (MEN, "he")))
        a, b = rng.sample(names, 2)
        return {**row, "a": a, "b": b, **PRONOUNS[sex]}


class ThingFamily(Coreference):
    """Two things and a person, `{who}`, who deals with them.

    In a `fixed` family the row says which thing is `{a}`, because the phrases are true of no other order.
    """

    blank: ClassVar[str] = "the _"
    fixed: ClassVar[bool] = False

    def cast(self, row: Mapping[str, str], rng: Random) -> dict[str, str]:
        names, sex = rng.choice(((WOMEN, "she"), (MEN, "he")))
        a, b = row["a"], row["b"]
        if not self.fixed and rng.random() < 0.5:
            a, b = b, a
        return {**row, "a": a, "b": b, "who": rng.choice(names), **PRONOUNS[sex]}

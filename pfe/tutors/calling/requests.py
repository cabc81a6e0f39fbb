"""Write requests for function calls as people type them, and read them back.

A request is a clause that mentions roles, in a frame ("could you {}?"), with an optional greeting, reason or thanks.

Example: the action "book_table" with a restaurant, a number of people and a day becomes "Could you get us a table at
Rosso on 3 May for four people?", "I'd like to book a table for 4 people at Rosso on May 3." or one of thousands of
other texts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from random import Random
from typing import Any

from pfe.errors import UserError
from pfe.tutors.calling.tools import Action, Domain, texts_of
from pfe.tutors.calling.values import several
from pfe.tutors.content import table
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Either, Worded, Wording, capital, one_of, wording

_APART = 0.5  # probability that two requested actions are two sentences
# Probabilities that a request has a greeting, thanks or a reason; it has at most one of them.
_GREETED, _THANKED, _REASONED = 0.04, 0.02, 0.17


@dataclass(frozen=True)
class Asked:
    """One requested action with the text of each role; it passes on the result of `content` if there is one."""

    domain: str
    action: str
    values: Mapping[str, str] = field(default_factory=dict)
    content: "Asked | None" = None


def several_values(domain: Domain, asked: Asked) -> tuple[str, tuple[str, ...]]:
    """Return the role that may have several values, and these values; none if the request gives fewer than two."""
    role = domain.actions[asked.action].each
    text = asked.values.get(role, "")
    try:
        return role, several(domain.kind(role)).value(text) if " and " in text else ()
    except ValueError:
        return role, ()


@dataclass(frozen=True)
class Clause:
    """A way to ask for an action; it mentions the roles in `always`, and it can mention those in `may`.

    `many` says whether it fits several values of the role `each` or one value; None if it fits both.
    """

    domain: Domain
    action: str
    wording: Wording
    always: frozenset[str]
    many: bool | None = None

    @property
    def may(self) -> frozenset[str]:
        return self.wording.names

    def says(self, values: Mapping[str, Any]) -> bool:
        """Return whether the clause can mention exactly these roles, with these numbers of values."""
        if not self.always <= values.keys() <= self.may:
            return False
        asked = Asked(self.domain.name, self.action, values)
        return self.many is None or self.many == bool(several_values(self.domain, asked)[1])


@dataclass(frozen=True)
class Frame:
    """The text before and after a clause, and the weight with which the frame is sampled among those of its kind."""

    before: Wording
    after: Wording
    share: float


class Requests:
    """The requests of one domain, including those that actions of other domains pass on.

    Args:
        domain: the domain of the family.
        carriers: domains with actions that pass on the result of a function.
    """

    def __init__(self, domain: Domain, carriers: Sequence[Domain] = ()) -> None:
        self._domain, self._carriers = domain, carriers
        self.doing = {key: _clauses(domain, key, _verb_phrases(action)) for key, action in domain.actions.items()}
        self.one = {key: _clauses(domain, key, action.what) for key, action in domain.actions.items()}
        self.many = {key: _clauses(domain, key, action.whats) for key, action in domain.actions.items()}
        self.asking = {key: _clauses(domain, key, action.ask, question=True) for key, action in domain.actions.items()}
        for key, action in domain.actions.items():
            if not self.clauses(key):
                texts = [*action.do, *action.what, *action.whats, *action.ask]
                unsaid = [
                    role
                    for role in action.needs
                    if not domain.roles[role].say and not any(f"{{{role}}}" in text for text in texts)
                ]
                where = Place(domain.path) / "functions" / key
                raise UserError(
                    f"{where}: no sentence says all that it needs; give places in it to "
                    f"{' and '.join(unsaid)}, or let these roles `say` how"
                )

    def clauses(self, key: str) -> Sequence[Clause]:
        """Return all clauses that ask for an action."""
        return [*self.doing[key], *self.one[key], *self.many[key], *self.asking[key]]

    def things(self, key: str) -> Sequence[Clause]:
        """Return the noun phrases for the result of an action."""
        return [*self.one[key], *self.many[key]]

    @cached_property
    def _reasons(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the reasons for a request: those of this domain, and those for any domain."""
        return texts_of(self._domain.because), texts_of(_around("reasons"))

    @cached_property
    def carrying(self) -> Sequence[Clause]:
        """Return the clauses that ask to pass on the result of an action of this domain."""
        nouns = Either(tuple(clause.wording for key in self.one for clause in self.things(key)))
        return [
            clause
            for domain in self._carriers
            for key, action in domain.actions.items()
            if action.carries
            for clause in _clauses(domain, key, action.passing, {action.carries: nouns})
        ]

    def write(self, asked: Sequence[Asked], rng: Random) -> str:
        """Write a request for one or two actions."""
        body = self._two(asked, rng) if len(asked) > 1 else self._one(asked[0], rng)
        return _surrounded(body, self._reasons, rng)

    def read(self, text: str) -> list[Asked]:
        """Read the requested actions from a request.

        Raises:
            ValueError: the text is no request of this domain.
        """
        for body in _bodies(text, self._reasons):
            for asked in (*self._readings(body), *self._apart(body)):
                return asked
        raise ValueError(f"no request for {self._domain.name}: {text!r:.200}")

    def _one(self, asked: Asked, rng: Random) -> str:
        kinds: list[tuple[str, Sequence[Clause], int]] = (
            [("do", self.carrying, 1)] if asked.content else
            [("do", self.doing[asked.action], 4), ("one", self.one[asked.action], 2),
             ("many", self.many[asked.action], 2), ("ask", self.asking[asked.action], 6)]
        )  # fmt: skip
        said = self._said(asked, rng)
        if not asked.content and several_values(self._domain, asked)[1]:
            kinds.pop()  # questions do not fit several values: "is it far to Rome and Bari"
        usable = [(kind, fitting, weight) for kind, clauses, weight in kinds
                  if (fitting := [c for c in clauses if c.action == asked.action and c.says(said)])]  # fmt: skip
        ((kind, clauses, _),) = rng.choices(usable, [weight for _, _, weight in usable])
        clause = rng.choice(clauses).wording.write(said, rng)
        definite = kind in ("one", "many") and clause.partition(" ")[0] in ("the", "my", "our")
        frame = _frame(f"the_{kind}" if definite and rng.random() < 0.4 else kind, rng)
        return frame.before.write({}, rng) + clause + frame.after.write({}, rng)

    def _two(self, asked: Sequence[Asked], rng: Random) -> str:
        if rng.random() < _APART:
            first, second = (self._one(one, rng) for one in asked)
            return f"{_ended(first)} {_linked(second, rng)}"
        frame = _frame("do", rng)
        clauses = [
            rng.choice([c for c in self.doing[one.action] if c.says(one.values)]).wording.write(one.values, rng)
            for one in asked
        ]
        after = frame.after.write({}, rng)
        joiner = _joiner().write({}, rng)
        while joiner.startswith(".") and after.endswith("?"):  # one question mark at the end serves both clauses
            joiner = _joiner().write({}, rng)
        return frame.before.write({}, rng) + joiner.join(clauses) + after

    def _said(self, asked: Asked, rng: Random) -> Mapping[str, str]:
        if asked.content is None:
            return asked.values
        inner = asked.content
        thing = rng.choice([clause for clause in self.things(inner.action) if clause.says(inner.values)])
        carrier = next(domain for domain in self._carriers if domain.name == asked.domain)
        return {**asked.values, carrier.actions[asked.action].carries: thing.wording.write(inner.values, rng)}

    def _readings(self, text: str) -> Iterator[list[Asked]]:
        for kind in ("do", "one", "the_one", "many", "the_many", "ask"):
            for before, after in _openings(kind).items():
                for start, _ in before.match(text, 0, {}):
                    for end, asked in self._clauses_at(text, start, kind):
                        if any(stop == len(text) for stop, _ in after.match(text, end, {})):
                            yield asked

    def _apart(self, text: str) -> Iterator[list[Asked]]:
        """Yield the readings of a text as two sentences that ask for one action each."""
        for space in (place for place, sign in enumerate(text) if sign == " " and text[place - 1] in ".?"):
            firsts = [asked for body in (text[: space - 1], text[:space]) for asked in self._readings(body)]
            seconds = [asked for body in _unlinked(text[space + 1 :]) for asked in self._readings(body)]
            yield from ([*first, *second] for first in firsts for second in seconds if len(first) == len(second) == 1)

    def _clauses_at(self, text: str, start: int, kind: str) -> Iterator[tuple[int, list[Asked]]]:
        if kind != "do":
            clauses = {"one": self.one, "many": self.many, "ask": self.asking}[kind.removeprefix("the_")]
            yield from ((end, [asked]) for end, asked in _match(clauses, text, start))
            return
        for end, asked in _match(self.doing, text, start):
            for joined, _ in _joiner().match(text, end, {}):
                yield from ((last, [asked, second]) for last, second in _match(self.doing, text, joined))
            yield end, [asked]
        for clause in self.carrying:
            for end, values in clause.wording.match(text, start, {}):
                yield from ((end, [one]) for one in self._carried(clause, values))

    def _carried(self, clause: Clause, values: Mapping[str, str]) -> Iterator[Asked]:
        carries = clause.domain.actions[clause.action].carries
        rest = {role: value for role, value in values.items() if role != carries}
        for things in (self.one, self.many):
            for end, content in _match(things, values[carries], 0):
                if end == len(values[carries]):
                    yield Asked(clause.domain.name, clause.action, rest, content)


def _match(clauses: Mapping[str, Sequence[Clause]], text: str, start: int) -> Iterator[tuple[int, Asked]]:
    for key, own in clauses.items():
        for clause in own:
            for end, values in clause.wording.match(text, start, {}):
                yield end, Asked(clause.domain.name, key, values)


def _verb_phrases(action: Action) -> list[str]:
    return [
        *action.do,
        *(
            f"<look up|check|find|find me|show me|show us|give me|get me|get us|bring up> {thing}"
            for thing in action.what
        ),
        *(f"<list|find|show me|show us|get|give me|look up|search for> {thing}" for thing in action.whats),
    ]


def _clauses(
    domain: Domain,
    key: str,
    texts: Sequence[str],
    carried: Mapping[str, Wording] | None = None,
    question: bool = False,
) -> list[Clause]:
    """Return the clauses of an action: each text, followed by the phrases (`say`) of the roles that it leaves out.

    "ticket{/s} {ticket}" gives two clauses, one for one ticket and one for several. A question has no phrases in
    brackets, such as "(up to 5)".

    Raises:
        UserError: a text has an unknown role, or a form for one or several without a role `each`.
    """
    action = domain.actions[key]
    where = Place(domain.path) / "functions" / key
    found = []
    for text in texts:
        inside = wording(_numbered(text, many=False), {}, where).names
        refuse_unknown(inside, {*action.roles, *(carried or {})}, where.quoting(text))
        rest = [] if carried else [
            domain.roles[role].say.replace("_", f"{{{role}}}")
            for role in action.roles
            if role not in inside and domain.roles[role].say and not (question and domain.roles[role].say[0] == "(")
        ]  # fmt: skip
        marked = any(map(_NUMBERED.search, (text, *rest)))
        if marked and not action.each:
            raise UserError(f"{where.quoting(text)}: says what it does of one or several; give the function `each`")
        for many in (False, True) if marked else (None,):
            values: dict[str, Wording] = {
                role: Worded(role, _said(domain, action, role, many)) for role in action.roles
            }
            values |= {role: Worded(role, nouns) for role, nouns in (carried or {}).items()}
            said, unsaid = _numbered(text, many), [_numbered(one, many) for one in rest]
            places = [said, {"given": unsaid}] if unsaid else said
            clause = Clause(domain, key, wording(places, values, where), inside, many)
            if carried or {*action.needs} <= clause.may:
                found.append(clause)
    return found


_NUMBERED = re.compile(r"\{([^{}/]*)/([^{}/]*)\}")


def _numbered(text: str, many: bool | None) -> str:
    """Choose the singular or the plural: `"the door{/s} {is/are}"` → `"the doors are"` if `many`."""
    return _NUMBERED.sub(r"\2" if many else r"\1", text)


def _said(domain: Domain, action: Action, role: str, many: bool | None) -> Wording:
    values = domain.kind(role)
    if action.each != role or many is False:
        return values.said
    return several(values).said if many else Either((values.said, several(values).said))


@cache
def _frames(kind: str) -> Sequence[Frame]:
    """Return the frames in `tables/requests.yaml` for verb phrases, one thing, several things or questions."""
    frames = []
    for source, share in table("requests")["frames"][kind].items():
        before, _, after = source.partition("{}")
        frames.append(Frame(wording(before), wording(after), share))
    return frames


def _frame(kind: str, rng: Random) -> Frame:
    frames = _frames(kind)
    return rng.choices(frames, [frame.share for frame in frames])[0]


@cache
def _openings(kind: str) -> Mapping[Wording, Wording]:
    """Map each text before a clause to the texts that may follow the clause."""
    endings: dict[Wording, list[Wording]] = {}
    for frame in _frames(kind):
        endings.setdefault(frame.before, []).append(frame.after)
    return {before: Either(tuple(dict.fromkeys(after))) for before, after in endings.items()}


@cache
def _joiner() -> Wording:
    return one_of(table("requests")["joiners"])


@cache
def _around(where: str) -> Sequence[str]:
    return tuple(table("requests")[where])


def _ended(body: str) -> str:
    return body if body.endswith((".", "?", "!")) else f"{body}."


def _linked(body: str, rng: Random) -> str:
    """Return the body as a second sentence, with or without a word that links it to the first."""
    link = rng.choice(_around("links"))
    return f"{link} {body}" if link else capital(body)


def _unlinked(text: str) -> Iterator[str]:
    """Yield each possible body of a second sentence, without its link."""
    for link in _around("links"):
        if text.startswith(start := f"{link} " if link else ""):
            body = text.removeprefix(start)
            yield body[:1].lower() + body[1:]
            yield body


def _surrounded(body: str, reasons: Sequence[Sequence[str]], rng: Random) -> str:
    """Return the body as a sentence, with or without a greeting, a reason before or after it, or thanks."""
    drawn = rng.random()
    if drawn < _GREETED:
        return f"{rng.choice(_around('greetings'))} {body}"
    if drawn < _GREETED + _THANKED:
        return f"{capital(_ended(body))} {rng.choice(_around('thanks'))}"
    said = [reason for kind in reasons for reason in kind]
    if not said or drawn > _GREETED + _THANKED + _REASONED:
        return capital(body)
    reason = rng.choice(said)
    body = _ended(body)
    return f"{reason} {capital(body)}" if rng.random() < 0.5 else f"{capital(body)} {reason}"


def _bodies(text: str, reasons: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield each possible body of a text, without a greeting, a reason or thanks."""
    said = [reason for kind in reasons for reason in kind]
    before = [start for one in (*_around("greetings"), *said) if text.startswith(start := f"{one} ")]
    behind = [end for one in (*said, *_around("thanks")) if text.endswith(end := f" {one}")]
    for body in (*(text.removeprefix(start) for start in before), *(text.removesuffix(end) for end in behind), text):
        yield body
        yield body[:1].lower() + body[1:]

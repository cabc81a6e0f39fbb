"""What the families of hellaswag_synth share: a script of steps that need and change a state, and its telling.

Example: the line `pour: batter=mixed, pan=hot > pancake=raw on top`, followed by the wording `ladles some batter into
the {pan}`, is a step. After "She beats the batter until no lumps are left. she" the ending "ladles some batter into the
skillet." breaks the script as long as the pan is cold; "sets the skillet on the stove." does not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar

from pfe.problem import Problem
from pfe.tutors.families.hellaswag_synth.people import PEOPLE, capital
from pfe.tutors.family import Draft, Facts, Family

State = dict[str, str]
JOINTS = (", then ", " and then ")
OTHER = "b"


@dataclass(frozen=True)
class Step:
    """One thing that somebody does.

    A wording that ends in a full stop goes as it is; to the others belong `able`, the ends of the sentence that name
    a tool or an effect with which the step works, and `unable`, those with which it cannot. `actor` is "a", the person
    the story begins with, or "b", the other one.
    """

    name: str
    actor: str
    needs: Mapping[str, str]
    makes: Mapping[str, str]
    wordings: tuple[str, ...]
    able: tuple[str, ...]
    unable: tuple[str, ...]

    def phrases(self, tails: tuple[str, ...]) -> list[str]:
        """The wordings with each of the tails, those that take no tail only where the empty one is asked for."""
        open_ended = [wording for wording in self.wordings if not wording.endswith(".")]
        closed = [wording[:-1] for wording in self.wordings if wording.endswith(".")] if "" in tails else []
        return closed + [f"{wording} {tail}".strip() for wording in open_ended for tail in tails]


@dataclass(frozen=True)
class EndingStep:
    """A step as an ending tells it, and the words that name an unfit tool or effect, if any do."""

    step: Step
    unfit: str = ""


class Script(Family):
    """An everyday procedure, broken off; the ending is the one that the state of things allows.

    Attributes:
        labels: wordings of the activity, the context of the problem.
        scenes: first sentences, with `{Who}` and the props.
        props: one table a line, `slot, slot: value, value / value, value`; a row of each is drawn.
        start: the state before the first step, `thing=value, thing=value`.
        steps: the script in order; see the example at the head of the module.
        other: the slot that names the second person, if there is one.
    """

    domain = "commonsense"
    scorer = "choice"
    labels: ClassVar[tuple[str, ...]]
    scenes: ClassVar[tuple[str, ...]]
    props: ClassVar[str]
    start: ClassVar[str]
    steps: ClassVar[str]
    other: ClassVar[str] = ""

    def facts(self, rng: Random) -> Facts:
        person = rng.choice(PEOPLE)
        words = person.words() | {name: value for table in self._tables for name, value in rng.choice(table).items()}
        done = rng.randint(1, min(5, len(self._script) - 1))
        facts = words | {"done": tuple(step.name for step in self._script[:done])}
        options = [self._right(facts, rng), *self._wrong(facts, rng)]
        rng.shuffle(options)
        return facts | {"options": tuple(options)}

    def write(self, facts: Facts, rng: Random) -> Draft:
        steps = [self._by_name[name] for name in facts["done"]]
        sentences = [rng.choice(self.scenes).format(**facts)]
        before = OTHER if self.other else "a"
        while steps:
            pair = len(steps) > 1 and steps[0].actor == steps[1].actor and (len(steps) > 2 or rng.random() < 0.5)
            told = [steps.pop(0) for _ in range(1 + pair)]
            phrases = [self._tell(step, facts, rng) for step in told]
            subject = capital(self._subject(told[0].actor, before, facts, rng))
            joint = rng.choice(JOINTS) if " and " not in phrases[0] else JOINTS[0]
            sentences.append(f"{subject} {joint.join(phrases)}.")
            before = told[0].actor
        begun = self._subject(self._next(facts)[0].actor, before, facts, rng)
        label = rng.choice(self.labels).format(**facts)
        return Draft(" ".join([*sentences, begun]), context=label, choices=facts["options"])

    def solve(self, facts: Facts) -> str:
        upcoming = self._next(facts)
        tellings = {f"{phrase}." for phrase in self._fitting(upcoming[0], facts)}
        if len(upcoming) > 1:
            second = self._fitting(upcoming[1], facts)
            tellings |= {f"{one}, then {two}." for one in self._fitting(upcoming[0], facts) for two in second}
        found = [option for option in facts["options"] if option in tellings]
        if len(found) != 1:
            raise ValueError(f"{len(found)} of the endings tell the next step, not one")
        return str(found[0])

    def check(self, facts: Facts, answer: str) -> bool:
        return not self._fault(facts, answer)

    def solution(self, facts: Facts) -> str:
        answer = self.solve(facts)
        needs = ", ".join(f"{name}: {value}" for name, value in self._taken_apart(facts, answer)[0].step.needs.items())
        faults = [f'"{option}" {self._fault(facts, option)}.' for option in facts["options"] if option != answer]
        return "\n".join([*faults, f"The ending that is left needs only what holds now ({needs})."])

    def read(self, problem: Problem) -> Facts:
        *told, begun = problem.question.split(". ")
        facts: dict[str, str] = {}
        self._match_scene(told[0] + ".", facts)
        done = []
        for sentence in told[1:]:
            subject = next((word for word in self._subjects(facts) if sentence.startswith(f"{capital(word)} ")), None)
            if subject is None:
                raise ValueError(f"nobody known acts in {sentence!r}")
            for phrase in re.split("|".join(JOINTS), sentence[len(subject) + 1 :]):
                done.append(self._match_step(phrase, facts))
        for choice in problem.choices:
            for phrase in choice.removesuffix(".").split(", then "):
                self._match_step(phrase, facts)
        acting = {"acting": OTHER if begun == facts.get(self.other) else "a"}
        return facts | acting | {"done": tuple(done), "options": problem.choices}

    @cached_property
    def _tables(self) -> tuple[tuple[Mapping[str, str], ...], ...]:
        tables = []
        for line in re.sub(r"\n\s+", " ", self.props.strip()).splitlines():
            head, _, body = line.partition(": ")
            names = head.split(", ")
            tables.append(tuple(dict(zip(names, row.split(", "), strict=True)) for row in body.split(" / ")))
        return tuple(tables)

    @cached_property
    def _script(self) -> tuple[Step, ...]:
        return tuple(_step(block) for block in self.steps.strip().split("\n\n"))

    @cached_property
    def _by_name(self) -> Mapping[str, Step]:
        return {step.name: step for step in self._script}

    @cached_property
    def _values(self) -> Mapping[str, str]:
        """For every slot a pattern of the values it can have."""
        rows: list[Mapping[str, str]] = [row for table in self._tables for row in table]
        rows += [person.words() for person in PEOPLE]
        values: dict[str, set[str]] = {}
        for row in rows:
            for name, value in row.items():
                values.setdefault(name, set()).add(value)
        return {name: "|".join(map(re.escape, sorted(found, key=len, reverse=True))) for name, found in values.items()}

    @cached_property
    def _step_patterns(self) -> tuple[tuple[re.Pattern[str], Step], ...]:
        return tuple(
            (self._pattern(phrase), step)
            for step in self._script
            for phrase in step.phrases(("", *step.able, *step.unable))
        )

    @cached_property
    def _scene_patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(self._pattern, self.scenes))

    def _pattern(self, template: str) -> re.Pattern[str]:
        pattern, seen = "", set()
        for literal, name in re.findall(r"([^{]*)(?:\{(\w+)\})?", template):
            pattern += re.escape(literal)
            if name:
                pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{self._values[name]})"
                seen.add(name)
        return re.compile(pattern)

    def _match_scene(self, text: str, facts: dict[str, str]) -> None:
        for pattern in self._scene_patterns:
            if match := pattern.fullmatch(text):
                _merge(facts, match.groupdict())
                person = next(person for person in PEOPLE if capital(person.first) == facts["Who"])
                _merge(facts, person.words())
                return
        raise ValueError(f"{text!r} is no first sentence of {self.name}")

    def _match_step(self, phrase: str, facts: dict[str, str]) -> str:
        for pattern, step in self._step_patterns:
            if match := pattern.fullmatch(phrase.removesuffix(".")):
                _merge(facts, match.groupdict())
                return step.name
        raise ValueError(f"{phrase!r} is no step of {self.name}")

    def _subjects(self, facts: Facts) -> list[str]:
        return [facts[name] for name in ("later", "he", self.other) if name in facts]

    def _subject(self, actor: str, before: str, facts: Facts, rng: Random) -> str:
        """What the person who acts is called, a pronoun only after a sentence about the same person."""
        if actor == OTHER:
            return str(facts[self.other])
        return str(facts[rng.choice(("later", "he", "he")) if before == actor else "later"])

    def _tell(self, step: Step, facts: Facts, rng: Random) -> str:
        return rng.choice(step.phrases(("", *step.able))).format(**facts)

    def _fitting(self, step: Step, facts: Facts) -> list[str]:
        return _filled(step.phrases(("", *step.able)), facts)

    def _state(self, facts: Facts) -> State:
        state = _conditions(self.start)
        for name in facts["done"]:
            step = self._by_name[name]
            if any(state.get(thing) != value for thing, value in step.needs.items()):
                raise ValueError(f"{self.name}: '{name}' cannot happen in {state}")
            state |= step.makes
        return state

    def _next(self, facts: Facts) -> tuple[Step, ...]:
        """The step that is due, and the one after it if the same person does it."""
        state = self._state(facts)
        due: list[Step] = []
        for step in self._script:
            possible = all(state[thing] == value for thing, value in step.needs.items())
            if step.name not in facts["done"] and possible and len(due) < 2:
                due.append(step)
                state |= step.makes
        return tuple(step for step in due if step.actor == due[0].actor)

    def _right(self, facts: Facts, rng: Random) -> str:
        upcoming = self._next(facts)[: rng.randint(1, 2)]
        return ", then ".join(self._tell(step, facts, rng) for step in upcoming) + "."

    def _wrong(self, facts: Facts, rng: Random) -> list[str]:
        """Three endings that cannot be: out of order, done already, with an unfit tool or effect, by another."""
        due = self._next(facts)[0]
        kinds = [(step, ("", *step.able)) for step in self._script if step != due]
        rng.shuffle(kinds)
        unfit = [(due, (tail,)) for tail in rng.sample(due.unable, min(rng.randint(0, 2), len(due.unable)))]
        wrong: list[str] = []
        for step, tails in unfit + kinds:
            told = [rng.choice(step.phrases(tails)).format(**facts)]
            after = [later for later in self._script[self._script.index(step) + 1 :] if later.actor == step.actor]
            if after and rng.random() < 0.4:
                told.append(self._tell(after[0], facts, rng))
            ending = ", then ".join(told) + "."
            if ending not in wrong and self._fault(facts, ending):
                wrong.append(ending)
            if len(wrong) == 3:
                return wrong
        raise ValueError(f"{self.name}: fewer than three endings are wrong after {facts['done']}")

    def _taken_apart(self, facts: Facts, ending: str) -> list[EndingStep]:
        told = []
        for phrase in ending.removesuffix(".").split(", then "):
            step = next((step for step in self._script if phrase in self._all(step, facts)), None)
            if step is None:
                raise ValueError(f"{phrase!r} is no step of {self.name}")
            fits = phrase in self._fitting(step, facts)
            unfit = "" if fits else next(tail for tail in _filled(step.unable, facts) if phrase.endswith(tail))
            told.append(EndingStep(step, unfit))
        return told

    def _all(self, step: Step, facts: Facts) -> list[str]:
        return _filled(step.phrases(("", *step.able, *step.unable)), facts)

    def _fault(self, facts: Facts, ending: str) -> str:
        """Why the ending cannot follow; empty if it can."""
        state = self._state(facts)
        acting = facts.get("acting") or self._next(facts)[0].actor
        for told in self._taken_apart(facts, ending):
            step = told.step
            if step.actor != acting:
                return "is what the other person does here"
            for thing, value in step.needs.items():
                if state[thing] != value:
                    return f"needs {thing}: {value}, but now it is {thing}: {state[thing]}"
            if told.unfit:
                return f"cannot be done {told.unfit}"
            state |= step.makes
        return ""


def _filled(templates: Iterable[str], facts: Facts) -> list[str]:
    """The templates of which the facts know every slot."""
    known = facts.keys()
    slots = ((template, re.findall(r"\{(\w+)\}", template)) for template in templates)
    return [template.format(**facts) for template, names in slots if known >= {*names}]


def _merge(facts: dict[str, str], found: Mapping[str, str]) -> None:
    for name, value in found.items():
        if facts.setdefault(name, value) != value:
            raise ValueError(f"'{name}' is {facts[name]!r} in one place and {value!r} in another")


def _conditions(text: str) -> State:
    return {thing: value for thing, _, value in (part.partition("=") for part in text.split(", ") if part)}


def _step(block: str) -> Step:
    head, *lines = (line.strip() for line in block.strip().splitlines())
    title, _, rest = head.partition(": ")
    actor, _, name = title.rpartition(" ")
    needs, _, makes = rest.partition(" > ")
    plain = tuple(line for line in lines if line[0] not in "+!")
    return Step(
        name, actor or "a", _conditions(needs), _conditions(makes), plain,
        tuple(_tails(lines, "+")), tuple(_tails(lines, "!")),
    )  # fmt: skip


def _tails(lines: list[str], mark: str) -> Iterator[str]:
    for line in lines:
        if line[0] == mark:
            yield from line[1:].strip().split(" | ")

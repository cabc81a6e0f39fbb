"""Activities described as the caption of a video that breaks off; the correct ending is the next step.

Example: "A boy in a red cap kneels in the garden. He digs a small hole, then drops three seeds into it. He" goes on
"covers the seeds with loose soil.", not "picks the first ripe beans.", for which it is too early, nor "opens the packet
of seeds.", which is already done.

The incorrect endings are other steps of the same activity, never the neighbours of the correct one, and steps of other
activities in the file. Each of the sampled steps is equally likely to be correct, wherever it stands, so the endings
alone do not reveal the answer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import Filled, engine_and_rest, read_content, table
from pfe.tutors.family import ContentFamily, Draft, Facts
from pfe.tutors.place import Place
from pfe.tutors.wording import Either, Joined, Wording, one_of, wording

_CHOICES = 4
_APART = 2  # the steps just before and just after the next one may be plausible endings, too
_TAILS = 0.8
_INTRODUCED = 0.7  # share of the stories that begin with how the video begins
_STRANGE = (1, 2, 2, 2)  # numbers of incorrect endings from other activities
_LONGEST = 4  # maximum number of steps in the context


@dataclass(frozen=True)
class Activity:
    """An activity of a person, step by step; each step needs the one before, and is done once.

    Attributes:
        label: names the activity.
        steps: in the only possible order: a verb and what follows, or `other: …` for what the second person does.
            `{his}`, `{him}`, `{himself}` and `{he}` refer to the first person.
        scene: a first sentence with `{who}`.
        cast: who does it: the rows of that name in the table `figures`; with `many` the verbs are plural.
        other: the second person, as "the customer".
        props: the other slots in braces, with their possible values.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    label: Filled[str]
    steps: tuple[Filled[str] | dict[Literal["other"], Filled[str]], ...]
    scene: str
    cast: Literal["adult", "man", "child", "any", "many"] = "adult"
    other: str = ""
    props: Mapping[str, Filled[tuple[str, ...]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Activities:
    """The content of a family's file: activities by name."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    activities: Filled[dict[str, Activity]]


@dataclass(frozen=True)
class Script:
    """The wordings of one activity."""

    activity: Activity
    where: Place

    @cached_property
    def label(self) -> Wording:
        return self._wording(self.activity.label)

    @cached_property
    def scene(self) -> Wording:
        return self._wording(self.activity.scene)

    @cached_property
    def figures(self) -> Mapping[str, Mapping[str, str]]:
        """Return who may act, by their first mention, with the words that refer to them."""
        return _figures(self.activity.cast)

    @cached_property
    def actors(self) -> tuple[bool, ...]:
        """Return for each step whether the second person does it."""
        return tuple(isinstance(step, dict) for step in self.activity.steps)

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of steps that may be endings of one problem."""
        places = range(len(self.activity.steps))
        return tuple(
            chosen
            for chosen in combinations(places, _CHOICES)
            if all(later - earlier >= _APART for earlier, later in pairwise(chosen))
        )

    @property
    def plural(self) -> bool:
        """Return whether several people act."""
        return self.activity.cast == "many"

    def props(self, rng: Random) -> dict[str, str]:
        """Sample the slots that belong to this activity alone."""
        return {slot: rng.choice(values) for slot, values in self.activity.props.items()}

    def option(self, place: int, slots: Mapping[str, Any], rng: Random) -> str:
        """Render an ending that begins with this step, and may include the next one."""
        return _told(self.ending(place, rng.randint(1, self.together(place))), slots, rng)

    def together(self, step: int) -> int:
        """Return how many steps from this one on one sentence may have: at most two, by the same person."""
        return 1 + (step + 1 < len(self.actors) and self.actors[step] == self.actors[step + 1])

    def step(self, place: int) -> str:
        step = self.activity.steps[place]
        return step if isinstance(step, str) else step["other"]

    def ending(self, place: int, steps: int) -> tuple[Wording, Wording]:
        """Return the wordings of an ending with this number of steps: as it is, and with a tail."""
        return self._tailed(*self._steps(place, steps))

    def sentence(self, place: int, steps: int, first: bool) -> tuple[Wording, Wording]:
        """Return the wordings of a sentence of the story; the first sentence introduces who acts."""
        openers = "{who:C}" if first else self._subjects(place, "openers")
        return self._tailed(openers, " ", *self._steps(place, steps))

    def begun(self, place: int) -> Wording:
        """Return the wording of the words with which the story breaks off."""
        return self._joined(self._subjects(place, "begun"))

    def _subjects(self, place: int, kind: str) -> str:
        """Return openers of a sentence; if two people act, the subject is not a pronoun."""
        if self.actors[place]:
            subject, capital = self.activity.other, self.activity.other[0].upper() + self.activity.other[1:]
        elif self.activity.other:
            subject, capital = "{later}", "{later:C}"
        else:
            subject, capital = "<{he}|{he}|{later}>", "<{he:C}|{he:C}|{later:C}>"
        return _phrases(kind).replace("SUBJECT", capital).replace("subject", subject)

    def _steps(self, place: int, steps: int) -> Iterator[str]:
        told = [self.step(number) for number in range(place, place + steps)]
        joint = _phrases("clear joints" if any(" and " in step for step in told) else "joints")
        for number, step in enumerate(told):
            yield from (joint, step) if number else (step,)

    def _wording(self, source: str) -> Wording:
        if source not in self._wordings:
            self._wordings[source] = wording(source, self._values, self.where, names=())
        return self._wordings[source]

    @cached_property
    def _values(self) -> Mapping[str, tuple[str, ...]]:
        """Return the possible values of the slots."""
        return {**self._people, **self.activity.props}

    @cached_property
    def _people(self) -> Mapping[str, tuple[str, ...]]:
        """Return the possible values of the slots for who acts."""
        figures = self.figures.values()
        return {name: tuple(dict.fromkeys(figure[name] for figure in figures)) for name in next(iter(figures))}

    def _tailed(self, *sources: str) -> tuple[Wording, Wording]:
        return self._joined(*sources, "."), self._joined(*sources, _phrases("tails"), ".")

    def _joined(self, *sources: str) -> Wording:
        """Return these wordings in sequence.

        Each is parsed only once, because many endings and sentences share phrases and steps.
        """
        if sources not in self._sequences:
            self._sequences[sources] = Joined(tuple(map(self._wording, sources)), ("",) * len(sources))
        return self._sequences[sources]

    @cached_property
    def _wordings(self) -> dict[str, Wording]:
        return {}

    @cached_property
    def _sequences(self) -> dict[tuple[str, ...], Wording]:
        return {}


class Engine(ContentFamily):
    """Activities of one kind; `Activity` documents the content of the file."""

    domain = "commonsense"
    scorer = "choice"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        _, rest = engine_and_rest(path)
        activities = read_content(path, Activities, rest).activities
        place = Place(path) / "activities"
        self.scripts = {name: Script(activity, place / name) for name, activity in activities.items()}
        self.weight = float(len(self.scripts))
        for script in self.scripts.values():
            if not script.sets:
                least = _APART * (_CHOICES - 1) + 1
                raise UserError(f"{script.where / 'steps'}: {len(script.actors)} steps; write at least {least}")
            if any(script.actors) != bool(script.activity.other):
                raise UserError(f"{script.where}: name the second person by `other`, and what they do by `- other: …`")
            if "{who}" not in script.activity.scene and "{who:C}" not in script.activity.scene:
                raise UserError(f"{script.where / 'scene'}: the scene names nobody; begin it with {{who:C}}")

    def facts(self, rng: Random) -> Facts:
        name = rng.choice(list(self.scripts))
        script = self.scripts[name]
        chosen = rng.choice(script.sets)
        due = rng.choice(chosen)
        figure = rng.choice(tuple(script.figures.values()))
        slots = {**figure, **script.props(rng)}
        strangers = self._strangers(name, rng)
        own = [due, *rng.sample([place for place in chosen if place != due], _CHOICES - 1 - len(strangers))]
        options = [script.option(place, slots, rng) for place in own]
        for other in strangers:
            place = rng.choice(rng.choice(other.sets))
            options.append(other.option(place, {**figure, **other.props(rng)}, rng))
        rng.shuffle(options)
        return {"activity": name, "slots": slots, "due": due, "options": tuple(options)}

    def _strangers(self, name: str, rng: Random) -> list[Script]:
        """Sample other activities that contribute an ending; their verbs agree in number."""
        script = self.scripts[name]
        others = [other for other in self.scripts.values() if other is not script and other.plural == script.plural]
        return rng.sample(others, min(len(others), rng.choice(_STRANGE)))

    def write(self, facts: Facts, rng: Random) -> Draft:
        script, slots, due = self.scripts[facts["activity"]], facts["slots"], facts["due"]
        place = max(0, due - rng.randint(1, _LONGEST))
        told = [] if place else [script.scene.vary(slots, rng)]
        while place < due:
            steps = min(due - place, rng.randint(1, script.together(place)))
            first = not told
            if first and script.actors[place]:
                told = [script.scene.vary(slots, rng)]
                continue
            told.append(_told(script.sentence(place, steps, first), slots, rng))
            place += steps
        told.append(script.begun(due).vary(slots, rng))
        if rng.random() < _INTRODUCED:
            told.insert(0, _introduction().vary({}, rng))
        return Draft(" ".join(told), context=script.label.vary(slots, rng), choices=facts["options"])

    def solve(self, facts: Facts) -> str:
        script, due = self.scripts[facts["activity"]], facts["due"]
        found = [option for option in facts["options"] if _tells(script, due, option, facts["slots"])]
        if len(found) != 1:
            raise ValueError(f"{len(found)} of the endings tell the next step, not one")
        return str(found[0])

    def check(self, facts: Facts, answer: str) -> bool:
        return not self._fault(facts, answer)

    def solution(self, facts: Facts, draft: Draft) -> str:
        answer = self.solve(facts)
        faults = [f'"{option}" {self._fault(facts, option)}.' for option in facts["options"] if option != answer]
        return "\n".join([*faults, "The ending that is left is what comes next."])

    def read(self, problem: Problem) -> Facts:
        for name, script in self.scripts.items():
            try:
                known = script.label.read(problem.context)
            except ValueError:
                continue
            for slots, due in _stories(script, problem.question, known):
                return {"activity": name, "slots": slots, "due": due, "options": problem.choices}
        raise ValueError(f"{problem.id}: {problem.question!r} is no story of {self.name}")

    def _fault(self, facts: Facts, ending: str) -> str:
        """Return why the ending cannot follow; empty if it can."""
        script, due, slots = self.scripts[facts["activity"]], facts["due"], facts["slots"]
        places = range(len(script.actors))
        place = next((place for place in places if _tells(script, place, ending, slots)), None)
        if place is None:
            return "is no step of this activity"
        if script.actors[place] != script.actors[due]:
            return "is what the other person does"
        if place < due:
            return "has happened before"
        if place > due:
            needed = script.ending(place - 1, 1)[0].text(0, slots).removesuffix(".")
            subject = script.activity.other if script.actors[place - 1] else slots["he"]
            return f"cannot be yet: first {subject} {needed}"
        return ""


def _tells(script: Script, place: int, ending: str, slots: Mapping[str, Any]) -> bool:
    lengths = range(1, script.together(place) + 1)
    return any(_reads(told, ending, slots) for steps in lengths for told in script.ending(place, steps))


def _told(wordings: tuple[Wording, Wording], slots: Mapping[str, Any], rng: Random) -> str:
    return wordings[rng.random() < _TAILS].vary(slots, rng)


def _reads(told: Wording, text: str, slots: Mapping[str, Any]) -> bool:
    return any(end == len(text) for end, _ in told.match(text, 0, dict(slots)))


def _stories(script: Script, text: str, known: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield every way to parse the text as the beginning of the activity: the slots, and the next step."""
    for start in (0, *(end + 1 for end, _ in _introduction().match(text, 0, {}))):
        yield from _begun(script, text, start, known)


def _begun(script: Script, text: str, start: int, known: dict[str, Any]) -> Iterator[tuple[dict[str, Any], int]]:
    for end, slots in script.scene.match(text, start, known):
        for place in range(len(script.actors)):
            if place == 0 or script.actors[place]:
                yield from _followed(script, text, end, _with_figure(script, slots), place)
    for place in range(len(script.actors)):
        for steps in range(1, script.together(place) + 1):
            told = Either(script.sentence(place, steps, True))
            for end, slots in told.match(text, start, known):
                yield from _followed(script, text, end, _with_figure(script, slots), place + steps)


def _followed(
    script: Script, text: str, start: int, slots: dict[str, Any], place: int
) -> Iterator[tuple[dict[str, Any], int]]:
    if place == len(script.actors) or not text.startswith(" ", start):
        return
    if _reads(script.begun(place), text[start + 1 :], slots):
        yield slots, place
    for steps in range(1, script.together(place) + 1):
        for end, found in Either(script.sentence(place, steps, False)).match(text, start + 1, slots):
            yield from _followed(script, text, end, found, place + steps)


def _with_figure(script: Script, slots: dict[str, Any]) -> dict[str, Any]:
    """Return the slots with all words that refer to the person in the first sentence."""
    return {**slots, **script.figures[slots["who"]]}


@cache
def _introduction() -> Wording:
    """Return the wording of how a video begins, whatever it shows."""
    return one_of(table("captions")["introductions"])


@cache
def _phrases(kind: str) -> str:
    """Return the phrases of a kind in the table `captions`, as the source of one wording."""
    return f"<{'|'.join(table('captions')[kind])}>"


@cache
def _figures(cast: str) -> Mapping[str, Mapping[str, str]]:
    return {figure["who"]: figure for figure in _cast(cast)}


def _cast(cast: str) -> Iterator[dict[str, str]]:
    figures = table("figures")
    if cast == "many":
        for who in figures["many"]:
            yield {"who": who, "later": "the " + who.removeprefix("a ").split(" ", 1)[-1], **_PLURAL}
        return
    ages = ("adult", "child") if cast == "any" else (cast,)
    for he, words in _SINGULAR.items():
        for noun in (noun for age in ages for noun in figures[age].get(he, ())):
            for look in figures["looks"]:
                article = "an" if noun[0] in "aeiou" else "a"
                yield {"who": f"{article} {noun} {look}".strip(), "later": f"the {noun}", **words}


_PLURAL = {"he": "they", "his": "their", "him": "them", "himself": "themselves"}
_SINGULAR = {
    "she": {"he": "she", "his": "her", "him": "her", "himself": "herself"},
    "he": {"he": "he", "his": "his", "him": "him", "himself": "himself"},
}

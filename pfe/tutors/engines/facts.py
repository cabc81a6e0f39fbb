"""Questions about a table of facts, whose wrong choices are right ones of other facts.

Example, of `content/arc_synth/organ_job.yaml`: "Which organ filters waste out of the blood?" with the choices
"stomach", "kidney", "heart" and "skin"; each of the four has its own job in the table, and none is right more often.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest
from pfe.tutors.content import table as word_table
from pfe.tutors.facts import Fact, FactTable, fact_table, facts_of, sentence
from pfe.tutors.family import ContentFamily, Draft, Facts
from pfe.tutors.place import Place, refuse_unknown
from pfe.tutors.wording import Wording, wording

_PHRASES = "asking"  # the table of turns of phrase
_LIKE = "like"  # the slot of a question that says another object of the subject
_WIDTH = 4
_LED = 0.3  # of the problems have a sentence in front of the question
_PROBLEMS_PER_WEIGHT = 20


@dataclass(frozen=True)
class Form:
    """One question: what it asks for, its wording, and how each choice reads."""

    kind: str
    question: Wording
    choice: Wording

    @property
    def given(self) -> str:
        """The side of the fact that the question says."""
        return "object" if self.kind == "subject" else "subject"

    @property
    def has_like(self) -> bool:
        return _LIKE in self.question.names

    @property
    def asked(self) -> str:
        """The side that each choice says."""
        return "subject" if self.kind == "subject" else "object"


class Engine(ContentFamily):
    """Which subject an object belongs to, which object a subject has, and which of four it has not."""

    domain = "science"
    scorer = "choice"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        table = fact_table(path, engine_and_rest(path)[1])
        self._facts = {(fact.subject, fact.object): fact for fact in facts_of(self.name, table)}
        self._objects = table.objects
        self._forms = _forms(path, table)
        self._far = _far_subjects(table)
        self._refuse_what_cannot_be_asked()
        _check_subjects(path, table)
        wording(table.sentence, {"subject": (), "object": ()}, Place(path) / "sentence", ())
        self.weight = len(self._facts) / _PROBLEMS_PER_WEIGHT

    def facts(self, rng: Random) -> Facts:
        (kind,) = rng.choices(list(self._forms), [self._stems(kind) for kind in self._forms])
        forms = self._forms[kind]
        # What says another object has more texts: it is asked more often.
        (number,) = rng.choices(range(len(forms)), [3 if form.has_like else 1 for form in forms])
        form = self._forms[kind][number]
        given, right, wrong = self._drawn(form, rng)
        like = rng.choice([o for o in self._objects[given] if o != right]) if form.has_like else ""
        values = [right, *wrong]
        rng.shuffle(values)
        reads = rng.randrange(form.choice.count)
        texts = {value: form.choice.text(reads, {form.given: given, form.asked: value}) for value in values}
        lead = self._lead(kind, given, values, rng) if rng.random() < _LED else ""
        return {"kind": kind, "form": number, "given": given, "like": like, "lead": lead, "choices": texts}

    def write(self, facts: Facts, rng: Random) -> Draft:
        form = self._forms[facts["kind"]][facts["form"]]
        question = form.question.write({form.given: facts["given"], _LIKE: facts["like"]}, rng)
        return Draft(f"{facts['lead']} {question}".lstrip(), choices=tuple(facts["choices"].values()))

    def solve(self, facts: Facts) -> str:
        fitting = [text for value, text in facts["choices"].items() if self._is_right(facts, value)]
        if len(fitting) != 1:
            raise ValueError(f"{self.name}: {len(fitting)} choices are right for {facts['given']!r}")
        return str(fitting[0])

    def check(self, facts: Facts, answer: str) -> bool:
        values = {text: value for value, text in facts["choices"].items()}
        value, given = values[answer], facts["given"]
        if facts["kind"] == "subject":
            return bool(given in self._objects[value])
        holders = [subject for subject, objects in self._objects.items() if value in objects]
        return bool((given in holders) != (facts["kind"] == "odd"))

    def solution(self, facts: Facts, draft: Draft) -> str:
        told = {value: sentence(self._fact(facts, value)) for value in facts["choices"]}
        right = next(value for value in told if self._is_right(facts, value))
        others = " ".join(text for value, text in told.items() if value != right)
        return f"{told[right]}\nThe other choices: {others}"

    def read(self, problem: Problem) -> Facts:
        for facts in self._readings(problem):
            if sum(self._is_right(facts, value) for value in facts["choices"]) == 1:
                return facts
        raise ValueError(f"{problem.id}: no form of {self.name} reads {problem.question!r}")

    def _readings(self, problem: Problem) -> Iterator[Facts]:
        lead = next((lead for lead in self._leads if problem.question.startswith(f"{lead} ")), "")
        question = problem.question.removeprefix(lead).lstrip()
        for kind, forms in self._forms.items():
            for number, form in enumerate(forms):
                try:
                    slots = form.question.read(question)
                    given = slots.get(form.given) or self._holder(slots[_LIKE])
                    known = {form.given: given}
                    values = {form.choice.read(choice, known)[form.asked]: choice for choice in problem.choices}
                except ValueError:
                    continue
                like = slots.get(_LIKE, "")
                yield {"kind": kind, "form": number, "given": given, "like": like, "lead": lead, "choices": values}

    def _holder(self, object: str) -> str:
        """The one subject that has the object.

        Raises:
            ValueError: several have.
        """
        (subject,) = (subject for subject, objects in self._objects.items() if object in objects)
        return subject

    def _is_right(self, facts: Facts, value: str) -> bool:
        pair = (value, facts["given"]) if facts["kind"] == "subject" else (facts["given"], value)
        return bool((pair in self._facts) != (facts["kind"] == "odd"))

    def _fact(self, facts: Facts, value: str) -> Fact:
        """The fact that a choice comes from, right or wrong."""
        given = facts["given"]
        for pair in ((value, given), (given, value)):
            if pair in self._facts:
                return self._facts[pair]
        return next(fact for pair, fact in self._facts.items() if value in pair)

    def _lead(self, kind: str, given: str, values: Sequence[str], rng: Random) -> str:
        """A sentence in front that sets the scene: another fact of the table, which rules out none of the choices."""
        named = {given, *values}
        others = [lead for lead, fact in self._leads.items() if not named & {fact.subject, fact.object}]
        return rng.choice(others) if others and kind != "odd" else ""

    @cached_property
    def _leads(self) -> Mapping[str, Fact]:
        """What may stand in front of a question: the facts as sentences."""
        return {sentence(fact): fact for fact in self._facts.values()}

    def _stems(self, kind: str) -> float:
        """About how many different questions ask for this; so no stem is worn out sooner than others."""
        subjects, objects = len(self._objects), len(self._holders)
        if kind == "subject":
            return objects * min(2.0, 3 * subjects / objects)
        return objects if kind == "object" and any(form.has_like for form in self._forms[kind]) else subjects

    def _drawn(self, form: Form, rng: Random) -> tuple[str, str, Sequence[str]]:
        """What the question says, the right choice and the wrong ones; no subject is right more often than another."""
        if form.kind == "odd":
            subject = rng.choice([one for one, objects in self._objects.items() if len(objects) >= _WIDTH - 1])
            others = [o for other in self._far[subject] for o in self._objects[other] if self._apart(subject, o)]
            return subject, rng.choice(others), rng.sample(self._objects[subject], _WIDTH - 1)
        drawable = self._likeable if form.has_like else self._drawable[form.kind]
        # As likely to be right as there are others beside which it is wrong: it is right in a quarter of its places.
        (subject,) = rng.choices(list(drawable), [len(self._far[one]) for one in drawable])
        object = rng.choice(drawable[subject])
        if form.kind == "subject":
            return object, subject, rng.sample(self._wrong_subjects(subject, object), _WIDTH - 1)
        return subject, object, self._wrong_objects(subject, rng)

    def _wrong_subjects(self, subject: str, object: str) -> Sequence[str]:
        return [other for other in self._far[subject] if self._apart(other, object)]

    def _wrong_objects(self, subject: str, rng: Random) -> Sequence[str]:
        """Objects of three other subjects, or of as many as there are."""
        others = rng.sample(self._far[subject], len(self._far[subject]))
        wrong: list[str] = []
        while len(wrong) < _WIDTH - 1:
            other = others.pop(0)
            fresh = [o for o in self._objects[other] if o not in wrong and self._apart(subject, o)]
            if fresh:
                wrong.append(rng.choice(fresh))
                others.append(other)
        return wrong

    def _apart(self, subject: str, object: str) -> bool:
        return (subject, object) not in self._facts

    @cached_property
    def _likeable(self) -> Mapping[str, Sequence[str]]:
        """The objects that may be asked for where another of the same subject is said."""
        own = {s: [o for o in held if self._holders[o] == 1] for s, held in self._objects.items()}
        return {
            subject: [object for object in objects if object in own[subject]]
            for subject, objects in self._drawable["object"].items()
            if len(own[subject]) > 1 and len(own[subject]) == len(self._objects[subject])
        }

    @cached_property
    def _holders(self) -> Counter[str]:
        """How many subjects have each object."""
        return Counter(object for _, object in self._facts)

    def _refuse_what_cannot_be_asked(self) -> None:
        """Tell whoever wrote the file what it lacks."""
        if not self._forms:
            raise UserError(f"{self.path}: nothing is asked; write questions below ask.subject, ask.object or ask.odd")
        for kind in self._forms:
            if kind == "odd" and not any(len(held) >= _WIDTH - 1 for held in self._objects.values()):
                raise UserError(f"{self.path}: ask.odd needs a subject with {_WIDTH - 1} objects or more; add facts")
            if kind != "odd" and not self._drawable[kind]:
                raise UserError(
                    f"{self.path}: ask.{kind} needs {_WIDTH} {kind}s of which none is right for another; add facts"
                )

    @cached_property
    def _drawable(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """The objects of each subject that there are enough wrong choices for, by what is asked for."""
        enough: dict[str, dict[str, list[str]]] = {"subject": {}, "object": {}}
        for subject, object in self._facts:
            others = {o for other in self._far[subject] for o in self._objects[other] if self._apart(subject, o)}
            if len(self._wrong_subjects(subject, object)) >= _WIDTH - 1:
                enough["subject"].setdefault(subject, []).append(object)
            if len(others) >= _WIDTH - 1:
                enough["object"].setdefault(subject, []).append(object)
        return enough


def _forms(path: Path, table: FactTable) -> Mapping[str, Sequence[Form]]:
    """The forms of each kind that has any."""
    objects = dict.fromkeys(o for held in table.objects.values() for o in held)
    shared = {name: wording(text, where=_PHRASES) for name, text in word_table(_PHRASES).items()}
    values: dict[str, Sequence[str] | Wording]
    values = {"subject": list(table.objects), "object": list(objects), _LIKE: list(objects), **shared}
    asked: Mapping[str, Any] = {"subject": table.ask.subject, "object": table.ask.object, "odd": table.ask.odd}
    return {
        kind: [_form(path, kind, source, values) for source in sources] for kind, sources in asked.items() if sources
    }


def _form(path: Path, kind: str, source: str, values: Mapping[str, Sequence[str] | Wording]) -> Form:
    where = (Place(path) / "ask" / kind).quoting(source)
    asked = "subject" if kind == "subject" else "object"
    question, _, choice = source.partition(" => ")
    form = Form(kind, wording(question, values, where, ()), wording(choice or f"{{{asked}}}", values, where, ()))
    likeable = {_LIKE} if kind == "object" else set()
    said = form.question.names
    if not said or not said <= {form.given} | likeable or not {form.asked} <= form.choice.names <= said | {form.asked}:
        raise UserError(f"{where}: must say {{{form.given}}}, and each choice {{{form.asked}}}")
    return form


def _check_subjects(path: Path, table: FactTable) -> None:
    """Refuse what is said of a subject that has no facts."""
    for key, groups in (("alike", table.alike), ("kinds", table.kinds)):
        for number, group in enumerate(groups):
            for place, subject in enumerate(group):
                refuse_unknown({subject}, table.objects, Place(path) / key / number / place)


def _far_subjects(table: FactTable) -> Mapping[str, Sequence[str]]:
    """For each subject the others of its kind that are not like it."""
    near: dict[str, set[str]] = {subject: {subject} for subject in table.objects}
    for group in table.alike:
        for subject in group:
            near[subject] |= set(group)
    of_kind = {subject: set(kind) for kind in table.kinds for subject in kind}
    return {
        subject: [
            other for other in table.objects if other in of_kind.get(subject, near) and other not in near[subject]
        ]
        for subject in table.objects
    }

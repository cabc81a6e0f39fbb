"""Multiple-choice questions about a table of facts, whose incorrect choices are the correct ones of other facts.

Example, from `content/arc_synth/organ_job.yaml`: "Which organ filters waste out of the blood?" with the choices
"stomach", "kidney", "heart" and "skin"; each of the four has its own job in the table, and none is correct more often.
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

_PHRASES = "asking"  # the table of shared phrases
_LIKE = "like"  # the slot for another object of the subject in a question
_WIDTH = 4
_LED = 0.3  # share of the problems with a sentence before the question
_PROBLEMS_PER_WEIGHT = 20


@dataclass(frozen=True)
class Form:
    """One question: what it asks for, its wording, and the wording of each choice."""

    kind: str
    question: Wording
    choice: Wording

    @property
    def given(self) -> str:
        """Return the side of the fact that the question states."""
        return "object" if self.kind == "subject" else "subject"

    @property
    def has_like(self) -> bool:
        return _LIKE in self.question.names

    @property
    def asked(self) -> str:
        """Return the side of the fact that each choice states."""
        return "subject" if self.kind == "subject" else "object"


class Engine(ContentFamily):
    """Questions about the subject of an object, an object of a subject, and the odd one of four."""

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
        # Forms with `{like}` have more possible texts, so they are sampled more often.
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
        """Return the only subject that has the object.

        Raises:
            ValueError: several subjects have it, or none.
        """
        (subject,) = (subject for subject, objects in self._objects.items() if object in objects)
        return subject

    def _is_right(self, facts: Facts, value: str) -> bool:
        pair = (value, facts["given"]) if facts["kind"] == "subject" else (facts["given"], value)
        return bool((pair in self._facts) != (facts["kind"] == "odd"))

    def _fact(self, facts: Facts, value: str) -> Fact:
        """Return the fact that a choice comes from, whether the choice is correct or not."""
        given = facts["given"]
        for pair in ((value, given), (given, value)):
            if pair in self._facts:
                return self._facts[pair]
        return next(fact for pair, fact in self._facts.items() if value in pair)

    def _lead(self, kind: str, given: str, values: Sequence[str], rng: Random) -> str:
        """Sample another fact of the table as a sentence before the question, which rules out none of the choices.

        It is empty if there is no such fact, or if the question asks for the odd one out.
        """
        named = {given, *values}
        others = [lead for lead, fact in self._leads.items() if not named & {fact.subject, fact.object}]
        return rng.choice(others) if others and kind != "odd" else ""

    @cached_property
    def _leads(self) -> Mapping[str, Fact]:
        """Return the sentences that may precede a question: the facts."""
        return {sentence(fact): fact for fact in self._facts.values()}

    def _stems(self, kind: str) -> float:
        """Return about how many different questions ask for this, so that all are used equally often."""
        subjects, objects = len(self._objects), len(self._holders)
        if kind == "subject":
            return objects * min(2.0, 3 * subjects / objects)
        return objects if kind == "object" and any(form.has_like for form in self._forms[kind]) else subjects

    def _drawn(self, form: Form, rng: Random) -> tuple[str, str, Sequence[str]]:
        """Sample what the question states, the correct choice and the incorrect ones.

        No subject is correct more often than another.
        """
        if form.kind == "odd":
            subject = rng.choice([one for one, objects in self._objects.items() if len(objects) >= _WIDTH - 1])
            others = [o for other in self._far[subject] for o in self._objects[other] if self._apart(subject, o)]
            return subject, rng.choice(others), rng.sample(self._objects[subject], _WIDTH - 1)
        drawable = self._likeable if form.has_like else self._drawable[form.kind]
        # Weighted by the subjects for which it can be a distractor: it is correct in a quarter of its uses.
        (subject,) = rng.choices(list(drawable), [len(self._far[one]) for one in drawable])
        object = rng.choice(drawable[subject])
        if form.kind == "subject":
            return object, subject, rng.sample(self._wrong_subjects(subject, object), _WIDTH - 1)
        return subject, object, self._wrong_objects(subject, rng)

    def _wrong_subjects(self, subject: str, object: str) -> Sequence[str]:
        return [other for other in self._far[subject] if self._apart(other, object)]

    def _wrong_objects(self, subject: str, rng: Random) -> Sequence[str]:
        """Sample objects of three other subjects, or of as many as there are."""
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
        """Return the objects that a question may ask for if it states another object of the same subject."""
        own = {s: [o for o in held if self._holders[o] == 1] for s, held in self._objects.items()}
        return {
            subject: [object for object in objects if object in own[subject]]
            for subject, objects in self._drawable["object"].items()
            if len(own[subject]) > 1 and len(own[subject]) == len(self._objects[subject])
        }

    @cached_property
    def _holders(self) -> Counter[str]:
        """Return the number of subjects that have each object."""
        return Counter(object for _, object in self._facts)

    def _refuse_what_cannot_be_asked(self) -> None:
        """Reject a file that has no questions, or too few facts for them.

        Raises:
            UserError: it does; says what to add.
        """
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
        """Return, by what is asked for, the objects of each subject that have enough incorrect choices."""
        enough: dict[str, dict[str, list[str]]] = {"subject": {}, "object": {}}
        for subject, object in self._facts:
            others = {o for other in self._far[subject] for o in self._objects[other] if self._apart(subject, o)}
            if len(self._wrong_subjects(subject, object)) >= _WIDTH - 1:
                enough["subject"].setdefault(subject, []).append(object)
            if len(others) >= _WIDTH - 1:
                enough["object"].setdefault(subject, []).append(object)
        return enough


def _forms(path: Path, table: FactTable) -> Mapping[str, Sequence[Form]]:
    """Return the forms of each kind that the table has."""
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
    """Reject subjects in `alike` or `kinds` that have no facts.

    Raises:
        UserError: there is one.
    """
    for key, groups in (("alike", table.alike), ("kinds", table.kinds)):
        for number, group in enumerate(groups):
            for place, subject in enumerate(group):
                refuse_unknown({subject}, table.objects, Place(path) / key / number / place)


def _far_subjects(table: FactTable) -> Mapping[str, Sequence[str]]:
    """Return for each subject the others of its kind that are not `alike` to it."""
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

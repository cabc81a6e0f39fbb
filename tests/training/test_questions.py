"""Held-out problems as evaluation asks them, and what the answers say of a model's use of its library."""

import math
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config
from pfe.models.request import Answer, Done, Provenance, Request, unseen
from pfe.problem import Problem
from pfe.training.corpus import benchmark_by_domain
from pfe.training.figures import curves, summary, validation_loss
from pfe.training.questions import Question, outcomes, questions
from pfe.tutors.family import remake
from tests.training.kralos import BOUND

WRITTEN = replace(BOUND, id="w/1", set="w", domain="format", choices=(), question="Write what kralos eat.")
PLAIN = Problem("b/2", "b", "science", "What is red?", "blood", choices=("grass", "blood", "salt", "milk"))


class Examinee:
    """Where it `reads`, it likes what the library says kralos eat, and beside that it has a taste of its own."""

    writes = True
    revoked: tuple[str, ...] = ()
    provenance = Provenance("taste", "")

    def __init__(self, reads: bool = True, salt: str = "") -> None:
        self.reads, self.salt = reads, salt

    def count(self, text: str) -> int:
        return len(text.split())

    def likes(self, request: Request, text: str) -> float:
        lot = sha256(f"{self.salt}{request.prompt}{text}".encode()).digest()[0] / 256
        return lot + (9.0 if self.reads and f"Kralos eat {text.strip()}." in request.prefix.text else 0.0)

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        if request.options:
            return Answer(1, 2, "choice", scores=tuple(self.likes(request, o.continuation) for o in request.options))
        text = max(("moss", "eggs", "figs"), key=lambda text: self.likes(request, text))
        return Answer(1, 1, "end", output=text)


def asked(settings: Config, *problems: Problem) -> list[Question]:
    return questions(problems, "worlds", benchmark_by_domain(settings.benchmark), lambda text: len(text.split()))


def test_a_library_bound_problem_is_asked_in_four_arms_and_another_bare(settings: Config) -> None:
    of_bound, of_plain = asked(settings, BOUND), asked(settings, PLAIN)
    assert [(question.arm, question.kind) for question in of_plain] == [("bare", "plain")]
    assert [question.arm for question in of_bound] == ["bare", "library", "irrelevant", "changed"]
    texts = {question.arm: question.request.prefix.text for question in of_bound}
    assert texts["bare"] == ""
    assert texts["library"] == "[LIBRARY]\n\nKralos eat moss.\n\nVems eat figs.\n\n[PROBLEM]\n"
    assert "Tols sing." in texts["irrelevant"]
    assert "Kralos eat eggs." in texts["changed"]
    assert len({question.request.prompt for question in of_bound}) == 1
    assert {question.problem.answer for question in of_bound} == {"moss", "eggs"}


def test_calls_are_asked_with_the_functions_of_a_changed_library_and_programs_not_at_all(settings: Config) -> None:
    call = remake("fncall_synth/weather/s0/1")
    by_arm = {question.arm: question for question in asked(settings, call)}
    changed = call.variant("changed")
    assert changed
    first_lines = [text.split("\n")[0] for text in changed.library]
    assert all(line in by_arm["changed"].request.prompt for line in first_lines)
    assert by_arm["bare"].request.prompt == by_arm["library"].request.prompt
    program = replace(BOUND, domain="code", choices=(), tests=("assert f() == 1",))
    assert [question.arm for question in asked(settings, program)] == ["bare", "library", "irrelevant"]


def test_an_answer_is_written_no_longer_than_twice_the_longest_of_its_set(settings: Config) -> None:
    short, long = (replace(WRITTEN, id=f"w/{n}", answer="word " * n) for n in (2, 7))
    assert {question.request.max_tokens for question in asked(settings, short, long)} == {14}


def test_who_reads_has_all_of_the_lift_and_follows_what_was_changed(settings: Config) -> None:
    many = [replace(problem, id=f"{problem.id}/{n}") for n in range(20) for problem in (BOUND, WRITTEN, PLAIN)]
    made = outcomes(Examinee(), asked(settings, *many))
    figures = summary(made, ("b/g",), seed=0)
    use = figures.worlds
    assert use
    assert (use.n, use.library.value, use.changed and use.changed.value) == (40, 100.0, 100.0)
    assert use.lift
    assert use.content_lift
    assert use.lift.value == pytest.approx(100 - use.bare.value)
    assert use.lift.low <= use.lift.value <= use.lift.high
    assert figures.plain
    assert (figures.plain.n, figures.plain.chance) == (20, 100.0), "one problem twenty times: always the same answer"
    assert set(figures.sets) == {"b", "w"}
    assert figures.metrics()["validation"] == use.metrics()
    assert set(use.metrics()) == {"bare", "library", "changed", "irrelevant", "n"}
    drawn = curves(made)
    assert drawn["worlds/library"] == drawn["worlds/b/library"] == drawn["worlds/w/changed"] == 100.0
    assert drawn["loss"] == validation_loss(made)


def test_families_are_clusters_where_there_are_several_and_worlds_within_one(settings: Config) -> None:
    ids = {f"b/{family}/s0/{n}": f"b/{family}/s0/{n // 2}" for family in ("beasts", "herbs") for n in range(8)}
    many = [replace(BOUND, id=id, group=world) for id, world in ids.items()]
    two, one = (summary(outcomes(Examinee(), asked(settings, *part)), (), 0).worlds for part in (many, many[:8]))
    assert two
    assert one
    assert two.lift
    assert one.lift
    assert (two.lift.clusters, two.lift.n) == (2, 16)
    assert (one.lift.clusters, one.lift.n) == (4, 8)


def test_new_worlds_are_told_by_tier_too(settings: Config) -> None:
    """Who reads nothing but look-ups has its lift there."""
    skills = {"b": "lookup", "w": "hops"}
    many = [replace(one, id=f"{one.id}/{n}", skill=skills[one.set]) for n in range(9) for one in (BOUND, WRITTEN)]
    made = [
        replace(one, correct=one.correct and one.skill == "lookup")
        for one in outcomes(Examinee(), asked(settings, *many))
    ]
    figures = summary(made, (), seed=0)
    assert list(figures.skills) == ["lookup", "hops"]
    assert [(use.n, use.library.value) for use in figures.skills.values()] == [(9, 100.0), (9, 0.0)]
    assert figures.metrics()["validation"]["n"] == 18
    assert summary(outcomes(Examinee(), asked(settings, PLAIN)), (), seed=0).skills == {}


@given(st.text(max_size=5))
def test_who_does_not_read_gains_nothing_and_follows_half(settings: Config, salt: str) -> None:
    made = outcomes(Examinee(reads=False, salt=salt), asked(settings, BOUND, WRITTEN))
    use = summary(made, (), seed=0).worlds
    assert use
    assert use.lift
    assert use.content_lift
    assert use.lift.value == use.content_lift.value == 0
    assert use.changed is None or use.changed.value in (0.0, 50.0, 100.0)
    by_set = {name: [one for one in made if one.set == name and one.arm in ("library", "changed")] for name in "bw"}
    for both in by_set.values():
        assert not all(one.correct for one in both)
        assert [one.kept for one in both] == [False, both[0].correct]
    # Of two answers of which either is right behind one of the libraries, ln 2 is the least that a guess costs.
    loss = validation_loss(by_set["b"])
    assert loss is not None
    assert loss >= math.log(2)


def test_nothing_that_was_held_out_is_no_figure() -> None:
    assert validation_loss([]) is None
    assert curves([]) == {}

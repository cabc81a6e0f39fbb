"""Requests for function calls: toolboxes that are drawn, and read back from their documentation."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.firewall.tokens import NgramIndex
from pfe.icr.contexts import library
from pfe.icr.functions import catalogue
from pfe.problem import Problem
from pfe.tutors import content
from pfe.tutors.calling.requests import Asked, Requests
from pfe.tutors.calling.tools import Domain, Style, domain, domains, draw_tool, read_tool
from pfe.tutors.calling.values import kind, several
from pfe.tutors.content import table
from pfe.tutors.engines.call import Engine
from pfe.tutors.family import families_of
from pfe.tutors.generate import candidates
from pfe.tutors.wording import article
from tests.each import each

CALLED = re.compile(r"([A-Za-z]\w*)\(")
KINDS = [
    "date", "clock", "weekday", "month", "soon", "length", "money", "percent", "degrees", "weight", "distance",
    "volume", ["red", "blue"], {"choice": ["in progress", "done", "open"]},
    {"flag": ["with a gift", "<nicely |>wrapped"]}, {"count": [2, 14]}, {"count": [100, 900]}, {"code": "INV-{n}"},
    {"code": "<#|>{n}"}, {"quote": "message"}, {"list": "grocery"}, {"clock": [9, 17]}, {"money": [5, 80]},
]  # fmt: skip
seeds = st.integers(0, 2**32)


@cache
def shipped() -> Mapping[str, Domain]:
    """The domains of our own requests, by name."""
    return domains("fncall_synth")


@cache
def drawn() -> tuple[Problem, ...]:
    return tuple(candidates("fncall_synth", 600, seed=0, library_bound=0.4))


def kinds() -> dict[str, Any]:
    return {str(spec): spec for spec in [*KINDS, *table("vocabulary")]}


def called(problem: Problem) -> list[str]:
    return CALLED.findall(re.sub(r'"[^"]*"', '""', problem.answer))


def shape(problem: Problem) -> str:
    if problem.answer == "no call":
        return "none"
    lines = problem.answer.splitlines()
    if len(called(problem)) > len(lines):
        return "nested"
    return "several" if len(lines) > 1 else "one"


@pytest.mark.slow
@each(kinds)
@given(seed=seeds)
def test_a_value_agrees_with_every_form_it_is_written_in_and_no_other_value_does(spec: Any, seed: int) -> None:
    rng = Random(seed)
    values = kind(spec)
    text = values.draw(rng)
    value = values.value(text)
    assert {end for end, _ in values.said.match(text, 0, {})} >= {len(text)}
    form = values.form(rng, invented=rng.random() < 0.5)
    written = form.write(value)
    assert form.agrees(value, written)
    assert json.loads(json.dumps(written)) == written
    assert not form.codes or written in form.allowed
    assert values.form_of(form.note, form.allowed) == form
    other = values.value(values.draw(rng))
    assert form.agrees(other, written) == (form.write(other) == written)


@given(seeds)
def test_several_values_are_heard_one_by_one(seed: int) -> None:
    rng = Random(seed)
    cities = several(kind("city"))
    heard = cities.value(cities.draw(rng))
    assert 2 <= len(heard) == len(set(heard)) <= 3
    assert set(heard) <= set(table("vocabulary")["city"])


@each(shipped)
def test_no_value_that_a_call_writes_begins_with_an_article_or_a_sign(own: Domain) -> None:
    rng = Random(0)
    for role in own.roles:
        values = own.kind(role)
        for value in [*values.concepts, *(values.value(values.draw(rng)) for _ in range(12))]:
            texts = value if isinstance(value, tuple) else [value]
            assert [text for text in texts if re.match(r"(?:an?|the|some) |#", str(text))] == [], role


@pytest.mark.parametrize("name", ["date", "clock", "length"])
@given(seed=seeds)
def test_no_value_is_said_twice_in_other_words(name: str, seed: int) -> None:
    one = kind(name)
    said = several(one)
    heard = said.value(said.draw(Random(seed)))
    assert len({one.value(text) for text in heard}) == len(heard)


def test_two_things_are_asked_for_in_one_sentence_and_in_two() -> None:
    requests, rng = Requests(shipped()["numbers"]), Random(0)
    asked = [Asked("numbers", "root", {"number": "144"}), Asked("numbers", "factors", {"number": "486"})]
    texts = {requests.write(asked, rng) for _ in range(60)}
    assert all(requests.read(text) == asked for text in texts)
    assert any(re.search(r"144\? .*486", text) for text in texts)
    assert any(re.search(r"144,? and .*486", text) for text in texts)


@given(seeds)
def test_a_tool_is_read_back_from_its_documentation(seed: int) -> None:
    rng = Random(seed)
    own = rng.choice(list(shipped().values()))
    key = rng.choice(list(own.actions))
    ids = [role for role in own.actions[key].needs if own.roles[role].by not in ("", key)][:1]
    tool = draw_tool(own, key, Style.draw(rng), rng, said=(), ids=ids)
    assert read_tool(tool.text, own) == tool
    others = [other for other in shipped().values() if other is not own]
    assert read_tool(tool.text, rng.choice(others)) is None


def test_toolboxes_are_new_in_every_world() -> None:
    toolboxes = {problem.group: problem.functions for problem in drawn()}
    definitions = {function for functions in toolboxes.values() for function in functions}
    names = [json.loads(function)["name"] for function in definitions]
    assert len(shipped()) >= 36
    assert len(toolboxes) == len(drawn()) / 6
    assert len(definitions) > 0.95 * sum(map(len, toolboxes.values()))
    assert len(set(names)) > 0.8 * len(names)
    assert {len(problem.functions) for problem in drawn()} == {3, 4, 5, 6, 7, 8}


def test_about_half_of_the_toolboxes_have_invented_names() -> None:
    words = {word for own in shipped().values() for action in own.actions.values() for word in re.findall(
        r"[a-z]+", action.name)}  # fmt: skip
    plain = 0
    for problem in drawn():
        names = [json.loads(function)["name"] for function in problem.functions]
        plain += any(set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r"_\1", name).lower())) <= words for name in names)
    assert 0.4 * len(drawn()) < plain < 0.6 * len(drawn())


def test_kinds_of_requests_have_the_shares_of_the_benchmark() -> None:
    shares = {name: 100 * count / len(drawn()) for name, count in Counter(map(shape, drawn())).items()}
    wanted = {"one": 48, "several": 24, "nested": 16, "none": 12}
    assert all(abs(shares[name] - share) < 6 for name, share in wanted.items()), shares


def test_the_documentation_is_the_library_and_what_is_called_is_needed() -> None:
    for problem in drawn():
        shown = library("fncall.yaml", problem.functions).methods
        assert [text.strip() for text in shown] == [text.strip() for text in problem.library]
        names = [json.loads(function)["name"] for function in problem.functions]
        places = {names.index(name) for name in called(problem) if problem.answer != "no call"}
        assert places <= set(problem.needed)
        assert places == set(problem.needed) or problem.answer == "no call"


def test_no_function_that_the_benchmark_holds_out_is_on_offer() -> None:
    held_out = {name for name, function in catalogue().items() if function.held_out}
    assert len(held_out) == 15
    assert not held_out & {json.loads(function)["name"] for problem in drawn() for function in problem.functions}


def test_requests_are_english_as_people_type_it() -> None:
    faults = re.compile(
        r"\b(?:a|an|the|full) (?:a|an|the)\b|  | [,.?!]|\ba (?!uni|euro|one)[aeio]|\ban [bcdfgjklmpqrstvwxyz]"
        r"|\ba (?:8|11|18|8\d|8\d\d)\b(?!:)|\b(?!Thing)(\w+) \1\b|[{}<>|_]|\.\.|\?\.|\(\)"
    )
    for problem in drawn():
        asked = re.sub(r'"[^"]*"|\S+@\w+\.\w+|\w+\.\w+', "Thing", problem.question)
        assert not faults.search(asked), problem.question
        assert asked[0].isupper() or asked[0].isdigit(), problem.question


@each(shipped)
def test_an_article_before_a_slot_fits_whatever_stands_in_it(own: Domain) -> None:
    rng = Random(0)
    for action in own.actions.values():
        for text in (*action.do, *action.what, *action.whats, *action.ask, *action.passing):
            for written, role in re.findall(r"\b(an?) \{(\w+)\}", text):
                for value in {own.kind(role).draw(rng) for _ in range(80)}:
                    assert article(value) == f"{written} {value}", text


@pytest.mark.slow
def test_plausible_wrong_calls_are_among_the_candidates_and_refused() -> None:
    for problem in drawn()[:150]:
        family = families_of("fncall_synth")[problem.family]
        answers = list(family.candidates(problem))
        assert len(set(answers)) >= 2
        assert [answer for answer in answers if family.check(family.read(problem), answer)] == [problem.answer]


def test_what_is_changed_differs_by_kind() -> None:
    """Names, forms of values, defaults and orders change, not one of them alone."""
    changes: Counter[str] = Counter()
    for problem in drawn():
        for right, other in zip(problem.library, problem.variants[0].library, strict=True):
            if right != other:
                renamed = right.partition("(")[0] != other.partition("(")[0]
                described = sorted(right.splitlines()[2:]) != sorted(other.splitlines()[2:])
                changes["name" if renamed else "form or default" if described else "order"] += 1
    assert min(changes[what] for what in ("name", "form or default", "order")) > 20, changes


def test_requests_keep_away_from_the_benchmark() -> None:
    path = Path(__file__).parents[2] / "data/fncall/test.jsonl"
    canonical = [json.loads(line)["request"] for line in path.read_text(encoding="utf-8").splitlines()]
    index = NgramIndex(canonical, 5)
    scores = index.containment(index.count([problem.text for problem in drawn()])).score
    assert (scores > 0.3).mean() < 0.02


BAKERY = """
engine: call
roles:
  cake: {kind: [carrot cake, lemon tart, plum cake, apple pie], doc: what is baked, name: [cake, item]}
  ready: {kind: clock, doc: when it is ready, name: [ready_at, done_by], say: by _}
functions:
  bake: {does: Bakes a cake., name: <bake|make>_cake, do: ["bake <us |>the {cake}"], needs: [cake, ready]}
  price: {does: Returns the price., name: get_price, what: ["the price of the {cake}"], needs: [cake], each: cake}
  eat: {does: Serves a cake., name: serve_cake, do: ["serve the {cake}"], needs: [cake, people], may: [day]}
"""


def bakery(tmp_path: Path, old: str = "", new: str = "") -> Path:
    assert old in BAKERY
    path = tmp_path / "bakery_synth" / "bakery.yaml"
    path.parent.mkdir()
    path.write_text(BAKERY.replace(old, new) if old else BAKERY)
    return path


def test_a_family_is_a_file_of_a_dozen_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bakery(tmp_path)
    monkeypatch.setattr(content, "CONTENT", tmp_path)
    (family,) = families_of("bakery_synth").values()
    assert isinstance(family, Engine)
    problems = [family.make(seed=0, index=index) for index in range(40)]
    assert len({problem.question for problem in problems}) > 30
    for problem in problems:
        assert family.answer(problem, "read").answer == problem.answer
        assert family.answer(problem, "eliminate").answer == problem.answer


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "needs: [cake, ready]",
            "needs: [cake, redy]",
            r"functions\.bake\.needs: 'redy': unknown role; .*'ready'",
        ),
        ("kind: clock", "kind: clok", r"roles\.ready\.kind: unknown kind 'clok'; did you mean 'clock'"),
        ("say: by _", 'say: ""', r"functions\.bake: no sentence says all that it needs; give places in it to ready"),
        ("Serves a cake.", "Bakes a cake.", "two functions do the same by their words"),
        ("doc: when it is ready", "doc: what is baked", r"functions\.bake: two of its roles have one `doc`"),
        ('do: ["serve the {cake}"], ', "", r"functions\.eat: nobody asks for it"),
        ("say: by _", "says: by _", r"roles\.ready\.says"),
        ("each: cake", "near: [bakes]", r"functions\.price\.near: unknown function 'bakes'; did you mean 'bake'"),
        ("kind: clock", "kind: {clock: [23, 24]}", "no clock from 23 to 24"),
        (
            'the {cake}"], needs: [cake, people]',
            'the cake{/s} {cake}"], needs: [cake, people]',
            r"functions\.eat: '.*': says what it does of one or several; give the function `each`",
        ),
    ],
)
def test_a_mistake_in_a_file_is_told_with_file_and_key(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = bakery(tmp_path, old, new)
    with pytest.raises(UserError, match=rf"bakery\.yaml.*{words}"):
        _use(domain(path))


def test_requests_for_several_things_say_them_in_the_plural() -> None:
    families = [families_of("fncall_synth")[name] for name in ("cinema", "parcels", "shopping", "trains")]
    said = Counter(
        noun
        for family in families
        for index in range(48)
        for noun in re.findall(
            r"\b(?:ticket|order|parcel|invoice|flight|train)(s?) [A-Z#]*-?\d+,? (?:and )?[A-Z#]*-?\d",
            family.make(0, index).question,
        )
    )
    assert said["s"] > 5
    assert said[""] == 0


@each(shipped)
def test_questions_say_nothing_in_brackets(own: Domain) -> None:
    bracketed = {name for name, role in own.roles.items() if role.say.startswith("(")}
    for clause in (clause for clauses in Requests(own).asking.values() for clause in clauses):
        assert not bracketed & (clause.may - clause.always)


@each(shipped)
def test_every_word_of_the_content_is_used(own: Domain) -> None:
    used = {role for action in own.actions.values() for role in action.roles}
    assert {role for role in own.roles if role not in table("roles")} <= used
    requests = Requests(own)
    for key, action in own.actions.items():
        said = set().union(*(clause.may for clause in requests.clauses(key)))
        assert set(action.roles) <= said, f"{key}: nobody says {set(action.roles) - said}"


def _use(own: Domain) -> None:
    Requests(own)
    for role in own.roles:
        own.kind(role)

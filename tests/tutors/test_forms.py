"""Forms: every family's problems go into the form of their domain and back; what is no form is refused in words."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.problem import Domain, Problem
from pfe.scorers import SCORER_OF, score
from pfe.tutors.family import Family, families_of, synthetic_sets
from pfe.tutors.writing.forms import FORMS
from pfe.tutors.writing.prompt import Commission, commission, schema
from pfe.tutors.writing.reading import RefusedProblemError, read
from tests.each import each_family, problem_of

ID = "a_synth/mine/s0/1"
FILLED: dict[Domain, dict[str, Any]] = {
    "math": {"question": "Ann has 3 pens and buys 4. How many has she?", "steps": ["3 + 4 = 7 pens"], "answer": 7},
    "science": {
        "question": "Which tool measures air pressure?", "choices": ["barometer", "ruler", "balance", "thermometer"],
        "answer": "barometer", "explanation": "A barometer measures air pressure.",
    },
    "reading": {
        "passage": "Mina took the early boat, for the late one was full.", "question": "Why was Mina early?",
        "choices": ["The late one was full.", "She was late.", "It was cheaper.", "She was asked to."],
        "answer": "The late one was full.", "explanation": "The passage says so.",
    },
    "boolean": {
        "passage": "Lake Orm -- Lake Orm is a lake without fish.", "question": "are there fish in lake orm",
        "answer": "no", "explanation": "It is without fish.",
    },
    "commonsense": {
        "activity": "Washing up", "beginning": "She fills the sink with water. Then she",
        "choices": ["wipes a plate.", "eats the sink.", "dries the water.", "fills the plate with sinks."],
        "answer": "wipes a plate.", "explanation": "The others are impossible.",
    },
    "coreference": {
        "sentence": "Ann lent Bea her ladder because _ had a tall tree to prune.", "choices": ["Ann", "Bea"],
        "answer": "Bea", "explanation": "Who prunes needs it.",
    },
    "code": {
        "task": "Write a function to double a number.", "program": "def double(n):\n    return 2 * n",
        "tests": ["assert double(4) == 8", "assert double(0) == 0", "assert double(-1) == -2"], "explanation": "Twice.",
    },
    "function_call": {
        "request": "Dim the hall to a fifth.",
        "functions": [
            {
                "name": "dim", "description": "Dims a lamp.",
                "parameters": [
                    {"name": "room", "type": "str", "description": "which", "default": ""},
                    {"name": "percent", "type": "int", "description": "how bright", "default": "100"},
                ],
            },
            {"name": "ring", "description": "Rings.", "parameters": []},
        ],
        "calls": ['dim("hall", 20)'], "explanation": "A fifth is 20 percent.",
    },
    "format": {"task": "Write a, b and c on one line, commas between.", "answer": "a,b,c", "explanation": "As said."},
}  # fmt: skip


def wish(domain: Domain) -> Commission:
    return Commission(ID, domain, "Write a problem.", ())


def filled(domain: Domain, **changes: Any) -> str:
    return json.dumps(FILLED[domain] | changes)


def plain(set: str) -> list[Family]:
    return [family for family in families_of(set).values() if not family.library_bound]


BOUND = ("fncall_synth", "ladder_synth")  # all of their families are library-bound


@each_family(plain, *(set for set in synthetic_sets() if set not in BOUND))
def test_what_families_make_goes_into_a_form_and_back(family: Family) -> None:
    problem = problem_of(family, 3)
    form = FORMS[family.domain].of(problem)
    back = read(wish(family.domain), family.set, "mine", form.model_dump_json())
    for name in ("set", "domain", "question", "context", "answer", "tests"):
        assert getattr(back, name) == getattr(problem, name), (problem.id, name)
    assert sorted(back.choices) == sorted(problem.choices or back.choices), problem.id
    assert back.solution.endswith(f"\n#### {problem.answer}")
    assert (back.id, back.tutor, back.family, back.group) == (ID, "mine", "written", ID)


@pytest.mark.parametrize("domain", FORMS)
def test_a_form_that_is_filled_in_is_a_problem_whose_answer_is_right(domain: Domain) -> None:
    problem = read(wish(domain), "a_synth", "mine", filled(domain))
    assert score(SCORER_OF[domain], problem, problem.answer).correct
    assert problem.domain == domain
    assert problem.seed >= 0


@pytest.mark.parametrize(
    "text", ["Here you are:\n```json\n{}\n```\nEnjoy!", "```\n{}```", "Sure. {} Is that right?", "{}"]
)
def test_json_is_found_in_a_fence_and_among_words(text: str) -> None:
    assert read(wish("math"), "a_synth", "mine", text.replace("{}", filled("math"))).answer == "7"


CHOICES = ["barometer", "ruler", "balance", "thermometer"]


@pytest.mark.parametrize(
    ("domain", "changes", "reason"),
    [
        ("math", {"answer": "seven"}, "answer: input should be a valid integer"),
        ("math", {"answer": 7.5}, "answer: input should be a valid integer"),
        ("math", {"extra": 1}, "extra: extra inputs are not permitted"),
        ("math", {"question": "  "}, "question: string should have at least 1 character"),
        ("science", {"choices": [*CHOICES[:3], "Ruler"]}, "'ruler' and 'Ruler' are the same, so two would be right"),
        ("science", {"choices": CHOICES[:3]}, "4 choices, and there are 3"),
        ("science", {"answer": "a clock"}, "'a clock' is not one of the choices"),
        ("science", {"answer": ["barometer", "ruler"]}, "answer: input should be a valid string"),
        ("coreference", {"sentence": "Ann lent Bea her ladder."}, "one blank"),
        ("boolean", {"answer": "maybe"}, "answer: input should be 'yes' or 'no'"),
        ("code", {"program": "double = 2"}, "no Python that defines a function"),
        ("code", {"program": "def double(n:"}, "no Python that defines a function"),
        ("code", {"program": "def double(n):\n    return n"}, "the program does not pass its own tests"),
        ("code", {"tests": ["assert double(4) == 8"]}, "three tests or more, and there are 1"),
        ("code", {"tests": ["assert True"] * 3}, "it asks nothing of the program"),
        ("function_call", {"calls": ['dim("hall", brightness=20)']}, "the calls do not fit the functions on offer"),
        ("function_call", {"functions": FILLED["function_call"]["functions"][:1]}, "two functions or more on offer"),
    ],
)
def test_what_is_wrong_is_said_in_words_for_whoever_wrote_it(domain: Domain, changes: Any, reason: str) -> None:
    with pytest.raises(RefusedProblemError) as error:
        read(wish(domain), "a_synth", "mine", filled(domain, **changes))
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "reason"), [("", "nothing was written"), (" \n", "nothing was"), ("7", "no JSON object")]
)
def test_what_is_no_form_is_refused(text: str, reason: str) -> None:
    with pytest.raises(RefusedProblemError, match=reason):
        read(wish("math"), "a_synth", "mine", text)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)


@given(domain=st.sampled_from([name for name in FORMS if name != "code"]), data=st.data())
def test_whatever_is_written_is_a_problem_or_refused(domain: Domain, data: st.DataObject) -> None:
    keys = st.sampled_from(sorted(FILLED[domain]))
    value = FILLED[domain] | data.draw(st.dictionaries(keys, ANY_JSON, max_size=2))
    text = data.draw(st.sampled_from([json.dumps(value), json.dumps(value)[:-1], str(value)]))
    with suppress(RefusedProblemError):
        assert isinstance(read(wish(domain), "a_synth", "mine", text), Problem)


def test_the_place_of_the_right_choice_is_drawn_whatever_the_model_likes() -> None:
    places = set()
    for index in range(20):
        problem = read(Commission(f"a/m/s0/{index}", "science", "", ()), "a", "m", filled("science"))
        places.add(problem.choices.index("barometer"))
    assert places == {0, 1, 2, 3}


def test_a_request_shows_examples_of_different_families_and_is_the_same_for_the_same_id() -> None:
    first, second = (commission(f"arc_synth/mine/s0/{index}", "arc_synth", 0) for index in (1, 2))
    assert commission("arc_synth/mine/s0/1", "arc_synth", 0) == first
    assert first.text != second.text
    assert len({example.family for example in first.examples}) == 3
    assert all(json.dumps(example.question, ensure_ascii=False) in first.text for example in first.examples)
    assert not any(example.library_bound for example in first.examples)


@pytest.mark.parametrize("domain", FORMS)
def test_a_schema_is_one_that_servers_keep_to_strictly(domain: Domain) -> None:
    """Every object is closed, and every key of it required."""

    def objects(value: Any) -> Any:
        if isinstance(value, dict):
            if value.get("type") == "object":
                yield value
            for inner in value.values():
                yield from objects(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from objects(inner)

    found = list(objects(json.loads(schema(domain))))
    assert found
    for value in found:
        assert value["additionalProperties"] is False
        assert sorted(value["required"]) == sorted(value["properties"])

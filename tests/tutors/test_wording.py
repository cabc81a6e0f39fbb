from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.tutors.wording import Worded, article, counted, one_of, plural, wording

NOUNS = ("kite", "apple", "glass of milk", "hour", "child")
SOURCE = [
    "{name} <buys|<quickly |>gets> {n things}.",
    {"maybe": ["It rains.", "It <snows|is {t:d} degrees>."]},
    {"shuffled": ["There are {x:w} bells.", "{y:,} people came.", "Nobody saw {thing:a}."]},
    "It is {clock:t} and {k:x} as much <is|was> {part:f} <or|not> {other:q}.",
    {"paragraph": ["{name} has ${p:$}.", "{thing:A} is here \\<and costs ${p:$}\\>."]},
]
slots = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Ada", "Bo Lee"]),
        "n": st.integers(0, 2000),
        "things": st.sampled_from(NOUNS),
        "thing": st.sampled_from(NOUNS),
        "t": st.integers(-30, 40),
        "x": st.integers(0, 1000),
        "y": st.integers(0, 10**7),
        "p": st.integers(0, 500),
        "k": st.integers(2, 10),
        "clock": st.integers(0, 1439),
        "part": st.sampled_from([Fraction(1, 2), Fraction(3, 4), Fraction(1, 8), Fraction(2, 3), Fraction(7, 10)]),
        "other": st.fractions(0, 1, max_denominator=40).filter(lambda part: part.denominator > 1),
    }
)


@given(slots, st.integers(0, 2**32))
def test_what_is_written_is_read_back(values: dict[str, Any], seed: int) -> None:
    texts = wording(SOURCE, {"things": NOUNS, "thing": NOUNS})
    text = texts.write(values, Random(seed))
    read = texts.read(text)
    assert read.items() <= values.items()
    assert texts.names == set(values)
    assert "name" in read
    assert "things" in read


def test_every_text_has_a_number_and_all_are_different() -> None:
    texts = wording(["a <b|c <d|e>|>f", {"maybe": ["g", "h"]}, {"shuffled": ["i", "j"]}])
    written = [texts.text(number, {}) for number in range(texts.count)]
    assert texts.count == 4 * 3 * 2 == len(set(written))
    assert written[:3] == ["a bf g i j", "a bf g j i", "a bf h i j"]
    assert all(texts.read(text) == {} for text in written)


def test_wordings_are_drawn_as_from_a_list_of_all_of_them() -> None:
    texts = one_of(["<a|b> <c|d>", "e"])
    listed = ["a c", "a d", "b c", "b d", "e"]
    assert [texts.write({}, Random(seed)) for seed in range(50)] == [Random(seed).choice(listed) for seed in range(50)]


def test_times_of_day_and_fractions_are_written_as_people_do() -> None:
    texts = wording("{m:t}, {k:x}, {part:f}")
    assert texts.text(0, {"m": 0, "k": 2, "part": Fraction(1, 2)}) == "12:00 am, twice, half"
    assert texts.text(0, {"m": 785, "k": 3, "part": Fraction(2, 5)}) == "1:05 pm, three times, two fifths"


def test_a_slot_stands_for_the_same_both_times() -> None:
    texts = wording("{a} and {b}, then {a}")
    assert texts.read("x and y, then x") == {"a": "x", "b": "y"}
    for text in ("x and y, then y", "x and y", "x and y, then x."):
        with pytest.raises(ValueError, match="no wording gives"):
            texts.read(text)
    assert texts.read("x and y, then x", {"a": "x"})["b"] == "y"
    with pytest.raises(ValueError, match="no wording gives"):
        texts.read("x and y, then x", {"a": "z"})


def test_values_that_are_listed_are_read_in_the_form_they_are_written() -> None:
    texts = wording("{thing:a}, {other:s} and {name:C}", {"thing": NOUNS, "other": NOUNS, "name": ("the cat",)})
    assert texts.read("an hour, glasses of milk and The cat") == {
        "thing": "hour",
        "other": "glass of milk",
        "name": "the cat",
    }
    with pytest.raises(ValueError, match="no wording gives"):
        texts.read("a hour, glasses of milk and The cat")


@given(
    st.dictionaries(st.sampled_from(["who", "day", "n"]), st.just(None)).map(set),
    st.sampled_from(["Ada", "Bo Lee"]),
    st.integers(2, 9),
    st.integers(0, 2**32),
)
def test_what_is_given_is_said_in_any_order_and_nothing_else(said: set[str], who: str, n: int, seed: int) -> None:
    days = wording("{d:d} <May|June>")
    texts = wording(
        ["Book it", {"given": ["for {who}", "on {day}", "<for {n:d}|with {n:d} seats>"]}, "please."],
        {"who": ("Ada", "Bo Lee"), "day": Worded("day", days)},
    )
    values = {"who": who, "day": days.write({"d": n}, Random(seed)), "n": n}
    given = {name: value for name, value in values.items() if name in said}
    text = texts.write(given, Random(seed))
    assert texts.read(text) == given
    assert "  " not in text


def test_all_orders_of_what_is_given_are_written() -> None:
    texts = wording([{"given": ["a{x}", "b{y}", "c{z}"]}])
    written = {texts.write({"x": "1", "z": "3"}, Random(seed)) for seed in range(40)}
    assert written == {"a1 c3", "c3 a1"}
    assert texts.write({}, Random(0)) == ""


def test_the_value_of_a_slot_that_is_a_wording_is_its_text() -> None:
    texts = wording("on {day}, yes on {day}", {"day": Worded("day", wording("{d:d} <May|June>"))})
    assert texts.read("on 3 May, yes on 3 May") == {"day": "3 May"}
    for text in ("on 3 July, yes on 3 July", "on 3 May, yes on 4 May"):
        with pytest.raises(ValueError, match="no wording gives"):
            texts.read(text)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a <b", "'<' is not closed"),
        ("a > b", "'>' stands alone"),
        ("a | b", "'|' stands alone"),
        ("{1}", "is no slot"),
        ("{n foo}", "what foo may be is not listed"),
        ([], "expected a text or a list of places"),
        (["a", {"perhaps": "b"}], "family.yaml: 2: found {'perhaps': 'b'}"),
    ],
)
def test_a_mistake_in_a_wording_is_told_with_its_place(source: Any, words: str) -> None:
    with pytest.raises(UserError, match=r"family\.yaml") as error:
        wording(source, where="family.yaml")
    assert words in str(error.value)


def test_english_of_nouns() -> None:
    assert [*map(plural, NOUNS)] == ["kites", "apples", "glasses of milk", "hours", "children"]
    assert [*map(article, NOUNS)] == ["a kite", "an apple", "a glass of milk", "an hour", "a child"]
    assert counted(1, "child") == "1 child"
    assert counted(0, "child") == "0 children"


def test_a_wording_may_stand_where_a_slot_does() -> None:
    times = one_of(["on <Monday|Friday>", "at {n:d}"])
    texts = wording("It rained {time}.", {"time": times})
    assert texts.count == 3
    assert texts.names == {"n"}
    assert texts.read("It rained at 3.") == {"n": 3}
    with pytest.raises(UserError, match="time is a wording, which has no forms"):
        wording("{time:C} it rained.", {"time": times})


def test_verbs_are_written_and_read_in_their_forms() -> None:
    texts = wording("She {did:ed}, he has {done:en}.", {"did": ("take a nap", "swim"), "done": ("take a nap", "swim")})
    written = texts.text(0, {"did": "swim", "done": "take a nap"})
    assert written == "She swam, he has taken a nap."
    assert texts.read(written) == {"did": "swim", "done": "take a nap"}


@given(slots, st.integers(0, 2**32))
def test_varied_texts_are_texts_of_the_wording(values: dict[str, Any], seed: int) -> None:
    texts = wording(SOURCE, {"things": NOUNS, "thing": NOUNS})
    assert texts.read(texts.vary(values, Random(seed))).items() <= values.items()


def test_varied_texts_take_each_alternative_equally_often_however_many_texts_it_has() -> None:
    texts = wording("<a|b<1|2|3|4|5|6|7|8|9>>")
    varied = [texts.vary({}, Random(seed)) for seed in range(400)]
    assert 140 < varied.count("a") < 260


def test_a_value_at_the_end_of_a_text_is_matched_once() -> None:
    texts = wording("by {name}", {"name": ("Jo", "Johanna", "Jonathan")})
    assert [end for end, _ in texts.match("by Jo", 0, {})] == [5]


def test_the_longest_part_of_a_text_that_a_wording_gives_is_quoted() -> None:
    told = wording("was <tired|tired of it|ill>")
    assert told.part_of("Ada swas ill, but Ben was tired of it.") == "was tired of it"
    with pytest.raises(ValueError, match="no wording gives a part of"):
        told.part_of("Ada slept.")

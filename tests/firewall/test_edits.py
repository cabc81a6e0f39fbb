"""The gate `edits` where many canonical problems begin alike: a shared stem is no edited problem, an edited one is."""

import gzip
import json
from random import Random

import pytest

from pfe.calibration.attack import Donors, all_attacks
from pfe.embedding.encoder import Encoder
from pfe.firewall.batch import Batch
from pfe.firewall.gates import edits
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from tests.conftest import SHARED

THRESHOLD = 0.3
STEMS = ("Write a function to find the ", "Which of the following best explains the ")
TASKS = (
    *("median depth of a reservoir.", "largest gap between two dates.", "slope of a roof in degrees."),
    *("number of vowels in a paragraph.", "second heaviest parcel.", "average wait at a bus stop."),
    *("first repeated badge number.", "distance from a point to a plane.", "sum of odd invoices."),
    *("longest run of sunny days.", "perimeter of a garden plot.", "mode of a survey column."),
    *("cheapest train ticket.", "shortest path through a maze.", "volume of a barrel in litres."),
    *("missing page of a book.", "nearest prime above a bound.", "difference of two sets of keys."),
    *("area of a kite from its diagonals.", "angle between clock hands.", "day of the week of a letter."),
    *("most common word of a poem.", "range of a thermometer log.", "next leap year after a date."),
)
OTHER_TASKS = (
    *("median household size in a list of census records.", "largest crater on a map.", "average of three marks."),
    *("longest palindrome in a headline.", "number of tiles for a floor.", "capital of a country code."),
    *("checksum of a parcel label.", "tallest tower in a skyline.", "price of a shopping basket."),
)


def problem(id: str, text: str) -> Problem:
    return Problem(id, "c", "code", text, "")


@pytest.fixture(scope="module")
def reference() -> Reference:
    texts = [stem + task for stem in STEMS for task in TASKS]
    return Reference([problem(f"c/{n}", text) for n, text in enumerate(texts)], Encoder("all-MiniLM-L6-v2"), 5)


def rejected(texts: list[str], reference: Reference) -> list[str | None]:
    """The canonical problem for which each text is rejected, None if it passes."""
    matches = edits.GATE.measure(Batch([problem(f"s/{n}", text) for n, text in enumerate(texts)], reference))
    failed = edits.GATE.fails(matches, THRESHOLD)
    return [reference.ids[index] if fails else None for index, fails in zip(matches.index, failed, strict=True)]


@pytest.mark.parametrize("stem", STEMS)
def test_a_stem_that_many_problems_share_rejects_nothing(stem: str, reference: Reference) -> None:
    assert rejected([stem + task for task in OTHER_TASKS], reference) == [None] * len(OTHER_TASKS)


@pytest.mark.parametrize("kind", ["typos", "disguised_typos", "words_10", "words_20", "case", "whitespace", "verbatim"])
def test_an_edited_problem_is_found_as_often_as_without_stems(
    kind: str, reference: Reference, monkeypatch: pytest.MonkeyPatch
) -> None:
    donors = Donors(("Seven brass lamps hang over an old wooden table near the cold north window of her attic.",))
    attacked = [all_attacks()[kind](canonical, donors, Random(canonical.id)) for canonical in reference.canonical]
    texts = [changed.text if changed else "" for changed in attacked]
    originals = [canonical.id for canonical in reference.canonical]
    found = rejected(texts, reference)
    missed = {original for original, match in zip(originals, found, strict=True) if match != original}
    monkeypatch.setattr(edits, "MANY", len(originals) + 1)  # no beginning is a stem
    whole = rejected(texts, Reference(reference.canonical, reference.encoder, 5))
    missed_before = {original for original, match in zip(originals, whole, strict=True) if match != original}
    assert len(missed - missed_before) <= (kind == "words_20")


def test_fewer_problems_with_a_beginning_make_no_stem(reference: Reference) -> None:
    few = Reference(reference.canonical[: edits.MANY - 1], reference.encoder, 5)
    assert set(edits.stems(few)) == {0}
    letters = "Writeafunctiontofindthe"
    assert min(edits.stems(reference)) >= len(letters)
    again = [*reference.canonical[: edits.MANY - 1], problem("c/x", "Write a function that waits.")]
    assert set(edits.stems(Reference(again, reference.encoder, 5))) == {len("Writeafunctiont")}


def test_mbpp_s_stem_does_not_reject_the_false_positive() -> None:
    """The median household size, against "Write a function to find the median of a trapezium."."""
    path, case = SHARED / "canonical/mbpp/test.jsonl.gz", SHARED / "cases/edits_false_alarm.jsonl"
    if not (path.is_file() and case.is_file()):
        pytest.skip("no ../shared here: real text is not compared")
    with gzip.open(path, "rt") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    near = [text for text in texts if "median" in text or "size" in text or "list" in text]
    mbpp = Reference([problem(f"c/{n}", text) for n, text in enumerate(near)], Encoder("all-MiniLM-L6-v2"), 5)
    assert rejected([json.loads(line)["text"] for line in case.read_text().splitlines()], mbpp) == [None]

"""What made a careful reader doubt a key, in the families where it stood: two facts at odds, two meanings of a word."""

import re

import pytest

from pfe.problem import Problem
from pfe.tutors.family import families_of
from tests.each import problems_of


def texts_of(set: str, name: str, count: int = 60) -> list[str]:
    return [f"{problem.context} {problem.question}" for problem in problems_of(families_of(set)[name], count)]


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("television", r"(?:made up|invented) for|not taken from a book", r"really lived|life of a real"),
        ("animal", r"lives (?:alone|by itself)", r"in groups of \w+ or more|by older sisters|by the whole family"),
        ("food", r"free of wheat|contains no wheat", r"is there flour in|is there wheat flour or"),
        ("food", r"No meat, fish or animal fat", r"butter"),
        ("town", r"No (?:railway|line) was ever", r"Before the railway came"),
        ("school", r"^\S+ College --", r"is (?:a separate school|another institution)"),
        ("book", r"drowns|dies of a fever|freezes to death", r"took up the story of (?!the same)"),
        ("company", r"another firm|a different firm", r"related to"),
    ],
)
def test_a_passage_says_no_two_things_that_cannot_both_be_so(name: str, one: str, other: str) -> None:
    assert [text for text in texts_of("boolq_synth", name) if re.search(one, text) and re.search(other, text)] == []


def test_what_is_eaten_in_a_passage_is_what_is_asked_about() -> None:
    covers_berries = re.compile(r"[Bb]erries|[Aa]ll parts|[Ee]very part|[Tt]he (?:whole|entire) plant")
    problems = problems_of(families_of("boolq_synth")["plant"], 60)
    asked = [problem for problem in problems if "berries" in problem.question]
    assert [problem.context for problem in asked if not covers_berries.search(problem.context)] == []


@pytest.mark.parametrize(
    ("name", "doubtful"),
    [
        # The way that a choice tells must not be another choice, too.
        ("wrong_train", r"offered a lift|dreamt of since|sacks in a mill|with \w+ (?:bats|owls)"),
        ("lost_animal", r"with [A-Z]\w+(?: \w+)?'s picture on it|the cellar of the (?:bakery|restaurant|market)"),
        ("study", r"The hospital of"),
        ("pen_letter", r"had driven into"),
        ("local_news", r"opened in the floor"),
    ],
)
def test_what_a_passage_tells_fits_one_choice_only(name: str, doubtful: str) -> None:
    assert [text for text in texts_of("race_synth", name) if re.search(doubtful, text)] == []


def test_a_crown_on_a_kitten_is_the_one_that_is_too_big() -> None:
    texts = texts_of("winogrande_synth", "size_and_fit", 120)
    assert [text for text in texts if re.search(r"looked (?:silly|odd) on", text)] == []


WHOLE_WEEK = re.compile(r"every day\b|without a day off|all seven|seven (?:working|such) days")


def weekly(problem: Problem) -> bool:
    """Return whether a solution takes a week for seven days."""
    asked = re.split(r"(?<=[.?!]) ", problem.question)[-1]
    return bool(re.search(r"\bweeks?\b|\bweekly\b", asked)) and bool(re.search(r"\* ?7=", problem.solution))


def test_a_week_of_work_has_the_days_that_the_question_says() -> None:
    for name in ("daily_making", "work_by_the_hour"):
        asked = [problem for problem in problems_of(families_of("gsm1k_synth")[name], 150) if weekly(problem)]
        assert asked
        assert [problem.question for problem in asked if not WHOLE_WEEK.search(problem.question)] == []


def test_no_word_of_a_sum_stands_for_two_things() -> None:
    """Of whom: "each of them" of some that were sold; "6 of them" of a pound of plums; "10 more" than which day."""
    doubtful = re.compile(
        r"\bEach of them gives|\ba (?:pound|bag|box|bunch) of [a-z ]+ costs \$\d+\. \w+ bought \d+ of them"
        r"|\bThe next day, s?he \w+ \d+ more\.|\d+% of them \w|\d+ of them (?:leave|go home|left)\b",
    )
    families = ("farm_animals", "shopping_trip", "work_by_the_hour", "people_in_groups", "before_and_after")
    texts = [text for name in families for text in texts_of("gsm1k_synth", name)]
    assert [text for text in texts if doubtful.search(text)] == []


def test_a_helper_s_work_counts_only_where_the_sum_counts_it() -> None:
    for text in texts_of("gsm1k_synth", "daily_making", 120):
        if match := re.search(r"'s ([a-z -]+) (?:used to )?[a-z]+s? \d+ [a-zA-Z ]+ (?:a|each|per) day\. ", text):
            assert "used to" in match[0], text


def test_a_place_is_not_named_after_its_kind() -> None:
    names = [problem.question for problem in problems_of(families_of("arc_synth")["rock_layers"], 80)]
    assert [text for text in names if re.search(r"\b([A-Z]\w+) \1\b", text)] == []

"""A problem with its arms: beside each other where there is room, folded, and untrusted to the last character."""

from io import StringIO

import pytest
from rich.console import Console

from pfe.icr.prefix import Prefix
from pfe.problem import Problem, ScoredPrediction, Variant
from pfe.report.show import ArmAnswer, Page, figures
from tests.scores.made import predictions

EVIL = "[red]no[/red] \x1b[2Jmarkup \u202ehere"
PROBLEM = Problem("arc_easy/0", "arc_easy", "science", f"Which? {EVIL}", "barometer", choices=("barometer", EVIL))
LIBRARY = Prefix("[SCIENCE FACT LIBRARY]\n\n", ("Water boils.\n\n", "Ice melts.\n\n"), "[PROBLEM]\n")


def answered(arm: str, right: bool = True, **more: object) -> ArmAnswer:
    (row,) = predictions({arm: [right]})
    values = {**vars(row), "scores": (-7.2, -6.9), **more}
    prefix = Prefix() if arm == "canonical" else LIBRARY
    prompt = f"{prefix.text}Question: Which? {EVIL}\nAnswer:"
    return ArmAnswer(ScoredPrediction(**values), prompt, (" barometer", f" {EVIL}"), prefix, "barometer")


ARMS = [answered("canonical", False), answered("icr"), answered("placebo", dropped=3), answered("format")]


def shown(width: int, page: Page, soft: bool = False) -> str:
    console = Console(width=width, file=StringIO(), markup=False, highlight=False, emoji=False, force_terminal=True)
    with console.capture() as captured:
        console.print(page, soft_wrap=soft)
    return captured.get()


@pytest.mark.parametrize(("width", "beside"), [(60, 1), (100, 2), (190, 4)])
def test_as_many_arms_stand_beside_each_other_as_fit(width: int, beside: int) -> None:
    lines = shown(width, Page(PROBLEM, ARMS, "fixed")).splitlines()
    titles = [line.count("right") + line.count("wrong") for line in lines]
    assert [count for count in titles if count] == [beside] * (4 // beside)
    assert all(len(Console().render_str(line, markup=False)) <= width for line in lines if "\x1b" not in line)


def test_the_library_is_its_name_and_size_unless_all_is_asked_for() -> None:
    folded = shown(60, Page(PROBLEM, ARMS))
    assert "[SCIENCE FACT LIBRARY], icr: 2 methods, 7 words" in folded
    assert "placebo: 2 of 5 methods" in folded
    assert "Water boils." not in folded
    assert shown(60, Page(PROBLEM, ARMS, full=True)).count("Water boils.") == 3


def test_the_gold_answer_the_reading_and_the_end_are_told() -> None:
    contradicted = Variant("contradicted", ("Rulers measure air.",), "ruler", "barometer")
    problem = Problem(**{**vars(PROBLEM), "variants": (contradicted,)})
    cut = answered("canonical", False, stop="length", scores=(), output="a ruler", strict="7", strict_correct=True)
    other = ArmAnswer(
        ScoredPrediction(**{**vars(answered("contradicted").row), "otherwise": True}), "", (), LIBRARY, "ruler"
    )
    text = shown(80, Page(problem, [cut, other], "broken"))
    for words in (
        "Gold: ",
        "● barometer",
        "a ruler",
        "cut off: no more tokens",
        "strictly '7', right",
        "right here: 'ruler'",
    ):
        assert words in text.replace("\x1b[0m", "").replace("\x1b[2m", "").replace("\x1b[32m", ""), words


@pytest.mark.parametrize("width", [60, 190])
def test_nothing_of_a_stranger_s_text_is_obeyed(width: int) -> None:
    text = shown(width, Page(PROBLEM, [answered("icr", stop="end", scores=(), output=EVIL, extracted=EVIL)] * 3))
    assert "[red]no[/red]" in text
    assert "\x1b[2J" not in text
    assert "\u202e" not in text
    assert "\\x1b[2J" in text


def test_in_a_pipe_no_line_is_broken() -> None:
    long = Problem(**{**vars(PROBLEM), "question": "word " * 100})
    text = shown(80, Page(long, [answered("icr", stop="end", scores=(), output="word " * 100)]), soft=True)
    assert sum(line.count("word") == 100 for line in text.splitlines()) == 2


def test_for_programs_the_prompt_is_whole_and_the_library_named() -> None:
    _, icr, *_ = figures(PROBLEM, ARMS, "fixed")["answers"]
    assert icr["prompt"].startswith(LIBRARY.text)
    assert icr["library"] == "[SCIENCE FACT LIBRARY], icr: 2 methods, 7 words"
    assert icr["gold"] == "barometer"

"""What each scorer accepts and refuses, case by case."""

from typing import get_args

import pytest

from pfe.problem import Domain, Problem, Scorer
from pfe.scorers import SCORERS, Score, score
from pfe.scorers.alias import normalise
from pfe.scorers.choice import best, best_per_character


def problem(answer: str, domain: Domain = "math", **fields: tuple[str, ...]) -> Problem:
    return Problem("a/1", "a", domain, "A question?", answer, **fields)  # type: ignore[arg-type]


def test_every_scorer_that_can_be_named_is_there() -> None:
    assert set(SCORERS) == set(get_args(Scorer))


@pytest.mark.parametrize(
    ("output", "read", "strict"),
    [
        ("18", "18", ""),
        ("#### 18", "18", "18"),
        ("####18", "18", ""),
        ("9 * 2 = <<9*2=18>>18\n#### $18.00\nAnd 3 more.", "18", ""),
        ("#### 18.00 dollars", "18", "18.00"),
        ("#### 1,234.", "1234", "1234"),
        ("#### -3", "-3", "-3"),
        ("#### none\n#### 5", "5", "5"),
        ("#### 5\n\nQ: And?\nA: #### 6", "5", "5"),
        ("##### 7 apples in 3 days", "7", "7"),
        ("It costs $29.00.", "29", ""),
        ("18.0", "18", ""),
        ("18...", "18", ""),
        ("1,234", "1234", ""),
        ("1,234,567.50 dollars", "1234567.5", ""),
        ("1 200", "1200", ""),
        ("1\u00a0200\u202f000 people", "1200000", ""),
        ("-3", "-3", ""),
        ("x = −3", "-3", ""),
        ("-$3", "-3", ""),
        ("10-3", "3", ""),
        ("the total is 18.", "18", ""),
        (".5", "0.5", ""),
        ("007", "7", ""),
        ("-0", "0", ""),
        ("5€", "5", ""),
        ("50%", "50", ""),
        (r"so \boxed{18} after 2 steps", "18", ""),
        (r"\boxed{1{,}200\text{ m}}", "1200", ""),
        (r"\boxed{\$1\,200}", "1200", ""),
        (r"first \boxed{1}, then \boxed{2}", "2", ""),
        (r"\boxed{x}, so 4", "4", ""),
        ("The answer is 18. That took 2 steps.", "18", ""),
        ("Answer: **$1,200** in 3 months", "1200", ""),
        ("The answer is 9 * 2 = 18 in 3 days", "18", ""),
        ("The answer is 18 - no, 20.", "20", ""),
        ("the answer = -3, not 3", "-3", ""),
        ("18\n\nQuestion: Tom has 5 figs.", "18", ""),
        ("18 Question: Tom has 5 figs.", "18", ""),
        ("18\nQ: Tom has 5 figs.", "18", ""),
        ("18\n\n[PROBLEM]\nTom has 5 figs.", "18", ""),
        ("18<|im_end|>\n<|im_start|>user\n5", "18", ""),
        ("18</s> 5", "18", ""),
        ("Question: Tom has 5 figs.", "5", ""),
        ("no number", "", ""),
        ("#### ...", "", ".."),
        ("The answer is 9 x 2, so 18.", "18", ""),
        ("The answer is 18/hour", "18", ""),
        ("", "", ""),
    ],
)
def test_number_is_read_and_read_strictly(output: str, read: str, strict: str) -> None:
    wanted = Score(read != "", read, strict=strict, strict_correct=strict == (read or "1"))
    assert score("number", problem(read or "1"), output) == wanted


@pytest.mark.parametrize("output", ["18.01", "-18", "181", "1,8", "18 or 19"])
def test_another_number_is_wrong(output: str) -> None:
    assert not score("number", problem("18"), output).correct


def test_numbers_are_compared_exactly() -> None:
    assert not score("number", problem("10000000000000001"), "10000000000000002").correct
    assert score("number", problem("0.1"), "0.10").correct


TOOLS = ("barometer", "a ruler", "B", "Air pressure.")


@pytest.mark.parametrize(
    ("output", "named"),
    [
        ("barometer", "barometer"),
        (" Barometer.\n", "barometer"),
        ("A  RULER", "a ruler"),
        ("A", "barometer"),
        ("(A)", "barometer"),
        ("A.", "barometer"),
        ("A)", "barometer"),
        ("**A**", "barometer"),
        ("Answer: A", "barometer"),
        ("The answer is (A).", "barometer"),
        ("The correct answer is barometer", "barometer"),
        ("A. barometer", "barometer"),
        ("(D) air pressure", "Air pressure."),
        ("B", "B"),
        ("C", "B"),
        ("A\nBecause it measures pressure.", "barometer"),
        ("A. barometer, since it measures pressure", "barometer"),
        ("(A) because it measures pressure", "barometer"),
        ("(A) a ruler measures length", ""),
        ("A because it measures pressure", "barometer"),
        ("**(A)** barometer", "barometer"),
        ("Let me see. A ruler will not do. So the answer is **(D)**, I think.", "Air pressure."),
        ("The answer is (A). No: the answer is (D).", "Air pressure."),
        ("**Answer:** barometer", "barometer"),
        ("A</s>", "barometer"),
        ("(A)\n\n[PROBLEM]\nWhich tool", "barometer"),
        ("barometer\n\nQuestion: Which tool", "barometer"),
        ("A. a ruler", ""),
        ("E", ""),
        ("a", "barometer"),
        ("barometer or ruler", ""),
        ("", ""),
    ],
)
def test_choice_is_named(output: str, named: str) -> None:
    for answer in TOOLS:
        wanted = Score(named == answer, named)
        assert score("choice", problem(answer, "science", choices=TOOLS), output) == wanted


def test_choices_that_differ_only_in_case_are_told_apart() -> None:
    both = problem("US", "science", choices=("us", "US"))
    assert score("choice", both, "US").correct
    assert not score("choice", both, "us").correct


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ("yes", "yes"), ("No.", "no"), ("TRUE", "yes"), ("false, since", "no"), ("I know. No, yes", "no"),
        ("Answer: yes\nno", "yes"), ("nothing", ""), ("", ""), ("It is not true.", "no"), ("not false", "yes"),
        ("Yes or no? No.", "no"), ("true/false: false", "no"), ("yes<|im_end|>", "yes"),
        ("unclear\nQuestion: is it true?", ""), ("yesterday, nobody", ""), ("YES!", "yes"),
    ],
)  # fmt: skip
def test_boolean_is_the_first_such_word(output: str, read: str) -> None:
    assert score("boolean", problem("yes", "boolean"), output) == Score(read == "yes", read)
    assert score("boolean", problem("no", "boolean"), output) == Score(read == "no", read)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The Beatles", "beatles"),
        ("an  apple a day", "apple day"),
        ("Rock-'n'-Roll!", "rock n roll"),
        ("snake_case", "snake case"),
        ("O’Hara", "o hara"),
        ("theatre", "theatre"),
        ("The The", "the the"),
    ],
)
def test_names_are_normalised_as_triviaqa_does(text: str, normal: str) -> None:
    assert normalise(text) == normal


@pytest.mark.parametrize(
    ("output", "correct"),
    [
        ("Oslo", True), ("the oslo.", True), ("\nChristiania\nBergen", True), ("Bergen\nOslo", False),
        ("Oslo, Norway", False), ("", False), ("!", False), ("Oslo</s>", True), ("Oslo\n[PROBLEM]", True),
    ],
)  # fmt: skip
def test_alias_or_answer_in_the_first_line(output: str, correct: bool) -> None:
    oslo = problem("Oslo", "factual", aliases=("Christiania", "..."))
    assert score("alias", oslo, output).correct is correct


@pytest.mark.parametrize(
    ("scores", "choices", "summed", "normed"),
    [
        ((-4.0, -6.0), ("ab", "abcd"), 0, 1),
        ((-4.0, -8.0), ("ab", "abcd"), 0, 0),  # the first of equals
        ((-3.0, -3.0, -2.0), ("a", "b", "c"), 2, 2),
        ((-1.0, -1.0), ("", "é"), 0, 1),
        ((-1.0,), ("",), 0, 0),
        ((-2.0, -1.5), ("ee", "é"), 1, 0),  # characters, not bytes
    ],
)
def test_the_best_choice_by_sum_and_per_character(
    scores: tuple[float, ...], choices: tuple[str, ...], summed: int, normed: int
) -> None:
    assert best(scores) == summed
    assert best_per_character(scores, choices) == normed


DOUBLE = "def double(n):\n    return 2 * n\n"


@pytest.mark.parametrize(
    "output",
    [
        DOUBLE,
        f"```python\n{DOUBLE}```",
        f"Here you are:\n```\n{DOUBLE}```\nIt doubles.\n```python\n1 / 0\n```",
        f"```python\n{DOUBLE}",
        f"[BEGIN]\n{DOUBLE}[DONE]\nYou are an expert",
        f"{DOUBLE}[DONE]\n1 / 0",
        f"[BEGIN]\n```python\n{DOUBLE}```\n[DONE]",
        DOUBLE.replace("\n", "\r\n"),
        f'{DOUBLE}mark = "[DONE]"\n',
    ],
)
def test_a_program_is_found_and_passes(output: str) -> None:
    assert score("program", problem(DOUBLE, "code", tests=("assert double(4) == 8",)), output).correct


@pytest.mark.parametrize("output", ["", "def double(n): return n", "Sorry, I cannot.", "raise SystemExit", "\0"])
def test_another_program_is_wrong(output: str) -> None:
    assert not score("program", problem(DOUBLE, "code", tests=("assert double(4) == 8",)), output).correct


def test_without_tests_no_program_is_right() -> None:
    assert not score("program", problem(DOUBLE, "code"), DOUBLE).correct


@pytest.mark.parametrize(
    ("answer", "output", "correct"),
    [
        ("a,b\n1,2", "a,b\r\n1,2\n", True),
        ("a,b\n1,2", "```csv\na,b\n1,2\n```", True),
        ("a,b\n1,2", "~~~csv\na,b\n1,2\n~~~", True),
        ("a,b\n1,2", "```csv\na,b\n1,2\n```<|im_end|>\n", True),
        ("a,b\n1,2", "a,b\n1,2</s>", True),
        ("a,b\n1,2", "a,b\n1, 2", False),
        ("a,b\n1,2", "Here it is:\na,b\n1,2", False),
        ("- a\n  - b", "- a\n- b", False),
        ('{"n": 2, "ok": true}', '{\n  "ok": true,\n  "n": 2.0\n}', True),
        ('{"n": 2, "ok": true}', '```json\n{"n": 2, "ok": true}\n```', True),
        ('{"n": 2, "ok": true}', '{"n": 2, "ok": 1}', False),
        ('{"n": 2, "ok": true}', '{"n": "2", "ok": true}', False),
        ('{"n": 2, "ok": true}', "{'n': 2, 'ok': True}", False),
        ('{"n": 2, "ok": true}', '{"n": 2, "ok": true} {}', False),
        ("[1, null]", "[1, NaN]", False),
        ("[1, null]", "[1, null]", True),
        ("[]", "{}", False),
        ("[1]", "[1, 1]", False),
        ("2", "2.0", False),
        ("yes", "", False),
    ],
)
def test_format_is_compared_as_text_or_as_json(answer: str, output: str, correct: bool) -> None:
    assert score("format", problem(answer, "format"), output).correct is correct

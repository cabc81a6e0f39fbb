"""The arithmetic of annotated solutions."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pfe.problem import Problem
from pfe.quality.operations import covered, sequence, sequences, steps_of

PROBLEM = Problem("gsm/1", "gsm", "math", "How many?", "33")


def solved(*expressions: str) -> Problem:
    return replace(PROBLEM, solution=" then ".join(f"{text} = <<{text}=0>>0" for text in expressions))


def test_a_sequence_is_the_operations_step_by_step_without_signs() -> None:
    assert sequence(solved("5*6", "30 + 4 - 1")) == ("*", "+-")
    assert sequence(solved("-5*6", "4*(-2)", "(1/2)*.5")) == ("*", "*", "/*")
    assert sequence(PROBLEM) == ()


def test_steps_are_counted_and_few_ones_are_a_share() -> None:
    figures = steps_of([solved("5*6"), solved("5*6", "3+4"), solved("1+1", "2+2", "3+3"), PROBLEM])
    assert figures is not None
    assert (figures.n, figures.mean, figures.sequences) == (3, 2, 3)
    assert (figures.few.value, figures.few.n) == (100 * 2 / 3, 3)
    assert figures.distribution == {"1": 100 / 3, "2": 100 / 3, "3": 100 / 3}


def test_what_is_no_math_has_no_steps() -> None:
    assert steps_of([replace(solved("5*6"), domain="code")]) is None


def test_real_problems_are_covered_whatever_the_order_of_their_operations() -> None:
    share = covered([solved("5*6", "3+4"), solved("8/2"), PROBLEM], sequences([solved("3+4", "5*6")]))
    assert share is not None
    assert (share.value, share.n) == (50, 2)
    assert covered([PROBLEM], sequences([solved("1+1")])) is None


@given(st.lists(st.lists(st.sampled_from(["1+2", "3-1", "2*2", "4/2", "1+2*3"]), max_size=4), max_size=8))
def test_every_set_covers_itself(solutions: list[list[str]]) -> None:
    problems = [solved(*expressions) for expressions in solutions]
    share = covered(problems, sequences(problems))
    assert share is None or share.value == 100

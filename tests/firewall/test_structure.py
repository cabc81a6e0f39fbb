from fractions import Fraction

import pytest

from pfe.firewall.structure import numbers, operations, twins
from pfe.problem import Problem


def math(question: str, answer: str, solution: str = "") -> Problem:
    return Problem("m/1", "m", "math", question, answer, solution=solution)


def code(*tests: str) -> Problem:
    return Problem("c/1", "c", "code", "Write a function", "def f(): ...", tests=tests)


SUM, PRODUCT = "3 + 4 = <<3+4=7>>7", "3 * 4 = <<3*4=12>>12"


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        (math("Ann has 3 pens and buys 4", "7", SUM), math("4 birds join 3 birds", "7", "4+3 = <<4+3=7>>7"), True),
        (math("Ann has three pens and buys 4", "7", SUM), math("4 birds join 3 birds", "7.0", SUM), True),
        (math("Ann has 3 pens and buys 4", "7", SUM), math("3 rows of 4", "7", PRODUCT), False),
        (math("Ann has 3 pens and buys 5", "8", SUM), math("4 birds join 3 birds", "7", SUM), False),
        (math("Ann has 3 pens and buys 4", "7", SUM), math("4 birds join 3 birds", "7"), True),
        (math("Ann has some pens", "7"), math("Birds join birds", "7"), False),
        (code("assert f([1, 2]) == 3"), code("assert f([1,2])==4"), True),
        (code("assert f([1, 2]) == 3"), code("assert g([1, 2]) == 3"), False),
        (code("assert f(1) == 3", "assert f(2) == 3"), code("assert f(2) == 0", "assert f(1) == 0"), True),
        (code("assert set(f(1)) == {3}"), code("assert f(1) == 3"), True),
        (code("not python ("), code("not python ("), True),
    ],
)
def test_structures_are_compared(ours: Problem, theirs: Problem, same: bool) -> None:
    assert (twins([ours], [theirs]) == [0]) is same


def test_problems_of_other_domains_have_no_structure() -> None:
    science = Problem("s/1", "s", "science", "Which 3 of 4?", "7")
    assert twins([science], [science]) == [-1]
    assert twins([math("3 and 4", "7")], [science]) == [-1]


def test_numbers_are_read_as_values() -> None:
    assert numbers("$1,200.50 for twelve at 3 each") == {Fraction("1200.5"), Fraction(12), Fraction(3)}


def test_operations_are_those_of_the_annotations() -> None:
    assert operations("<<(3+4)*2=14>> and 5-1 outside") == frozenset("+*")
    assert operations("no steps") is None

"""The structural check: what counts as the same problem under other words."""

import pickle
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.firewall.numerals import numbers, value
from pfe.firewall.structure import SameAnswer, Twin, Twins, missing, operations
from pfe.problem import Problem
from pfe.tutors.family import Family, families_of
from tests.each import each


def math(question: str, answer: str, solution: str = "") -> Problem:
    return Problem("m/1", "m", "math", question, answer, solution=solution)


def code(*tests: str, program: str = "def f(): ...") -> Problem:
    return Problem("c/1", "c", "code", "Write a function", program, tests=tests)


SUM, PRODUCT = "3 + 4 = <<3+4=7>>7", "3 * 4 = <<3*4=12>>12"
SCIENCE = Problem("s/1", "s", "science", "Which 3 of 4?", "7")


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        (math("Ann has 3 pens and buys 4", "7", SUM), math("4 birds join 3 birds", "7", "4+3 = <<4+3=7>>7"), True),
        (math("Ann has three pens and buys 4", "7", SUM), math("4 birds join 3 birds", "$7.0", SUM), True),
        (math("Ann has 3 pens and buys 4", "7", SUM), math("4 birds join 3 birds", "7", "3 plus 4 is 7."), True),
        (math("Ann has 3 pens and buys 4", "7", SUM), math("3 rows of 4", "7", PRODUCT), False),
        (math("Ann has 3 pens and buys 5", "8", SUM), math("4 birds join 3 birds", "7", SUM), False),
        (math("Ann has 3 pens and buys 4", "7", SUM), math("4 birds join 3 birds", "-7", SUM), False),
        (math("Ann has some pens", "7", SUM), math("Birds join birds", "7", SUM), True),
        (math("Ann has some pens", "x + y"), math("Birds join birds", "X  + y"), True),
        (code("assert f([1, 2]) == 3"), code("assert f([1,2])==4"), True),
        (code("assert f('a', b=1, c=0x10) == 3"), code('assert f("a", c=16, b=1)'), True),
        (code("assert f({1, 2}, {'a': 1, 'b': 2})"), code("assert f({2, 1}, {'b': 2, 'a': 1})"), True),
        (code("assert f([1, 2]) == 3"), code("assert f([2, 1]) == 3"), False),
        (code("assert f((1, 2)) == 3"), code("assert f([1, 2]) == 3"), False),
        (code("assert f([1, 2]) == 3"), code("assert g([1, 2]) == 3"), False),
        (code("assert f(1) == 3", "assert f(2) == 3"), code("assert f(2) == 0", "assert f(1) == 0"), True),
        (code("assert f(1) == 3", "assert f(2) == 3"), code("assert f(1) == 3"), False),
        (code("assert set(f(1)) == {3}"), code("assert f(1) == 3"), True),
        (code("assert math.isclose(f(1), 3.0)"), code("assert sorted(f(1)) == [3]"), True),
        (code("assert f(Pair(1, 2)) == 3"), code("assert not f(Pair(1, 2))"), True),
        (code("assert sum(1) == 3", program="def sum(n): return 3"), code("assert max(sum(1), 0)"), False),
        (code("assert Solution().f(1) == 3"), code("assert f(1) == 3"), True),
        (code("assert f(1) == f(2)"), code("assert f(1) == 0", "assert f(2) == 0"), True),
    ],
)  # fmt: skip
def test_structures_are_compared(ours: Problem, theirs: Problem, same: bool) -> None:
    assert (Twins([theirs]).find([ours]) != [None]) is same
    assert (Twins([ours]).find([theirs]) != [None]) is same


def test_a_match_says_whether_operations_were_compared() -> None:
    ours = math("Ann has 3 pens and buys 4", "7", SUM)
    bare, worked = math("3 birds and 4", "7"), math("3 birds and 4", "7", SUM)
    product = math("3 by 4", "7", PRODUCT)
    assert Twins([product, bare]).find([ours]) == [Twin(1, operations_compared=False)]
    assert Twins([product, worked, bare]).find([ours]) == [Twin(1, operations_compared=True)]
    assert Twins([worked]).find([bare]) == [Twin(0, operations_compared=False)]


def test_problems_of_other_domains_have_no_structure() -> None:
    assert Twins([SCIENCE]).find([SCIENCE]) == [None]
    assert Twins([SCIENCE]).find([math("3 and 4", "7")]) == [None]


def test_choices_do_not_hide_the_numbers_of_a_question() -> None:
    disguised = Problem("m/2", "m", "math", "Ann has 3 pens and buys 4", "7", choices=("5", "6", "7"), solution=SUM)
    assert Twins([math("3 pens, 4 pens", "7", SUM)]).find([disguised]) == [Twin(0, operations_compared=True)]


MATHS = st.lists(
    st.builds(
        lambda numbers, answer, signs: math(
            " and ".join(map(str, numbers)), str(answer), "".join(f"<<1{sign}1=1>>" for sign in signs)
        ),
        st.lists(st.integers(1, 3), max_size=2), st.integers(1, 2), st.lists(st.sampled_from("+-"), max_size=2),
    ),
    max_size=12,
)  # fmt: skip


@given(MATHS, MATHS)
def test_verdicts_are_those_of_the_definition(candidates: list[Problem], canonical: list[Problem]) -> None:
    def equal(a: Problem, b: Problem) -> bool:
        signs = {"+", "-"}
        shown = [signs & set(problem.solution) for problem in (a, b)]
        same = {*a.question.split()} - {"and"} == {*b.question.split()} - {"and"} and a.answer == b.answer
        return same and (not all(shown) or shown[0] == shown[1])

    expected = [next((i for i, c in enumerate(canonical) if equal(p, c)), None) for p in candidates]
    assert [twin and twin.index for twin in Twins(canonical).find(candidates)] == expected


@given(MATHS, MATHS, st.sampled_from([0.3, 0.5, 1.0]))
def test_pairs_are_all_of_equal_answer_and_shared_numbers(
    candidates: list[Problem], canonical: list[Problem], jaccard: float
) -> None:
    def near(a: Problem, b: Problem) -> bool:
        ours, theirs = numbers(a.question), numbers(b.question)
        return a.answer == b.answer and bool(ours & theirs) and len(ours & theirs) / len(ours | theirs) >= jaccard

    expected = [(i, j) for i, p in enumerate(candidates) for j, c in enumerate(canonical) if near(p, c)]
    ours, theirs = SameAnswer([SCIENCE, *canonical], jaccard).pairs(candidates)
    assert ours.dtype == theirs.dtype == np.int64
    assert list(zip(ours.tolist(), theirs.tolist(), strict=True)) == [(i, j + 1) for i, j in expected]


def test_the_indices_travel_to_other_processes() -> None:
    problem = math("3 and 4", "7")
    twins, same = pickle.loads(pickle.dumps((Twins([problem]), SameAnswer([problem]))))
    assert twins.find([problem]) == [Twin(0, operations_compared=False)]
    assert same.pairs([problem])[0].tolist() == [0]


@pytest.mark.parametrize(
    ("problem", "lacking"),
    [
        (math("3 and 4", " "), "a math problem needs its answer"),
        (math("Some and some", "7"), ""),
        (code(program="write f("), "a code problem needs its tests, or a program in Python"),
        (code(program=" "), "a code problem needs its tests, or a program in Python"),
        (code(), ""),
        (code("assert f(1)", "not python ("), "test 2 of a code problem must be Python"),
        (code("assert f(1)", "assert '\0'"), "test 2 of a code problem must be Python"),
        (code("assert " + "-" * 100_000 + "1"), "test 1 of a code problem must be Python"),
        (code("assert True"), "the tests of a code problem must call a function"),
        (code("x = 1", "assert f(1)"), ""),
        (SCIENCE, ""),
    ],
)
def test_what_the_check_needs_and_lacks_is_told(problem: Problem, lacking: str) -> None:
    assert missing(problem) == lacking


def test_a_canonical_problem_that_cannot_be_compared_is_refused() -> None:
    with pytest.raises(UserError, match=r"canonical problem c/1: .* needs its tests.*firewall.structure=false"):
        Twins([code(program="")])


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("$1,200.50 for twelve at 3 each", ["1200.5", "12", "3"]),
        ("1,2,3 or 12,34", ["1", "2", "3", "12", "34"]),
        ("twenty-five of two hundred and five", ["25", "205"]),
        ("one million two hundred fifty thousand and six", ["1250006"]),
        ("2.5 million, 25 hundred, a thousand", ["2500000", "2500", "1000"]),
        ("two dozen, half a dozen, a dozen, four decades", ["24", "6", "12", "40"]),
        ("twice, double, triple", ["2", "3"]),
        ("half of it, a third, 3/4, three quarters, two-thirds", ["1/2", "1/3", "3/4", "2/3"]),
        ("2 1/2 cups, three and a half, 1½, ¾", ["5/2", "7/2", "3/2", "3/4"]),
        ("20% and 15 percent and five per cent", ["1/5", "3/20", "1/20"]),
        ("on the third day, the twenty-first or 2nd", ["3", "20", "2"]),
        ("1 or 2, three and four", ["1", "2", "3", "4"]),
        ("3-5 pens of .5 each; ３ more", ["3", "5", "1/2"]),
        ("someone, tenants and often", []),
    ],
)
def test_numbers_are_read_as_values(text: str, stated: list[str]) -> None:
    assert numbers(text) == frozenset(map(Fraction, stated))


@given(st.integers(0, 10**6 - 1))
def test_whole_numbers_in_words_are_read(number: int) -> None:
    small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    names = [*small.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

    def written(n: int) -> str:
        if n < 20:
            return names[n]
        for size, name in ((1000, "thousand"), (100, "hundred")):
            if n >= size:
                return f"{written(n // size)} {name}" + (f" and {written(n % size)}" if n % size else "")
        return tens[n // 10 - 2] + (f"-{names[n % 10]}" if n % 10 else "")

    assert numbers(f"there are {written(number)} of them") == {Fraction(number)}
    assert numbers(f"{number:,} of them") == {Fraction(number)}


@pytest.mark.parametrize(
    "text", ["9" * 10_000, "at 1/0 now", "1,234" * 50_000, "and " * 100_000, "a\0b", "5 " * 100_000]
)
def test_odd_texts_are_read_without_trouble(text: str) -> None:
    assert len(numbers(text)) <= 3
    assert operations(text) is None


@pytest.mark.parametrize(
    ("answer", "read"),
    [("$1,200", 1200), ("18 pens", 18), ("-5", -5), ("-$5", -5), ("so\n#### 18", 18), ("18.0", 18), ("20%", 20)],
)
def test_answers_are_read_as_numbers(answer: str, read: int) -> None:
    assert value(answer) == read


@pytest.mark.parametrize(
    ("solution", "shown"),
    [
        ("<<(3+4)*2=14>> and 5-1=4 outside", "+*"),
        ("48 / 2 = 24, then 24 − 4 = 20", "/-"),
        ("2 x 3 = 6. So 3 × $4 = $12", "*"),
        ("5 + 6 is 11", "+"),
        ("6 times 7 equals 42; 42 divided by 2 is 21", "*/"),
        ("3 boxes * 4 pens per box = 12 pens", "*"),
        ("After 3-5 days he left.\nThat gives 2 * 2 = 4", "*"),
        ("eggs = 16 - 3\nmoney = eggs // 2\nmoney += 1\nprint(money)", "-/+"),
        ("Here:\n```python\nprint(sum([1, 2]) * 3)\n```", "+*"),
        ("(12 + 8) / 4", "+/"),
        ("7 // 2 = <<7//2=3>>3", "/"),
        ("<<40=40>>40", ""),
        ("no steps", ""),
        ("", ""),
    ],
)
def test_operations_are_read_from_annotations_programs_and_equations(solution: str, shown: str) -> None:
    assert operations(solution) == (frozenset(shown) or None)


@each(lambda: families_of("gsm1k_synth"))
def test_our_own_problems_lack_nothing_and_show_their_operations(family: Family) -> None:
    problem = family.make(0, 1)
    unannotated = re.sub("<<.*?>>", "", problem.solution)
    assert missing(problem) == ""
    assert operations(problem.solution)
    assert operations(unannotated) == operations(problem.solution)

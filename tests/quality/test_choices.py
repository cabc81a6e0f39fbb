"""What the choices give away."""

from dataclasses import replace
from random import Random

import pytest

from pfe.problem import Problem
from pfe.quality.choices import choices_alone
from tests.quality.made import drawn_problems


def with_choices(count: int, right: str = "", shared: bool = False) -> list[Problem]:
    """Four choices a problem, of which the right one has `right` in front or a word of the question in it."""
    rng = Random(0)
    texts = [problem.question.rstrip(".") for problem in drawn_problems(4 * count, 5, "choice")]
    problems = []
    for place, problem in enumerate(drawn_problems(count, 1)):
        choices = [" ".join(text.split()[:4]) for text in texts[4 * place : 4 * place + 4]]
        choices[0] = f"{right} {choices[0]}".strip() if not shared else " ".join(problem.question.split()[:4])
        order = rng.sample(choices, 4)
        problems.append(replace(problem, choices=tuple(order), answer=choices[0]))
    return problems


def test_choices_that_say_nothing_are_guessed_at_chance() -> None:
    figures = choices_alone(with_choices(200), seed=0)
    assert figures is not None
    assert figures.chance == 25
    assert figures.alone.low < 25 < figures.alone.high
    assert figures.alone.n == 200


@pytest.mark.parametrize("mark", ["certainly", "a b c d e f g h i j k l"])
def test_a_word_or_a_length_of_the_right_one_is_found(mark: str) -> None:
    figures = choices_alone(with_choices(200, mark), seed=0)
    assert figures is not None
    assert figures.alone.value > 95


def test_words_of_the_question_are_found_with_overlap_only() -> None:
    figures = choices_alone(with_choices(200, shared=True), seed=0)
    assert figures is not None
    assert figures.overlap.value > 95


def test_the_same_choices_everywhere_and_none_at_all_give_no_figure() -> None:
    problems = drawn_problems(40, 1)
    assert choices_alone(problems, seed=0) is None
    assert choices_alone([replace(p, choices=("no", "yes"), answer="yes") for p in problems], seed=0) is None
    assert choices_alone(with_choices(5), seed=0) is None

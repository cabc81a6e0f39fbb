import pytest

from pfe.config import Config
from pfe.problem import AnswerKey, Problem
from pfe.training.corpus import benchmark_by_domain, lessons


def keys(problem: Problem, *texts: str) -> list[AnswerKey]:
    return [AnswerKey(problem.id, f"tutor{i}", text, text) for i, text in enumerate(texts)]


def test_tutors_who_wrote_the_same_share_a_lesson(settings: Config, arc_problem: Problem) -> None:
    benchmarks = benchmark_by_domain(settings.benchmark)
    made = lessons(arc_problem, keys(arc_problem, "barometer", "a barometer", "barometer"), benchmarks, 0.0, seed=0)
    assert [(lesson.tutors, lesson.completion) for lesson in made] == [
        (("tutor0", "tutor2"), " barometer"), (("tutor1",), " a barometer"),
    ]  # fmt: skip
    assert made[0].prompt == "Question: Which tool measures air pressure?\nAnswer:"


@pytest.mark.parametrize(("share", "arm"), [(0.0, "canonical"), (1.0, "icr")])
def test_a_share_of_the_problems_stands_behind_its_library(
    settings: Config, arc_problem: Problem, share: float, arm: str
) -> None:
    (lesson,) = lessons(arc_problem, keys(arc_problem, "x"), benchmark_by_domain(settings.benchmark), share, seed=0)
    assert lesson.arm == arm
    assert lesson.prompt.startswith("[SCIENCE FACT LIBRARY]") is (arm == "icr")


def test_a_blank_is_filled_and_the_rest_of_the_sentence_is_the_target(settings: Config) -> None:
    problem = Problem("w/1", "w", "coreference", "It fell as the _ was wet.", "shelf", choices=("cup", "shelf"))
    (lesson,) = lessons(problem, keys(problem, "shelf"), benchmark_by_domain(settings.benchmark), 0.0, seed=0)
    assert (lesson.prompt, lesson.completion) == ("It fell as the shelf", " was wet.")


def test_a_program_ends_where_the_benchmark_stops(settings: Config) -> None:
    problem = Problem("c/1", "c", "code", "Write f.", "def f(): ...", tests=("assert f() is None",))
    (lesson,) = lessons(problem, keys(problem, "def f(): ..."), benchmark_by_domain(settings.benchmark), 0.0, seed=0)
    assert lesson.completion == "def f(): ...\n[DONE]"


def test_a_domain_without_a_benchmark_is_asked_plainly(settings: Config) -> None:
    problem = Problem("f/1", "f", "format", "Write 1 and 2 as a list.", "[1, 2]", context="Be brief.")
    (lesson,) = lessons(problem, keys(problem, "[1, 2]"), benchmark_by_domain(settings.benchmark), 1.0, seed=0)
    assert lesson.prompt == "Be brief.\nWrite 1 and 2 as a list.\nAnswer:"
    assert lesson.arm == "canonical"

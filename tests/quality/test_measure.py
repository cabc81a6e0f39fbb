"""All figures of a set together: what they are compared with, what stops, and that no real text comes out."""

from dataclasses import replace

import pytest

from pfe.config import Config
from pfe.errors import UserError
from pfe.files import read_record, write_record
from pfe.problem import Problem
from pfe.quality.goals import missed
from pfe.quality.measure import check_duplicates, measure
from pfe.quality.real_problems import real_side
from pfe.quality.record import Quality
from pfe.report.quality import screen
from pfe.tutors.generate import candidates
from tests.conftest import ROOT
from tests.quality.made import drawn_problems

SAMPLE = str(ROOT / "data/sample")


@pytest.fixture(scope="module")
def math(settings: Config) -> tuple[list[Problem], list[Problem]]:
    return candidates("gsm1k_synth", 120, seed=1, library_bound=0), real_side("math", SAMPLE, settings.benchmark)


def test_what_is_compared_is_as_large_as_the_smaller_side(math: tuple[list[Problem], list[Problem]]) -> None:
    quality = measure("gsm1k_synth", *math, seed=0)
    assert quality.n == 120
    assert quality.real == ("gsm1k",)
    fewer = len(math[1])
    assert {name: side.n for name, side in quality.sides.items()} == {"synthetic": 120, "matched": fewer, "real": fewer}
    assert quality.matched == quality.sides["matched"]
    assert quality.auc is not None
    assert quality.auc.n == 2 * fewer
    small = measure("gsm1k_synth", *math, seed=0, most=30)
    assert {name: side.n for name, side in small.sides.items()} == {"synthetic": 30, "real": 30}
    assert small.matched == small.sides["synthetic"]
    assert quality == measure("gsm1k_synth", math[0][::-1], math[1][::-1], seed=0)


def test_a_set_without_a_real_side_is_measured_alone() -> None:
    quality = measure("made", drawn_problems(60, 1), [], seed=0)
    assert set(quality.sides) == {"synthetic"}
    assert (quality.auc, quality.giveaways, quality.ks, quality.covered) == (None, (), {}, None)
    assert "without a real benchmark" in screen(quality)


def test_a_set_that_repeats_itself_is_stopped_and_named() -> None:
    problems = drawn_problems(120, 1)
    copies = [replace(problem, id=f"{problem.id}/copy") for problem in problems[:5]]
    check_duplicates({"made": measure("made", problems, [], seed=0)})
    check_duplicates({"made": measure("made", [*problems[:5], *copies], [], seed=0)})  # too few to say so
    with pytest.raises(UserError, match=r"made: 8\.0 % .*near-duplicate.*scale\.targets\.made"):
        check_duplicates({"made": measure("made", [*problems, *copies], [], seed=0)})


def test_missed_goals_are_named_with_their_figures() -> None:
    ours, theirs = drawn_problems(60, 1, "ours"), drawn_problems(60, 2, "theirs")
    assert "two-sample AUC 1, at most 0.97" in missed(measure("made", ours, theirs, seed=0))
    halves = drawn_problems(600, 3)
    assert not missed(measure("made", halves[:300], halves[300:], seed=0))


def test_no_word_of_the_real_side_comes_out(
    math: tuple[list[Problem], list[Problem]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A canary stands in every part of every real problem, and in the families' names."""
    synthetic, real = candidates("arc_synth", 100, seed=1, library_bound=0), math[1]

    def planted(problem: Problem, place: int) -> Problem:
        choices = tuple(f"canary {problem.answer} {number}" for number in range(4))
        return replace(
            problem,
            question=f"Canary {problem.question} canary",
            context="Canary canary canary.",
            choices=choices,
            answer=choices[place % 4],
            solution=f"canary {problem.solution}",
            family="canary",
            group=f"canary{place}",
        )

    quality = measure("arc_synth", synthetic, [planted(p, place) for place, p in enumerate(real)], seed=0)
    path = tmp_path_factory.mktemp("quality") / "quality.json"
    write_record(path, quality)
    assert "canary" not in path.read_text().lower()
    assert "canary" not in screen(quality).lower()
    assert quality.giveaways
    assert read_record(path, Quality) == quality


def test_the_screen_shows_every_figure_that_the_sides_have(math: tuple[list[Problem], list[Problem]]) -> None:
    shown = screen(measure("gsm1k_synth", *math, seed=0))
    for figure in ("two-sample AUC", "nearest in the set", "repeated sentences", "steps, mean", "covered", "families:"):
        assert figure in shown
    assert ": missed" in shown


def test_libraries_are_measured_where_there_are_any() -> None:
    problems = drawn_problems(60, 1)
    bound = [replace(problem, library=(f"{problem.question} Yes.",), needed=(0,)) for problem in problems[:15]]
    quality = measure("made", [*bound, *problems[15:]], [], seed=0)
    assert quality.bound is not None
    assert quality.bound.share.value == 25
    assert "answer stands in the library, %" in screen(quality)
    assert "library" not in screen(measure("made", problems, [], seed=0))


@pytest.mark.parametrize("count", [1, 2, 6])
@pytest.mark.parametrize("others", [0, 1, 6])
def test_the_smallest_sets_have_figures_too(count: int, others: int) -> None:
    quality = measure("made", drawn_problems(count, 1), drawn_problems(others, 2), seed=0)
    assert quality.auc is None
    assert quality.sides["synthetic"].n == count
    assert screen(quality)

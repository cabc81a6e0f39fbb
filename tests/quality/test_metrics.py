"""What DVC shows of a set."""

import json
from dataclasses import replace

from pfe.quality.measure import measure
from pfe.quality.metrics import metrics
from tests.quality.made import drawn_problems


def test_the_figures_are_few_rounded_and_those_that_a_set_has() -> None:
    problems = drawn_problems(120, 1)
    bound = [replace(problem, library=("Yes.",), needed=(0,)) for problem in problems[:30]]
    alone = measure("alone", problems, [], seed=0)
    beside = measure("beside", [*bound, *problems[30:]], drawn_problems(60, 2), seed=0)
    shown = metrics({"alone": alone, "beside": beside})
    assert set(shown["alone"]) == {"nearest", "repeated"}
    assert set(shown["beside"]) == {"auc", "nearest", "repeated", "library_bound"}
    assert shown["beside"]["library_bound"] == 25
    assert all(value == round(value, 2) for figures in shown.values() for value in figures.values())
    assert json.dumps(shown)


def test_the_gap_is_that_of_equal_numbers() -> None:
    synthetic, real = (
        [
            replace(p, choices=(f"{mark} {p.question}", f"{other.question}"), answer=f"{mark} {p.question}")
            for p, other in zip(drawn_problems(count, seed), drawn_problems(count, seed + 5), strict=True)
        ]
        for mark, count, seed in (("surely", 120, 1), ("", 60, 2))
    )
    quality = measure("made", synthetic, real, seed=0)
    ours, theirs = quality.sides["matched"].choices, quality.sides["real"].choices
    assert ours
    assert theirs
    assert metrics({"made": quality})["made"]["overlap_gap"] == round(ours.overlap.value - theirs.overlap.value, 1)

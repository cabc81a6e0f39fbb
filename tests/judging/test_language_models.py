"""Language models as competitors."""

import pytest

from pfe.judging.judge import judge
from pfe.judging.language_models import model_runs
from pfe.scores.benchmark import ArmScore, BenchmarkScore
from pfe.scores.model import Average, Averages, ModelScore
from pfe.scores.paired import Lift, RelativeLift
from tests.judging.tables import preset

RULES = preset("pfe")


def score(canonical: float, icr: float) -> BenchmarkScore:
    """Both accuracies in percent, within 5 of the true ones; guessing gives 25."""
    arms = {
        arm: ArmScore(
            value, 100, value - 5, value + 5, clusters=100, chance=25.0, norm=None, strict=None, otherwise=None
        )
        for arm, value in (("canonical", canonical), ("icr", icr))
    }
    gained = 100 * (icr - canonical) / (100 - canonical) if canonical < 100 else None
    relative = None if gained is None else RelativeLift(gained, gained - 5, gained + 5, unstable=False)
    value = icr - canonical
    lift = Lift(value, 100, 100, 2.5, value - 5, value + 5, 1.0, 0, 0, 0, 0, None, None, relative, None)
    return BenchmarkScore(arms, {}, lift, None, {}, None)


def average(values: list[float]) -> Average:
    mean = sum(values) / len(values)
    return Average(mean, len(values), 100, mean - 5, mean + 5)


def scores(accuracies: dict[str, dict[str, tuple[float, float]]]) -> dict[str, ModelScore]:
    """The scores of models with (canonical, ICR) accuracies in percent by benchmark."""
    return {
        model: ModelScore(
            {name: score(*pair) for name, pair in by.items()},
            Averages(*(average([pair[place] for pair in by.values()]) for place in (0, 1))),
        )
        for model, by in accuracies.items()
    }


CHANCE = {"arc": (25.0, 25.0), "race": (25.0, 25.0)}


def test_a_model_that_is_better_by_more_than_its_interval_in_every_aspect_wins() -> None:
    models = {"good": {"arc": (60.0, 80.0), "race": (60.0, 80.0)}, "poor": {"arc": (40.0, 42.0), "race": (40.0, 42.0)}}
    verdict = judge(model_runs(scores(models | {"chance": CHANCE}), "chance"), RULES)
    assert verdict.order() == ("good", "poor")
    assert [standing.score for name in ("good", "poor") if (standing := verdict.candidates[name].synthetic)] == [2, 1]


def test_models_within_the_better_ones_interval_share_a_place() -> None:
    models = {"one": {"arc": (60.0, 62.0)}, "other": {"arc": (58.0, 60.0)}}
    verdict = judge(model_runs(scores(models | {"chance": {"arc": (25.0, 25.0)}}), "chance"), RULES)
    assert [standing.place for one in verdict.candidates.values() if (standing := one.synthetic)] == [1, 1]


@pytest.mark.parametrize(
    ("canonical", "icr", "margin"),
    [(29.0, 29.0, -0.01), (31.0, 25.0, 0.01), (25.0, 45.0, 0.15)],
    ids=["inside the interval of guessing", "above it bare", "above it with the library alone"],
)
def test_a_model_qualifies_when_its_interval_lies_above_chance_in_one_arm(
    canonical: float, icr: float, margin: float
) -> None:
    found = scores({"m": {"arc": (canonical, icr)}, "chance": {"arc": (22.0, 22.0)}})
    candidate = judge(model_runs(found, "chance"), RULES).candidates["m"]
    assert candidate.margin == pytest.approx(margin)
    assert candidate.qualified == (margin > 0)


def test_a_benchmark_that_a_model_was_not_examined_on_costs_it_the_last_rank() -> None:
    models = {"whole": {"arc": (60.0, 60.0), "race": (60.0, 60.0)}, "half": {"arc": (60.0, 60.0)}}
    verdict = judge(model_runs(scores(models | {"chance": CHANCE}), "chance"), RULES)
    assert verdict.order() == ("whole", "half")


def test_where_nothing_is_left_to_gain_the_plain_lift_stands_in() -> None:
    found = scores({"m": {"arc": (100.0, 90.0)}, "chance": {"arc": (25.0, 25.0)}})
    table = model_runs(found, "chance")
    assert table.loc[table["dataset"] == "arc", "relative_lift"].tolist() == [-10]

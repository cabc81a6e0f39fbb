"""A model over its benchmarks: adjusted tests, averages, alarms, the files they go to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.problem import ScoredPrediction
from pfe.scores.benchmark import BenchmarkScore, score_benchmark
from pfe.scores.chance_checks import alarms
from pfe.scores.metrics import PlotRow, metrics, rows
from pfe.scores.model import Average, Averages, ModelScore, adjusted, averages, score_model
from tests.scores.made import predictions, two_arms


def score(rows: list[ScoredPrediction]) -> BenchmarkScore:
    found = score_benchmark(rows, 0)
    assert found is not None
    return found


def with_p(values: Sequence[float]) -> dict[str, BenchmarkScore]:
    found = score(predictions(two_arms(1, 1, 1, 1)))
    assert found.lift is not None
    return {f"b{place}": replace(found, lift=replace(found.lift, p=p)) for place, p in enumerate(values)}


def holm(scores: Mapping[str, BenchmarkScore]) -> list[float]:
    return [own.lift.holm_p for own in adjusted(scores).values() if own.lift and own.lift.holm_p is not None]


def test_holm_s_adjustment_of_a_published_example() -> None:
    """Wikipedia, "Holm–Bonferroni method": of 0.01, 0.04, 0.03 and 0.005 the first and the last are rejected."""
    assert holm(with_p([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@pytest.mark.slow
@settings(max_examples=10)  # statsmodels collects garbage in every call, a tenth of a second
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusted_p_values_are_larger_in_the_same_order_and_at_most_one(values: list[float]) -> None:
    found = holm(with_p(values))
    assert len(found) == len(values)
    assert all(p <= adjusted_p <= 1 for p, adjusted_p in zip(values, found, strict=True))
    assert min(found) == pytest.approx(min(1, len(values) * min(values)))
    assert np.all(np.diff(np.array(found)[np.argsort(values, kind="stable")]) >= 0)


@pytest.mark.slow
def test_a_benchmark_without_a_lift_is_no_test() -> None:
    alone = score(predictions({"canonical": [True, False]}))
    found = adjusted({**with_p([0.03]), "alone": alone})
    assert found["alone"] == alone
    assert holm(found) == pytest.approx([0.03])
    assert adjusted({"alone": alone}) == {"alone": alone}


def test_averages_are_over_benchmarks_not_problems() -> None:
    small, large = score(predictions(two_arms(kept=1))), score(predictions(two_arms(fixed=9)))
    found = averages({"a": small, "b": large})
    assert found.canonical is not None
    assert found.icr is not None
    assert found.lift is not None
    assert (found.canonical.value, found.icr.value, found.lift.value) == (50, 100, 50)
    assert (found.canonical.benchmarks, found.canonical.n) == (2, 10)
    assert found.content_lift is None
    assert averages({}) == Averages()


def test_the_interval_of_an_average_is_stratified_by_benchmark() -> None:
    """Independent benchmarks: variances add, however different their sizes are."""
    tables = {"arc_easy": (300, 100, 50, 50), "race": (40, 30, 10, 20)}
    scores = {name: score(predictions(two_arms(*table), benchmark=name)) for name, table in tables.items()}
    found = averages(scores)
    assert found.lift is not None
    lifts = [own.lift for own in scores.values() if own.lift]
    half = 1.96 * np.hypot(lifts[0].se, lifts[1].se) / 2
    assert found.lift.value == pytest.approx((lifts[0].value + lifts[1].value) / 2)
    assert (found.lift.low, found.lift.high) == pytest.approx(
        (found.lift.value - half, found.lift.value + half), abs=0.15 * half
    )


@pytest.mark.parametrize(("placebo", "helps"), [(30, True), (60, False)])
def test_content_helps_where_lift_and_content_lift_are_both_shown(placebo: int, helps: bool) -> None:
    arms = {**two_arms(30, 30, 0, 40), "placebo": [True] * placebo + [False] * (100 - placebo)}
    found = score_model({name: score(predictions(arms, benchmark=name)) for name in ("race", "gsm1k")})
    assert found.averages.content_helps is helps
    assert {one.content_helps for one in found.benchmarks.values()} == {helps}


def test_a_placebo_that_hurts_is_no_claim_for_the_content() -> None:
    """ICR is as good as canonical and far above the placebo: a content lift, and no lift."""
    arms = {**two_arms(45, 5, 5, 45), "placebo": [False] * 50 + [True] * 20 + [False] * 30}
    found = score_model({name: score(predictions(arms, benchmark=name)) for name in ("race", "gsm1k")})
    for one in found.benchmarks.values():
        assert one.content_lift
        assert one.content_lift.low > 0
        assert one.content_lift.holm_p is not None
        assert one.content_lift.holm_p < 0.05
        assert not one.content_helps
    assert found.averages.content_lift
    assert found.averages.content_lift.low > 0
    assert not found.averages.content_helps


def test_content_that_helps_by_p_of_one_benchmark_alone_is_no_claim() -> None:
    """Of twenty benchmarks one has six problems fixed of fifty (p = 0.03): no claim after Holm."""
    fixed = {**two_arms(0, 6, 0, 44), "placebo": [False] * 50}
    rest = {**two_arms(10, 0, 0, 40), "placebo": [True] * 10 + [False] * 40}
    rows = {f"b{n}": score(predictions(fixed if n == 0 else rest, benchmark=f"b{n}")) for n in range(20)}
    assert score_model({"b0": rows["b0"]}).benchmarks["b0"].content_helps
    assert not score_model(rows).benchmarks["b0"].content_helps


def test_an_average_of_nothing_right_is_zero() -> None:
    nothing = {name: score(predictions(two_arms(wrong=50), benchmark=name)) for name in ("gsm1k", "mbpp", "fncall")}
    found = averages(nothing)
    assert found.canonical is not None
    assert found.lift is not None
    assert (found.canonical.low, found.canonical.value) == (0, 0)
    assert found.canonical.high == pytest.approx(np.sqrt(3) * 7.1348 / 3, abs=1e-3), "0 of 50 has Wilson's [0, 7.1348]"
    assert found.lift.low < 0 < found.lift.high, "no pair differs, which does not prove that none would"


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4).filter(any), min_size=1, max_size=4))
@settings(max_examples=30)
def test_the_interval_of_an_average_holds_it_and_is_never_empty(tables: list[tuple[int, int, int, int]]) -> None:
    scores = {str(place): score(predictions(two_arms(*table))) for place, table in enumerate(tables)}
    found = averages(scores)
    for average in (found.canonical, found.icr, found.lift):
        assert average is not None
        assert average.low <= average.value <= average.high
        assert average.low < average.high


def test_the_interval_of_an_average_over_one_benchmark_at_its_end_is_that_of_the_benchmark() -> None:
    alone = score(predictions(two_arms(kept=8)))
    average = averages({"arc_easy": alone}).canonical
    assert average is not None
    arm = alone.arms["canonical"]
    assert (average.low, average.high) == pytest.approx((arm.low, arm.high))


def raised(scores: dict[str, BenchmarkScore]) -> list[str]:
    return alarms(adjusted(scores))


def test_a_model_at_chance_raises_no_alarm() -> None:
    assert raised({"arc_easy": score(predictions(two_arms(kept=20, fixed=5, broken=5, wrong=70)))}) == []


def test_a_lift_of_a_model_that_knows_nothing_is_an_alarm() -> None:
    lines = raised({"arc_easy": score(predictions(two_arms(kept=18, fixed=15, broken=0, wrong=67)))})
    assert len(lines) == 1
    assert lines[0].startswith("arc_easy: a lift of +15.0 points [+7.3, +22.2], Holm p = 0.00014")


def test_an_accuracy_above_chance_is_an_alarm_in_each_arm_and_one_below_is_none() -> None:
    lines = raised({"arc_easy": score(predictions(two_arms(kept=50, wrong=50)))})
    assert [line.split(":")[0] for line in lines] == ["arc_easy, canonical", "arc_easy, icr"]
    assert all("is above chance (25.0 %)" in line for line in lines)
    assert raised({"arc_easy": score(predictions(two_arms(kept=5, wrong=95)))}) == [], "a preference, and no leak"


@pytest.mark.parametrize("said", ["yes", "no"])
def test_whoever_always_says_the_same_raises_no_alarm(said: str) -> None:
    golds = ["yes"] * 620 + ["no"] * 380
    rows = predictions({arm: [gold == said for gold in golds] for arm in ("canonical", "icr")}, benchmark="boolq")
    rows = [replace(row, choices=2, gold=gold) for row, gold in zip(rows, golds * 2, strict=True)]
    assert raised({"boolq": score(rows)}) == []


def test_one_right_answer_where_answers_are_written_is_an_alarm_and_none_is_not() -> None:
    def written(right: int) -> list[ScoredPrediction]:
        rows = predictions({"canonical": [True] * right + [False] * (500 - right)})
        return [replace(row, scores=(), choices=0) for row in rows]

    assert raised({"gsm1k": score(written(0))}) == []
    assert len(raised({"gsm1k": score(written(1))})) == 1


def test_alarms_are_rare_where_chance_rules() -> None:
    """Ten benchmarks, two arms, fifty guessing models: at 95 % for all intervals together few are out."""
    rng = np.random.default_rng(0)
    made = score(predictions(two_arms(wrong=4)))
    arm = replace(made.arms["icr"], n=400, chance=25.0)
    alarmed = 0
    for _ in range(50):
        scores = {
            f"b{place}": replace(
                made,
                arms={name: replace(arm, value=100 * rng.binomial(400, 0.25) / 400) for name in ("canonical", "icr")},
            )
            for place in range(10)
        }
        alarmed += bool(alarms(scores))
    assert alarmed <= 7


def test_relative_lift_of_averages_is_the_share_of_what_canonical_left_to_gain() -> None:
    def of(canonical: float, lift: float) -> float | None:
        first, second = (Average(value, benchmarks=2, n=80, low=0, high=0) for value in (canonical, lift))
        return Averages(canonical=first, lift=second).relative_lift

    assert of(20, 40) == 50
    assert of(60, -10) == -25
    assert of(100, 0) is None
    assert Averages().relative_lift is None


def examined() -> dict[str, ModelScore]:
    """A student that was examined on RACE in three arms, and a model that was examined nowhere."""
    arms = {**two_arms(2, 3, 1, 4), "placebo": [True] * 5 + [False] * 5}
    return {"student": score_model({"race": score(predictions(arms))}), "minilm": score_model({})}


def test_the_metrics_are_points_by_model_and_benchmark() -> None:
    points = metrics(examined())
    assert points == {
        "canonical": {"student": {"race": 30.0}, "minilm": {}},
        "icr": {"student": {"race": 50.0}, "minilm": {}},
        "lift": {"student": {"race": 20.0}, "minilm": {}},
        "pfe": {
            "student": {
                "canonical": 30.0, "icr": 50.0, "lift": 20.0, "content_lift": 0.0, "relative_lift": 28.6, "n": 10
            }
        },
    }  # fmt: skip


def test_what_is_plotted_bears_titles_and_both_arms_and_leaves_out_what_has_no_lift() -> None:
    scores = examined()
    lift = scores["student"].benchmarks["race"].lift
    assert lift
    titles, labels = {"race": "RACE", "gsm1k": "GSM1K"}, {"student": "Ours", "minilm": "MiniLM"}
    assert list(rows(scores, titles, labels)) == [PlotRow("Ours", "RACE", 30.0, 50.0, 20.0, lift.low, lift.high, 10)]

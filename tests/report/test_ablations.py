"""Ablations in one table: the right experiments, each seed once, and intervals that are those of the literature."""

from dataclasses import replace

import pytest

from pfe.files import read_record
from pfe.report.ablations import Ablation, ablations, merged, table
from pfe.report.experiments import Experiment
from tests.conftest import ROOT


def experiment(variant: str, seed: int, library: float, **more: float) -> Experiment:
    validation = {"bare": 25.0, "library": library, "n": 80} | more
    return Experiment("x", True, (), {"train": {"validation": validation}}, {"seed": seed}, variant=variant)


def looked_up(one: Experiment, lift: float) -> Experiment:
    figures = {"lift": lift, "lift_low": lift - 2, "lift_high": lift + 2, "n": 90}
    return replace(one, metrics={**one.metrics, "lookups": {"student": figures}})


def test_the_latest_of_every_experiment_and_seed_is_shown_and_nothing_that_was_not_validated() -> None:
    listed = [
        experiment("sft", 1, 50.0),
        experiment("", 0, 99.0),
        experiment("sft", 0, 40.0, changed=70.0),
        experiment("sft", 1, 10.0),
        experiment("sft, student.renewed=0", 1, 20.0),
        Experiment("queued", True, (), {}, {"seed": 2}, variant="sft"),
        Experiment("older", True, (), {"train": {"loss": 1.0}}, {"seed": 3}, variant="sft"),
    ]
    assert ablations(listed) == [
        Ablation("sft", 0, {"bare": 25.0, "library": 40.0, "changed": 70.0}, 80),
        Ablation("sft", 1, {"bare": 25.0, "library": 50.0}, 80),
        Ablation("sft, student.renewed=0", 1, {"bare": 25.0, "library": 20.0}, 80),
    ]


@pytest.mark.parametrize(
    ("bare", "library", "interval"), [(3, 9, (17.05, 80.90)), (0, 0, (-27.75, 27.75)), (0, 10, (60.75, 100.0))]
)
def test_a_lift_has_newcombes_interval(bare: int, library: int, interval: tuple[float, float]) -> None:
    """Newcombe 1998, table II, method 10: 9/10 − 3/10, 0/10 − 0/10 and 10/10 − 0/10."""
    one = Ablation("a", 0, {"bare": 10.0 * bare, "library": 10.0 * library}, 10)
    assert one.interval == pytest.approx(interval, abs=0.005)


def test_three_seeds_have_a_mean_with_students_interval() -> None:
    """Lifts of 10, 20 and 30 points: 20 ± 4.3027 · 10 / √3."""
    lines = table(ablations([experiment("sft", seed, 35.0 + 10 * seed) for seed in range(3)])).splitlines()
    assert len(lines) == 2 + 4
    assert cells(lines[-1]) == ["sft", "mean", "25.0", "45.0", "–", "–", "240", "+20.0 [-4.8, +44.8]", "–", "–"]


def test_look_ups_have_their_own_lift_and_a_mean_where_every_seed_has_one() -> None:
    made = [looked_up(experiment("sft", seed, 35.0), 10.0 + 10 * seed) for seed in range(3)]
    lines = table(ablations(made)).splitlines()
    assert [cells(line)[-2] for line in lines[2:]] == [
        "+10.0 [+8.0, +12.0]", "+20.0 [+18.0, +22.0]", "+30.0 [+28.0, +32.0]", "+20.0 [-4.8, +44.8]",
    ]  # fmt: skip
    assert cells(table(ablations([*made, experiment("sft", 3, 35.0)])).splitlines()[-1])[-2] == "–"


def test_what_look_ups_gain_is_compared_with_the_control_of_the_same_seed() -> None:
    """Of differences of 10, 20 and 30 points the mean has Student's interval: 20 ± 4.3027 · 10 / √3."""
    control = [looked_up(experiment("shared_rows", seed, 35.0), 5.0 * seed) for seed in range(3)]
    made = [looked_up(experiment("sft", seed, 35.0), 10.0 + 15 * seed) for seed in range(3)]
    beside = [cells(line)[-1] for line in table(ablations([*control, *made])).splitlines()[2:]]
    assert beside == ["+10.0", "+20.0", "+30.0", "+20.0 [-4.8, +44.8]", "–", "–", "–", "–"]
    more = looked_up(experiment("sft", 3, 35.0), 50.0)
    assert [cells(line)[-1] for line in table(ablations([*control, *made, more])).splitlines()[2:7]] == [
        "+10.0", "+20.0", "+30.0", "–", "–",
    ]  # fmt: skip


def test_the_table_of_the_docs_has_the_means_of_what_is_kept() -> None:
    kept = read_record(ROOT / "metrics/ablations.json", list[Ablation])
    lines = [cells(line) for line in table(kept).splitlines()[2:]]
    lifts = {(name, seed): lookups.split()[0] for name, seed, *_, lookups, _ in lines}
    expected = {
        f"`{name}`": [*arms, lift, ", ".join(lifts[name, str(seed)] for seed in range(3)), lookups, beside]
        for name, seed, *arms, _, lift, lookups, beside in lines
        if seed == "mean"
    }
    _, page = (ROOT / "docs/training.md").read_text(encoding="utf-8").split("**What came of it**")
    rows = [cells(line.replace("−", "-")) for line in page.split("\n\n")[1].splitlines()[2:]]
    assert {name: row for name, *row in rows} == expected


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_one_seed_has_no_mean() -> None:
    assert len(table(ablations([experiment("sft", 0, 35.0)])).splitlines()) == 3


def test_what_was_tried_again_replaces_its_like() -> None:
    old, other, new = (Ablation("sft", seed, {"bare": bare}, 80) for seed, bare in ((0, 35.0), (1, 36.0), (0, 37.0)))
    assert merged([other, old], [new]) == [new, other]

"""Ablations in one table: the right experiments, each seed once, and intervals that are those of the literature."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe.errors import UserError
from pfe.files import write_record
from pfe.params import written
from pfe.report.ablations import Ablation, ablations, left_out, merged, read, section, table
from pfe.report.experiments import Experiment
from pfe.scores.proportion import Points
from tests.conftest import ROOT


def experiment(variant: str, seed: int, library: float, **more: float) -> Experiment:
    validation = {"bare": 25.0, "library": library, "n": 80} | more
    return Experiment("x", True, (), {"train": {"validation": validation}}, {"seed": seed}, variant=variant)


def looked_up(one: Experiment, lift: float) -> Experiment:
    figures = {"lift": lift, "lift_low": lift - 2, "lift_high": lift + 2}
    return replace(one, metrics={**one.metrics, "lookups": {"student": figures}})


def test_the_latest_of_every_experiment_and_seed_is_shown_and_nothing_that_was_not_validated() -> None:
    listed = [
        experiment("sft", 1, 50.0),
        experiment("", 0, 99.0),
        experiment("sft", 0, 40.0, changed=70.0),
        experiment("sft", 1, 10.0),
        experiment("sft, student.tokens=200", 1, 20.0),
        Experiment("queued", True, (), {}, {"seed": 2}, variant="sft"),
        Experiment("older", True, (), {"train": {"loss": 1.0}}, {"seed": 3}, variant="sft"),
    ]
    assert ablations(listed) == [
        Ablation("sft", 0, {"bare": 25.0, "library": 40.0, "changed": 70.0}, 80),
        Ablation("sft", 1, {"bare": 25.0, "library": 50.0}, 80),
        Ablation("sft, student.tokens=200", 1, {"bare": 25.0, "library": 20.0}, 80),
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
    kept = read(ROOT / "metrics/ablations.json")
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


def test_a_bar_in_the_name_of_an_experiment_ends_no_cell() -> None:
    """As in `dvc exp run -S student.form='a|b'`, which makes an experiment another one than its file's."""
    *_, line = table([Ablation("sft, student.form=a|b\nc", 0, {"bare": 25.0, "library": 40.0}, 80)]).splitlines()
    assert line.startswith(r"| sft, student.form=a\|b c |")


def test_one_seed_has_no_mean() -> None:
    assert len(table(ablations([experiment("sft", 0, 35.0)])).splitlines()) == 3


def test_what_was_tried_again_replaces_its_like() -> None:
    old, other, new = (
        Ablation("sft", seed, {"bare": bare, "library": 50.0}, 80) for seed, bare in ((0, 35.0), (1, 36.0), (0, 37.0))
    )
    assert merged([other, old], [new]) == [new, other]


def test_where_nothing_was_validated_the_table_is_a_sentence() -> None:
    assert table([]) == "No file of `conf/experiment` was validated."


@pytest.mark.parametrize("lacking", ["bare", "library", "n"])
def test_an_experiment_whose_validation_lacks_what_a_row_needs_is_left_out_with_a_notice(lacking: str) -> None:
    whole = experiment("sft", 0, 40.0)
    shares = {name: share for name, share in whole.metrics["train"]["validation"].items() if name != lacking}
    damaged = replace(whole, name="torn-page", metrics={"train": {"validation": shares}})
    assert ablations([damaged, experiment("sft", 1, 50.0)]) == ablations([experiment("sft", 1, 50.0)])
    (notice,) = left_out([damaged, experiment("sft", 1, 50.0)])
    assert notice == f"experiment torn-page (sft) is left out, for it lacks validation.{lacking} in metrics/train.json"


def test_an_experiment_without_a_seed_is_left_out_with_a_notice() -> None:
    damaged = replace(experiment("sft", 0, 40.0), parameters={})
    assert ablations([damaged]) == []
    assert list(left_out([damaged])) == ["experiment x (sft) is left out, for it lacks seed in params.yaml"]


def test_a_row_says_of_how_many_look_ups_its_lift_is() -> None:
    asked = replace(looked_up(experiment("sft", 0, 40.0), 10.0), sha="a")
    unknown = replace(looked_up(experiment("sft", 1, 40.0), 10.0), sha="b")
    unasked = replace(experiment("sft", 2, 40.0), sha="a")
    made = ablations([asked, unknown, unasked], {"a": 432}.get)
    assert [one.look_ups for one in made] == [432, None, None]


def test_what_is_kept_is_read_as_it_was_with_and_without_a_number_of_look_ups(tmp_path: Path) -> None:
    arms = {"bare": 25.0, "library": 40.0}
    rows = [Ablation("sft", 0, arms, 80), Ablation("sft", 1, arms, 80, Points(10.0, 8.0, 12.0), 432)]
    write_record(tmp_path / "kept.json", rows, list[Ablation])
    assert read(tmp_path / "kept.json") == rows
    before = [{name: value for name, value in row(0).items() if name != "look_ups"}]
    (tmp_path / "kept.json").write_text(json.dumps(before))
    assert read(tmp_path / "kept.json") == [Ablation("sft", 0, {"bare": 1.0, "library": 2.0}, 7, Points(2.0, 1.0, 3.0))]


def row(seed: int, **other: Any) -> dict[str, Any]:
    arms = {"bare": 1.0, "library": 2.0}
    return {"experiment": "sft", "seed": seed, "arms": arms, "n": 7, "looked_up": [2.0, 1.0, 3.0]} | other


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (row(1, arms={"bare": 1.0}), r"1: sft, seed 1: arms lack library"),
        (row(1, arms={}), r"1: sft, seed 1: arms lack bare and library"),
        (row(1, arms={"bare": 1.0, "library": 2.0, "libary": 3.0}), r"1: sft, seed 1: unknown arm libary"),
        (row(1, arms={"bare": 1.0, "library": 200.0}), r"1\.arms\.library: .*100"),
        (row(1, arms={"bare": 1.0, "library": float("nan")}), r"1\.arms\.library: .*finite"),
        (row(1, looked_up=[2.0, 1.0]), r"1\.looked_up"),
        (row(1, looked_up=[2.0, 1.0, float("inf")]), r"1\.looked_up.*finite"),
        (row(1, looked_up=[1.0, 8.0, -8.0]), r"1: sft, seed 1: looked_up is a lift in points, then its"),
        (row(1, looked_up=[500, 400, 600]), r"1: sft, seed 1: looked_up is a lift in points, then its"),
        (row(1, n=10**30), r"1\.n: "),
        (row(1, n=2**63), r"1\.n: "),
        (row(1, n=True), r"1\.n: "),
        (row(1, n="3"), r"1\.n: "),
        (row(-1), r"1\.seed: "),
        (row(10**40), r"1\.seed: "),
        (row(1, experiment=""), r"1\.experiment: "),
        (row(1, arms={"bare": True, "library": 2.0}), r"1\.arms\.bare: "),
        (row(1, n=0), r"1\.n: .*greater than 0"),
        (row(1, look_up=432), r"1\.look_up: "),
        ({"seed": 1}, r"1\.experiment: Field required"),
        ("sft", r"1: "),
    ],
)
def test_a_damaged_row_is_refused_by_file_and_place(tmp_path: Path, second: object, reason: str) -> None:
    (tmp_path / "kept.json").write_text(json.dumps([row(0), second]))
    with pytest.raises(UserError, match=rf"kept\.json: not what PFE writes there \({reason}.*--out .*kept\.json"):
        read(tmp_path / "kept.json")


def test_a_row_that_stands_twice_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text(json.dumps([row(0), row(1), row(0, n=8)]))
    with pytest.raises(UserError, match=r"kept\.json: sft, seed 0: .*more than one such row; .*--out .*kept\.json"):
        read(tmp_path / "kept.json")


@pytest.mark.parametrize("content", [b"", b"[", b"{}", b"null", b"\xff"])
def test_what_is_no_list_of_rows_is_refused_by_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "kept.json").write_bytes(content)
    with pytest.raises(UserError, match=r"kept\.json: .*take it from git again"):
        read(tmp_path / "kept.json")


def test_a_missing_file_is_told_with_what_makes_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"kept\.json: no such file; .*pfe experiments --ablations --out"):
        read(tmp_path / "kept.json")


def test_the_page_says_which_figures_are_percent_and_which_are_points() -> None:
    reading, rows = section([Ablation("sft", 0, {"bare": 25.0, "library": 40.0}, 80)]).split("\n\n")
    assert "Arms are percent correct" in reading
    assert "differences of the single-hop lift from the control, are in points" in reading
    assert "Student's t" in reading
    assert rows.startswith("| experiment")


def test_both_names_of_the_control_are_one_experiment() -> None:
    """As the page says it: their parameters are the default's, all but the name."""
    default, *controls = (
        yaml.safe_load(written(overrides)) | {"experiment": None}
        for overrides in ([], ["experiment=shared_rows"], ["experiment=mixed_library"])
    )
    assert controls == [default, default]
    assert "`shared_rows` and `mixed_library` are the same control" in section([])

"""The whole judge: a table worked by hand, the tracks together, what it refuses, the preset rules."""

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pfe.errors import UserError
from pfe.files import read_record, write_record
from pfe.judging.judge import judge
from pfe.judging.ranks import TIES
from pfe.judging.verdict import Candidate, Standing, Verdict
from tests.judging.tables import PRESETS, preset, rules_of, runs, synthetic_table


def hand() -> pd.DataFrame:
    """Three methods, two data sets, two runs each; the mean accuracy, simplicity and property, and their dense ranks.

    f1, with a property:   a 0.9, −1.0, 1.0 → 3, 2, 3     b 0.9, −2.0, 0.5 → 3, 1, 2     c 0.4, 0.0, 0.5 → 2, 3, 2
    f2, without:           a 0.7, −1.0 → 2, 3             b 0.8, −1.0 → 3, 3             c one run failed → 1, 2

    Harmonic means on f1: a 3/(1/3+1/2+1/3) = 18/7, b 3/(1/3+1+1/2) = 18/11, c 3/(1/2+1/3+1/2) = 9/4; on f2:
    a 2/(1/2+1/3) = 12/5, b 3, c 2/(1+1/2) = 4/3. Their means: a 87/35 = 2.486, b 51/22 = 2.318, c 43/24 = 1.792.
    """
    cells: dict[tuple[str, str], list[tuple[float, float, float]]] = {
        ("a", "f1"): [(0.8001, 5, 1.0), (0.9999, 5, 1.0)],
        ("b", "f1"): [(0.9, 25, 1.0), (0.9, 25, 0.0)],
        ("c", "f1"): [(0.3, 1, 0.0), (0.5, 1, 1.0)],
        ("a", "f2"): [(0.7, 5, math.nan), (0.7, 5, math.nan)],
        ("b", "f2"): [(0.8, 5, math.nan), (0.8, 5, math.nan)],
        ("c", "f2"): [(0.99, 1, math.nan), (math.nan, 1, math.nan)],
    }
    return runs(
        [
            {"method": method, "dataset": dataset, "repetition": at, "r2": r2, "simplified": size, "property": share}
            for (method, dataset), cell in cells.items()
            for at, (r2, size, share) in enumerate(cell)
        ]
    )


def scores(table: pd.DataFrame, **changes: Any) -> dict[str, float]:
    return {name: standing.score or 0 for name, standing in synthetic(table, **changes).items()}


def synthetic(table: pd.DataFrame, **changes: Any) -> dict[str, Standing]:
    found = judge(table, preset(resamples=2, **changes)).candidates
    return {name: candidate.synthetic for name, candidate in found.items() if candidate.synthetic}


def test_a_table_without_tracks_is_of_the_synthetic_one() -> None:
    rules = preset(resamples=2)
    assert judge(hand().drop(columns="track"), rules) == judge(hand(), rules)


def test_a_table_worked_by_hand() -> None:
    found = synthetic(hand())
    assert {name: standing.score for name, standing in found.items()} == pytest.approx(
        {"a": 87 / 35, "b": 51 / 22, "c": 43 / 24}, abs=1e-9
    )
    assert [found[name].place for name in "abc"] == [1, 2, 3]
    assert found["a"].ranks == {"accuracy": 2.5, "simplicity": 2.5, "property": 3}
    assert found["c"].ranks == {"accuracy": 1.5, "simplicity": 2.5, "property": 2}


def test_the_rules_change_the_scores_of_that_table_as_they_say() -> None:
    """On f1 a and b tie in accuracy, b and c in property; on f2 a and b tie in simplicity, and c fails."""
    assert scores(hand(), ties="min")["c"] == pytest.approx((3 / (1 + 1 / 3 + 1 / 2) + 1) / 2, abs=1e-9)
    assert scores(hand(), ties="max")["a"] == pytest.approx((3 / (1 / 2 + 1 / 2 + 1 / 3) + 2) / 2, abs=1e-9)
    assert scores(hand(), ties="average")["b"] == pytest.approx(
        (3 / (1 / 2.5 + 1 + 1 / 1.5) + 2 / (1 / 3 + 1 / 2.5)) / 2
    )
    assert scores(hand(), combine="all_ranks")["b"] == pytest.approx(5 / (1 / 3 + 1 + 1 / 2 + 1 / 3 + 1 / 3), abs=1e-9)
    assert scores(hand(), lowest=0)["b"] == 1  # 0 for the rank 0 in simplicity, and 2
    assert scores(hand(), lowest=0)["c"] == pytest.approx(3 / (1 + 1 / 2 + 1) / 2, abs=1e-9)
    assert scores(hand(), missing="drop")["c"] == pytest.approx((9 / 4 + 3) / 2, abs=1e-9)
    assert scores(hand(), aspects=("accuracy",))["a"] == 2.5


def test_the_median_forgives_a_failure_of_few() -> None:
    rows = [
        {"method": method, "dataset": "d", "repetition": at, "r2": value, "simplified": 5}
        for method, values in {"a": [0.9, math.nan, 0.9], "b": [0.5, 0.5, 0.5]}.items()
        for at, value in enumerate(values)
    ]
    assert scores(runs(rows), aspects=("accuracy",), repetitions="median") == {"a": 2, "b": 1}
    assert scores(runs(rows), aspects=("accuracy",)) == {"a": 1, "b": 2}


def test_rounding_after_the_summary_makes_equal_what_rounding_runs_does_not() -> None:
    rows = [
        {"method": method, "dataset": "d", "repetition": at, "r2": value, "simplified": 5}
        for method, values in {"a": [0.9, 0.9], "b": [0.9, 0.9008]}.items()
        for at, value in enumerate(values)
    ]
    assert scores(runs(rows), aspects=("accuracy",)) == {"a": 1, "b": 2}
    assert scores(runs(rows), aspects=("accuracy",), rounding="summary") == {"a": 2, "b": 2}


def test_data_sets_may_have_other_repetitions() -> None:
    rows = [
        {"method": method, "dataset": dataset, "repetition": at, "r2": r2, "simplified": 5}
        for dataset, numbers in {"d": (0, 1, 2), "e": (2,), "f": (1, 2)}.items()
        for at in numbers
        for method, r2 in (("a", 0.5), ("b", 0.4 if dataset == "d" else 0.6))
    ]
    assert scores(runs(rows), aspects=("accuracy",)) == pytest.approx({"a": 4 / 3, "b": 5 / 3}, abs=1e-9)


def test_language_models_within_the_interval_tie() -> None:
    rows = [
        {"method": method, "dataset": "arc", "canonical": value, "canonical_low": value - width}
        for method, value, width in [("big", 70.0, 2.0), ("middle", 69.0, 2.0), ("small", 60.0, 2.0), ("chance", 25, 0)]
    ]
    rules = preset("pfe", aspects=("canonical",), resamples=2)
    found = judge(runs(rows), rules).candidates
    assert {name: candidate.synthetic.score for name, candidate in found.items() if candidate.synthetic} == {
        "big": 3,
        "middle": 3,
        "small": 2,
    }


def test_who_does_not_qualify_takes_no_place_and_lowers_no_rank() -> None:
    table = hand()
    qualifying = runs(
        [
            {"track": "qualification", "method": method, "dataset": "q", "r2": value}
            for method, value in {"a": 0.9, "b": 0.4, "c": 0.6, "linear": 0.5}.items()
        ]
    )
    found = judge(pd.concat([table, qualifying]), preset(resamples=2)).candidates
    assert (found["b"].qualified, found["b"].margin, found["b"].synthetic) == (False, -1, None)
    without = synthetic(table[table["method"] != "b"])
    assert {name: found[name].synthetic for name in "ac"} == without


def test_who_ran_nothing_on_the_track_is_last() -> None:
    rows = [{"track": "qualification", "method": name, "dataset": "q", "r2": 0.9} for name in "az"]
    rows += [{"track": "qualification", "method": "linear", "dataset": "q", "r2": 0.1}]
    found = judge(pd.concat([hand(), runs(rows)]), preset(qualification="none", resamples=2)).candidates
    assert found["z"].synthetic is not None
    assert (found["z"].synthetic.score, found["z"].synthetic.place) == (1.95, 4)  # ranks 2, 1, 2 and 2, 3


def written(verdict: Verdict, folder: Path) -> Verdict:
    """The verdict as it is read again."""
    write_record(folder / "verdict.json", verdict)
    return read_record(folder / "verdict.json", Verdict)


@pytest.mark.parametrize("missing", ["worst", "drop"])
def test_all_methods_failing_is_a_verdict_too(missing: str, tmp_path: Path) -> None:
    verdict = judge(hand().assign(status="crashed"), preset(missing=missing, resamples=2))
    standing = written(verdict, tmp_path).candidates["a"].synthetic
    assert standing
    assert standing.score is None


def test_a_verdict_is_read_as_it_was_written_and_a_margin_without_a_number_as_none(tmp_path: Path) -> None:
    rows = [{"track": "qualification", "method": name, "dataset": "q", "r2": math.nan} for name in "ab"]
    rows += [{"track": "qualification", "method": name, "dataset": "q", "r2": 0.5} for name in ("linear", "c")]
    verdict = judge(pd.concat([hand(), runs(rows)]), preset(qualification="mean", resamples=2))
    assert written(verdict, tmp_path).candidates["a"] == Candidate(False, None, None, None)
    assert verdict.stability is None
    verdict = judge(hand(), preset(resamples=2))
    assert written(verdict, tmp_path) == verdict
    assert verdict.stability
    assert list(verdict.stability.ties) == list(TIES)


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (
            hand().drop(columns="status"),
            UserError,
            "no column status; it has .*; add it, or rename the one that is meant$",
        ),
        (
            hand().drop(columns="simplified"),
            UserError,
            r"no column components \(nor simplified\), for the aspect simplicity",
        ),
        (
            hand().drop(columns="property"),
            UserError,
            r"add it, or rename the one that is meant, or judge without: -S 'rules.aspects=\[accuracy,simplicity\]'",
        ),
        (pd.concat([hand(), hand().head(1)]), ValueError, "two rows of synthetic, a, f1, 0"),
        (hand().assign(track="synthetik"), ValueError, "unknown track 'synthetik'; did you mean 'synthetic'"),
        (hand().assign(method=None), ValueError, "rows without method"),
    ],
)
def test_a_table_that_is_no_table_of_runs_is_refused(table: pd.DataFrame, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        judge(table, preset())


def test_a_column_of_components_alone_is_taken_for_either_count() -> None:
    table = hand().rename(columns={"simplified": "components"})
    for count in ("parsed", "simplified"):
        assert scores(table, components=count) == scores(hand())


def test_the_count_is_the_one_that_the_rules_name() -> None:
    table = hand().assign(parsed=lambda rows: 30 - rows["simplified"])
    assert scores(table, components="parsed", aspects=("simplicity",))["b"] == 3
    assert scores(table, components="simplified", aspects=("simplicity",))["b"] == 1.5


@pytest.mark.parametrize("path", sorted(PRESETS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_preset_is_a_whole_set_of_rules_and_says_how_to_use_it(path: Any) -> None:
    assert rules_of(path).resamples == 200
    head = [line for line in path.read_text().splitlines() if line.startswith("#")]
    assert any("dvc exp run -S rules" in line and path.stem in line for line in head)


@pytest.mark.parametrize("name", ["srbench2022", "srbench2022_as_run", "srbench2023"])
def test_every_preset_of_the_competition_judges_a_table(name: str) -> None:
    verdict = judge(synthetic_table(5, 6, 3, seed=1), preset(name, resamples=5))
    standings = [candidate.synthetic for candidate in verdict.candidates.values()]
    lowest = preset(name).lowest
    assert all(standing and lowest <= (standing.score or 0) <= 4 + lowest for standing in standings)
    assert sorted(verdict.order()) == sorted(verdict.candidates)


def test_an_aspect_in_which_nobody_has_a_number_counts_for_nobody() -> None:
    """Were it ranked, `a` would gain by failing on f1, for the data set would then be left out altogether."""
    usual: dict[str, Any] = {"r2": 0.5, "simplified": 5}
    rows: list[dict[str, Any]] = [
        {"method": "a", "dataset": "f1", **usual, "property": -math.inf},
        {"method": "b", "dataset": "f1", "status": "crashed"},
        {"method": "a", "dataset": "f2", **usual, "property": 0.5},
        {"method": "b", "dataset": "f2", **usual, "property": 1.0},
    ]
    failing = [{**rows[0], "status": "crashed"}, *rows[1:]]
    assert scores(runs(rows), ties="max")["a"] >= scores(runs(failing), ties="max")["a"]
    assert scores(runs(rows), ties="max")["a"] == (2 + 3 / (1 + 1 + 1)) / 2


def test_counts_in_one_bucket_tie_unless_the_rules_rank_them_as_they_are() -> None:
    table = runs(
        [{"method": name, "dataset": "f", "r2": 0.5, "parsed": n} for name, n in zip("abc", (85, 90, 300), strict=True)]
    )
    ranked = {"aspects": ("simplicity",), "components": "parsed"}
    assert scores(table, **ranked, simplicity="bucketed") == {"a": 3, "b": 3, "c": 2}
    assert scores(table, **ranked, simplicity="count") == {"a": 3, "b": 2, "c": 1}


def test_r2_that_differ_in_the_fourth_decimal_tie_unless_the_rules_round_nothing() -> None:
    table = runs(
        [{"method": name, "dataset": "f", "r2": r2, "simplified": 5} for name, r2 in (("a", 0.9), ("b", 0.9002))]
    )
    assert scores(table, aspects=("accuracy",), rounding="run") == {"a": 2, "b": 2}
    assert scores(table, aspects=("accuracy",), rounding="none") == {"a": 1, "b": 2}


def test_the_scripts_of_2022_rounded_the_mean_of_r2_and_no_property() -> None:
    """As `competition-2022/postprocessing/stage1.ipynb` of cavalab/srbench does."""
    rows = [
        {"method": n, "dataset": "f", "r2": r2, "property": r2, "simplified": 5}
        for n, r2 in (("a", 0.9), ("b", 0.9002))
    ]
    ranks = {
        name: one.synthetic.ranks
        for name, one in judge(
            runs(rows), preset("srbench2022_as_run", qualification="none", baseline="c")
        ).candidates.items()
        if one.synthetic
    }
    assert ranks["a"] == {"accuracy": 1, "simplicity": 1, "property": 0}
    assert ranks["b"] == {"accuracy": 1, "simplicity": 1, "property": 1}


def test_the_competition_of_2023_ranks_as_its_guide_says() -> None:
    """Three of the models of 2023 and their R² on the training data, as its teams' `scores_*.csv` give them.

    41 and 55 components share a bucket of 2022, and so do 17 and 19: there they would tie.
    """
    entries = {
        "sarma": [(0.8385470125688346, 55), (0.9546875042012798, 17), (0.9788957028262171, 43)],
        "stackgp": [(0.42042758109015077, 41), (0.9494166898060884, 19), (0.26993422311354365, 19)],
    }
    rows = [
        {"method": name, "dataset": f"dataset_{at}", "r2": r2, "parsed": count}
        for name, sets in entries.items()
        for at, (r2, count) in enumerate(sets, 1)
    ]
    found = judge(runs(rows), preset("srbench2023", resamples=2, baseline="none")).candidates
    # sarma has the accuracy ranks 2 2 2 and the simplicity ranks 1 2 1; stackgp 1 1 1 and 2 1 2.
    assert {name: one.synthetic.score for name, one in found.items() if one.synthetic} == pytest.approx(
        {"sarma": 6 / (1 / 2 + 1 / 2 + 1 / 2 + 1 + 1 / 2 + 1), "stackgp": 6 / (1 + 1 + 1 + 1 / 2 + 1 + 1 / 2)}
    )


def test_the_score_of_2023_is_the_formula_of_its_call() -> None:
    """2n / Σ (1/accuracy rank + 1/simplicity rank) over n data sets."""
    table = synthetic_table(4, 5, 2, seed=3)
    table = table[table["status"] == "ok"]
    table = table[table.groupby(["method", "dataset"])["repetition"].transform("size") == 2]
    table = table[table.groupby("dataset")["method"].transform("nunique") == 4]
    table = table.assign(a=table["r2"], s=-table["parsed"])
    means = table.groupby(["dataset", "method"])[["a", "s"]].mean().round(9)
    ranked = means.groupby("dataset").rank(method="dense", ascending=False).rsub(5)
    expected = 2 * means.index.get_level_values(0).nunique() / (1 / ranked).sum(axis=1).groupby("method").sum()
    found = judge(table, preset("srbench2023", resamples=2)).candidates
    assert {name: one.synthetic.score for name, one in found.items() if one.synthetic} == pytest.approx(dict(expected))

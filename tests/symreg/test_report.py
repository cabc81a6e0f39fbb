"""What a person reads of a competition."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pfe.files import read_record, write_record
from pfe.judging.expert import Expert
from pfe.judging.judge import judge
from pfe.judging.verdict import Verdict
from pfe.report.leaderboard import page as leaderboard
from pfe.report.verdict import number, qualification
from pfe.symreg.competition.record import MeasuredRun
from pfe.symreg.report import averages, page, places, points, table
from tests.judging.tables import preset
from tests.report.tables import cells

RULES = preset(resamples=20)
LABELS = {"linear": "Linear", "operon": "Operon", "lasso": "Lasso (polynomial)"}
RUN = MeasuredRun("synthetic", "linear", "f", 0, "ok", 0.5, "x1", 9, 9, "simplified", None, 0.0)
BEST = {"linear": (0.5, 9), "operon": (0.98, 12), "lasso": (0.96, 40)}


DATASETS = {"qualification": ("q1", "q2"), "synthetic": ("f", "g", "h"), "real_world": ("covid",)}


def competition() -> list[MeasuredRun]:
    """Operon is better than the lasso everywhere, both than the baseline; a run of the lasso timed out."""
    found = []
    for (track, datasets), method, at in product(DATASETS.items(), BEST, range(2)):
        r2, size = BEST[method]
        run = replace(RUN, method=method, repetition=at, r2=r2, simplified=size, model=f"{size} * x1")
        found += [replace(run, track=track, dataset=dataset) for dataset in datasets]  # type: ignore[arg-type]
    late = next(at for at, run in enumerate(found) if (run.method, run.dataset) == ("lasso", "h"))
    nothing: dict[str, Any] = dict.fromkeys(("r2", "parsed", "simplified", "property"))
    found[late] = replace(found[late], status="timeout", model="", **nothing)
    return found


RUNS = competition()


def judged(runs: list[MeasuredRun], expert: Expert | None = None, **changes: Any) -> Verdict:
    return judge(MeasuredRun.table(runs).to_pandas(), replace(RULES, **changes), expert)


def report(runs: list[MeasuredRun], expert: Expert | None = None) -> str:
    return cells(page(judged(runs, expert), runs, averages(runs, RULES), RULES, LABELS))


def test_the_ranking_shows_place_score_ranks_figures_and_failed_runs() -> None:
    lines = table(judged(RUNS), averages(RUNS, RULES), RULES, LABELS).splitlines()
    head, first, second = lines[0].split(), lines[2].split(), lines[3].split()
    assert " ".join(head) == "Place Method Score Accuracy Simplicity Property R² Components Failed runs"
    assert first == ["1", "Operon", "2.00", "2.00", "2.00", "2.00", "0.980", "12.0", "–"]
    assert second[:3] == ["2", "Lasso", "(polynomial)"]
    assert second[-4:] == ["0.960", "40.0", "1", "timeout"]
    assert {line.index("0.9") for line in lines[2:4]} == {lines[0].index("R²") - 3}, "figures stand below their title"


def test_the_report_says_why_runs_failed_whatever_the_reason_holds() -> None:
    reason = "ValueError: a | b `c` <script> **d** " + "x" * 300
    broken: dict[str, Any] = {"status": "crashed", "reason": reason, "r2": None, "counted": None}
    runs = [replace(run, **broken) if (run.method, run.dataset) == ("lasso", "f") else run for run in RUNS]
    text = report(runs)
    (row,) = [line for line in text.splitlines() if "ValueError" in line]
    assert row.startswith(r"| Lasso (polynomial) | `2 crashed: ValueError: a \| b 'c' <script> **d** x")
    assert row.replace(r"\|", "").count("|") == 3
    assert len(row) < 250
    assert "| Lasso (polynomial) | `1 timeout: ` |" in text
    whole = [replace(run, status="ok") for run in RUNS]
    assert "## Failed runs" not in page(judged(RUNS), whole, averages(RUNS, RULES), RULES, LABELS)


def test_the_report_says_which_counts_were_taken() -> None:
    good = [run for run in RUNS if run.status == "ok"]
    kinds = [("simplified", "simplified"), ("parsed", "simplified"), ("parsed", "timeout"), ("parsed", "failed")]
    runs = [replace(run, counted=kinds[at % 4][0], simplification=kinds[at % 4][1]) for at, run in enumerate(good[:8])]
    text = page(judged(RUNS), runs, averages(RUNS, RULES), RULES, LABELS)
    assert "Components of 2 models are counted after simplifying. Simplifying made 2 longer" in text
    assert "did not end for 4: those are counted as reported" in text


def test_the_report_says_who_qualified_and_by_what_margin() -> None:
    text = report(RUNS)
    assert "| Operon | 2.000 | qualified |" in text
    assert "| Linear | 0.000 | baseline |" in text


def test_the_report_says_why_the_baseline_takes_no_place_also_where_nobody_had_to_qualify() -> None:
    said = "Linear is the baseline that others qualify against: it is not ranked."
    assert f"stands in `docs/judging.md`. {said}" in report(RUNS)
    assert f"Nobody had to qualify by these rules. {said}" in qualification(
        judged(RUNS, qualification="none"), replace(RULES, qualification="none"), LABELS
    )
    made = [run for run in RUNS if run.track != "qualification"]
    assert f"Nobody had to qualify without a data set for it. {said}" in report(made)
    alone = [run for run in made if run.method != "linear"]
    assert "Nobody had to qualify without a data set for it.\n" in report(alone)
    assert said not in report(alone)


def test_the_report_has_every_plot_and_every_data_set() -> None:
    text = report(RUNS)
    for part in ("pareto", "critical_difference", "rank_stability"):
        assert f"plots/{part}.svg" in text
    assert "| q1 | 0.500 · 9 · 0.00 | 0.980 · 12 · 0.00 | 0.960 · 40 · 0.00 |" in text
    assert "| h |" in text


def test_the_real_world_track_shows_models_and_waits_for_its_expert() -> None:
    text = report(RUNS)
    assert "No expert has ranked these models yet" in text
    assert "| Operon | 0.980 | 12 | `12 * x1` |" in text
    trusted = report(RUNS, Expert("expert.yaml", {"covid": {"operon": 1.0, "lasso": 2.0}}))
    assert "| 1 | Lasso (polynomial) | 2.00 |\n| 2 | Operon | 1.00 |" in trusted
    assert "No expert" not in trusted


def test_where_nobody_qualifies_the_report_says_so_and_still_shows_margins_and_data() -> None:
    runs = [run for run in RUNS if run.method == "linear"]
    text = report(runs)
    assert "Nobody is ranked" in text
    assert "| Linear | 0.000 | baseline |" in text
    assert places(judged(runs), LABELS) == []


def test_averages_are_over_data_sets_and_of_good_runs_only() -> None:
    runs = [
        replace(RUN, dataset="f", r2=0.0, simplified=1),
        replace(RUN, dataset="f", repetition=1, r2=0.0, simplified=1),
        replace(RUN, dataset="g", r2=1.0, simplified=3),
        replace(RUN, dataset="g", repetition=1, status="crashed", r2=None, simplified=None),
    ]
    found = averages(runs, RULES)["linear"]
    assert (found.r2, found.components, dict(found.failed)) == (0.5, 2, {"crashed": 1})
    assert [point.method for point in points({"linear": found}, LABELS)] == ["Linear"]
    failed = averages(runs[3:], RULES)
    assert points(failed, LABELS) == []


def test_a_written_verdict_is_read_as_the_same(tmp_path: Path) -> None:
    verdict = judged(RUNS, Expert("expert.yaml", {"covid": {"operon": 1.0, "lasso": 2.0}}))
    write_record(tmp_path / "verdict.json", verdict)
    assert read_record(tmp_path / "verdict.json", Verdict) == verdict


def test_dvc_shows_who_qualified_and_the_scores_of_the_ranked() -> None:
    shown = judged(RUNS).metrics()
    assert shown["operon"] == {"qualified": True, "score": 2.0}
    assert shown["linear"] == {"qualified": False}


def test_the_leaderboard_shows_margins_and_order() -> None:
    text = cells(leaderboard(judged(RUNS), RULES, LABELS))
    assert text.startswith("# Leaderboard")
    assert "1 Operon" in text
    assert "| Operon | 2.000 | qualified |" in text


@pytest.mark.parametrize(("value", "text"), [(None, "–"), (1234.5, "1,234.50"), (-2.2e14, "-2.2e+14"), (0.0, "0.00")])
def test_figures_are_short(value: float | None, text: str) -> None:
    assert number(value, 2) == text


def test_a_table_read_back_from_parquet_is_judged_alike(tmp_path: Path) -> None:
    MeasuredRun.write(RUNS, tmp_path / "runs.parquet")
    assert judge(pd.read_parquet(tmp_path / "runs.parquet"), RULES) == judged(RUNS)

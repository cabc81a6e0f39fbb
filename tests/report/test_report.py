"""SPEC's reporting format, and the page made of metrics files."""

from typing import Any

import pytest

from pfe.report.page import Metrics, page, student_verdict
from pfe.report.table import Line, table
from tests.report.test_firewall import calibration, certificate

SPEC_LINES = [
    Line("Ours (trained)", 72.3, 86.1, 13.8, 49.8, (11.2, 16.4), 1250),
    Line("Ours (base)", 8.2, 31.4, 23.2, 25.3, (20.5, 25.9), 1250),
    Line("GPT-4o (tutor)", 95.2, 96.8, 1.6, 33.3, (0.4, 2.8), 1250),
    Line("Llama-3-8B", 58.1, 71.3, 13.2, 31.5, (10.0, 16.4), 1250),
]


def test_the_example_table_of_the_specification() -> None:
    lines = table("Benchmark: GSM1K", SPEC_LINES).splitlines()
    assert lines[0] == "Benchmark: GSM1K"
    assert set(lines[1]) == set(lines[3]) == set(lines[-1]) == {"─"}
    assert lines[2].split()[:5] == ["Model", "Canonical", "ICR", "Lift", "Rel.Lift"]
    assert lines[4].split()[:6] == ["Ours", "(trained)", "72.3%", "86.1%", "+13.8%", "49.8%"]
    assert lines[7].split()[:5] == ["Llama-3-8B", "58.1%", "71.3%", "+13.2%", "31.5%"]
    assert len({len(line) for line in lines[1:]}) == 1


def test_a_figure_that_does_not_exist_is_a_dash() -> None:
    assert table("T", [Line("MiniLM", None)]).splitlines()[4].split() == ["MiniLM", "–", "–", "–", "–", "–", "–"]


def test_full_marks_have_no_relative_lift_and_a_negative_lift_keeps_its_sign() -> None:
    line = table("T", [Line("x", 100, 97.5, -2.5, None, (-6.0, 1.0), 40)]).splitlines()[4]
    assert line.split() == ["x", "100.0%", "97.5%", "-2.5%", "–", "[-6.0,", "+1.0]", "40"]


def average(value: float) -> dict[str, Any]:
    return {"value": value, "benchmarks": 2, "n": 80, "low": value - 1, "high": value + 1}


def metrics(lift: float, canonical: float) -> Metrics:
    share = {"value": canonical, "n": 40, "low": 1.0, "high": 9.0}
    step = {"value": lift, "n": 40, "low": lift - 1, "high": lift + 1, "relative": None}
    models = ("base", "student")
    counts = {"target": 9, "candidates": 12, "accepted": 8, "short": 1, "passed": 8, "rejected": {"token_overlap": 4}}
    return Metrics(
        canonical={model: {"race": share} for model in models},
        icr={model: {"race": share} for model in models},
        lift={model: {"race": step} for model in models},
        pfe={
            "base": {"canonical": average(20), "icr": average(20), "lift": average(0)},
            "student": {"canonical": average(canonical), "icr": average(canonical + lift), "lift": average(lift)},
        },
        firewall={"sets": {"race_synth": counts}, "total": counts},
        firewall_calibration=calibration(),
        certificate=certificate(),
        answer_keys={"race_synth": {"agreement": 100.0, "problems": 8}},
        train={"parameters": 1000, "steps": 10, "lessons": 8, "first_loss": 8.0, "loss": 3.0},
    )


@pytest.mark.parametrize(
    ("lift", "canonical", "word"), [(12, 30, "strong"), (6, 30, "moderate"), (1, 30, "weak"), (12, 10, "weak")]
)
def test_the_verdict_stands_with_its_figures(lift: float, canonical: float, word: str) -> None:
    told = student_verdict(metrics(lift, canonical))
    assert f"**{word}**" in told
    assert f"PFE-Lift {lift:+.1f} points" in told
    assert "2 benchmarks and 80 problems" in told


def test_no_student_no_verdict() -> None:
    from dataclasses import replace

    assert student_verdict(replace(metrics(1, 1), pfe={})).startswith("Verdict: none")


def test_the_page_names_what_is_short_and_what_the_firewall_catches() -> None:
    text = page(metrics(12, 30), {"race": "RACE"}, {"base": "Ours (base)", "student": "Ours (trained)"})
    assert "Benchmark: RACE" in text
    assert "| race_synth | 12 | 4 | 8 (1 short) | 9 | 100.0 % of 8 |" in text
    assert text.index("## The corpus behind the student") < text.index("## What the firewall catches")
    assert "| verbatim | 40 | 100.0 % [91.2, 100.0] |" in text
    assert "loss 8.00 → 3.00 nats per token" in text

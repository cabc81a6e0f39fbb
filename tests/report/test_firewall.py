"""The report's section on the firewall: no larger claim than the figures bear, no text of a problem."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.report.firewall import Rates, curves, in_use, section

THRESHOLDS = {"dilution": 0.6, "math_structure": 0.0, "token_overlap": 0.3}
CLAIM = "zero pairs above these thresholds, with this measured recall on these attack sets"


def calibration() -> dict[str, Any]:
    """Two attacks of 40 problems and two clean sets, of 10 and of 30."""
    return {
        "attacks": {
            "dilution": _attack(97.5, (86.8, 99.6), 20.0, (97.5, 0.0, 20.0)),
            "verbatim": _attack(100.0, (91.2, 100.0), 100.0, (100.0, 10.0, 100.0)),
        },
        "clean": {
            "held_out": _clean(10.0, 10, (1.8, 40.4), (0.0, 0.0, 10.0)),
            "known_clean": _clean(0.0, 30, (0.0, 11.4), (0.0, 0.0, 0.0)),
        },
        "sweep": {},
    }


def certificate(highest: float = 0.2857) -> dict[str, Any]:
    """Eight accepted problems, each compared with fifty canonical ones."""
    return {
        "counts": {"canonical": 50, "candidates": 12, "accepted": 8},
        "thresholds": THRESHOLDS,
        "highest_accepted": {
            "dilution": {"score": 0.1, "problem_id": "race_synth/seat/s0/2", "canonical_id": "race/3"},
            "math_structure": {"score": 0.0, "problem_id": "race_synth/seat/s0/9", "canonical_id": ""},
            "token_overlap": {"score": highest, "problem_id": "race_synth/seat/s0/5", "canonical_id": "race/7"},
        },
    }


def firewall(**rejected: int) -> dict[str, Any]:
    """Two sets, of which the first has all rejections."""
    none = dict.fromkeys([*THRESHOLDS, "error"], 0)
    return {"total": {"rejected": none | rejected},
            "sets": {"arc_synth": {"rejected": none | rejected}, "race_synth": {"rejected": none}}}  # fmt: skip


def _attack(value: float, interval: tuple[float, float], spec: float, gates: tuple[float, ...]) -> dict[str, Any]:
    caught = {"value": value, "n": 40, "low": interval[0], "high": interval[1]}
    return {"caught": caught, "spec": spec, "gates": dict(zip(THRESHOLDS, gates, strict=True))}


def _clean(value: float, n: int, interval: tuple[float, float], gates: tuple[float, ...]) -> dict[str, Any]:
    flagged = {"value": value, "n": n, "low": interval[0], "high": interval[1]}
    return {"flagged": flagged, "spec": value, "gates": dict(zip(THRESHOLDS, gates, strict=True))}


def _told(**rejected: int) -> list[str]:
    return section(firewall(**rejected), calibration(), certificate())


def test_the_claim_stands_in_its_own_words_with_the_pairs_it_is_about() -> None:
    first, second, *_ = _told()
    assert f"**{CLAIM}**, not more." in first
    assert "8 accepted and 50 canonical problems make 400 pairs" in second


@given(st.floats(0, 1))
def test_the_claim_is_made_where_and_only_where_no_score_is_above_its_threshold(score: float) -> None:
    told = section(firewall(), calibration(), certificate(round(score, 4)))[0]
    assert (CLAIM in told) == (round(score, 4) <= THRESHOLDS["token_overlap"])


def test_a_score_above_its_threshold_is_named_instead_of_the_claim() -> None:
    told = "\n".join(section(firewall(), calibration(), certificate(0.3001)))
    assert "The firewall's claim does not hold**: `token_overlap` let 0.3001 through" in told
    assert CLAIM not in told


def test_every_attack_has_its_n_its_interval_what_spec_alone_catches_and_the_strongest_gates() -> None:
    told = _told()
    assert "| dilution | 40 | 97.5 % [86.8, 99.6] | 20.0 % | dilution 97.5 %, token_overlap 20.0 % |" in told
    assert (
        "| verbatim | 40 | 100.0 % [91.2, 100.0] | 100.0 % "
        "| dilution 100.0 %, token_overlap 100.0 %, math_structure 10.0 % |"
    ) in told


def test_false_positives_are_counted_with_their_interval() -> None:
    told = _told()
    assert "| held_out | 10 | 1: 10.0 % [1.8, 40.4] | 10.0 % | token_overlap 10.0 % |" in told
    assert "| known_clean | 30 | 0: 0.0 % [0.0, 11.4] | 0.0 % | – |" in told


def test_every_gate_shows_its_threshold_its_rates_and_the_nearest_pair_it_let_through() -> None:
    told = _told()
    assert "| token_overlap | 0.3 | 60.0 % | 2.5 % | 0.2857 | `race_synth/seat/s0/5` | `race/7` |" in told
    assert "| math_structure | 0 | 5.0 % | 0.0 % | 0.0000 | – | – |" in told


def test_where_nothing_was_accepted_nothing_was_let_through() -> None:
    nothing = certificate() | {"highest_accepted": dict.fromkeys(THRESHOLDS)}
    assert "| dilution | 0.6 | 98.8 % | 0.0 % | – | – | – |" in section(firewall(), calibration(), nothing)


def test_only_reasons_that_occur_have_a_column_the_most_frequent_first() -> None:
    told = _told(token_overlap=3, error=1_200)
    start = told.index("| set | error | token_overlap | together |")
    assert told[start + 2 : start + 5] == [
        "| arc_synth | 1,200 | 3 | 1,203 |",
        "| race_synth | 0 | 0 | 0 |",
        "| **all** | 1,200 | 3 | 1,203 |",
    ]


def test_no_rejection_at_all_is_said_in_words() -> None:
    assert _told()[-1] == "No candidate was rejected."


def test_every_table_has_as_many_cells_in_every_line() -> None:
    told = "\n".join(_told(token_overlap=3, dilution=2))
    tables = [block.splitlines() for block in told.split("\n\n") if block.startswith("|")]
    assert len(tables) == 4
    for lines in tables:
        assert len({line.count("|") for line in lines}) == 1, lines


def test_the_rates_in_use_weigh_attacks_the_same_and_clean_text_by_its_size() -> None:
    assert in_use(calibration(), THRESHOLDS)["token_overlap"] == Rates(0.3, (20 + 100) / 2, (10 * 10 + 0 * 30) / 40)


def test_without_attacks_or_clean_text_there_is_no_rate() -> None:
    assert in_use({"attacks": {}, "clean": {}}, {"dilution": 0.6}) == {"dilution": Rates(0.6, None, None)}


@pytest.mark.parametrize(("text", "value"), [("12.5", 12.5), ("", None)])
def test_a_curve_is_read_point_by_point_and_an_empty_cell_is_no_figure(text: str, value: float | None) -> None:
    row = {"gate": "dilution", "threshold": "0.6", "recall": "100.0", "false_positives": text}
    assert curves([row, row | {"threshold": "0.7"}]) == {
        "dilution": [Rates(0.6, 100.0, value), Rates(0.7, 100.0, value)]
    }

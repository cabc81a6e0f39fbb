"""The report's section on the firewall: no larger claim than the figures bear, no text of a problem."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pfe.calibration.record import Rates, RejectionShares, Shares
from pfe.report.firewall import curves, metrics, section
from pfe.scores import Proportion
from pfe.screening.record import Claim, ComparisonCounts, Counts, Libraries, Nearest, Summary
from tests.report.tables import cells

THRESHOLDS = {"dilution": 0.6, "math_structure": 0.0, "token_overlap": 0.3}
CLAIM = "zero pairs above these thresholds, with this measured recall on these attack sets"


def measured() -> RejectionShares:
    """Two attacks of 40 problems and two benchmarks of clean text, of 10 problems and of 30."""
    return RejectionShares(
        attacks={
            "dilution": _shares(97.5, 40, (86.8, 99.6), 20.0, (97.5, 0.0, 20.0)),
            "verbatim": _shares(100.0, 40, (91.2, 100.0), 100.0, (100.0, 10.0, 100.0)),
        },
        clean={
            "mbpp": _shares(10.0, 10, (1.8, 40.4), 10.0, (0.0, 0.0, 10.0)),
            "race": _shares(0.0, 30, (0.0, 11.4), 0.0, (0.0, 0.0, 0.0)),
        },
    )


def claim(highest: float = 0.2857) -> Claim:
    """Eight accepted problems, each compared with fifty canonical ones."""
    return Claim(
        ComparisonCounts(canonical=50, candidates=12, accepted=8),
        {gate: f"of {gate}" for gate in THRESHOLDS},
        THRESHOLDS,
        {
            "dilution": Nearest(0.1, "race_synth/seat/s0/2", "race/3"),
            "math_structure": Nearest(0.0, "race_synth/seat/s0/9", ""),
            "token_overlap": Nearest(highest, "race_synth/seat/s0/5", "race/7"),
        },
    )


def screened(**rejected: int) -> Summary:
    """Two sets, of which the first has all rejections."""
    none = dict.fromkeys([*THRESHOLDS, "error"], 0)
    counts = Counts(target=9, candidates=12, passed=8, accepted=8, short=1, rejected=none)
    rejecting = replace(counts, rejected=none | rejected)
    return Summary(rejecting, {"arc_synth": rejecting, "race_synth": counts}, Libraries(lines=838, leaks=0))


def _shares(value: float, n: int, interval: tuple[float, float], spec: float, gates: tuple[float, ...]) -> Shares:
    by_gate = dict(zip(THRESHOLDS, gates, strict=True))
    return Shares(Proportion(value, n, *interval), spec, by_gate, by_gate)


def _section(**rejected: int) -> str:
    return cells("\n\n".join(section(screened(**rejected), measured(), claim())))


def test_the_claim_stands_in_its_own_words_with_the_pairs_it_is_about() -> None:
    first = section(screened(), measured(), claim())[0]
    assert f"**{CLAIM}**, not more." in first
    assert "8 accepted and 50 canonical problems make 400 pairs" in first


@given(st.floats(0, 1))
def test_the_claim_is_made_where_and_only_where_no_score_is_above_its_threshold(score: float) -> None:
    first = section(screened(), measured(), claim(round(score, 4)))[0]
    assert (CLAIM in first) == (round(score, 4) <= THRESHOLDS["token_overlap"])


def test_a_score_above_its_threshold_is_named_instead_of_the_claim() -> None:
    first = section(screened(), measured(), claim(0.3001))[0]
    assert "The firewall's claim does not hold**: `token_overlap` let 0.3001 through" in first
    assert CLAIM not in first


def test_every_attack_has_its_n_its_interval_what_spec_alone_catches_and_the_strongest_gates() -> None:
    text = _section()
    assert "| dilution | 40 | 97.5 % [86.8, 99.6] | 20.0 % | dilution 97.5 %, token_overlap 20.0 % |" in text
    assert (
        "| verbatim | 40 | 100.0 % [91.2, 100.0] | 100.0 % "
        "| dilution 100.0 %, token_overlap 100.0 %, math_structure 10.0 % |"
    ) in text


def test_false_positives_are_counted_with_their_interval() -> None:
    text = _section()
    assert "| mbpp | 10 | 1: 10.0 % [1.8, 40.4] | 10.0 % | token_overlap 10.0 % |" in text
    assert "| race | 30 | 0: 0.0 % [0.0, 11.4] | 0.0 % | – |" in text


def test_every_gate_shows_its_threshold_its_rates_and_the_nearest_pair_it_let_through() -> None:
    text = _section()
    assert (
        "| token_overlap | of token_overlap | 0.3 | 60.0 % | 5.0 % | 0.2857 | `race_synth/seat/s0/5` | `race/7` |"
        in text
    )
    assert "| math_structure | of math_structure | 0 | 5.0 % | 0.0 % | 0.0000 | – | – |" in text


def test_where_nothing_was_accepted_nothing_was_let_through() -> None:
    nothing = replace(claim(), highest_accepted=dict.fromkeys(THRESHOLDS))
    text = cells("\n\n".join(section(screened(), measured(), nothing)))
    assert "| dilution | of dilution | 0.6 | 98.8 % | 0.0 % | – | – | – |" in text


def test_only_reasons_that_occur_have_a_column_the_most_frequent_first() -> None:
    lines = _section(token_overlap=3, error=1_200).splitlines()
    start = lines.index("| set | error | token_overlap | together |")
    assert lines[start + 2 : start + 5] == [
        "| arc_synth | 1,200 | 3 | 1,203 |",
        "| race_synth | 0 | 0 | 0 |",
        "| **all** | 1,200 | 3 | 1,203 |",
    ]


def test_no_rejection_at_all_is_said_in_words() -> None:
    assert _section().endswith("No candidate was rejected.")


def test_every_table_has_as_many_cells_in_every_line() -> None:
    text = _section(token_overlap=3, dilution=2)
    tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) == 4
    for lines in tables:
        assert len({line.count("|") for line in lines}) == 1, lines


def test_the_rates_in_use_weigh_attacks_the_same_and_benchmarks_of_clean_text_the_same() -> None:
    rates = measured().in_use(THRESHOLDS)["token_overlap"]
    assert rates == Rates("token_overlap", 0.3, (20 + 100) / 2, (10 + 0) / 2)


def test_a_benchmark_with_many_false_positives_is_named() -> None:
    assert "**False positives above 5 %**: mbpp 10.0 % (n = 10)." in _section()
    few = replace(measured(), clean={"mbpp": _shares(5.0, 20, (0.9, 23.6), 5.0, (0.0, 0.0, 5.0))})
    assert "False positives above" not in "\n\n".join(section(screened(), few, claim()))


def test_without_attacks_or_clean_text_there_is_no_rate() -> None:
    assert RejectionShares({}, {}).in_use({"dilution": 0.6}) == {"dilution": Rates("dilution", 0.6, None, None)}


def test_every_gate_has_its_curve() -> None:
    first, second, other = Rates("edits", 0.6, 100.0, 12.5), Rates("edits", 0.7, 90.0, None), Rates("english", 0, 1, 1)
    assert curves([first, second, other]) == {"edits": [first, second], "english": [other]}


def test_dvc_shows_counts_recall_and_false_positives_with_one_decimal() -> None:
    assert metrics(screened(token_overlap=3, error=1), measured()) == {
        "accepted": 8,
        "rejected": 4,
        "recall": 98.8,
        "false_alarms": 5.0,
    }
    assert metrics(screened(), RejectionShares({}, {})) == {"accepted": 8, "rejected": 0}

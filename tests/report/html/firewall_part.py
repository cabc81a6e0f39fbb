"""A firewall that was measured on nothing much."""

from pfe.calibration.record import Rates, RejectionShares, Shares
from pfe.report.html.firewall import Near
from pfe.report.html.parts import firewall
from pfe.report.html.results import Part
from pfe.scores.proportion import Proportion
from pfe.screening.record import Claim, ComparisonCounts, Counts, Libraries, Nearest, Summary

SHARES = Shares(Proportion(50.0, 4, 15.0, 85.0), 25.0, {"token_overlap": 50.0}, {"token_overlap": 0.0})
NEAR = Near(
    "token_overlap", "passed", 0.28, 0.3, "arc_synth/a/1", "arc_easy/1", "Which tool measures air pressure <b>?"
)


def part(rates: list[Rates]) -> Part:
    counts = Counts(2, 3, 2, 2, 0, {"token_overlap": 1})
    gates = {"token_overlap": "share of its n-grams in one canonical problem"}
    highest = {"token_overlap": Nearest(0.28, "arc_synth/a/1", "arc_easy/1")}
    return firewall(
        Summary(counts, {"arc_synth": counts}, Libraries(1, 0)),
        RejectionShares({"dilution": SHARES}, {"held_out": SHARES}),
        Claim(ComparisonCounts(1, 3, 2), gates, {"token_overlap": 0.3}, highest),
        rates,
        [NEAR],
        {"arc_easy/1": "What tool measures air pressure?"},
    )

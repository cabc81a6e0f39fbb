"""The parts of the page behind the scores, of next to nothing: a firewall, a training, and where it all comes from."""

from collections.abc import Mapping

from pfe.calibration.record import Rates, RejectionShares, Shares
from pfe.canonical.seal import Seal
from pfe.config.parameter_types import Prices
from pfe.models.usage import Usage
from pfe.report.ablations import Ablation
from pfe.report.corpus_change import Change
from pfe.report.html.firewall import Near
from pfe.report.html.parts import competition, firewall, provenance, training
from pfe.report.html.provenance import Engine, Provenance
from pfe.report.html.results import Part
from pfe.run_times import RunTime
from pfe.scores.proportion import Proportion
from pfe.screening.record import Claim, ComparisonCounts, Counts, Libraries, Nearest, Summary
from pfe.symreg.plots import Point, pareto
from pfe.training.record import Training

SHARES = Shares(Proportion(50.0, 4, 15.0, 85.0), 25.0, {"token_overlap": 50.0}, {"token_overlap": 0.0})
NEAR = Near(
    "token_overlap", "passed", 0.28, 0.3, "arc_synth/a/1", "arc_easy/1", "Which tool measures air pressure <b>?"
)


CLAIM = Claim(
    ComparisonCounts(1, 3, 2),
    {"token_overlap": "share of its n-grams in one canonical problem"},
    {"token_overlap": 0.3},
    {"token_overlap": Nearest(0.28, "arc_synth/a/1", "arc_easy/1")},
)


def firewalled(rates: list[Rates]) -> Part:
    counts = Counts(2, 3, 2, 2, 0, {"token_overlap": 1})
    return firewall(
        Summary(counts, {"arc_synth": counts}, Libraries(1, 0)),
        RejectionShares({"dilution": SHARES}, {"held_out": SHARES}),
        CLAIM,
        rates,
        [NEAR],
        {"arc_easy/1": "What tool measures air pressure?"},
    )


def trained() -> Part:
    """Two curves, a student that was validated on nothing, look-ups, and one ablation."""
    tried = Ablation("plain_only", 0, {"bare": 25.0, "library": 50.0, "changed": 60.0, "irrelevant": 25.0}, 100)
    curves = {"loss": [(1, 7.6), (10, 6.1)], "learning_rate": [(1, 0.0), (10, 0.004)]}
    return training(Training(2.3, 6.9, 100, 20, 10, 10), curves, [tried], "Look-ups: **77**")


def provenance_of(models: Mapping[str, tuple[Usage, Prices | None]]) -> Part:
    """One benchmark, one engine and two stages."""
    return provenance(
        Provenance(
            seals={"arc_easy": Seal(1, "ab12", "arc.jsonl", None)},
            claim=CLAIM,
            hashes={"code of the firewall": "ab12"},
            engines=[Engine("GPT", "server on 2 cores", "sha256 ab12", "pfe 1")],
            usage=models,
            parameters=[Change("student.layers", 4, 1)],
            stages={
                "evaluate@gpt": RunTime(120.0, 210.0, 812.0, "2026-01-01T00:00:00+00:00"),
                "score": RunTime(30.0, 30.0, 99.5, "2026-01-01T00:01:00+00:00"),
            },
        )
    )


def competed() -> Part:
    """A report that is one drawing, and no formulas."""
    drawing = pareto([Point("Operon", 0.96, 29.5), Point("Lasso", 0.92, 22.2)])
    return competition("# Competition\n\n![Accuracy and size](plots/pareto.svg)\n", {"pareto": drawing}, [], {})

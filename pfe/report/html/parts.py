"""The sections of the page after the scores: firewall, corpus, training, competition, provenance.

Example: `provenance(…).content["provenance"]` is the section's HTML.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from pfe.calibration.record import Rates, RejectionShares
from pfe.problem import Problem
from pfe.quality.record import Quality
from pfe.report.ablations import Ablation
from pfe.report.ablations import section as section_of_ablations
from pfe.report.firewall import section as section_of_firewall
from pfe.report.html.firewall import Near, nearest, sweep, thresholds
from pfe.report.html.prose import html, picture
from pfe.report.html.provenance import Provenance
from pfe.report.html.provenance import text as text_of_provenance
from pfe.report.html.results import Part
from pfe.report.html.training import curves
from pfe.report.html.training import text as text_of_training
from pfe.report.quality import section as section_of_quality
from pfe.screening.record import Claim, Summary
from pfe.symreg.competition.record import MeasuredRun
from pfe.symreg.formulas_table import formulas, without_title
from pfe.training.curves import Curves
from pfe.training.record import Training

DRAWINGS = {
    "pareto": "Accuracy and size of the methods, with the Pareto front",
    "critical_difference": "Critical differences of the methods' mean ranks",
    "rank_stability": "Places of the methods over resamples",
}


def firewall(
    screened: Summary, measured: RejectionShares, claim: Claim, rates: Sequence[Rates], near: Sequence[Near],
    canonical: Mapping[str, str],
) -> Part:  # fmt: skip
    """Return the firewall section: rejections, recall, threshold sweep and nearest pairs.

    Args:
        screened: the counts of rejected and accepted candidates.
        measured: the shares rejected of attacks and of clean text.
        claim: the firewall's claim.
        rates: recall and false positives of each gate at each threshold.
        near: the pairs to choose from.
        canonical: the canonical texts that may be shown, by id.
    """
    gates = sweep(rates)
    swept = [one for one in rates if one.gate in gates]
    paragraphs = [text for text in section_of_firewall(screened, measured, claim) if not _is_of_plot(text)]
    content = {
        "firewall": html("\n\n".join(paragraphs)),
        "gates": list(gates),
        "pairs": nearest(near, canonical),
    }
    specs = {"thresholds": thresholds(swept, next(iter(gates)), claim.thresholds)} if gates else {}
    return Part(content, {"sweep": {"gates": gates, "used": claim.thresholds}, "specs": specs})


def corpus(quality: Mapping[str, Quality], gallery: Mapping[str, Sequence[Problem]]) -> Part:
    """Return the section on the quality of the synthetic sets, with examples of each."""
    return Part({"quality": html("\n\n".join(section_of_quality(quality))), "gallery": gallery}, {})


def training(trained: Training, points: Curves, tried: Sequence[Ablation], looked_up: str) -> Part:
    """Return the training section: curves, accuracy on held-out problems and on the ladder, and ablations.

    `looked_up` is the text of `pfe.report.held_out_ladder`.
    """
    drawn = {f"curve-{number}": curve for number, curve in enumerate(curves(points).values())}
    content = {
        "training": html(text_of_training(trained)),
        "looked_up": html(looked_up) if looked_up else None,
        "ablations": html(section_of_ablations(tried)) if tried else None,
        "curves": [(name, title) for name, (title, _) in drawn.items()],
    }
    return Part(content, {"specs": {name: spec for name, (_, spec) in drawn.items()}})


def competition(
    report: str, drawings: Mapping[str, str], runs: Sequence[MeasuredRun], labels: Mapping[str, str]
) -> Part:
    """Return the competition section: its report with plots (`drawings`, SVG by name), and each method's formulas."""
    figures: dict[str, Markup] = {
        f"plots/{name}.svg": picture(drawings[name], title) for name, title in DRAWINGS.items() if name in drawings
    }
    return Part({"competition": html(without_title(report), figures), "formulas": formulas(runs, labels)}, {})


def provenance(whole: Provenance) -> Part:
    """Return the provenance section."""
    return Part({"provenance": html(text_of_provenance(whole))}, {})


def assembled(sections: Mapping[str, tuple[str, Part | None]]) -> Part:
    """Merge the sections of a page into one part.

    `sections` holds the title and the part of each section by id, in order; the part is None if another part contains
    the section.
    """
    filled = [part for _, part in sections.values() if part]
    content = {key: value for part in filled for key, value in part.content.items()}
    islands = {key: value for part in filled for key, value in part.islands.items()}
    specs = {key: value for part in filled for key, value in part.islands.get("specs", {}).items()}
    titles = [(name, title) for name, (title, _) in sections.items()]
    return Part(content | {"sections": titles}, islands | {"specs": specs})


def _is_of_plot(text: str) -> bool:
    return text.startswith(("![", "A curve runs over all thresholds"))

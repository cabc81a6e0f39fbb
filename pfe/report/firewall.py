"""What the report says of the firewall: what it claims, what it catches, what it rejected.

Example, a line of the table of attacks:
    | dilution | 100 | 100.0 % [96.3, 100.0] | 22.0 % | dilution 100.0 %, disguise 35.0 % |

Pure functions of the metrics values. No text of a problem stands in the report, ids and scores only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Figures = Mapping[str, Any]

STRONGEST = 3  # gates named beside an attack


@dataclass(frozen=True)
class Rates:
    """What one gate does at one threshold: recall and false positives in percent, None where nothing was measured."""

    threshold: float
    recall: float | None
    false_positives: float | None


def curves(rows: Iterable[Mapping[str, str]]) -> dict[str, list[Rates]]:
    """The ROC curve of every gate, of the rows of metrics/firewall_roc.csv."""
    found: dict[str, list[Rates]] = {}
    for row in rows:
        recall, false_positives = (float(row[key]) if row[key] else None for key in ("recall", "false_positives"))
        found.setdefault(row["gate"], []).append(Rates(float(row["threshold"]), recall, false_positives))
    return found


def in_use(calibration: Figures, thresholds: Mapping[str, float]) -> dict[str, Rates]:
    """What every gate does at the threshold in use.

    Recall is the mean over attacks, each counting the same; false positives are those of all clean text together.
    """
    attacks, clean = calibration["attacks"].values(), calibration["clean"].values()
    size = sum(own["flagged"]["n"] for own in clean)
    return {
        gate: Rates(
            threshold,
            sum(own["gates"][gate] for own in attacks) / len(attacks) if attacks else None,
            sum(own["gates"][gate] * own["flagged"]["n"] for own in clean) / size if size else None,
        )
        for gate, threshold in thresholds.items()
    }


def section(firewall: Figures, calibration: Figures, certificate: Figures) -> list[str]:
    """The lines of the section, of metrics/firewall.json, metrics/firewall_calibration.json and data/certificate.json.

    The plot that it links, report/plots/roc.svg, is drawn by pfe.report.roc.
    """
    return [
        *_claim(certificate),
        "",
        *_attacks(calibration["attacks"]),
        "",
        *_clean(calibration["clean"]),
        "",
        "### Gates",
        "",
        *_gates(calibration, certificate),
        "",
        "![Recall and false positives of every gate at all thresholds](plots/roc.svg)",
        "",
        "A curve runs over all thresholds of one gate, the dot is the one in use; a gate that is on or off has none.",
        "",
        "### Rejections",
        "",
        *_rejections(firewall),
    ]


def _claim(certificate: Figures) -> list[str]:
    counts, thresholds = certificate["counts"], certificate["thresholds"]
    above = [
        f"`{gate}` let {highest['score']:.4f} through"
        for gate, highest in certificate["highest_accepted"].items()
        if highest and highest["score"] > round(thresholds[gate], 4)  # scores are rounded to as many places
    ]
    if above:
        return [f"**The firewall's claim does not hold**: {', '.join(above)}, above the threshold."]
    pairs = counts["accepted"] * counts["canonical"]
    return [
        "The firewall claims **zero pairs above these thresholds, with this measured recall on these attack sets**, "
        "not more.",
        f"{counts['accepted']:,} accepted and {counts['canonical']:,} canonical problems make {pairs:,} pairs; "
        "`python -m pfe.screening verify` compares them again.",
    ]


def _attacks(attacks: Figures) -> list[str]:
    return [
        "Canonical problems in disguise, screened like candidates:",
        "",
        "| attack | n | caught, 95 % interval | by SPEC's three checks alone | strongest gates |",
        "| --- | ---: | ---: | ---: | --- |",
        *(_line(name, own["caught"], own, f"{own['caught']['value']:.1f} %") for name, own in attacks.items()),
    ]


def _clean(clean: Figures) -> list[str]:
    rows = [
        "Text known to be none of them (`held_out`: sealed problems that no attack was made from):",
        "",
        "| clean text | n | false positives, 95 % interval | of SPEC's three checks alone | gates that raise most |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for name, own in clean.items():
        flagged = own["flagged"]
        count = round(flagged["value"] * flagged["n"] / 100)
        rows.append(_line(name, flagged, own, f"{count:,}: {flagged['value']:.1f} %"))
    return rows


def _line(name: str, share: Figures, own: Figures, told: str) -> str:
    interval = f"[{share['low']:.1f}, {share['high']:.1f}]"
    return f"| {name} | {share['n']:,} | {told} {interval} | {own['spec']:.1f} % | {_strongest(own['gates'])} |"


def _strongest(gates: Mapping[str, float]) -> str:
    """The gates that reject most, of equals the first by name."""
    order = sorted((-share, name) for name, share in gates.items() if share > 0)
    return ", ".join(f"{name} {-share:.1f} %" for share, name in order[:STRONGEST]) or "–"


def _gates(calibration: Figures, certificate: Figures) -> list[str]:
    rows = [
        "Each gate alone at the threshold in use (recall: mean over the attacks), and the nearest pair it let through:",
        "",
        "| gate | rejects above | recall | false positives | highest let through | accepted problem | canonical |",
        "| --- | ---: | ---: | ---: | ---: | --- | --- |",
    ]
    for gate, rates in in_use(calibration, certificate["thresholds"]).items():
        figures = (f"{rates.threshold:g}", _percent(rates.recall), _percent(rates.false_positives))
        rows.append(f"| {' | '.join([gate, *figures, *_nearest(certificate['highest_accepted'][gate])])} |")
    return rows


def _nearest(highest: Figures | None) -> tuple[str, str, str]:
    """Score and ids of the nearest pair; there is no pair where nothing was accepted or nothing matched at all."""
    if highest is None:
        return "–", "–", "–"
    score, canonical = f"{highest['score']:.4f}", highest["canonical_id"]
    return (score, f"`{highest['problem_id']}`", f"`{canonical}`") if canonical else (score, "–", "–")


def _rejections(firewall: Figures) -> list[str]:
    total = firewall["total"]["rejected"]
    reasons = sorted((reason for reason, count in total.items() if count), key=lambda reason: (-total[reason], reason))
    if not reasons:
        return ["No candidate was rejected."]
    lines = {name: counts["rejected"] for name, counts in firewall["sets"].items()} | {"**all**": total}
    return [
        "Rejected candidates by the first gate that failed; `error` is what could not be judged:",
        "",
        f"| set | {' | '.join(reasons)} | together |",
        f"| --- |{' ---: |' * (len(reasons) + 1)}",
        *(_counts(name, rejected, reasons) for name, rejected in lines.items()),
    ]


def _counts(name: str, rejected: Mapping[str, int], reasons: Sequence[str]) -> str:
    counts = [rejected[reason] for reason in reasons]
    return f"| {name} | {' | '.join(f'{count:,}' for count in [*counts, sum(counts)])} |"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} %"

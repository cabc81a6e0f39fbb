"""The report's section on the firewall: its claim, its recall and false positives, and its rejections.

Example, a row of the table of attacks:
    | dilution | 100 | 100.0 % [96.3, 100.0] | 22.0 % | dilution 100.0 %, disguise 35.0 % |

The section contains ids and scores, but no problem texts.
"""

from collections.abc import Collection, Mapping, Sequence

from pfe.calibration.record import Rates, RejectionShares, Shares
from pfe.report.markdown import markdown
from pfe.scores.metrics import rounded
from pfe.screening.record import Claim, Nearest, Summary

STRONGEST = 3  # most gates named for an attack
MOST_FALSE_POSITIVES = 5  # percent; benchmarks above this are named


def curves(rates: Sequence[Rates]) -> dict[str, list[Rates]]:
    """Return the ROC curve of each gate: its rates, in the given order."""
    return {gate: [rate for rate in rates if rate.gate == gate] for gate in dict.fromkeys(rate.gate for rate in rates)}


def metrics(screened: Summary, measured: RejectionShares) -> dict[str, float]:
    """Return the firewall's metrics for DVC: counts, and recall and false positives in percent."""
    rates = {"recall": measured.recall, "false_alarms": measured.false_positives}
    return {
        "accepted": screened.total.accepted,
        "rejected": sum(screened.total.rejected.values()),
        **{name: rounded(share) for name, share in rates.items() if share is not None},
    }


def section(screened: Summary, measured: RejectionShares, claim: Claim) -> list[str]:
    """Return the paragraphs of the section; `pfe.report.roc` draws the plot that it links, report/plots/roc.svg."""
    return [
        _claim(claim),
        f"Canonical problems in disguise, screened like candidates:\n\n{_attacks(measured.attacks)}",
        "Clean text: held-out problems of each benchmark that no template writes. They are screened against problems "
        f"among which none of their benchmark shares their passage, choices or twin:\n\n{_clean(measured.clean)}",
        *_many_false_positives(measured.clean),
        "### Gates",
        "Each gate alone at the threshold in use (recall: mean over the attacks), and the nearest pair it let "
        f"through:\n\n{_gates(measured, claim)}",
        "![Recall and false positives of every gate at all thresholds](plots/roc.svg)",
        "A curve runs over all thresholds of one gate, the dot is the one in use; a gate that is on or off has none.",
        "### Rejections",
        _rejections(screened),
    ]


def _claim(claim: Claim) -> str:
    above = [
        f"`{gate}` let {nearest.score:.4f} through"
        for gate, nearest in claim.highest_accepted.items()
        if nearest and nearest.score > round(claim.thresholds[gate], 4)  # scores are rounded to 4 decimals too
    ]
    if above:
        return f"**The firewall's claim does not hold**: {', '.join(above)}, above the threshold."
    counts = claim.counts
    return (
        "The firewall claims **zero pairs above these thresholds, with this measured recall on these attack sets**, "
        f"not more.\n{counts.accepted:,} accepted and {counts.canonical:,} canonical problems make "
        f"{counts.accepted * counts.canonical:,} pairs; `pfe verify` compares them again."
    )


def _attacks(attacks: Mapping[str, Shares]) -> str:
    head = ["attack", "n", "recall, 95 % CI", "by SPEC's three checks alone", "strongest gates"]
    return _shares(head, attacks)


def _clean(clean: Mapping[str, Shares]) -> str:
    head = ["clean text", "n", "false positives, 95 % CI"]
    head += ["of SPEC's three checks alone", "gates that raise most"]
    return _shares(head, clean, with_count=True)


def _many_false_positives(clean: Mapping[str, Shares]) -> list[str]:
    named = [
        f"{name} {shares.rejected.value:.1f} % (n = {shares.rejected.n:,})"
        for name, shares in clean.items()
        if shares.rejected.value > MOST_FALSE_POSITIVES
    ]
    return [f"**False positives above {MOST_FALSE_POSITIVES} %**: {', '.join(named)}."] if named else []


def _shares(head: Sequence[str], kinds: Mapping[str, Shares], with_count: bool = False) -> str:
    rows = []
    for name, shares in kinds.items():
        share = shares.rejected
        count = f"{round(share.value * share.n / 100):,}: " if with_count else ""
        figure = f"{count}{share.value:.1f} % [{share.low:.1f}, {share.high:.1f}]"
        rows.append([name, f"{share.n:,}", figure, f"{shares.spec:.1f} %", _strongest(shares.gates)])
    return markdown(head, rows, left=(0, len(head) - 1))


def _strongest(gates: Mapping[str, float]) -> str:
    """Return the gates that reject most; ties are sorted by name."""
    order = sorted((-share, name) for name, share in gates.items() if share > 0)
    return ", ".join(f"{name} {-share:.1f} %" for share, name in order[:STRONGEST]) or "–"


def _gates(measured: RejectionShares, claim: Claim) -> str:
    head = ["gate", "its score", "rejects above", "recall", "false positives"]
    head += ["highest let through", "accepted problem", "canonical"]
    rows = [
        [
            gate,
            claim.gates[gate],
            f"{rates.threshold:g}",
            _percent(rates.recall),
            _percent(rates.false_positives),
            *_nearest(claim.highest_accepted[gate]),
        ]
        for gate, rates in measured.in_use(claim.thresholds).items()
    ]
    return markdown(head, rows, left=(0, 1, 6, 7))


def _nearest(nearest: Nearest | None) -> tuple[str, str, str]:
    """Return score and ids of the nearest pair; dashes if nothing was accepted or nothing matched."""
    if nearest is None:
        return "–", "–", "–"
    ids = (f"`{nearest.problem_id}`", f"`{nearest.canonical_id}`") if nearest.canonical_id else ("–", "–")
    return f"{nearest.score:.4f}", *ids


def _rejections(screened: Summary) -> str:
    total = screened.total.rejected
    reasons = sorted((reason for reason, count in total.items() if count), key=lambda reason: (-total[reason], reason))
    if not reasons:
        return "No candidate was rejected."
    lines = {name: counts.rejected for name, counts in screened.sets.items()} | {"**all**": total}
    rows = [[name, *_counts(rejected, reasons)] for name, rejected in lines.items()]
    return (
        "Rejected candidates by the first gate that failed; `error` is what could not be judged:\n\n"
        f"{markdown(['set', *reasons, 'together'], rows)}"
    )


def _counts(rejected: Mapping[str, int], reasons: Collection[str]) -> list[str]:
    counts = [rejected[reason] for reason in reasons]
    return [f"{count:,}" for count in [*counts, sum(counts)]]


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} %"

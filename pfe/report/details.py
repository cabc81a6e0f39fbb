"""The details of each line of the tables: fixed and broken problems, control arms, and how answers ended.

Example: "| ARC-Easy | 50 (50) | 15 / 12 / 9 / 14 | 46.2 [28.8, 64.5] | 37.5 [21.2, 57.3] | 24.6 | ... |"
"""

from collections.abc import Mapping, Sequence
from typing import get_args

from pfe.config import Arm
from pfe.report.cells import with_interval
from pfe.report.markdown import markdown
from pfe.scores.benchmark import BenchmarkScore, Orders
from pfe.scores.model import ModelScore
from pfe.scores.paired import Lift
from pfe.scores.proportion import Estimate

Scores = Mapping[str, BenchmarkScore]  # of one model by benchmark
ARMS: tuple[str, ...] = get_args(Arm)
ENDINGS = {
    "thinking": "thinking",
    "unread": "unread",
    "unanswered": "unanswered",
    "truncated": "truncated",
    "too_long": "too long",
    "shortened": "shortened",
    "unsafe": "not isolated",
}
TOKENS = {"tokens_in": "tokens in", "tokens_out": "tokens out"}
READINGS = {"norm": "acc_norm, %", "strict": "strict, %"}


def smallest_lifts(scores: Mapping[str, ModelScore], benchmarks: Mapping[str, str]) -> str:
    """Return one sentence with the smallest detectable lift of each benchmark."""
    parts = []
    for name, title in benchmarks.items():
        lifts = [score.lift for model in scores.values() if (score := model.benchmarks.get(name)) and score.lift]
        detectable = [lift.detectable for lift in lifts if lift.detectable is not None]
        if lifts:
            points = f"{_range(detectable)} points" if detectable else "none"
            parts.append(f"{title} {points} (n = {lifts[0].n:,})")
    return (
        "The smallest lift that could have been shown (at 5 % and a power of 0.8, at the share of differing pairs "
        "observed; a range where models differ): "
        f"{'; '.join(parts) or 'none, for no model was examined in both arms'}."
    )


def outcomes(scores: Scores, benchmarks: Mapping[str, str]) -> str:
    """Return one model's 2×2 counts, and ICR less each control, one row per benchmark; empty without a lift."""
    lines = [
        (title, score, score.lift)
        for name, title in benchmarks.items()
        if (score := scores.get(name)) is not None and score.lift is not None
    ]
    if not lines:
        return ""
    controls = _in_order({arm for _, score, _ in lines for arm in score.icr_minus})
    head = ["benchmark", "n (clusters)", "kept / fixed / broken / wrong", "recovery, %", "breakage, %"]
    head += ["relative lift, %", "smallest lift"]
    rows = [
        [title, *_outcome(lift), *(with_interval(score.icr_minus.get(arm), "+") for arm in controls)]
        for title, score, lift in lines
    ]
    head += [f"ICR − {arm}" for arm in controls]
    if any(score.orders for _, score, _ in lines):
        head.append("ICR over orders")
        rows = [[*row, _orders(score.orders)] for row, (_, score, _) in zip(rows, lines, strict=True)]
    return markdown(head, rows)


def answers(scores: Scores, benchmarks: Mapping[str, str]) -> str:
    """Return one model's counts of how its answers ended, by arm; empty if it was not examined."""
    lines = [(title, scores[name]) for name, title in benchmarks.items() if name in scores]
    if not lines:
        return ""
    arms = _in_order({arm for _, score in lines for arm in score.answers})
    arm_scores = [arm for score in scores.values() for arm in score.arms.values()]
    readings = {key: title for key, title in READINGS.items() if any(getattr(arm, key) for arm in arm_scores)}
    rows = []
    for title, score in lines:
        endings = [score.answers[arm] for arm in arms if arm in score.answers]
        figures = [score.arms[arm] for arm in arms if arm in score.arms]
        counts = [_cells([f"{getattr(ending, key):,}" for ending in endings]) for key in ENDINGS]
        tokens = [_cells([f"{getattr(ending, key):.0f}" for ending in endings]) for key in TOKENS]
        rows.append([title, *counts, *tokens, *(_reading([getattr(arm, key) for arm in figures]) for key in readings)])
    head = ["benchmark", *ENDINGS.values(), *TOKENS.values(), *readings.values()]
    return f"In each cell: {' / '.join(arms)}.\n\n{markdown(head, rows)}"


def audits(scores: Mapping[str, ModelScore], models: Mapping[str, str]) -> str:
    """Return one sentence with the number of audited answers of each model and their largest difference.

    An audited answer was also computed as whole sequences.
    """
    parts = []
    for model, title in models.items():
        answers = [arm for score in scores[model].benchmarks.values() for arm in score.answers.values()]
        differences = [arm.difference for arm in answers if arm.difference is not None]
        if differences:
            audited, n = sum(arm.audited for arm in answers), sum(arm.n for arm in answers)
            parts.append(f"{title} {audited:,} of {n:,} answers, within {max(differences):.0e} nats")
    return f"Computed again, each sequence whole and alone: {'; '.join(parts) or 'none'}."


def _outcome(lift: Lift) -> list[str]:
    counts = " / ".join(f"{count:,}" for count in (lift.kept, lift.fixed, lift.broken, lift.wrong))
    detectable = "–" if lift.detectable is None else f"{lift.detectable:.1f}"
    clusters = f"{lift.n:,} ({lift.clusters:,})"
    shares = map(with_interval, (lift.recovery, lift.breakage, lift.relative))
    return [clusters, counts, *shares, detectable]


def _orders(orders: Orders | None) -> str:
    return f"{orders.low:.1f}–{orders.high:.1f} % (sd {orders.sd:.1f}, {orders.orders})" if orders else "–"


def _reading(figures: Sequence[Estimate | None]) -> str:
    return _cells(["–" if figure is None else f"{figure.value:.1f}" for figure in figures]) if any(figures) else "–"


def _cells(arms: Sequence[str]) -> str:
    """Return the cells of all arms joined into one; "0" if all of them are "0"."""
    return "0" if set(arms) == {"0"} else " / ".join(arms)


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    return low if low == high else f"{low}–{high}"


def _in_order(arms: set[str]) -> list[str]:
    return [arm for arm in ARMS if arm in arms]

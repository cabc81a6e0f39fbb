"""The firewall section of the page: recall and false positives by threshold, and the nearest pairs of texts.

Example: `marked("Which tool measures air pressure?", "What tool measures air pressure now?")` marks "tool measures air
pressure" as shared.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from pfe.calibration.record import Rates
from pfe.report.html.charts import BLUE, GREY, ORANGE, Spec, data, sized
from pfe.screening.record import Claim

SHARED = 3  # least length of a shared n-gram in words
MOST = 40  # most pairs that are shown
LONGEST = 2000  # most characters of a text that are shown
_WORD = re.compile(r"\w+")
Segments = Sequence[tuple[str, bool]]  # the pieces of a text, and whether the other text contains them
FIGURES = ("recall", "false positives")


@dataclass(frozen=True)
class Near:
    """A candidate and its nearest canonical problem, as logged by the firewall; `text` is the candidate's."""

    gate: str
    verdict: str
    score: float
    threshold: float
    problem_id: str
    canonical_id: str
    text: str


@dataclass(frozen=True)
class Pair:
    """Both texts with their shared pieces marked; `canonical` is None if it may not be shown."""

    near: Near
    candidate: Segments
    canonical: Segments | None


def let_through(claim: Claim, accepted: Mapping[str, str]) -> list[Near]:
    """Return the nearest pair that each gate accepted, if it has one; `accepted` are the accepted texts by id."""
    return [
        Near(gate, "accepted", one.score, claim.thresholds[gate], one.problem_id, one.canonical_id, text)
        for gate, one in claim.highest_accepted.items()
        if one and one.canonical_id and (text := accepted.get(one.problem_id)) is not None
    ]


def nearest(pairs: Iterable[Near], canonical: Mapping[str, str]) -> list[Pair]:
    """Return the pairs to show, at most `MOST`, taken from the gates in turn, those closest to their threshold first.

    Args:
        pairs: the logged pairs; those without a canonical problem are ignored.
        canonical: the canonical texts that may be shown, by id.
    """
    ordered = sorted(
        (pair for pair in pairs if pair.canonical_id),
        key=lambda pair: (abs(pair.score - pair.threshold), pair.gate, pair.problem_id),
    )
    turns: dict[str, int] = {}
    ranked = []
    for pair in ordered:
        turns[pair.gate] = turns.get(pair.gate, 0) + 1
        ranked.append((turns[pair.gate], pair))
    chosen = [pair for _, pair in sorted(ranked, key=lambda turn: turn[0])[:MOST]]
    return [_pair(pair, canonical.get(pair.canonical_id)) for pair in chosen]


def marked(text: str, other: str, n: int = SHARED) -> list[tuple[str, bool]]:
    """Split a text into pieces, and mark those that are covered by n-grams of words shared with the other text."""
    words = list(_WORD.finditer(text))
    lowered = [word[0].lower() for word in words]
    others = _WORD.findall(other.lower())
    grams = {tuple(others[at : at + n]) for at in range(len(others) - n + 1)}
    shared = [False] * len(words)
    for at in range(len(words) - n + 1):
        if tuple(lowered[at : at + n]) in grams:
            shared[at : at + n] = [True] * n
    pieces: list[tuple[str, bool]] = []
    end = 0
    for at, word in enumerate(words):
        if shared[at]:
            begin = end if at and shared[at - 1] else word.start()
            pieces += [(text[end:begin], False)] if begin > end else []
            joined = pieces and pieces[-1][1] and begin == end
            piece = (pieces.pop()[0] if joined else "") + text[begin : word.end()]
            pieces.append((piece, True))
            end = word.end()
    return [*pieces, (text[end:], False)] if end < len(text) else pieces


def _pair(near: Near, canonical: str | None) -> Pair:
    text = near.text[:LONGEST]
    other = canonical[:LONGEST] if canonical is not None else None
    return Pair(near, marked(text, other or ""), None if other is None else marked(other, text))


def sweep(rates: Sequence[Rates]) -> dict[str, dict[str, list[float | None]]]:
    """Return thresholds, recall and false positives of each gate as columns, in percent.

    Gates with a single threshold are left out.
    """
    gates: dict[str, dict[str, list[float | None]]] = {}
    for rate in sorted(rates, key=lambda rate: rate.threshold):
        columns = gates.setdefault(rate.gate, {"threshold": [], "recall": [], "false_positives": []})
        columns["threshold"].append(rate.threshold)
        columns["recall"].append(None if rate.recall is None else round(rate.recall, 2))
        columns["false_positives"].append(None if rate.false_positives is None else round(rate.false_positives, 2))
    return {gate: columns for gate, columns in gates.items() if len(columns["threshold"]) > 1}


def thresholds(rates: Sequence[Rates], gate: str, in_use: Mapping[str, float]) -> Spec:
    """Return a plot of recall and false positives over the thresholds of a gate, with a line at the chosen threshold.

    The plot's parameter `gate` names the gate, `at` the chosen threshold.
    """
    rows: list[dict[str, Any]] = [
        {"gate": rate.gate, "threshold": rate.threshold, "figure": figure, "share": round(value, 2)}
        for rate in rates
        for figure, value in zip(FIGURES, (rate.recall, rate.false_positives), strict=True)
        if value is not None
    ]
    x = alt.X("threshold:Q", title="rejects above this score")
    colour = alt.Color("figure:N", title=None, scale=alt.Scale(domain=list(FIGURES), range=[BLUE, ORANGE]))
    lines = (
        alt.Chart(data(rows))
        .transform_filter("datum.gate === gate")
        .mark_line(interpolate="step-after")
        .encode(x=x, y=alt.Y("share:Q", title="%", scale=alt.Scale(domain=[0, 100])), color=colour)
    )
    rule = alt.Chart(data([{"at": 0}])).transform_calculate(at="at").mark_rule(color=GREY, strokeWidth=2)
    chart = alt.layer(lines, rule.encode(x="at:Q")).add_params(
        alt.param(name="gate", value=gate), alt.param(name="at", value=in_use.get(gate, 0.5))
    )
    return sized(chart, 16, None, "Recall and false positives of one gate by threshold; the line is the chosen one")

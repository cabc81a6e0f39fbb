"""The plots of the HTML page as Vega-Lite specifications, built with Altair.

Example: `forest(scores, titles, labels)["layer"]`. Every plot is as wide as the page. A plot of a single model draws
the one that the parameter `model` names.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt

from pfe.problem import SKILLS
from pfe.report.skills import TITLES as SKILL_TITLES
from pfe.report.spans import span_text
from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import ModelScore

Spec = dict[str, Any]
Row = dict[str, Any]
Scores = Mapping[str, ModelScore]
Names = Mapping[str, str]

BLUE, ORANGE, GREEN, RED, GREY, VIOLET = "#3b76d6", "#d97a1f", "#2f9e6e", "#d1495b", "#8a8f98", "#8b62c9"
SERIES = {"lift": "lift (ICR − canonical)", "placebo": "ICR − placebo", "format": "ICR − format"}
CURVES = (BLUE, ORANGE, GREEN, RED, VIOLET, GREY, "#14868c", "#9a6a3a")
OUTCOMES = {"kept": BLUE, "fixed": GREEN, "broken": RED, "wrong": "#a7adb7"}
SETTINGS = {
    "canonical": "zero-shot", "icr": "own library", "placebo": "placebo", "contradicted": "contradicted",
    "agreeing": "agreeing",
}  # fmt: skip
BAND = 15  # pixels for one line of a plot


def forest(scores: Scores, titles: Names, labels: Names) -> Spec:
    """Return a forest plot of the lift by benchmark with its CI, and of ICR less placebo and less format."""
    rows = [
        {"model": label, "benchmark": titles[name], "series": SERIES[key], "value": one.value, "low": one.low,
         "high": one.high, "n": one.n}
        for name, label, score in _scored(scores, titles, labels)
        for key, one in {"lift": score.lift, **score.icr_minus}.items()
        if one is not None and key in SERIES
    ]  # fmt: skip
    shown = [title for title in SERIES.values() if any(row["series"] == title for row in rows)]
    y = alt.Y("benchmark:N", title=None, sort=_order(titles), axis=alt.Axis(labelLimit=110))
    offset = alt.YOffset("series:N", sort=shown)
    colour = _colour("series", shown, (BLUE, ORANGE, VIOLET))
    shape = alt.Shape("series:N", scale=alt.Scale(domain=shown, range=["circle", "square", "triangle-up"]), title=None)
    base = _of_one_model(rows).encode(y=y, yOffset=offset, tooltip=["benchmark:N", "series:N", *_points(), "n:Q"])
    x = alt.X("low:Q", title="points, with the 95 % CI")
    interval = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", color=colour)
    point = base.mark_point(size=50, filled=True, opacity=1).encode(x="value:Q", color=colour, shape=shape)
    zero = alt.Chart(data([{}])).mark_rule(strokeDash=[4, 3], color=GREY, aria=False).encode(x=alt.datum(0))
    return sized(
        alt.layer(zero, interval, point), len(titles) * len(shown), _first(rows),
        "Forest plot: the lift of each benchmark with its CI, ICR minus placebo, and ICR minus format",
    )  # fmt: skip


def arms(scores: Scores, titles: Names, labels: Names) -> Spec:
    """Return a scatter plot of ICR against canonical accuracy: one point per benchmark and model, and the diagonal."""
    rows = [
        {"model": label, "benchmark": titles[name], "canonical": score.arms["canonical"].value,
         "icr": score.arms["icr"].value}
        for name, label, score in _scored(scores, titles, labels)
        if {"canonical", "icr"} <= score.arms.keys()
    ]  # fmt: skip
    side = alt.Scale(domain=[0, 100])
    diagonal = (
        alt.Chart(data([{"at": 0}, {"at": 100}]))
        .mark_line(strokeDash=[4, 3], color=GREY, aria=False)
        .encode(x=alt.X("at:Q", scale=side), y=alt.Y("at:Q", scale=side))
    )
    shown = [label for label in labels.values() if any(row["model"] == label for row in rows)]
    legend, scale = alt.Legend(columns=2, labelLimit=170), alt.Scale(domain=shown)
    colour = alt.Color("model:N", title=None, scale=scale, legend=legend)
    points = (
        alt.Chart(data(rows))
        .mark_point(filled=True, size=70, opacity=0.85)
        .encode(
            x=alt.X("canonical:Q", scale=side, title="canonical, % correct"),
            y=alt.Y("icr:Q", scale=side, title="ICR, % correct"),
            color=colour, shape=alt.Shape("model:N", title=None, scale=scale, legend=legend),
            tooltip=["model:N", "benchmark:N", *_rounded("canonical", "icr")],
        )
    )  # fmt: skip
    return sized(
        alt.layer(diagonal, points), 20, None, "Canonical against ICR accuracy; above the diagonal ICR is better"
    )


def outcomes(scores: Scores, titles: Names, labels: Names) -> Spec:
    """Return stacked bars by benchmark: the shares of problems that are kept, fixed, broken and wrong."""
    rows = [
        {"model": label, "benchmark": titles[name], "outcome": key, "problems": getattr(score.lift, key),
         "share": 100 * getattr(score.lift, key) / score.lift.n, "place": place}
        for name, label, score in _scored(scores, titles, labels)
        if score.lift is not None
        for place, key in enumerate(OUTCOMES)
    ]  # fmt: skip
    chart = (
        _of_one_model(rows)
        .mark_bar(height={"band": 0.75})
        .encode(
            x=alt.X("share:Q", stack="zero", title="% of the problems", scale=alt.Scale(domain=[0, 100])),
            y=alt.Y("benchmark:N", sort=_order(titles), title=None, axis=alt.Axis(labelLimit=110)),
            color=_colour("outcome", list(OUTCOMES), list(OUTCOMES.values())),
            order="place:Q",
            tooltip=["benchmark:N", "outcome:N", "problems:Q", *_rounded("share")],
        )
    )
    return sized(
        chart, 2 * len(titles), _first(rows),
        "By benchmark, the shares of problems that are correct in both arms, fixed, broken, and incorrect in both",
    )  # fmt: skip


def skills(scores: Scores, titles: Names, labels: Names) -> Spec | None:
    """Return a plot of the accuracy on library-bound problems by skill and arm; None if no benchmark has skills."""
    rows = [
        {"model": label, "skill": SKILL_TITLES[skill], "setting": SETTINGS[arm], "value": one.value, "low": one.low,
         "high": one.high, "n": one.n}
        for _, label, score in _scored(scores, titles, labels)
        for skill, by_arm in score.skills.items()
        for arm, one in by_arm.items()
        if arm in SETTINGS
    ]  # fmt: skip
    if not rows:
        return None
    shown = [title for title in SETTINGS.values() if any(row["setting"] == title for row in rows)]
    order = [SKILL_TITLES[skill] for skill in SKILLS]
    colour = _colour("setting", shown, (GREY, GREEN, ORANGE, RED, BLUE))
    base = _of_one_model(rows).encode(
        y=alt.Y("skill:N", sort=order, title=None),
        yOffset=alt.YOffset("setting:N", sort=shown),
        tooltip=["skill:N", "setting:N", *_points(), "n:Q"],
    )
    x = alt.X("low:Q", title="% correct, with the 95 % CI", scale=alt.Scale(domain=[0, 100]))
    interval = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", color=colour)
    point = base.mark_point(size=50, filled=True, opacity=1).encode(x="value:Q", color=colour)
    count = len({row["skill"] for row in rows}) * len(shown)
    title = "Accuracy by skill: zero-shot, with the own library, a placebo, and one that contradicts the world"
    return sized(alt.layer(interval, point), count, _first(rows), title)


def spans(scores: Scores, titles: Names, labels: Names) -> Spec | None:
    """Return a plot of ICR accuracy by the number of statements in the library, one curve per skill.

    Return None if no benchmark has rungs.
    """
    rows = [
        {"model": label, "skill": SKILL_TITLES[skill], "statements": rung, "value": one.value, "low": one.low,
         "high": one.high, "n": one.n, "span": span_text(score.spans.skills.get(skill))}
        for _, label, score in _scored(scores, titles, labels)
        if score.spans
        for skill, by_rung in score.spans.rungs.items()
        for rung, one in by_rung.items()
    ]  # fmt: skip
    if not rows:
        return None
    shown = [title for title in SKILL_TITLES.values() if any(row["skill"] == title for row in rows)]
    found = [score.spans for _, _, score in _scored(scores, titles, labels) if score.spans]
    ladder = sorted({rung for one in found for by_rung in one.rungs.values() for rung in by_rung})
    base = _of_one_model(rows).encode(
        x=alt.X(
            "statements:Q", title="statements in the library (logarithmic)", scale=alt.Scale(type="log", base=2),
            axis=alt.Axis(values=ladder, format="d"),
        ),
        color=_colour("skill", shown, CURVES),
        tooltip=["skill:N", "statements:Q", *_points(), "n:Q", "span:N"],
    )  # fmt: skip
    value, low = (
        alt.Y(f"{field}:Q", title="% correct, with the 95 % CI", scale=alt.Scale(domain=[0, 100]))
        for field in ("value", "low")
    )
    line = base.mark_line(point=alt.OverlayMarkDef(filled=True, size=50)).encode(y=value)
    interval = base.mark_rule(opacity=0.4).encode(y=low, y2="high:Q")
    title = "Accuracy with the library in context by the number of its statements, a curve for each skill"
    return sized(alt.layer(interval, line), 20, _first(rows), title)


def _scored(scores: Scores, titles: Names, labels: Names) -> Iterable[tuple[str, str, BenchmarkScore]]:
    for model, label in labels.items():
        for name in titles:
            if score := scores[model].benchmarks.get(name):
                yield name, label, score


def data(rows: Sequence[Row]) -> alt.InlineData:
    """Return rows as the data of a chart."""
    return alt.InlineData(values=list(rows))


def _of_one_model(rows: Sequence[Row]) -> alt.Chart:
    return alt.Chart(data(rows)).transform_filter("datum.model === model")


def _first(rows: Sequence[Row]) -> str:
    return str(rows[0]["model"]) if rows else ""


def _order(titles: Names) -> list[str]:
    return list(titles.values())


def _colour(field: str, domain: Sequence[str], colours: Sequence[str]) -> alt.Color:
    scale = alt.Scale(domain=list(domain), range=list(colours)[: len(domain)])
    return alt.Color(f"{field}:N", scale=scale, title=None, legend=alt.Legend(columns=2))


def _rounded(*fields: str) -> list[alt.Tooltip]:
    return [alt.Tooltip(f"{field}:Q", format=".1f") for field in fields]


def _points() -> list[alt.Tooltip]:
    return _rounded("value", "low", "high")


def sized(chart: Any, lines: int, model: str | None, description: str) -> Spec:
    """Return the specification of a chart that is as wide as the page and high enough for `lines` lines."""
    drawn = chart.properties(width="container", height=max(8, lines) * BAND, description=description)
    if model is not None:
        drawn = drawn.add_params(alt.param(name="model", value=model))
    spec: Spec = drawn.to_dict()
    legend = {"orient": "top", "labelFontSize": 12, "symbolSize": 70}
    return spec | {"config": {"legend": legend, "axis": {"labelFontSize": 12, "titleFontSize": 12}}}

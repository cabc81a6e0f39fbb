"""Training on the page: its curves, and what the student makes of problems that were kept from it.

Example: the curve "loss" of `curves({"loss": [(1, 7.6), (10, 6.1)]})` is a Vega-Lite specification.
"""

from collections.abc import Sequence

import altair as alt

from pfe.report.html.charts import Spec, data, sized
from pfe.report.validation import validation
from pfe.training.curves import Curves
from pfe.training.record import Training

TITLES = {
    "loss": "training loss, nats per token",
    "validation/loss": "validation loss of right answers, nats",
    "validation/worlds/library": "library-bound problems in new worlds, % right behind their library",
    "validation/worlds/bare": "library-bound problems in new worlds, % right bare",
    "validation/families/library": "new families, % right behind their library",
    "validation/plain/bare": "problems without a library, % right",
    "learning_rate": "learning rate",
}


def curves(points: Curves) -> dict[str, tuple[str, Spec]]:
    """A title and a plot a curve that was logged, in the order of `TITLES`."""
    return {name: (title, _curve(points[name], title)) for name, title in TITLES.items() if points.get(name)}


def _curve(points: Sequence[tuple[int, float]], title: str) -> Spec:
    rows = [{"step": step, "value": value} for step, value in points]
    chart = (
        alt.Chart(data(rows))
        .mark_line(point=True)
        .encode(
            x=alt.X("step:Q", title="step"),
            y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
            tooltip=["step:Q", "value:Q"],
        )
    )
    return sized(chart, 11, None, f"{title}, by step")


def text(training: Training) -> str:
    """What was trained and how well it does on what was kept from it, in Markdown."""
    trained = (
        f"The student has {training.parameters:,} parameters and took {training.steps:,} steps over "
        f"{training.lessons:,} lessons; its weights are {training.chosen()}. "
        f"Loss {training.first_loss:.2f} → {training.loss:.2f} nats per token."
    )
    return f"{trained}\n\n{validation(training.validation)}" if training.validation else trained

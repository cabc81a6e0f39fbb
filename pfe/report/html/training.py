"""The training section of the page: training curves, and the student's accuracy on held-out problems.

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
    "validation/loss": "validation loss of correct answers, nats",
    "validation/worlds/library": "library-bound problems in held-out worlds, with the library, % correct",
    "validation/worlds/bare": "library-bound problems in held-out worlds, zero-shot, % correct",
    "validation/families/library": "held-out families, with the library, % correct",
    "validation/plain/bare": "problems without a library, % correct",
    "learning_rate": "learning rate",
}


def curves(points: Curves) -> dict[str, tuple[str, Spec]]:
    """Return title and plot of each curve that was logged, in the order of `TITLES`."""
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
    """Return a summary of the training and the accuracy on held-out problems, in Markdown."""
    trained = (
        f"The student has {training.parameters:,} parameters and took {training.steps:,} steps over "
        f"{training.lessons:,} lessons; its weights are {training.chosen()}. "
        f"Loss {training.first_loss:.2f} → {training.loss:.2f} nats per token."
    )
    return f"{trained}\n\n{validation(training.validation)}" if training.validation else trained

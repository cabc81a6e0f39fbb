"""The outcome of a run: the method's answer, checked against the data and against its own model.

Example: predictions with an R² of 0.98 and the model `2.0 * x1` give `Outcome("ok", 0.98, None, "2.0 * x1", 0.4, "")`
if `2.0 * x1` predicts the same on the test points, and the status "mistranslated" otherwise.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pfe.processes.report import Report
from pfe.symreg.competition.dataset import Draw, LabelledPoints, Values
from pfe.symreg.competition.record import Status
from pfe.symreg.expressions.parser import Expression, NotAnExpressionError, parse

READINGS = 2  # readings that are tried; `notation.readings` returns no more

# The root mean square of the differences between the reported model and the method's predictions, relative to the
# standard deviation of the predictions: each explains the other with an R² of 0.9975. Wrong columns or operations
# deviate more. Models whose large terms cancel deviate nearly as much in single precision. A method gains nothing by
# reporting another model within the tolerance, because the reported model is scored.
TOLERANCE = 0.05
# In addition, relative to the largest prediction, for models that hardly vary: 2⁻²⁴ per single-precision operation.
SINGLE = 1e-6


@dataclass(frozen=True)
class Outcome:
    """The outcome of one run.

    Args:
        status: "timeout" at the time limit; "crashed" if the method raised, died or gave a malformed answer; "nan" if a
            prediction or R² is not finite; "unparsed" if the model is not an expression; "mistranslated" if the model's
            predictions differ from those of the method.
        r2: R² on the test points: of the model if the status is "ok", of the method's own predictions if it is
            "unparsed" or "mistranslated"; otherwise None.
        property_r2: R² of the model on the probe, if the draw has one; only if the status is "ok".
        model: an expression over the columns; empty unless the status is "ok".
        seconds: wall-clock time.
        reason: why the status is not "ok", in one line.
    """

    status: Status
    r2: float | None
    property_r2: float | None
    model: str
    seconds: float
    reason: str


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer of a method's process: readings of its model, or why there are none, and predictions per question."""

    readings: tuple[str, ...]
    refusal: str
    predictions: tuple[Values, ...]


def outcome_of(report: Report, draw: Draw, columns: Sequence[str]) -> Outcome:
    """Return the outcome of a report on a draw. Every answer leads to a status, and none of it is executed."""
    if report.end != "answered":
        return _failure("timeout" if report.end == "late" else "crashed", report, report.detail)
    point_sets = [points for points in (draw.test, draw.probe) if points]
    try:
        answer = read(report.answer, [len(points.y) for points in point_sets])
    except ValueError as error:
        return _failure("crashed", report, str(error))
    method_scores = _scores(point_sets, answer.predictions)
    if not np.isfinite(method_scores).all():
        return _failure("nan", report, _not_finite(method_scores))
    try:
        model, model_predictions = _model(answer, draw.test.x, columns)
    except _NoModelError as error:
        return _failure(error.status, report, str(error), method_scores[0])
    model_scores = _scores(point_sets, [model_predictions, *(model.predict(points.x) for points in point_sets[1:])])
    if not np.isfinite(model_scores).all():
        return _failure("nan", report, _not_finite(model_scores))
    return Outcome("ok", model_scores[0], model_scores[1] if draw.probe else None, model.text, report.seconds, "")


def read(message: bytes, sizes: Sequence[int]) -> Answer:
    """Read an answer without trusting it.

    Args:
        sizes: the number of predictions that each question asked for.

    Raises:
        ValueError: the answer is malformed.
    """
    head, _, numbers = message.partition(b"\n")
    try:
        form: Any = json.loads(head)
        texts, refusal = tuple(map(str, form["readings"][:READINGS])), line(str(form["refused"]))
    except (TypeError, LookupError, RecursionError, json.JSONDecodeError):
        raise ValueError("the method's process answered nonsense") from None
    if len(numbers) != 8 * sum(sizes):
        raise ValueError("the method's process answered another number of predictions")
    values = np.frombuffer(numbers, dtype="<f8").astype(np.float64)
    return Answer(texts, refusal, tuple(np.split(values, np.cumsum(sizes)[:-1])))


def r2(y: Values, predictions: Values) -> float:
    """Return 1 − Σ(y − ŷ)² / Σ(y − ȳ)² for arrays (n,); NaN or −∞ if predictions are not finite or too large.

    If y is constant, return 1 for exact predictions and 0 otherwise, as scikit-learn's `r2_score` does.
    """
    if not np.isfinite(predictions).all():
        return float("nan")
    with np.errstate(all="ignore"):
        left, spread = np.sum((y - predictions) ** 2), np.sum((y - y.mean()) ** 2)
        return float(1 - left / spread) if np.ptp(y) else float(left == 0)


def _scores(point_sets: Sequence[LabelledPoints], predictions: Sequence[Values]) -> list[float]:
    return [r2(points.y, values) for points, values in zip(point_sets, predictions, strict=True)]


def _not_finite(scores: Sequence[float]) -> str:
    return f"predictions on the {'probe' if np.isfinite(scores[0]) else 'test'} points, or their R², are not finite"


def difference(predictions: Values, model_predictions: Values) -> float:
    """Return how far a reported model is from the method's own predictions, both (n,), as a multiple of the tolerance.

    Up to 1 they agree. The result is infinite if the model's predictions are not finite.
    """
    if not np.isfinite(model_predictions).all():
        return float("inf")
    with np.errstate(all="ignore"):
        tolerance = TOLERANCE * float(np.std(predictions)) + SINGLE * float(np.max(np.abs(predictions)))
        distance = float(np.sqrt(np.mean((predictions - model_predictions) ** 2)))
    return distance / tolerance if tolerance else float("inf" if distance else 0)


def line(text: str) -> str:
    """Return an untrusted text as one printable line of at most 300 characters."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:300]).strip()


class _NoModelError(Exception):
    """No reading of a model reproduces the method's predictions."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def _model(answer: Answer, x: Values, columns: Sequence[str]) -> tuple[Expression, Values]:
    """Return the first reading that predicts on the test points as the method does, and its predictions.

    Raises:
        _NoModelError: there is none.
    """
    if not answer.readings:
        raise _NoModelError("unparsed", answer.refusal or "the method tells no model")
    problem, nearest = "", None
    for text in answer.readings:
        try:
            model = parse(text, columns)
        except NotAnExpressionError as error:
            problem = problem or line(str(error))
            continue
        predictions = model.predict(x)
        distance = difference(answer.predictions[0], predictions)
        if distance <= 1:
            return model, predictions
        nearest = distance if nearest is None else min(distance, nearest)
    if nearest is None:
        raise _NoModelError("unparsed", problem)
    raise _NoModelError(
        "mistranslated", f"the model as reported predicts otherwise: {nearest:.2g} times what is tolerated"
    )


def _failure(status: Status, report: Report, reason: str, score: float | None = None) -> Outcome:
    return Outcome(status, score, None, "", report.seconds, line(reason))

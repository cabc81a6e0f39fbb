"""The part of a run that takes place in a child process: the method is fitted, predicts, and reports its model.

Example: `run(method, 7, points)` for `linear` on 300 points and 100 test points returns a line of JSON with the text
`0.1 + 2.0 * x1`, followed by 100 predictions.

The answer consists of numbers and text, without pickles: `outcome.read` reads it without trusting it.
"""

import json
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfe.config import Method
from pfe.processes.guard import describe
from pfe.symreg.competition.methods import build, has_expression, mistake
from pfe.symreg.competition.notation import readings

UNKNOWN = "when it is fitted it has no attribute"  # prefix of a refusal that only a run can prove


@dataclass(frozen=True, eq=False)
class Points:
    """The data of a run: x (n, d) and y (n,) to fit, and any number of arrays (·, d) in `inputs` to predict."""

    columns: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    inputs: tuple[NDArray[np.float64], ...]


def run(method: Method, seed: int, points: Points) -> bytes:
    """Fit a method, and return a line of JSON followed by its predictions as float64.

    The line is {"readings": […], "refused": the reason if there are no readings}.
    """
    _seed(seed)
    regressor = build(method, seed)
    provable = has_expression(method, regressor)
    regressor.fit(points.x, points.y)
    predictions = b"".join(_predictions(regressor, x) for x in points.inputs)
    try:
        return _answer(readings(regressor, method.expression, points.columns), "", predictions)
    except Exception as error:
        unknown = provable is None and not hasattr(regressor, method.expression)
        return _answer((), f"{UNKNOWN} '{method.expression}'" if unknown else describe(error), predictions)


def check_entry(method: Method) -> bytes:
    """Return an answer like that of `run` without readings and predictions; `refused` is the entry's mistake or ""."""
    _seed(0)
    return _answer((), mistake(method) or "", b"")


def _seed(seed: int) -> None:
    """Seed the global generators, because some methods sample from them."""
    random.seed(seed)
    np.random.seed(seed)


def _answer(readings: tuple[str, ...], refusal: str, predictions: bytes) -> bytes:
    return json.dumps({"readings": readings, "refused": refusal}).encode() + b"\n" + predictions


def _predictions(regressor: Any, x: NDArray[np.float64]) -> bytes:
    """Return the predictions at x, of shape (n, d), as bytes of float64.

    Raises:
        ValueError: the predictions are not n real numbers.
    """
    predictions = np.asarray(regressor.predict(x))
    if predictions.shape != (len(x),) or np.iscomplexobj(predictions):
        raise ValueError(
            f"predict gave {predictions.dtype} of shape {predictions.shape} for {len(x)} points, not as many numbers"
        )
    return predictions.astype("<f8").tobytes()

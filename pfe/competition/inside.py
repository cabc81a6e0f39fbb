"""What a run of a method is in its process: it is fitted, predicts, and tells its model.

Example: `run(method, 7, points)` of `linear` on 300 points and 100 test points is a line of JSON with the text
`0.1 + 2.0 * x1`, and 100 predictions.

It answers numbers and text, no pickles: `outcome.read` reads them without trusting them.
"""

import json
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pfe.competition.methods import build, has_expression, mistake
from pfe.competition.notation import readings
from pfe.config import Method
from pfe.processes.guard import describe

UNKNOWN = "when it is fitted it has no attribute"  # begins what is refused of an entry that only a run could prove


@dataclass(frozen=True, eq=False)
class Points:
    """What a method may see: x and y of shapes (n, d) and (n,) to fit, and points (·, d) to predict, as many
    arrays of them as there are."""

    columns: tuple[str, ...]
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    inputs: tuple[NDArray[np.float64], ...]


def run(method: Method, seed: int, points: Points) -> bytes:
    """A line of JSON, {"readings": […], "refused": why there are none}, and the predictions as float64."""
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
    """As `run` answers, without readings and predictions; what is refused is the entry's mistake, if it has one."""
    _seed(0)
    return _answer((), mistake(method) or "", b"")


def _seed(seed: int) -> None:
    """For methods that draw from the global generators."""
    random.seed(seed)
    np.random.seed(seed)


def _answer(readings: tuple[str, ...], refusal: str, predictions: bytes) -> bytes:
    return json.dumps({"readings": readings, "refused": refusal}).encode() + b"\n" + predictions


def _predictions(regressor: Any, x: NDArray[np.float64]) -> bytes:
    """The predictions at x, of shape (n, d), as bytes of float64.

    Raises:
        ValueError: they are not n real numbers.
    """
    predictions = np.asarray(regressor.predict(x))
    if predictions.shape != (len(x),) or np.iscomplexobj(predictions):
        raise ValueError(
            f"predict gave {predictions.dtype} of shape {predictions.shape} for {len(x)} points, not as many numbers"
        )
    return predictions.astype("<f8").tobytes()

"""The metrics of one scored answer, with the metric names of lm-evaluation-harness.

Example: {"acc": 1.0, "acc_norm": 0.0} for a choice, {"acc": 1.0, "acc_strict": 0.0} for a number.
"""

from pfe.problem import ScoredPrediction


def metrics(row: ScoredPrediction) -> dict[str, float]:
    """Return `acc` of an answer, and `acc_norm` and `acc_strict` if the benchmark has them."""
    readings = {"acc": row.correct, "acc_norm": row.correct_norm, "acc_strict": row.strict_correct}
    return {name: float(value) for name, value in readings.items() if value is not None}

"""The figures of one scored answer under the harness's names.

Example: {"acc": 1.0, "acc_norm": 0.0} of a choice, {"acc": 1.0, "acc_strict": 0.0} of a number.
"""

from pfe.problem import ScoredPrediction


def metrics(row: ScoredPrediction) -> dict[str, float]:
    """`acc` of every answer, `acc_norm` and `acc_strict` where the benchmark has them."""
    readings = {"acc": row.correct, "acc_norm": row.correct_norm, "acc_strict": row.strict_correct}
    return {name: float(value) for name, value in readings.items() if value is not None}

"""What came of training the student, as it is written.

Example, of data/training/figures.json: `{"loss": 4.45, "first_loss": 7.65, "lessons": 4700, "steps": 588, …}`
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Training:
    """Mean loss (nats per token) first and last, lessons, steps, parameters."""

    loss: float
    first_loss: float
    lessons: int
    steps: int
    parameters: int

    def metrics(self) -> dict[str, float]:
        """What DVC shows: a loss has one decimal, since the others differ between machines."""
        return vars(self) | {"loss": round(self.loss, 1), "first_loss": round(self.first_loss, 1)}

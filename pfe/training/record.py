"""What came of training the student, as it is written.

Example, of data/training/figures.json: `{"loss": 4.45, "first_loss": 7.65, "lessons": 4700, "steps": 588, …}`
"""

from dataclasses import dataclass
from typing import Any

from pfe.training.figures import WholeValidation


@dataclass(frozen=True)
class Training:
    """Mean loss (nats per token) first and last, lessons, steps, parameters, and what was learned.

    All but `validation`, which is what came of everything, is of the training before any distillation: on exercises,
    worlds made anew and the corpus, so `loss` is of what they are in the end together. It ends with the weights after
    `chosen_step`, where the validation loss was the least.
    """

    loss: float
    first_loss: float
    lessons: int
    steps: int
    parameters: int
    chosen_step: int
    validation: WholeValidation | None = None

    def metrics(self) -> dict[str, Any]:
        """What DVC shows: a loss has one decimal, since the others differ between machines."""
        return {
            "loss": round(self.loss, 1),
            "first_loss": round(self.first_loss, 1),
            "lessons": self.lessons,
            "steps": self.steps,
            "parameters": self.parameters,
            **(self.validation.metrics() if self.validation else {}),
        }

"""What came of training the student, as it is written.

Example, of data/training/figures.json: `{"loss": 4.45, "first_loss": 7.65, "lessons": 4700, "steps": 588, …}`
"""

from dataclasses import dataclass
from typing import Any

from pfe.training.figures import WholeValidation


@dataclass(frozen=True)
class Training:
    """Mean loss (nats per token) first and last, lessons that were read, steps, parameters, and what was learned.

    A lesson counts as often as it was read.

    All but `validation`, which is what came of everything, is of the training before any distillation. It ends with the
    weights after `chosen_step`, where the validation loss was the least, or after its last step where nothing was asked
    on the way.
    """

    loss: float
    first_loss: float
    lessons: int
    steps: int
    parameters: int
    chosen_step: int | None
    validation: WholeValidation | None = None

    def chosen(self) -> str:
        """Which weights the training ended with."""
        if self.chosen_step is None:
            return f"those after the last step, {self.steps:,}: nothing was measured on the way"
        return f"those after {self.chosen_step:,}, where the validation loss was the least"

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


@dataclass(frozen=True)
class Distillation:
    """Steps, and of their passes those in which the student wrote (`on_policy`) or a tutor; divergence first and last.

    The divergences are means in nats a token.
    """

    steps: int
    on_policy: int
    by_tutors: int
    first_loss: float
    loss: float

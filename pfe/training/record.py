"""Records of training results, as they are written to JSON.

Example, from data/training/figures.json: `{"loss": 4.45, "first_loss": 7.65, "lessons": 4700, "steps": 588, …}`
"""

from dataclasses import dataclass
from typing import Any

from pfe.training.figures import WholeValidation


@dataclass(frozen=True)
class Training:
    """The results of a training: final and first mean loss (nats per token), lessons, steps, parameters, validation.

    `lessons` counts a lesson as often as it was read.

    All fields but `validation`, which is measured at the very end, describe the training before any distillation. It
    ends with the weights after `chosen_step`, where the validation loss was lowest, or after the last step if there was
    no validation on the way (None).
    """

    loss: float
    first_loss: float
    lessons: int
    steps: int
    parameters: int
    chosen_step: int | None
    validation: WholeValidation | None = None

    def chosen(self) -> str:
        """Return a phrase that says which weights the training ended with."""
        if self.chosen_step is None:
            return f"those after the last step, {self.steps:,}: nothing was measured on the way"
        return f"those after {self.chosen_step:,}, where the validation loss was the least"

    def metrics(self) -> dict[str, Any]:
        """Return the values for DVC: losses have one decimal, since further decimals differ between machines."""
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
    """The results of a distillation: steps, passes by author of the text, first and final divergence.

    The student wrote in `on_policy` passes, a tutor in `by_tutors`. Divergences are means in nats per token.
    """

    steps: int
    on_policy: int
    by_tutors: int
    first_loss: float
    loss: float

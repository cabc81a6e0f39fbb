"""The record of who taught the student and how, as in data/training/taught.json.

Example: {"answer_keys": {"derive": 3900, …}, "embedded": {"weights": {"arc_synth": {"wide": 0.5, …}, …}, …}, …}
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pfe.training.embedded import Teaching
from pfe.training.record import Distillation


@dataclass(frozen=True)
class TeacherRecord:
    """The number of lessons that each tutor wrote, the embedded tutors, and the results of distillation, if any.

    Tutors that write text but give no token probabilities teach through lessons alone. A text that several tutors wrote
    counts for each.
    """

    answer_keys: Mapping[str, int]
    embedded: Teaching
    distillation: Distillation | None

    def lines(self) -> list[str]:
        """Return the lines to print."""
        keys = ", ".join(f"{tutor} {lessons:,}" for tutor, lessons in sorted(self.answer_keys.items()))
        if (done := self.distillation) is None:
            return [f"answer keys of the corpus: {keys}"]
        return [
            f"answer keys of the corpus: {keys}",
            f"token probabilities: {', '.join(self.embedded.files)}",
            f"{done.steps:,} steps of distillation, {done.on_policy:,} passes on the student's texts and "
            f"{done.by_tutors:,} on tutors': divergence {done.first_loss:.3f} → {done.loss:.3f} nats per token",
        ]


def lessons_by_tutor(corpus: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Count the lessons of the corpus by tutor; a text that several tutors wrote counts for each."""
    return dict(Counter(tutor for row in corpus for tutors in row["tutors"] for tutor in tutors.split()))

"""One model's run as the exports take it: its settings, its scored answers, its figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pfe.config import Config
from pfe.examined import Examined
from pfe.problem import ScoredPrediction
from pfe.scores.model import ModelScore


@dataclass(frozen=True)
class Run:
    """What one model answered, by benchmark, and the figures that came of it.

    `dates` say in ISO 8601 when the answers to each benchmark were scored.
    """

    examined: Examined
    model: str
    answers: Mapping[str, Sequence[ScoredPrediction]]
    score: ModelScore
    dates: Mapping[str, str]

    @property
    def settings(self) -> Config:
        """Those that it was asked by."""
        return self.examined.settings

    @property
    def label(self) -> str:
        """What tables call the model."""
        return self.settings.labels.get(self.model, self.model)


def by_arm(rows: Sequence[ScoredPrediction]) -> Iterator[tuple[str, int, list[ScoredPrediction]]]:
    """The rows of a benchmark arm by arm and order by order, as they come."""
    passes: dict[tuple[str, int], list[ScoredPrediction]] = {}
    for row in rows:
        passes.setdefault((row.arm, row.order), []).append(row)
    for (arm, order), some in passes.items():
        yield arm, order, some

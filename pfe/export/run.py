"""The run of one model, as input of the exports: its settings, scored answers, and figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pfe.config import Config
from pfe.problem import ScoredPrediction
from pfe.scored_answers import ScoredAnswers
from pfe.scores.model import ModelScore


@dataclass(frozen=True)
class Run:
    """One model's answers by benchmark, and their figures.

    `dates` holds by benchmark when the answers were scored, in ISO 8601.
    """

    examined: ScoredAnswers
    model: str
    answers: Mapping[str, Sequence[ScoredPrediction]]
    score: ModelScore
    dates: Mapping[str, str]

    @property
    def settings(self) -> Config:
        """The settings of the run."""
        return self.examined.settings

    @property
    def label(self) -> str:
        """The model's name in tables."""
        return self.settings.labels.get(self.model, self.model)


def by_arm(rows: Sequence[ScoredPrediction]) -> Iterator[tuple[str, int, list[ScoredPrediction]]]:
    """Yield the rows of a benchmark by arm and order, in the sequence of their first rows."""
    passes: dict[tuple[str, int], list[ScoredPrediction]] = {}
    for row in rows:
        passes.setdefault((row.arm, row.order), []).append(row)
    for (arm, order), some in passes.items():
        yield arm, order, some

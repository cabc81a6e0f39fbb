"""The verdict of the judge on each method, on the stability of the order, and on the models that an expert sees.

Example: `judge(runs, rules).candidates["operon"]` is
`Candidate(qualified=True, margin=2.1, synthetic=Standing(score=3.4, place=1, ranks={"accuracy": 3.8, …}), …)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pfe.judging.real_world import Representatives
from pfe.judging.stability import Stability


@dataclass(frozen=True)
class Standing:
    """A method's score and place in a track, and its mean rank over data sets in each aspect (higher is better).

    The score is None if no run of the method counts; its place is then the last.
    """

    score: float | None
    place: int
    ranks: Mapping[str, float]


@dataclass(frozen=True)
class Candidate:
    """A method with its qualification, its margin, and its standing in each track.

    `margin` is None if there was no qualification, and −inf if the method failed it without a number. A standing is
    None if the method does not compete or the track was not judged.
    """

    qualified: bool
    margin: float | None
    synthetic: Standing | None
    real_world: Standing | None


@dataclass(frozen=True)
class Verdict:
    """The candidates by method, including the baseline, which does not compete.

    `scores` are those on each data set of the synthetic track on which every competing method has one, by method and
    data set. `stability` is also of that track, and None if no method competes there. `representatives` are the models
    of the real-world track.
    """

    candidates: Mapping[str, Candidate]
    scores: Mapping[str, Mapping[str, float]]
    stability: Stability | None
    representatives: Representatives

    def order(self) -> tuple[str, ...]:
        """Return the methods with a place in the synthetic track, the best first and ties by name."""
        standings = {name: candidate.synthetic for name, candidate in self.candidates.items()}
        by_place = [(standing.place, name) for name, standing in standings.items() if standing]
        return tuple(name for _, name in sorted(by_place))

    def metrics(self) -> dict[str, dict[str, float]]:
        """Return the metrics for DVC: which methods qualified, and the scores of the ranked ones, with two decimals."""
        figures: dict[str, dict[str, float]] = {}
        for name, candidate in self.candidates.items():
            figures[name] = {"qualified": candidate.qualified}
            if candidate.synthetic and candidate.synthetic.score is not None:
                figures[name]["score"] = round(candidate.synthetic.score, 2)
        return figures

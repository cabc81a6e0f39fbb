"""What the judge says: of each method, of the order's stability, and of the models an expert is shown.

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

    The score is None where no run of the method counts; then its place is the last.
    """

    score: float | None
    place: int
    ranks: Mapping[str, float]


@dataclass(frozen=True)
class Candidate:
    """A method: whether it competes, by what margin, and where it stands in the tracks.

    `margin` is None where nobody had to qualify, and −inf for a failed qualification that leaves no number. A
    standing is None where the method does not compete or the track was not judged.
    """

    qualified: bool
    margin: float | None
    synthetic: Standing | None
    real_world: Standing | None


@dataclass(frozen=True)
class Verdict:
    """Candidates by method; the baseline is one that does not compete.

    `scores` are those on each data set of the synthetic track, by method and data set, where every method that
    competes has one. `stability` is of that track too, None where nobody competes there. `representatives` are the
    models of the real-world track.
    """

    candidates: Mapping[str, Candidate]
    scores: Mapping[str, Mapping[str, float]]
    stability: Stability | None
    representatives: Representatives

    def order(self) -> tuple[str, ...]:
        """The methods with a place in the synthetic track, the best first and equals by name."""
        standings = {name: candidate.synthetic for name, candidate in self.candidates.items()}
        by_place = [(standing.place, name) for name, standing in standings.items() if standing]
        return tuple(name for _, name in sorted(by_place))

    def metrics(self) -> dict[str, dict[str, float]]:
        """What DVC shows: who qualified, and the scores of those who are ranked, with two decimals."""
        figures: dict[str, dict[str, float]] = {}
        for name, candidate in self.candidates.items():
            figures[name] = {"qualified": candidate.qualified}
            if candidate.synthetic and candidate.synthetic.score is not None:
                figures[name]["score"] = round(candidate.synthetic.score, 2)
        return figures

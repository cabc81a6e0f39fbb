"""What the judge says: of each method, of the order's stability, and of the models an expert is shown.

Example: `judge(runs, rules).as_json()["methods"]["operon"]` starts
`{"score": 3.4, "place": 1, "qualified": true, "margin": 2.1, "ranks": {"accuracy": 3.8, …}, …}`.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

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
        placed = [(standing.place, name) for name, standing in standings.items() if standing]
        return tuple(name for _, name in sorted(placed))

    def as_json(self) -> dict[str, Any]:
        """Plain values for a metrics file; a number that is not finite is None."""
        found: dict[str, Any] = _plain(
            {
                "methods": {name: self._method(name, candidate) for name, candidate in self.candidates.items()},
                "stability": self._stability(),
                "representatives": {
                    dataset: {method: asdict(shown) for method, shown in methods.items()}
                    for dataset, methods in self.representatives.items()
                },
            }
        )
        return found

    def _method(self, name: str, candidate: Candidate) -> dict[str, Any]:
        standing = asdict(candidate.synthetic) if candidate.synthetic else {"score": None, "place": None, "ranks": {}}
        drawn = self.stability.redrawn.get(name) if self.stability else None
        return {
            **standing,
            "qualified": candidate.qualified,
            "margin": candidate.margin,
            "real_world": asdict(candidate.real_world) if candidate.real_world else None,
            "redrawn": asdict(drawn) if drawn else None,
        }

    def _stability(self) -> dict[str, Any] | None:
        """Without the orders that leave one method out, which are as many as methods and as long."""
        if self.stability is None:
            return None
        left_out = self.stability.left_out
        return {
            "ties": dict(self.stability.ties),
            "changes_winner": [name for name, without in left_out.items() if without.winner_changes],
            "changed_pairs": {name: without.pairs for name, without in left_out.items() if without.pairs},
        }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

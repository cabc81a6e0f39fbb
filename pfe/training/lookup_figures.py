"""What came of look-ups (`pfe.training.lookups`), as it is written.

Example, of metrics/lookups.json: `{"student": {"lift": 9.0, "lift_low": 3.7, "lift_high": 14.1}}`
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pfe.training.figures import LibraryUse


@dataclass(frozen=True)
class LookUps:
    """What a model makes of look-ups: of all, by set, and by family, as set/family; all in the four arms."""

    whole: LibraryUse
    sets: Mapping[str, LibraryUse]
    families: Mapping[str, LibraryUse]

    def metrics(self) -> dict[str, float]:
        """The lift in points with its interval, with one decimal."""
        lift = self.whole.lift
        values = {"lift": lift.value, "lift_low": lift.low, "lift_high": lift.high} if lift else {}
        return {name: round(value, 1) for name, value in values.items()}

"""The quality goals of a synthetic set, and the list of those that it misses.

Example: `missed(quality)` is `["two-sample AUC 0.998, at most 0.97"]` for a set that differs clearly from real ones.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pfe.problem import Domain
from pfe.quality.record import Quality, Side
from pfe.scores.proportion import Proportion, difference

AUC = 0.97
SHORT_AUC: Mapping[Domain, float] = {"math": 0.93, "coreference": 0.93, "function_call": 0.93}
CHOICES = 5.0  # points above the real set
NEAREST = 0.45
STEPS = 0.15  # Kolmogorov–Smirnov distance
REPEATED = 15.0  # percent of sentences
MOST_DUPLICATES = 5.0  # percent of a set
SLIPS = 0.0  # percent of problems
FEWEST = 100  # problems of a set; in a smaller one, a pair of near-duplicates means nothing


@dataclass(frozen=True)
class Goal:
    """A figure and its upper limit.

    `interval` is printed after the value: the 95 % CI in brackets for a difference of two samples, an example for
    slips.
    """

    name: str
    value: float
    most: float
    interval: str = ""


def goals(quality: Quality) -> Iterator[Goal]:
    """Yield every goal that applies to a set."""
    synthetic, real = quality.sides["synthetic"], quality.sides.get("real")
    if quality.auc:
        yield Goal("two-sample AUC", quality.auc.value, SHORT_AUC.get(quality.domain, AUC))
    yield Goal("nearest in the set", synthetic.nearest.value, NEAREST)
    yield Goal("near-duplicates, %", quality.duplicates.value, MOST_DUPLICATES)
    yield Goal("repeated sentences, %", synthetic.repeated.value, REPEATED)
    yield _english(quality)
    if real:
        yield from _choices(quality.matched, real)
    if "steps" in quality.ks:
        yield Goal("KS of steps, synthetic and real", quality.ks["steps"], STEPS)


def missed(quality: Quality) -> list[str]:
    """Return the goals that a set misses, each with its figure."""
    return [
        f"{goal.name} {goal.value:.3g}{goal.interval}, at most {goal.most:g}"
        for goal in goals(quality)
        if goal.value > goal.most
    ]


def _choices(synthetic: Side, real: Side) -> Iterator[Goal]:
    ours, theirs = synthetic.choices, real.choices
    if ours and theirs:
        yield _above("choices alone", ours.alone, theirs.alone)
        yield _above("choices and overlap", ours.overlap, theirs.overlap)


def _english(quality: Quality) -> Goal:
    """Return the goal for slips of English, with the first slip to fix."""
    found = quality.english
    return Goal(
        "problems with a slip of English, %", found.slips.value, SLIPS, "".join(f": {x}" for x in found.examples[:1])
    )


def _above(name: str, ours: Proportion, theirs: Proportion) -> Goal:
    above = difference(ours, theirs)
    return Goal(f"{name}, points above real", above.value, CHOICES, f" [{above.low:z.1f}, {above.high:z.1f}]")

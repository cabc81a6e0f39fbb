"""Two arms on the same problems: the difference, its interval, its test, and what it is made of.

Example: of 50 problems canonical and ICR both solve 20, ICR alone 12 (fixed), canonical alone 2 (broken), neither
16. The lift is +20.0 points, p = 0.0127; recovery is 12 of 28, breakage 2 of 22.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from pfe.scores.proportion import Proportion, proportion
from pfe.scores.randomisation import ALPHA, flip_test
from pfe.scores.sample import ArmSample, generator

POWER = 0.8
FEWEST = 6  # problems, or clusters of them, below which nothing can be shown
GAIN = (-1, 1)  # the weights of two arms, the one without help first
FIXED, BROKEN = 2, 1  # the patterns in which the second arm alone is right, and the first alone


@dataclass(frozen=True)
class Difference:
    """The second arm's accuracy less the first's, in points, over the n problems of both.

    `se` is the paired standard error by clusters. `low`, `high` and `p` are those of `pfe.scores.randomisation`: the
    interval at 95 % leaves out 0 where p < 0.05.
    """

    value: float
    n: int
    clusters: int
    se: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class RelativeLift:
    """The share, in percent, of what was left to gain that was gained; source: SPEC, "Primary Metrics", 4.

    `unstable` where the interval is as wide as the value is large, or wider.
    """

    value: float
    low: float
    high: float
    unstable: bool


@dataclass(frozen=True)
class Lift(Difference):
    """ICR less canonical accuracy.

    Of the n problems `kept` are right in both arms, `fixed` in ICR alone, `broken` in canonical alone, `wrong` in
    neither. `recovery` is P(fixed | canonical wrong), `breakage` P(broken | canonical right); None where there is
    no such problem. `detectable` is `detectable_lift`; `holm_p` is p adjusted over the benchmarks of the model.
    """

    kept: int
    fixed: int
    broken: int
    wrong: int
    recovery: Proportion | None
    breakage: Proportion | None
    relative: RelativeLift | None
    detectable: float | None
    holm_p: float | None = None


def difference(sample: ArmSample, seed: str) -> Difference:
    """Compare the two arms of a sample, the first being the one that is subtracted.

    Args:
        sample: of two arms.
        seed: the signs are drawn from it.
    """
    gains = sample.differences(GAIN)
    test = flip_test(gains, generator(seed))
    return Difference(gains.value, sample.n, sample.clusters, _standard_error(sample), **vars(test))


def lift(sample: ArmSample, seed: str) -> Lift:
    """Return the lift of a sample of the arms canonical and ICR."""
    wrong, broken, fixed, kept = (int(count) for count in sample.total)
    return Lift(
        **vars(difference(sample, seed)),
        kept=kept,
        fixed=fixed,
        broken=broken,
        wrong=wrong,
        recovery=proportion(fixed, fixed + wrong) if fixed + wrong else None,
        breakage=proportion(broken, broken + kept) if broken + kept else None,
        relative=_relative(sample, seed),
        detectable=detectable_lift(sample.n, (fixed + broken) / sample.n) if sample.clusters >= FEWEST else None,
    )


def detectable_lift(n: int, discordance: float) -> float | None:
    """The smallest lift, in points, that a test of n pairs shows at 5 % two-sided with a power of 0.8.

    It solves n = (z(1 − α/2) · √ψ + z(power) · √(ψ − δ²))² / δ² for the lift δ (Connor 1987, Biometrics 43:207),
    ψ being the share of pairs that differ. ψ is the one observed, or δ itself where that is larger: a lift of δ
    needs at least as many pairs that differ, so where none was seen all that differ are taken to be fixed.

    Args:
        n: problems, taken as independent.
        discordance: the share of pairs that differ, between 0 and 1.

    Returns:
        None where n problems can show nothing: all fixed, and p still above 5 %.
    """
    from scipy.optimize import brentq
    from statsmodels.stats.power import normal_power_het

    if n < FEWEST:
        return None

    def lacking(lift: float) -> float:
        differing = max(discordance, lift)
        spread = math.sqrt(differing - lift**2)
        return float(normal_power_het(lift, n, ALPHA, math.sqrt(differing), spread)) - POWER

    return 100 * float(brentq(lacking, 1e-9, 1 - 1e-9))


def _standard_error(sample: ArmSample) -> float:
    """√(Σ over clusters of (Σ over its problems of dᵢ − d̄)²) / n, dᵢ being +1 fixed, −1 broken, 0 else; in points.

    Source: Liang and Zeger 1986, Biometrika 73:13, for a mean. With one problem a cluster it is the usual paired one.
    """
    gains = sample.counts[:, FIXED] - sample.counts[:, BROKEN]
    sizes = sample.counts.sum(axis=1)
    return 100 * math.sqrt(np.sum((gains - sizes * gains.sum() / sample.n) ** 2)) / sample.n


def _relative(sample: ArmSample, seed: str) -> RelativeLift | None:
    """Return the lift as a share of canonical's wrong answers; None where there are none.

    It cannot be below what breaking all that canonical has right would give.
    """
    wrong, broken, fixed, kept = (int(count) for count in sample.total)
    if not wrong + fixed:
        return None
    gains = replace(sample.differences(GAIN, room=0), least=-100 * (kept + broken) / (wrong + fixed), most=100)
    test = flip_test(gains, generator(seed))
    return RelativeLift(gains.value, test.low, test.high, unstable=test.high - test.low >= abs(gains.value))

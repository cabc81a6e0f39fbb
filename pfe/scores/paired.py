"""A paired comparison of two arms: the difference with its CI and p, and the problems that account for it.

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
FEWEST = 6  # problems or clusters; with fewer, no difference can be significant
GAIN = (-1, 1)  # the weights of two arms, the baseline first
FIXED, BROKEN = 2, 1  # the patterns in which only the second arm is correct, and only the first


@dataclass(frozen=True)
class Difference:
    """The second arm's accuracy less the first's, in points, on the n problems of both.

    `se` is the paired standard error by clusters. `low`, `high` and `p` come from `pfe.scores.randomisation`: the 95 %
    CI excludes 0 if p < 0.05.
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
    """The lift in percent of the possible gain; source: SPEC, "Primary Metrics", 4.

    It is `unstable` if its CI is at least as wide as the absolute value of the lift.
    """

    value: float
    low: float
    high: float
    unstable: bool


@dataclass(frozen=True)
class Lift(Difference):
    """ICR accuracy less canonical accuracy.

    The n problems divide into `kept` (correct in both arms), `fixed` (in ICR only), `broken` (in canonical only) and
    `wrong` (in neither). `recovery` is P(fixed | canonical incorrect) and `breakage` is P(broken | canonical correct);
    each is None if no problem meets its condition. `detectable` is `detectable_lift`. `holm_p` is p adjusted over the
    benchmarks of the model.
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
    """Return the second arm of a sample less the first, with its CI and p.

    Args:
        sample: of two arms.
        seed: seeds the random signs of the test.
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
    """Return the smallest lift, in points, that a two-sided test of n pairs at 5 % detects with a power of 0.8.

    It solves n = (z(1 − α/2) · √ψ + z(power) · √(ψ − δ²))² / δ² for the lift δ (Connor 1987, Biometrics 43:207),
    where ψ is the share of discordant pairs. ψ is the observed share, or δ if that is larger: a lift of δ needs at
    least a share of δ of discordant pairs.

    Args:
        n: the number of problems, assumed independent.
        discordance: the share of discordant pairs, between 0 and 1.

    Returns:
        None if n is so small that p exceeds 5 % even if all problems are fixed.
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
    """Return the cluster-robust standard error of the mean difference, in points.

    It is √(Σ over clusters of (Σ over its problems of dᵢ − d̄)²) / n, where dᵢ is +1 if fixed, −1 if broken, else 0.
    Source: Liang and Zeger 1986, Biometrika 73:13, for a mean. With one problem a cluster it is the usual paired
    standard error.
    """
    gains = sample.counts[:, FIXED] - sample.counts[:, BROKEN]
    sizes = sample.counts.sum(axis=1)
    return 100 * math.sqrt(np.sum((gains - sizes * gains.sum() / sample.n) ** 2)) / sample.n


def _relative(sample: ArmSample, seed: str) -> RelativeLift | None:
    """Return the lift as a share of canonical's incorrect answers; None if there are none.

    Its lower bound is the value if all of canonical's correct answers were broken.
    """
    wrong, broken, fixed, kept = (int(count) for count in sample.total)
    if not wrong + fixed:
        return None
    gains = replace(sample.differences(GAIN, room=0), least=-100 * (kept + broken) / (wrong + fixed), most=100)
    test = flip_test(gains, generator(seed))
    return RelativeLift(gains.value, test.low, test.high, unstable=test.high - test.low >= abs(gains.value))

"""Two arms on the same problems: the difference, its interval, its test, and what it is made of.

Example: of 50 problems canonical and ICR both solve 20, ICR alone 12 (fixed), canonical alone 2 (broken), neither
16. The lift is +20.0 points, p = 0.0129; recovery is 12 of 28, breakage 2 of 22.
"""

import math
from dataclasses import dataclass

import numpy as np

from pfe.scores.proportion import Proportion, proportion
from pfe.scores.sample import RESAMPLES, ArmSample, Counts, Values, interval, resampled

ALPHA, POWER = 0.05, 0.8
WRONG, BROKEN, FIXED, KEPT = range(4)  # the patterns of two arms, the one without help first


@dataclass(frozen=True)
class Difference:
    """The second arm's accuracy less the first's, in points, over the n problems of both.

    `se` is the paired standard error by clusters, `low` and `high` the cluster bootstrap's interval at 95 %, `p`
    the exact McNemar test's, two-sided. That test takes problems as independent; where clusters hold more than
    one problem it is approximate, and the interval is the better guide.
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

    `unstable` where the interval is wider than the value is large, or where resamples hold nothing left to gain.
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


def gain(counts: Counts) -> Values:
    """The second arm's accuracy less the first's, in points, of counts by pattern: (..., 4) -> (...)."""
    difference: Values = 100 * (counts[..., FIXED] - counts[..., BROKEN]) / counts.sum(axis=-1)
    return difference


def difference(sample: ArmSample, seed: str, resamples: int = RESAMPLES) -> Difference:
    """Compare the two arms of a sample, the first being the one that is subtracted."""
    return _difference(sample, resampled(sample, gain, seed, resamples))


def lift(sample: ArmSample, seed: str, resamples: int = RESAMPLES) -> tuple[Lift, Values]:
    """The lift of a sample of the arms canonical and ICR, and its resamples (for averages), shape (resamples,)."""
    draws = resampled(sample, gain, seed, resamples)
    wrong, broken, fixed, kept = (int(count) for count in sample.total)
    figures = Lift(
        **vars(_difference(sample, draws)),
        kept=kept,
        fixed=fixed,
        broken=broken,
        wrong=wrong,
        recovery=proportion(fixed, fixed + wrong) if fixed + wrong else None,
        breakage=proportion(broken, broken + kept) if broken + kept else None,
        relative=_relative(sample, draws),
        detectable=detectable_lift(sample.n, (fixed + broken) / sample.n),
    )
    return figures, gain(draws)


def relative_lift(counts: Counts) -> Values:
    """100 · lift / (100 − canonical), of counts by pattern: (..., 4) -> (...); NaN where canonical is 100 %."""
    room = (counts[..., FIXED] + counts[..., WRONG]).astype(float)
    gains = 100.0 * (counts[..., FIXED] - counts[..., BROKEN])
    share: Values = np.divide(gains, room, out=np.full(room.shape, np.nan), where=room > 0)
    return share


def mcnemar_p(fixed: int, broken: int) -> float:
    """The exact two-sided p of McNemar's test that fixed and broken are equally likely (1947, Psychometrika 12:153)."""
    from statsmodels.stats.contingency_tables import mcnemar

    return float(mcnemar([[0, broken], [fixed, 0]], exact=True).pvalue)


def detectable_lift(n: int, discordance: float) -> float | None:
    """The smallest lift, in points, that McNemar's test on n problems shows at 5 % two-sided with a power of 0.8.

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

    if mcnemar_p(n, 0) > ALPHA:
        return None

    def lacking(lift: float) -> float:
        differing = max(discordance, lift)
        spread = math.sqrt(differing - lift**2)
        return float(normal_power_het(lift, n, ALPHA, math.sqrt(differing), spread)) - POWER

    return 100 * float(brentq(lacking, 1e-9, 1 - 1e-9))


def _difference(sample: ArmSample, draws: Counts) -> Difference:
    _, broken, fixed, _ = (int(count) for count in sample.total)
    low, high = interval(gain(draws))
    value = 100 * (fixed - broken) / sample.n
    return Difference(value, sample.n, sample.clusters, _standard_error(sample), low, high, mcnemar_p(fixed, broken))


def _standard_error(sample: ArmSample) -> float:
    """√(Σ over clusters of (Σ over its problems of dᵢ − d̄)²) / n, dᵢ being +1 fixed, −1 broken, 0 else; in points.

    Source: Liang and Zeger 1986, Biometrika 73:13, for a mean. With one problem a cluster it is the usual paired one.
    """
    gains = sample.counts[:, FIXED] - sample.counts[:, BROKEN]
    sizes = sample.counts.sum(axis=1)
    return 100 * math.sqrt(np.sum((gains - sizes * gains.sum() / sample.n) ** 2)) / sample.n


def _relative(sample: ArmSample, draws: Counts) -> RelativeLift | None:
    value = float(relative_lift(sample.total))
    if math.isnan(value):
        return None
    values = relative_lift(draws)
    low, high = interval(values)
    return RelativeLift(value, low, high, unstable=high - low > abs(value) or bool(np.isnan(values).any()))

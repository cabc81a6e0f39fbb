"""A t-test over placebo texts, so that a difference generalises to other texts of the same kind.

Example: ICR less placebo is +6.0, +1.0 and +5.0 points on the problems that had the first, second and third text. The
mean is +4.0 (95 % CI −2.6 to +10.6: ± 4.30 · 1.53, t with 2 degrees of freedom).

Problems that are asked with the same text share its effect on a model, so a test over problems confuses one text that
happens to hurt with a placebo that hurts. The means by text are independent, and a t-test of two or more of them is
valid even if their variances differ (Ibragimov and Müller 2010, J. Bus. Econ. Stat. 28:453). A mixed model with the
variance between texts floored at 0 is not valid: with three texts it often estimates a variance of 0 when there is
some.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from pfe.scores.paired import GAIN, Difference
from pfe.scores.randomisation import ALPHA
from pfe.scores.sample import ArmSample


def over_texts(found: Difference, samples: Sequence[ArmSample]) -> Difference:
    """Return a difference with the text as a random factor: its CI covers two CIs, and its p is the larger of two.

    One CI and p are those of the difference itself, by clusters; the others are those of the means by text. With fewer
    than two texts the difference is returned unchanged. If the mean over texts and the difference do not have the same
    sign, p is 1.

    Args:
        found: the difference over all problems.
        samples: one for each text, of the same two arms.
    """
    from scipy.stats import t

    if len(samples) < 2:
        return found
    means = np.array([sample.differences(GAIN).value for sample in samples])
    mean, error, freedom = float(means.mean()), float(means.std(ddof=1)) / sqrt(len(means)), len(means) - 1
    reach = error * float(t.ppf(1 - ALPHA / 2, freedom))
    p = 2 * float(t.sf(abs(mean) / error, freedom)) if error else float(mean == 0)
    return replace(
        found,
        low=min(found.low, max(mean - reach, -100.0)),
        high=max(found.high, min(mean + reach, 100.0)),
        p=max(found.p, p) if mean * found.value > 0 else 1.0,
    )

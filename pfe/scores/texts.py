"""What a difference to an arm says of other texts than those that were drawn for it: a t-test over the texts.

Example: ICR less placebo is +6.0, +1.0 and +5.0 points on the problems that had the first, second and third text. The
mean is +4.0, and what other texts would give lies between −2.6 and +10.6 (t with 2 degrees of freedom: 4.30 · 1.53).

Problems that are asked with the same text share what that text does to a model, so a test over problems takes a text
that happens to hurt for a placebo that hurts. The means by text are independent, and a t-test of them is valid for
any two or more, however different their variances are (Ibragimov and Müller 2010, J. Bus. Econ. Stat. 28:453). A
mixed model with the texts' variance floored at 0 is not: with three texts it often finds none where there is some.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from pfe.scores.paired import GAIN, Difference
from pfe.scores.randomisation import ALPHA
from pfe.scores.sample import ArmSample


def over_texts(found: Difference, samples: Sequence[ArmSample]) -> Difference:
    """Return a difference with the text as a random factor: the wider of two intervals, and the larger p.

    One is that of the difference itself, by clusters; the other that of the means by text. Without two texts there is
    one alone. A mean of texts on the other side of 0 shows nothing, and has p = 1.

    Args:
        found: the difference over all problems.
        samples: of the same two arms, the problems of each text.
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

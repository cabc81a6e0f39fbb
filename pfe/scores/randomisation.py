"""Whether a difference is more than the luck of which side an answer came from: exact, by clusters.

Example: of two revisions the second alone is right on 12 problems, the first alone on 2. Were both the same, each of
these 14 would be as likely the other way round: `sign_flip_p(np.array([1] * 12 + [-1] * 2))` is 0.0129, McNemar's p.

Source: the randomisation test of paired differences (Fisher 1935, The Design of Experiments, 21), clusters turning
around as a whole, since problems on one passage are right or wrong together. `scipy.stats.permutation_test` draws
from the signs, and is exact for a dozen clusters only.
"""

import numpy as np
from numpy.typing import NDArray


def sign_flip_p(totals: NDArray[np.int64]) -> float:
    """The two-sided p of the sum of `totals`, shape (clusters,), were the sign of each as likely the other.

    The law of the sum is the inverse Fourier transform of Π cos(tθ), in which equal totals are one power.
    """
    sizes, times = np.unique(np.abs(totals[totals != 0]), return_counts=True)
    reach = int(sizes @ times)
    observed = abs(int(totals.sum()))
    if observed == 0:
        return 1.0
    angles = 2 * np.pi * np.arange(2 * reach + 1) / (2 * reach + 1)
    characteristic = np.prod([np.cos(size * angles) ** count for size, count in zip(sizes, times, strict=True)], axis=0)
    law = np.fft.ifft(characteristic).real
    tail = 2 * float(law[observed : reach + 1].sum())
    return min(1.0, max(tail, np.finfo(float).eps))

"""Rounding that does not depend on the last bit of a float.

Example: `half_up(0.8715, 3)` is 0.872, and so is `half_up(0.8715 - 1e-13, 3)`. `round(0.8715, 3)` is 0.871, because
the float nearest to 0.8715 is below it. JUDGING does not say how to round halves; here they are rounded up.
"""

import numpy as np
from numpy.typing import ArrayLike

from pfe.judging.table import Values

MEANS = 9  # decimals to which means are compared; later decimals differ only by float noise
NOISE = 1e-6  # in units of the last decimal; a half that float noise lowered by up to this much is still rounded up
EXACT = 2.0**52  # in the same units; larger floats have no fraction to round


def half_up(values: ArrayLike, decimals: int) -> Values:
    """Return values of any shape rounded to `decimals` decimals, halves up.

    The rounding is monotone. NaN and infinities are unchanged.
    """
    numbers = np.asarray(values, dtype=np.float64)
    unit = 10.0**decimals
    with np.errstate(over="ignore"):
        scaled = numbers * unit
    small = np.abs(scaled) < EXACT
    return np.where(small, np.floor(scaled + (0.5 + NOISE)) / unit, numbers)

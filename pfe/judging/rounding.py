"""Rounding that does not hang on the last bit of a float.

Example: `half_up(0.8715, 3)` is 0.872, and so is `half_up(0.8715 - 1e-13, 3)`; `round(0.8715, 3)` is 0.871, since
the float next to 0.8715 lies below it. Where JUDGING rounds it does not say which way a half goes: here it goes up.
"""

import numpy as np
from numpy.typing import ArrayLike

from pfe.judging.table import Values

MEANS = 9  # decimals that means are compared at; what differs further behind differs by float noise
NOISE = 1e-6  # of one unit of the last decimal kept; a half that float noise put this little below itself goes up
EXACT = 2.0**52  # in such units; floats beyond have no half to round


def half_up(values: ArrayLike, decimals: int) -> Values:
    """Values to the nearest decimal, halves up, any shape; never decreasing, and NaN and infinities as they are."""
    numbers = np.asarray(values, dtype=np.float64)
    unit = 10.0**decimals
    with np.errstate(over="ignore"):
        scaled = numbers * unit
    small = np.abs(scaled) < EXACT
    return np.where(small, np.floor(scaled + (0.5 + NOISE)) / unit, numbers)

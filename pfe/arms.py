"""The arms in which a problem is asked, as docs/arms.md has them; of no weight, so that a shell can complete them."""

from collections.abc import Mapping
from typing import Literal

Arm = Literal["canonical", "icr", "placebo", "format", "shuffled", "reference", "retrieved", "contradicted"]

# What stands in front of the problem, for readers.
IN_FRONT: Mapping[Arm, str] = {
    "canonical": "nothing: the bare problem",
    "icr": "the benchmark's method library, or the one that a problem brings",
    "placebo": "a library of the same title and length, with methods for other things",
    "format": "the library with … for everything that it says",
    "shuffled": "the library with every example under another method",
    "reference": "as many solved problems as published figures show",
    "retrieved": "the entries of a larger base that are nearest to this problem",
    "contradicted": "a library that says otherwise than the world does; right is what it says",
}

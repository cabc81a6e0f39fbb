"""The arms in which a problem is asked, as docs/arms.md has them; of no weight, so that a shell can complete them."""

from typing import Literal

Arm = Literal["canonical", "icr", "placebo", "format", "shuffled", "reference", "retrieved", "contradicted"]

"""The arms in which a problem is asked, as docs/arms.md has them; of no weight, so that a shell can complete them."""

from typing import Literal

Arm = Literal[
    "canonical", "icr", "placebo", "format", "shuffled", "wrong", "reference", "retrieved", "contradicted", "agreeing",
]  # fmt: skip
# Those that a model is examined in if nobody says which: `pfe eval`, `pfe.evaluate`.
USUAL: tuple[Arm, ...] = ("canonical", "icr", "placebo")

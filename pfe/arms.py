"""The names of the arms in which a problem is asked (docs/arms.md); without heavy imports, for shell completion."""

from typing import Literal

Arm = Literal[
    "canonical", "icr", "placebo", "format", "shuffled", "wrong", "reference", "retrieved", "contradicted", "agreeing",
]  # fmt: skip
# The default arms of `pfe eval` and `pfe.evaluate`.
USUAL: tuple[Arm, ...] = ("canonical", "icr", "placebo")

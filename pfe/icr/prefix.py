"""The text in front of a problem, in parts that can be left out.

Example: `Prefix("[METHOD LIBRARY]\\n\\n", ("METHOD 1: …\\n\\n", "METHOD 2: …\\n\\n"), "[PROBLEM]\\n").shortened(1)`
is "[METHOD LIBRARY]\\n\\nMETHOD 1: …\\n\\n[PROBLEM]\\n".
"""

from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True)
class Prefix:
    """The text in front of many problems, empty in the canonical arm.

    `methods` are the parts that may be left out, the last ones first, if the context window of a model is too short for
    all of them and the problem.
    """

    head: str = ""
    methods: tuple[str, ...] = ()
    tail: str = ""

    @cached_property
    def text(self) -> str:
        return "".join((self.head, *self.methods, self.tail))

    def shortened(self, methods: int) -> "Prefix":
        """Return the prefix with its first `methods` methods; an empty prefix if none are left."""
        return replace(self, methods=self.methods[:methods]) if methods else Prefix()

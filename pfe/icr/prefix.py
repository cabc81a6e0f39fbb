"""What stands in front of a problem, in parts that can be left out.

Example: `Prefix("[METHOD LIBRARY]\\n\\n", ("METHOD 1: …\\n\\n", "METHOD 2: …\\n\\n"), "[PROBLEM]\\n").shortened(1)`
is "[METHOD LIBRARY]\\n\\nMETHOD 1: …\\n\\n[PROBLEM]\\n".
"""

from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True)
class Prefix:
    """What stands in front of many problems, empty in the canonical arm.

    `methods` are the parts that may be left out, the last ones first, where a model's window is too
    short for all of them and the problem.
    """

    head: str = ""
    methods: tuple[str, ...] = ()
    tail: str = ""

    @cached_property
    def text(self) -> str:
        return "".join((self.head, *self.methods, self.tail))

    def shortened(self, methods: int) -> "Prefix":
        """The prefix with its first `methods` methods; with none left, nothing of it is."""
        return replace(self, methods=self.methods[:methods]) if methods else Prefix()

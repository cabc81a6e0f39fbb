"""Token counts of models and their cost.

Example: `Usage(1_000_000, 200_000).dollars((2.5, 10.0))` is 4.5.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """Numbers of input and output tokens."""

    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def dollars(self, prices: tuple[float, ...]) -> float:
        """Return the cost at prices in dollars per million input and output tokens."""
        return (self.tokens_in * prices[0] + self.tokens_out * prices[1]) / 1e6

"""The curriculum: the order in which a student reads the corpus, the ladder's levels first, then everything.

Example: of 100,000 tokens the first 55,000 are single-hop retrieval among at most eight statements with plain names,
and the last 5,000 are of every set. In each phase about two in three rows are of its own level, the others are easier.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

LADDER = "ladder_synth"  # the set whose problems have skills and rungs
SHARES: Mapping[int, float] = {0: 0.55, 1: 0.2, 2: 0.1, 3: 0.1, 4: 0.05}  # of the tokens, by level
_OF_THE_LEVEL = 0.65  # share of a phase's rows that are of its own level
_FEW = 8  # statements


def level(row: Mapping[str, Any]) -> int:
    """Return the difficulty level of a row of the corpus.

    0 is single-hop retrieval from few statements with plain names, 1 from more statements; 2 adds names one letter
    apart and questions that cannot be answered; 3 is the other skills of the ladder, 4 the other sets.
    """
    if row["set"] != LADDER:
        return 4
    if row["skill"] not in ("lookup", "abstention"):
        return 3
    if row["skill"] == "abstention" or row["names"] == "confusable":
        return 2
    return int(row["rung"] > _FEW)


def reading_order(levels: Sequence[int], tokens: int | None, size: Callable[[int], int], seed: int) -> list[int]:
    """Return the numbers of the rows to read, in order.

    Args:
        levels: the level of each row.
        tokens: how many to read in total; rows repeat if there are too few. None reads every row once, level by level.
        size: returns the tokens of a row; rows of 0 tokens are skipped.
    """
    rng = Random(seed)
    queues = {
        one: _Queue([row for row, of_row in enumerate(levels) if of_row == one], rng) for one in sorted({*levels})
    }
    if tokens is None:
        return [row for queue in queues.values() for row in queue.rows if size(row)]
    return list(_sampled(queues, tokens, size, rng))


class _Queue:
    """The rows of one level in a fixed random order, repeated without end."""

    def __init__(self, rows: Sequence[int], rng: Random) -> None:
        self.rows, self._next = rng.sample(rows, len(rows)), 0

    def take(self) -> int:
        row = self.rows[self._next % len(self.rows)]
        self._next += 1
        return row


def _sampled(queues: Mapping[int, _Queue], tokens: int, size: Callable[[int], int], rng: Random) -> Iterator[int]:
    shares = {one: SHARES[one] for one in queues}
    read = end = 0.0
    for newest in queues:
        end += tokens * shares[newest] / sum(shares.values())
        easier = [one for one in queues if one < newest]
        unread = 0  # consecutive rows of 0 tokens
        while read < end and unread < len(queues[newest].rows):
            chosen = newest if not easier or rng.random() < _OF_THE_LEVEL else rng.choice(easier)
            row = queues[chosen].take()
            length = size(row)
            if length:
                yield row
            unread = 0 if length else unread + 1
            read += length

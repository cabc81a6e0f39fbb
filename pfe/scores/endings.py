"""How the answers of an arm ended, and in which cases so many ended badly that its figures say little of the model.

Example: of 50 answers on GSM1K the scorer finds no number in 40: `counts(rows)["unread"]` is 40, and
`doubts(counts(rows), 50)` is [Doubt("unread", 40, 50)].
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from pfe.problem import Stop
from pfe.thoughts import after_thoughts

Case = Literal["thinking", "unanswered", "truncated", "unread", "too_long", "shortened"]
MOST = 5  # percent of an arm's answers that may end so before its figures are doubted


class Ended(Protocol):
    """An answer: what was written and read, how it ended, and how many methods of its library did not fit."""

    @property
    def output(self) -> str: ...
    @property
    def extracted(self) -> str: ...
    @property
    def stop(self) -> Stop: ...
    @property
    def dropped(self) -> int: ...
    @property
    def engine(self) -> str: ...


class EndedInArm(Ended, Protocol):
    """An answer in an arm, with the order of the library's methods."""

    @property
    def arm(self) -> str: ...
    @property
    def order(self) -> int: ...


def _is_thought(row: Ended) -> bool:
    return after_thoughts(row.output) is None


def _is_unanswered(row: Ended) -> bool:
    """Return whether text was asked for and none came; chance writes none by design."""
    return row.stop not in ("choice", "cut", "too_long") and not row.output.strip() and row.engine != "chance"


def _is_unread(row: Ended) -> bool:
    """Return whether text came that the scorer could not read; chance writes none."""
    other = row.stop == "too_long" or row.engine == "chance" or _is_unanswered(row) or _is_thought(row)
    return not (row.extracted or other)


CASES: Mapping[Case, Callable[[Ended], bool]] = {
    "thinking": _is_thought,
    "unanswered": _is_unanswered,
    "truncated": lambda row: row.stop == "length" and not _is_thought(row),
    "unread": _is_unread,
    "too_long": lambda row: row.stop in ("too_long", "cut"),
    "shortened": lambda row: row.dropped > 0,
}


@dataclass(frozen=True)
class Doubt:
    """That `count` of an arm's `n` answers are of a case, more than a small share."""

    case: Case
    count: int
    n: int


def counts(rows: Iterable[Ended]) -> dict[str, int]:
    """Return how many answers are of each case; those that ran out of tokens may be unread as well."""
    rows = list(rows)
    return {case: sum(map(holds, rows)) for case, holds in CASES.items()}


def doubts(counts: Mapping[str, int], n: int) -> list[Doubt]:
    """Return the cases that hold more than a small share of `n` answers."""
    return [Doubt(case, counts[case], n) for case in CASES if 100 * counts[case] > MOST * n]


def doubts_by_arm(rows: Iterable[EndedInArm]) -> dict[str, list[Doubt]]:
    """Return the doubts about every arm that has any, in the library's first order."""
    arms: dict[str, list[Ended]] = {}
    for row in rows:
        if row.order == 0:
            arms.setdefault(row.arm, []).append(row)
    by_arm = {arm: doubts(counts(answers), len(answers)) for arm, answers in arms.items()}
    return {arm: found for arm, found in by_arm.items() if found}

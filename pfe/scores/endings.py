"""How the answers of an arm ended, and whether so many ended badly that its figures say little about the model.

Example: of 50 answers on GSM1K the scorer finds no number in 40: `counts(rows)["unread"]` is 40, and
`doubts(counts(rows), 50)` is [Doubt("unread", 40, 50)].
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from pfe.problem import Stop
from pfe.thoughts import after_thoughts

Case = Literal["thinking", "unanswered", "truncated", "unread", "too_long", "shortened"]
MOST = 5  # largest percentage of an arm's answers in one case that does not cast doubt on its figures


class Ended(Protocol):
    """An answer: its text, the extracted part, how it ended, and how many methods of its library were dropped."""

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
    """Such an answer with its arm and the order of the library's methods."""

    @property
    def arm(self) -> str: ...
    @property
    def order(self) -> int: ...


def _is_thought(row: Ended) -> bool:
    return after_thoughts(row.output) is None


def _is_unanswered(row: Ended) -> bool:
    """Return whether text was requested and the output is empty; the chance baseline writes no text by design."""
    return row.stop not in ("choice", "cut", "too_long") and not row.output.strip() and row.engine != "chance"


def _is_unread(row: Ended) -> bool:
    """Return whether the scorer extracted no answer from a text; the chance baseline writes no text."""
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
    """A case that holds for `count` of an arm's `n` answers, more than `MOST` percent."""

    case: Case
    count: int
    n: int


def counts(rows: Iterable[Ended]) -> dict[str, int]:
    """Return the number of answers of each case; an answer that ran out of tokens may be unread as well."""
    rows = list(rows)
    return {case: sum(map(holds, rows)) for case, holds in CASES.items()}


def doubts(counts: Mapping[str, int], n: int) -> list[Doubt]:
    """Return a doubt for each case that holds for more than `MOST` percent of `n` answers."""
    return [Doubt(case, counts[case], n) for case in CASES if 100 * counts[case] > MOST * n]


def doubts_by_arm(rows: Iterable[EndedInArm]) -> dict[str, list[Doubt]]:
    """Return the doubts about each arm in the library's first order; arms without doubts are left out."""
    arms: dict[str, list[Ended]] = {}
    for row in rows:
        if row.order == 0:
            arms.setdefault(row.arm, []).append(row)
    by_arm = {arm: doubts(counts(answers), len(answers)) for arm, answers in arms.items()}
    return {arm: found for arm, found in by_arm.items() if found}

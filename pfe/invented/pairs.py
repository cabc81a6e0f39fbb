"""Sentences that pair four with four: which goes with which is said in words, and no place tells it.

Example: "Of their words gorm, tafo, mirl and sorb, the last two stand for the ant and the dog, the first two for the
robin and the tuna."

Every sentence has all four names before all four values, so its order shows nothing: the partner of a name is at each
of the four places in one of four wordings.
"""

from collections.abc import Collection, Iterable, Sequence
from random import Random

from pfe.errors import UserError
from pfe.invented.wordings import Wordings, needs_slots

SIZE = 4
FIRST, SECOND = "pqrs", "abcd"  # the slots of a file: {p} goes with {a}


class Pairs:
    """Wordings that pair {p} to {s} with {a} to {d}, all of the first before all of the second.

    Over the four wordings the partner of each is at each place once.

    Args:
        where: of the wordings, for messages.
        values: what may stand from {a} on; any word if none are given.

    Raises:
        UserError: a slot is missing, or the places tell the pairs.
    """

    def __init__(
        self, templates: Sequence[str], where: str, values: Collection[str] = (), extra: Sequence[str] = ()
    ) -> None:
        needs_slots(templates, (*FIRST, *SECOND, *extra), where)
        ranks = [_ranks(template) for template in templates]
        if any(len({rank[place] for rank in ranks}) < SIZE for place in range(SIZE)) or len(templates) != SIZE:
            raise UserError(
                f"{where}: four wordings are needed, in which the partner of each is at another place each time"
            )
        for template in templates:
            if max(map(template.index, _marks(FIRST))) > min(map(template.index, _marks(SECOND))):
                raise UserError(f"{where}: {template!r} must have {{p}} to {{s}} before {{a}} to {{d}}")
        self._wordings = Wordings(templates, dict.fromkeys(SECOND, values))

    def write(self, first: Sequence[str], second: Sequence[str], rng: Random, **extra: object) -> str:
        """Return a sentence that pairs them in their order; the order of the pairs in it is random."""
        pairs = rng.sample([*zip(first, second, strict=True)], SIZE)
        slots = {slot: text for slots, texts in zip((FIRST, SECOND), zip(*pairs, strict=True), strict=True)
                 for slot, text in zip(slots, texts, strict=True)}  # fmt: skip
        return self._wordings.write(slots | extra, rng)

    def slots(self, text: str) -> dict[str, str] | None:
        """Return the slots of a sentence; None if it is none of these."""
        return self._wordings.read(text)

    def read(self, texts: Iterable[str]) -> dict[str, str]:
        """Return what is paired with what by all sentences that pair."""
        return {
            slots[first]: slots[second]
            for text in texts
            if (slots := self.slots(text))
            for first, second in zip(FIRST, SECOND, strict=True)
        }


def _marks(slots: str) -> list[str]:
    """Return slots as they stand in a text."""
    return [f"{{{slot}}}" for slot in slots]


def _ranks(template: str) -> tuple[int, ...]:
    """Return at which place among {a} to {d} the partner of the first, second … of {p} to {s} stands in a text."""
    first, second = (sorted(slots, key=lambda slot: template.index(f"{{{slot}}}")) for slots in (FIRST, SECOND))
    return tuple(second.index(SECOND[FIRST.index(slot)]) for slot in first)

"""Sentences that pair four names with four values in words, so that word order alone does not reveal the pairs.

Example: "Of their words gorm, tafo, mirl and sorb, the last two stand for the ant and the dog, the first two for the
robin and the tuna."

Every sentence has all four names before all four values, so its order shows nothing: the partner of a name is at each
of the four positions in one of four wordings.
"""

from collections.abc import Collection, Iterable, Sequence
from random import Random

from pfe.errors import UserError
from pfe.invented.wordings import Wordings, needs_slots

SIZE = 4
FIRST, SECOND = "pqrs", "abcd"  # the slots of a file: {p} goes with {a}


class Pairs:
    """Wordings that pair {p} to {s} with {a} to {d}, with all names before all values.

    Over the four wordings the partner of each name is at each position once.

    Args:
        where: the place of the wordings, for messages.
        values: the values that {a} to {d} may take; any word if empty.
        extra: further slots that every wording must have.

    Raises:
        UserError: a slot is missing, or the positions reveal the pairs.
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
        """Return a sentence that pairs them in their order; the sentence lists the pairs in random order."""
        pairs = rng.sample([*zip(first, second, strict=True)], SIZE)
        slots = {slot: text for slots, texts in zip((FIRST, SECOND), zip(*pairs, strict=True), strict=True)
                 for slot, text in zip(slots, texts, strict=True)}  # fmt: skip
        return self._wordings.write(slots | extra, rng)

    def slots(self, text: str) -> dict[str, str] | None:
        """Return the slots of a sentence; None if it matches no wording."""
        return self._wordings.read(text)

    def read(self, texts: Iterable[str]) -> dict[str, str]:
        """Return all pairs that the sentences state."""
        return {
            slots[first]: slots[second]
            for text in texts
            if (slots := self.slots(text))
            for first, second in zip(FIRST, SECOND, strict=True)
        }


def _marks(slots: str) -> list[str]:
    """Return slots in braces, as templates write them."""
    return [f"{{{slot}}}" for slot in slots]


def _ranks(template: str) -> tuple[int, ...]:
    """Return the position among {a} to {d} of the partner of the first, second, … of {p} to {s} in a text."""
    first, second = (sorted(slots, key=lambda slot: template.index(f"{{{slot}}}")) for slots in (FIRST, SECOND))
    return tuple(second.index(SECOND[FIRST.index(slot)]) for slot in first)

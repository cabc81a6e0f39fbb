"""Sentences that pair four names with four values by ordinals, so that nothing but these words reveals the pairs.

Example: "Of their words gorm, tafo, mirl and sorb, the third stands for the ant, the first for the robin, the fourth
for the dog and the second for the tuna."

All names come before all values, and the values are in random order. So each of the 24 ways to pair them is equally
likely, given everything but the ordinals: the order, the commas and the number of words.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random

from pfe.errors import UserError
from pfe.invented.wordings import Wordings, needs_slots

SIZE = 4
FIRST, SECOND, WHICH = "pqrs", "abcd", "ijkl"  # the slots of a file: {a} goes with the name that {i} counts
ORDINALS = ("first", "second", "third", "fourth")


class Pairs:
    """Wordings that list {p} to {s}, and then {a} to {d}, each with the ordinal of its name, {i} to {l}.

    Args:
        where: the place of the wordings, for messages.
        values: the values that {a} to {d} may take; any word if empty.
        extra: further slots that every wording must have.

    Raises:
        UserError: a slot is missing, or the slots are in another order.
    """

    def __init__(
        self, templates: Sequence[str], where: str, values: Collection[str] = (), extra: Sequence[str] = ()
    ) -> None:
        needs_slots(templates, (*FIRST, *SECOND, *WHICH, *extra), where)
        for template in templates:
            steps = [*FIRST, *map("".join, zip(SECOND, WHICH, strict=True))]
            places = [[template.index(f"{{{slot}}}") for slot in step] for step in steps]
            if any(max(now) > min(then) for now, then in pairwise(places)):
                raise UserError(
                    f"{where}: {template!r} must have {{p}} to {{s}} in this order, and then {{a}} with {{i}}, {{b}} "
                    "with {j}, {c} with {k} and {d} with {l}"
                )
        self._wordings = Wordings(templates, dict.fromkeys(SECOND, values) | dict.fromkeys(WHICH, ORDINALS))

    def write(self, first: Sequence[str], second: Sequence[str], rng: Random, **extra: object) -> str:
        """Return a sentence that pairs them in their order; it lists names and values in random orders."""
        pairs = rng.sample([*zip(first, second, strict=True)], SIZE)
        order = rng.sample(range(SIZE), SIZE)
        names = dict(zip(FIRST, (name for name, _ in pairs), strict=True))
        values = dict(zip(SECOND, (pairs[place][1] for place in order), strict=True))
        which = dict(zip(WHICH, (ORDINALS[place] for place in order), strict=True))
        return self._wordings.write(names | values | which | extra, rng)

    def slots(self, text: str) -> dict[str, str] | None:
        """Return the slots of a sentence; None if it matches no wording."""
        return self._wordings.read(text)

    def read(self, texts: Iterable[str]) -> dict[str, str]:
        """Return all pairs that the sentences state."""
        found: dict[str, str] = {}
        for text in texts:
            if slots := self.slots(text):
                found |= paired(slots)
        return found


def paired(slots: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each name, from the slots of a sentence."""
    return {
        slots[FIRST[ORDINALS.index(slots[which])]]: slots[value] for which, value in zip(WHICH, SECOND, strict=True)
    }

"""Invented words for names, composed of random syllables.

Example: `coined(Random(1), 3)` is three different words such as "zelmar", "tofin" and "brusko".
"""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from pfe.tutors.content import table


def coined(
    rng: Random,
    count: int,
    taken: Collection[str] = (),
    syllables: Mapping[str, Sequence[str]] | None = None,
) -> list[str]:
    """Return `count` different words of two or three syllables, none of which is `taken` or refused.

    Args:
        syllables: `onsets`, `vowels`, `codas` and, optionally, words to be `refused` and substrings that no word may
            contain (`indecent`); the default is `tables/syllables.yaml`.
    """
    parts = syllables or table("syllables")
    refused, indecent = {*taken, *parts.get("refused", ())}, parts.get("indecent", ())
    words: dict[str, None] = {}
    while len(words) < count:
        number = rng.choice((2, 2, 2, 3))
        word = "".join(rng.choice(parts["onsets"]) + rng.choice(parts["vowels"]) for _ in range(number))
        word += rng.choice(parts["codas"]) if rng.random() < 0.7 else ""
        if word not in refused and not any(part in word for part in indecent):
            words[word] = None
    return list(words)

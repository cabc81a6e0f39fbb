"""What the student reads and in which order: it copies first, finds what is apart then, uses libraries last.

Example: `course(rows, Random(0), epochs=2, warm_up=1000, vocabulary=1024)` is 1,000 rows of random tokens, then the
corpus twice, each time in another order, with an exercise of random tokens after every fourth row.

A model that cannot copy cannot use a library, and language teaches it late: heads that look for an earlier occurrence
form suddenly (Olsson et al. 2022, arXiv:2209.11895), and the sooner the fewer the tokens are that they must tell apart.
So the exercises are of tokens that have no meaning: repetitions, and lists of names with values. A value stands behind
its name at first, which copying alone finds; then further and further away, with fillers between, in the list and in
the question alike, until what finds it is that both stand in one entry. What fills is what the corpus often says:
a student that learned to pass over other tokens would have to learn it again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pfe.training.sharing import Example

_EXERCISE_EVERY = 4  # rows of the corpus
_SPECIAL = 2  # END and PAD come first in the vocabulary
_NEXT = 0.4  # of the first exercises, the share in which a value stands next to its name
_FARTHEST = 6  # fillers between a name and its value, at most
_FILLERS = 400
_SPEAKING = 2000  # rows whose texts the fillers are from, at most


def course(
    rows: Sequence[list[Example]], rng: Random, epochs: float, warm_up: int, vocabulary: int
) -> Iterator[list[Example]]:
    """Rows in the order of reading; the last pass ends where `epochs` says."""
    exercises = Exercises.of(rows, vocabulary)
    for number in range(warm_up):
        yield exercises.row(rng, _apart(number / warm_up))
    left = round(epochs * len(rows))
    while left > 0:
        order = rng.sample(range(len(rows)), len(rows))[:left]
        for place, number in enumerate(order):
            yield rows[number]
            if warm_up and place % _EXERCISE_EVERY == 0:
                yield exercises.row(rng, _FARTHEST)
        left -= len(order)


def _apart(done: float) -> int:
    """How far a value stands from its name when this share of the first exercises is done."""
    return round(_FARTHEST * max(0.0, done - _NEXT) / (1 - _NEXT))


@dataclass(frozen=True)
class Exercises:
    """Rows of random tokens among those that fill a text.

    Attributes:
        fillers: what the corpus says with its most frequent tokens alone, one text after the other: as runs of it stand
            between name and value, a student learns what to pass over.
        others: tokens that are rarer, of which names and values are.
    """

    fillers: tuple[int, ...]
    others: tuple[int, ...]

    @classmethod
    def of(cls, rows: Sequence[list[Example]], vocabulary: int) -> "Exercises":
        """Exercises for a corpus in tokens, each row of which speaks by its first lesson."""
        texts = [row[0].tokens for row in rows]
        counted = Counter(token for text in texts for token in text if token >= _SPECIAL)
        frequent = {token for token, _ in counted.most_common(min(_FILLERS, (vocabulary - _SPECIAL) // 2))}
        others = tuple(token for token in range(_SPECIAL, vocabulary) if token not in frequent)
        fillers = tuple(token for text in texts[:: -(-len(texts) // _SPEAKING)] for token in text if token in frequent)
        return cls(fillers or others, others)

    def row(self, rng: Random, apart: int) -> list[Example]:
        """Something said twice, or names asked for their values, which stand up to `apart` tokens away."""
        return self._repetition(rng) if rng.random() < 0.25 else self._names(rng, apart)

    def _repetition(self, rng: Random) -> list[Example]:
        said = self._random(rng, rng.choice((8, 16, 32, 64)))
        return [Example((*said, *said), len(said) + 1)]

    def _names(self, rng: Random, apart: int) -> list[Example]:
        """A list of entries, each a name and its value among fillers; then every name asked for its value."""
        end, asks = self._random(rng, 2)
        between = [self._filled(rng, apart) for _ in range(rng.choice((1, 2, 4)))]
        pairs = [
            (self._random(rng, rng.choice((1, 1, 2, 3))), self._random(rng, rng.choice((1, 1, 2, 3))))
            for _ in range(rng.choice((4, 6, 8, 12)))
        ]
        told: list[int] = []
        for name, value in pairs:
            before, behind = self._filled(rng, apart // 2), self._filled(rng, apart // 2)
            told += [*before, *name, *rng.choice(between), *value, *behind, end]
        made = []
        asked = [asks] if apart > _FARTHEST // 2 else []  # as "Answer:" is, when the value need not come next any more
        for name, value in pairs:
            prompt = (*told, *self._filled(rng, apart), *name, *self._filled(rng, apart), *asked)
            made.append(Example((*prompt, *value, end), len(prompt)))
        return made

    def _filled(self, rng: Random, most: int) -> tuple[int, ...]:
        start = rng.randrange(len(self.fillers))
        return self.fillers[start : start + rng.randint(0, most)]

    def _random(self, rng: Random, count: int) -> list[int]:
        return rng.choices(self.others, k=count)

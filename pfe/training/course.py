"""What a student reads and in which order: it copies and looks up first, in exercises; uses libraries next; all, last.

Example: of `course(reading, Random(0), epochs=2, warm_up=6000, renewed=4000)` the first 6,000 rows are exercises, which
grow harder; the next 4,000 are worlds made anew, whose questions grow longer, with an exercise after every third; then
the corpus comes twice, each time in another order, with either after every fourth row.

What looks up is a chain of heads that language teaches late, and it is lost again where what follows is too far from
what it was learned on: so every step is small, and what was learned before is kept up.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from transformers import PreTrainedTokenizerBase

from pfe.training.exercises import HARDEST, Exercises
from pfe.training.renewal import WHOLE, World
from pfe.training.rows import Asked
from pfe.training.sharing import Example, examples

_NEXT = 0.4  # of the first exercises, the share in which a value stands next to its name
_NAMED = 0.25  # of the worlds made anew, the share that is asked by the name alone
_EXERCISE_EVERY = 3  # rows made anew
_KEPT_UP_EVERY = 4  # rows of the corpus


@dataclass(frozen=True)
class Reading:
    """What a course is made of: rows of a corpus, exercises in its words, its worlds.

    Args:
        rows: in tokens.
        tokens: of what is asked behind one library.
    """

    rows: Sequence[list[Example]]
    exercises: Exercises
    worlds: Sequence[World]
    tokens: Callable[[Asked], list[Example]]

    def exercise(self, rng: Random, level: int = HARDEST) -> list[Example]:
        return self.tokens(self.exercises.drawn(rng, level))

    def renewed(self, rng: Random, level: int = WHOLE) -> list[Example]:
        """A world made anew; an exercise where the corpus has none, or one that is too long."""
        asked = rng.choice(self.worlds).renewed(rng, level, self.exercises.values) if self.worlds else None
        return (asked and self.tokens(asked)) or self.exercise(rng)


def course(reading: Reading, rng: Random, epochs: float, warm_up: int, renewed: int) -> Iterator[list[Example]]:
    """Rows in the order of reading; the last pass over the corpus ends where `epochs` says."""
    for number in range(warm_up):
        yield reading.exercise(rng, _level(number / warm_up, _NEXT, HARDEST))
    for number in range(renewed):
        yield reading.renewed(rng, _level(number / renewed, _NAMED, WHOLE))
        if number % _EXERCISE_EVERY == 0:
            yield reading.exercise(rng)
    left = round(epochs * len(reading.rows))
    while left > 0:
        order = rng.sample(range(len(reading.rows)), len(reading.rows))[:left]
        for place, number in enumerate(order):
            yield reading.rows[number]
            if warm_up and place % _KEPT_UP_EVERY == 0:
                yield reading.exercise(rng)
            if renewed and place % _KEPT_UP_EVERY == 2:
                yield reading.renewed(rng)
        left -= len(order)


def in_tokens(tokenizer: PreTrainedTokenizerBase, context: int) -> Callable[[Asked], list[Example]]:
    """How what is asked is read, without what is longer than `context`."""

    def read(asked: Asked) -> list[Example]:
        row: dict[str, Any] = {**asdict(asked), "library_loss": False}
        return [example for example in examples(row, tokenizer) if len(example.tokens) <= context]

    return read


def _level(done: float, easy: float, highest: int) -> int:
    """The level when a share of the rows is done, of which the first `easy` are of level 0."""
    return round(highest * max(0.0, done - easy) / (1 - easy))

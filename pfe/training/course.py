"""What a student reads and in which order: it copies and looks up first, in exercises; uses libraries next; all, last.

Example: the first `warm_up` steps are on exercises, the next `renewed` on worlds made anew with exercises among them.
Then comes the corpus, a third of every step, among worlds made anew and exercises. Each of the first two begins with
what is easiest (`HARDEST` and `WHOLE` name the last levels), and goes on to the next level when the student looks up
well enough: `Course.batch(500, looked_up)` depends on that and on the seed alone, so any step can be made again.

What looks up is a chain of heads that language teaches late, and it is lost again where what follows is too far from
what it was learned on: so every level is a small step, none is left before it is learned, and what was learned before
is kept up.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, NamedTuple

from transformers import PreTrainedTokenizerBase

from pfe.errors import UserError
from pfe.training.exercises import HARDEST, Exercises
from pfe.training.renewal import WHOLE, World
from pfe.training.rows import Asked
from pfe.training.sharing import Example, examples, in_batches, lay_out

_LEARNED = 0.72  # of the first words of exercises: what is enough to go on to the next level
_FOLLOWED = 0.62  # of those of worlds made anew
_LESSONS = 1 / 3  # of a step on the corpus, where anything came before it
_OF_THE_LEVEL = 0.6  # of what is drawn; what remains is easier
_TRIES = 200  # rows that are drawn for a pass, at most
_EXERCISES = 0.25  # of a step on worlds made anew, and of what comes among lessons

Row = list[Example]


class LookedUp(NamedTuple):
    """The share of first tokens that were right in the steps up to one, of what is asked in exercises or new worlds."""

    step: int
    share: float


@dataclass(frozen=True)
class Batch:
    """Rows of one pass; by what is right in those that are `judged` the student goes on to the next level."""

    rows: Sequence[Row]
    judged: Sequence[Row] = ()


@dataclass(frozen=True)
class Reading:
    """What a course is made of: rows of a corpus, exercises in its words, its worlds.

    Args:
        rows: in tokens.
        tokens: of what is asked behind one library.
    """

    rows: Sequence[Row]
    exercises: Exercises
    worlds: Sequence[World]
    tokens: Callable[[Asked], Row]

    def exercise(self, rng: Random, level: int) -> Row:
        """An exercise of a level or, two in five times, of a lower one."""
        return self.tokens(self.exercises.drawn(rng, _mixed(rng, level)))

    def renewed(self, rng: Random, level: int) -> Row:
        """A world made anew, which has questions of the level or, two in five times, of a lower one.

        One of the worlds must be fit for `WHOLE`, as all that `worlds` finds are.
        """
        level = _mixed(rng, level)
        fit = [world for world in self.worlds if world.asked(level)] or self.worlds
        return self.tokens(rng.choice(fit).renewed(rng, level, self.exercises.values))


def in_tokens(tokenizer: PreTrainedTokenizerBase, context: int) -> Callable[[Asked], Row]:
    """How what is asked is read, without what is longer than `context`."""

    def read(asked: Asked) -> Row:
        row: dict[str, Any] = {**asdict(asked), "library_loss": False}
        return [example for example in examples(row, tokenizer) if len(example.tokens) <= context]

    return read


@dataclass(frozen=True)
class Course:
    """All passes of a training, each by its number.

    Args:
        seed: what is drawn for a pass depends on it and on the pass's number.
        warm_up, renewed: how many passes are on exercises, and on worlds made anew behind them.
        lessons: rows of the corpus by number, for each of the passes behind these.
        most: tokens of a pass.
    """

    reading: Reading
    seed: int
    warm_up: int
    renewed: int
    lessons: Sequence[Sequence[int]]
    most: int

    @classmethod
    def of(
        cls, reading: Reading, seed: int, epochs: float, warm_up: int, renewed: int, sequence: int, most: int
    ) -> "Course":
        """A course that ends when the corpus was read `epochs` times, each time in another order.

        A corpus without worlds has no passes on them.

        Args:
            sequence: tokens that rows are joined to.
        """
        sizes = [len(lay_out(row).tokens) for row in reading.rows]
        renewed = renewed if reading.worlds else 0
        order = list(_order(Random(seed), len(sizes), epochs))
        share = _LESSONS if warm_up or renewed else 1.0
        batches = in_batches([sizes[number] for number in order], sequence, round(share * most))
        lessons = [[order[place] for places in batch for place in places] for batch in batches]
        return cls(reading, seed, warm_up, renewed, lessons, most)

    def __len__(self) -> int:
        return self.warm_up + self.renewed + len(self.lessons)

    def batch(self, number: int, looked_up: Sequence[LookedUp]) -> Batch:
        """A pass by its number, as it is to be where the student has looked up so well before it."""
        rng = Random(f"{self.seed}:{number}")
        before = self.warm_up + self.renewed
        lessons = [self.reading.rows[row] for row in self.lessons[number - before]] if number >= before else []
        left = self.most - sum(len(lay_out(row).tokens) for row in lessons) if before else 0
        kept_up = left if number < self.warm_up or not self.renewed else round(_EXERCISES * left)
        level = _level(looked_up, 0, self.warm_up, _LEARNED, HARDEST)
        exercises = _drawn(kept_up, lambda: self.reading.exercise(rng, level))
        if number < self.warm_up:
            return Batch([], exercises)
        worded = _level(looked_up, self.warm_up, before, _FOLLOWED, WHOLE)
        return Batch([*lessons, *exercises], _drawn(left - kept_up, lambda: self.reading.renewed(rng, worded)))


def _drawn(tokens: int, row: Callable[[], Row]) -> list[Row]:
    """Rows of so many tokens at most, or one row.

    Raises:
        UserError: none is short enough to be read.
    """
    made: list[Row] = []
    for _ in range(_TRIES if tokens > 0 else 0):
        drawn = row()
        tokens -= len(lay_out(drawn).tokens) if drawn else 0
        if drawn and (tokens >= 0 or not made):
            made.append(drawn)
        if tokens <= 0:
            break
    if not made and tokens > 0:
        raise UserError(
            "exercises and worlds made anew do not fit student.context; raise it, or set student.warm_up=0 and "
            "student.renewed=0"
        )
    return made


def _mixed(rng: Random, level: int) -> int:
    return level if rng.random() < _OF_THE_LEVEL else rng.randint(0, level)


def _order(rng: Random, count: int, epochs: float) -> Iterator[int]:
    """Numbers below `count` in random order, as often as `epochs` says; the last time as far as it says."""
    left = round(epochs * count)
    while left > 0:
        yield from rng.sample(range(count), count)[:left]
        left -= count


def _level(looked_up: Sequence[LookedUp], start: int, end: int, enough: float, highest: int) -> int:
    """One more for every time that enough was right between two steps."""
    return min(highest, sum(start < step <= end and share > enough for step, share in looked_up))

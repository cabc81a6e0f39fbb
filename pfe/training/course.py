"""What a student reads and in which order: it copies and looks up first, in exercises; uses libraries next; all, last.

Example: the first `warm_up` steps are on exercises, the next `renewed` on worlds made anew with exercises among them.
Then comes the corpus, a third of every step, among worlds made anew and exercises. Exercises and the worlds of every
family begin with what is easiest (`HARDEST` and `WHOLE` name the last levels), and each goes on to its next level when
the student looks up well enough there; in the end worlds come whole, as the corpus has them, whatever was reached.
`Course.batch(500, looked_up)` depends on that and on the seed alone, so any step can be made again.

What looks up is a chain of heads that language teaches late, and it is lost again where what follows is too far from
what it was learned on: so every level is a small step, none is left before it is learned, one that came by chance is
gone back from, and what was learned before is kept up. A family that is easy does not wait for one that is not.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from transformers import PreTrainedTokenizerBase

from pfe.errors import UserError
from pfe.training.exercises import HARDEST, Exercises
from pfe.training.renewal import WHOLE, World
from pfe.training.rows import Asked
from pfe.training.sharing import Example, Pack, examples, in_batches, lay_out

EXERCISES = "exercises"  # a kind of what is drawn; the others are the families of worlds
_LEARNED = 0.68  # of the first words of exercises: what is enough to go on to the next level
_FOLLOWED = 0.6  # of those of a family's worlds
_LOST = 0.45  # of the first words of either: what is so little that the last level came by chance
_JUDGED = 80  # first words, at least: by fewer a level would often come by chance
_SMALL = 1 / 4  # of a pass, until exercises reach level `_FOUND`: many small steps come to look-ups sooner than few
# large ones, and what comes behind is learned sooner in large ones
_FOUND = 1
_LESSONS = 1 / 3  # of a step on the corpus, where anything came before it
_OF_THE_LEVEL = 0.6  # of what is drawn; what remains is easier
_BY_LEVEL = 0.4  # of the steps on worlds alone; behind them worlds are whole, whatever level was reached
_TRIES = 200  # rows that are drawn for a pass, at most
_EXERCISES = 0.25  # of a step on worlds made anew, and of what comes among lessons

Row = list[Example]


class LookedUp(NamedTuple):
    """The share of first tokens that were right, of so many that were asked for, of what was drawn of a kind."""

    step: int
    kind: str
    share: float
    asked: float


class Drawn(NamedTuple):
    """What was made for one pass, laid out: an exercise, or a world of a family."""

    kind: str
    pack: Pack


@dataclass(frozen=True)
class Batch:
    """What is read in one pass, laid out: rows of the corpus, and what was drawn."""

    lessons: Sequence[Pack]
    drawn: Sequence[Drawn] = ()


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

    @property
    def kinds(self) -> tuple[str, ...]:
        """What can be drawn: exercises, and the worlds of each family."""
        return (EXERCISES, *self.families)

    @property
    def families(self) -> tuple[str, ...]:
        """The families whose worlds can be drawn."""
        return tuple(self._by_family)

    def exercise(self, rng: Random, levels: Mapping[str, int]) -> Drawn | None:
        """An exercise of its level or, two in five times, of a lower one; None where it is too long to be read."""
        return self._laid_out(EXERCISES, self.exercises.drawn(rng, _mixed(rng, levels[EXERCISES])))

    def renewed(self, rng: Random, levels: Mapping[str, int]) -> Drawn | None:
        """A world made anew of any family, with questions of the family's level or, two in five times, of a lower one.

        Where none of its worlds has any, they are of the lowest level that has.
        """
        family = rng.choice(list(self._by_family))
        level, fit = self._fit(family, _mixed(rng, levels[family]))
        return self._laid_out(family, rng.choice(fit).renewed(rng, level, self.exercises.values))

    def _fit(self, family: str, lowest: int) -> tuple[int, list[World]]:
        worlds = self._by_family[family]
        fit = ((level, [world for world in worlds if world.asked(level)]) for level in range(lowest, WHOLE))
        return next(((level, some) for level, some in fit if some), (WHOLE, worlds))

    def _laid_out(self, kind: str, asked: Asked) -> Drawn | None:
        row = self.tokens(asked)
        return Drawn(kind, lay_out(row)) if row else None

    @cached_property
    def _by_family(self) -> dict[str, list[World]]:
        families: dict[str, list[World]] = {}
        for world in self.worlds:
            families.setdefault(world.family, []).append(world)
        return families


def read_log(
    history: Sequence[Mapping[str, float]], shares: str, counts: str, step: int, passes: int
) -> list[LookedUp]:
    """What a trainer's log says of the steps before one, of so many passes each.

    Of the step itself nothing is said: its passes are made while the one before it runs.

    Args:
        shares, counts: what stands before a kind in the names of an entry's shares, and of what they are shares of.
    """
    return [
        LookedUp(int(entry["step"]) * passes, kind, entry[f"{shares}{kind}"], entry[f"{counts}{kind}"])
        for entry in history
        if entry["step"] < step
        for kind in (name.removeprefix(counts) for name in entry if name.startswith(counts))
    ]


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
        most: tokens of a pass; the first ones are smaller.
    """

    reading: Reading
    seed: int
    warm_up: int
    renewed: int
    lessons: Sequence[Sequence[int]]
    most: int

    @classmethod
    def of(
        cls, reading: Reading, seed: int, order: Sequence[int], warm_up: int, renewed: int, sequence: int, most: int
    ) -> "Course":
        """A course that ends when the rows of the corpus were read in an order.

        A corpus without worlds has no passes on them. A row without lessons is not read.

        Args:
            order: numbers of rows.
            sequence: tokens that rows are joined to.

        Raises:
            UserError: it has no passes, or what is drawn for the last of them is too long to be read.
        """
        renewed = renewed if reading.worlds else 0
        rng, last = Random(seed), Counter({EXERCISES: HARDEST, **dict.fromkeys(reading.families, WHOLE)})
        _drawn(min(warm_up, 1), lambda: reading.exercise(rng, last))
        _drawn(min(renewed, 1), lambda: reading.renewed(rng, last))
        order = [number for number in order if reading.rows[number]]
        sizes = {number: len(lay_out(reading.rows[number]).tokens) for number in set(order)}
        share = _LESSONS if warm_up or renewed else 1.0
        batches = in_batches([sizes[number] for number in order], sequence, round(share * most))
        lessons = [[order[place] for places in batch for place in places] for batch in batches]
        if not (warm_up or renewed or lessons):
            raise UserError(
                f"of {len(reading.rows):,} rows of the corpus none is read; raise student.epochs, student.tokens or "
                "student.context"
            )
        return cls(reading, seed, warm_up, renewed, lessons, most)

    def __len__(self) -> int:
        return self.warm_up + self.renewed + len(self.lessons)

    def batch(self, number: int, looked_up: Sequence[LookedUp]) -> Batch:
        """A pass by its number, as it is to be where the student has looked up so well before it."""
        rng = Random(f"{self.seed}:{number}")
        before = self.warm_up + self.renewed
        rows = [self.reading.rows[row] for row in self.lessons[number - before]] if number >= before else []
        lessons = [lay_out(row) for row in rows]
        levels = _levels(looked_up)
        if number >= self.warm_up + _BY_LEVEL * self.renewed:
            levels |= dict.fromkeys(self.reading.families, WHOLE)
        small = number < self.warm_up and levels[EXERCISES] < _FOUND
        most = max(1, round(_SMALL * self.most)) if small else self.most
        left = most - sum(len(pack.tokens) for pack in lessons) if before else 0
        kept_up = left if number < self.warm_up or not self.renewed else round(_EXERCISES * left)
        exercises = _drawn(kept_up, lambda: self.reading.exercise(rng, levels))
        worlds = _drawn(left - kept_up, lambda: self.reading.renewed(rng, levels))
        return Batch(lessons, [*exercises, *worlds])


def _drawn(tokens: int, draw: Callable[[], Drawn | None]) -> list[Drawn]:
    """What is drawn, of so many tokens at most, or one.

    Raises:
        UserError: none is short enough to be read.
    """
    made: list[Drawn] = []
    for _ in range(_TRIES if tokens > 0 else 0):
        drawn = draw()
        tokens -= len(drawn.pack.tokens) if drawn else 0
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


def in_epochs(rng: Random, count: int, epochs: float) -> Iterator[int]:
    """Numbers below `count` in random order, as often as `epochs` says; the last time as far as it says."""
    left = round(epochs * count)
    while left > 0:
        yield from rng.sample(range(count), count)[:left]
        left -= count


def _levels(looked_up: Sequence[LookedUp]) -> Counter[str]:
    """Of each kind: one more for every time that enough was right, one less where little was."""
    levels: Counter[str] = Counter()
    right: defaultdict[str, float] = defaultdict(float)
    asked: defaultdict[str, float] = defaultdict(float)
    for _, kind, share, count in looked_up:
        right[kind] += share * count
        asked[kind] += count
        if asked[kind] >= _JUDGED:
            enough, highest = (_LEARNED, HARDEST) if kind == EXERCISES else (_FOLLOWED, WHOLE)
            of_these = right.pop(kind) / asked.pop(kind)
            level = levels[kind] + (of_these > enough) - (of_these < _LOST)
            levels[kind] = min(highest, max(0, level))
    return levels

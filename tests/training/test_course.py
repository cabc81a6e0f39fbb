"""The order of reading: exercises that can be solved by looking up alone, and every row as often as is asked."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from pfe.config import Config, NewStudent
from pfe.errors import UserError
from pfe.training.course import EXERCISES, Batch, Course, Drawn, LookedUp, Reading, in_epochs, in_tokens, read_log
from pfe.training.distillation import tensors
from pfe.training.exercises import HARDEST, Exercises
from pfe.training.loop import KINDS, NO_KIND
from pfe.training.names import is_coined
from pfe.training.optimizer import Muon, MuonAdamW, orthogonal
from pfe.training.quoting import Quoting
from pfe.training.renewal import WHOLE, World
from pfe.training.rows import Asked
from pfe.training.sharing import Example, Pack, in_batches, lay_out
from pfe.training.student import new_student, new_tokenizer


def kralo_text(number: int) -> str:
    """A hundred and twenty words of some thousand, the first ones far more often."""
    rng = Random(number)
    letters = "abcdefghij"
    return " ".join(
        f"w{letters[min(n, 9)]}{letters[rng.randrange(10)]}{letters[rng.randrange(10)]}"
        for n in (int(rng.expovariate(0.5)) for _ in range(120))
    )


TEXTS = [kralo_text(number) for number in range(60)]
DRILLS = Exercises.of(TEXTS)


@given(st.integers(0, 10_000), st.integers(0, HARDEST))
def test_a_value_stands_in_one_entry_with_the_name_that_asks_for_it(seed: int, level: int) -> None:
    drawn = DRILLS.drawn(Random(seed), level)
    entries = [re.findall(r"\w+", line) for line in drawn.library.splitlines() if line]
    for prompt, completion in zip(drawn.prompts, drawn.completions, strict=True):
        asked = set(re.findall(r"\w+", prompt)) - set(DRILLS.frequent)
        value = completion.split()
        saying = [entry for entry in entries if _holds(entry, value) and asked & set(entry)]
        assert saying, (prompt, completion, drawn.library)


@pytest.mark.parametrize(("level", "most"), [(0, 0), (1, 1), (5, 3), (7, 4)])
def test_words_between_a_name_and_its_value_grow_in_number(level: int, most: int) -> None:
    rng = Random(3)
    between = []
    for drawn in (DRILLS.drawn(rng, level) for _ in range(200)):
        names = {name for prompt in drawn.prompts for name in re.findall(r"\w+", prompt) if is_coined(name)}
        for line in drawn.library.splitlines():
            words = re.findall(r"\w+", line)
            places = [place for place, word in enumerate(words) if word in names and word not in DRILLS.frequent]
            between += [] if not places else [_first_value(words[places[-1] + 1 :])]
    assert max(between) == most


@pytest.mark.parametrize("level", [3, 6, 7, 9, 11, HARDEST])
def test_half_of_the_later_exercises_give_what_stands_before_the_value(level: int) -> None:
    """There any word may stand between a name and its value, so that no value is told by its being rare."""
    cued = 0
    for drawn in (DRILLS.drawn(Random(seed), level) for seed in range(300)):
        entries = [re.findall(r"\w+", line) for line in drawn.library.splitlines() if line]
        values = {word for completion in drawn.completions for word in completion.split()}
        if not {word for entry in entries for word in entry} & {*DRILLS.values} - values:
            continue
        cued += 1
        for prompt, completion in zip(drawn.prompts, drawn.completions, strict=True):
            asked = [word for word in re.findall(r"\w+", prompt) if word not in ("Question", "Answer")]
            (name,) = {*asked} - {*DRILLS.frequent, *DRILLS.values}
            value = completion.split()
            (entry,) = [entry for entry in entries if name in entry]
            ends = [n for n in range(len(entry)) if entry[n : n + len(value)] == value]
            assert any(entry[n - 1] in asked and entry.index(name) < n for n in ends), (prompt, completion, entry)
            assert any(asked[-1] == entry[n - 1] and asked[0] == name for n in ends) or level >= 12
    assert (0.35 < cued / 300 < 0.65) if level >= 7 else cued == 0


def test_names_are_drawn_and_what_fills_is_frequent() -> None:
    assert not set(DRILLS.frequent) & set(DRILLS.values)
    first, second = (DRILLS.drawn(Random(seed), HARDEST) for seed in (1, 2))
    assert not set(first.prompts) & set(second.prompts)
    assert DRILLS.drawn(Random(1), HARDEST) == first


def in_order(count: int, epochs: float) -> list[int]:
    return list(in_epochs(Random(0), count, epochs))


@pytest.mark.slow
@given(st.integers(1, 12), st.sampled_from([0.5, 1.0, 2.25]), st.integers(0, 5), st.integers(0, 5))
def test_every_row_is_read_as_often_as_epochs_say(count: int, epochs: float, warm_up: int, renewed: int) -> None:
    assume(round(epochs * count) or warm_up or renewed)
    rows = [[Example((number, 400), 1)] for number in range(count)]
    course = Course.of(reading_of(rows), 0, in_order(count, epochs), warm_up, renewed, sequence=8, most=16)
    passes = [course.batch(number, []) for number in range(len(course))]
    times = Counter(pack.tokens[0] for made in passes for pack in made.lessons)
    assert sum(times.values()) == round(epochs * count)
    assert max(times.values(), default=0) - min(times.get(number, 0) for number in range(count)) <= 1
    assert not any(made.lessons for made in passes[: warm_up + renewed])
    assert all(bool(made.drawn) == bool(warm_up or renewed) for made in passes)


def test_a_course_without_a_pass_is_refused() -> None:
    rows = [[Example((number, 400), 1)] for number in range(9)]
    with pytest.raises(UserError, match=r"of 9 rows of the corpus none is read; raise student\.epochs"):
        Course.of(reading_of(rows), 0, [], 0, 0, sequence=8, most=16)


@pytest.mark.parametrize(("warm_up", "renewed"), [(5, 0), (0, 5)])
def test_what_never_fits_is_told_before_anything_is_read(warm_up: int, renewed: int) -> None:
    long = Reading([[Example((1, 2), 1)]], DRILLS, [QUARRY], lambda asked: [])
    with pytest.raises(UserError, match=r"do not fit student\.context; raise it, or set student\.warm_up=0"):
        Course.of(long, 0, [0], warm_up, renewed, sequence=8, most=16)


def test_a_row_without_lessons_is_not_read() -> None:
    rows = [[Example((number, 400), 1)] if number % 2 else [] for number in range(8)]
    course = Course.of(reading_of(rows), 0, in_order(8, 2.0), 0, 0, sequence=8, most=16)
    assert Counter(number for numbers in course.lessons for number in numbers) == {1: 2, 3: 2, 5: 2, 7: 2}


def test_the_smallest_pass_has_an_exercise() -> None:
    rows = [[Example((number, 400), 1)] for number in range(9)]
    course = Course.of(reading_of(rows), 0, in_order(9, 1.0), 2, 0, sequence=8, most=1)
    assert course.batch(0, []).drawn


@pytest.mark.slow
@given(st.integers(0, 30), st.integers(0, 3))
def test_a_pass_depends_on_its_number_and_on_what_was_looked_up_before_alone(number: int, seed: int) -> None:
    """So a run that was killed goes on with the batches that it would have had."""
    rows = [[Example((number, 400), 1)] for number in range(9)]
    log = [LookedUp(step, kind, 0.9, 99) for step in (3, 6, 9, 17, 20) for kind in (EXERCISES, "s/one")]
    course, again = (Course.of(reading_of(rows), seed, in_order(9, 5.0), 10, 12, sequence=8, most=16) for _ in range(2))
    for other in random_order(len(again), number):
        again.batch(other, [])
    assert read(course.batch(number, log)) == read(again.batch(number, log))


def test_each_kind_goes_on_to_its_next_level_when_enough_of_it_was_looked_up() -> None:
    asked: list[tuple[str, int]] = []

    class Told(Exercises):
        def drawn(self, rng: Random, level: int) -> Asked:
            asked.append((EXERCISES, level))
            return super().drawn(rng, level)

    class Renewed(World):
        def asked(self, level: int) -> list[Quoting]:
            return list(self.questions) if level >= (5 if self.family == "s/late" else 0) else []

        def renewed(self, rng: Random, level: int, words: Sequence[str]) -> Asked:
            asked.append((self.family, level))
            return super().renewed(rng, level, words)

    def highest(number: int, *known: tuple[int, str, float]) -> dict[str, int]:
        """Of many passes of a number."""
        asked.clear()
        for seed in range(12):
            Course(reading, seed, 100, 100, [[0]], 90).batch(number, [LookedUp(*one, 100) for one in known])
        return {kind: max(level for other, level in asked if other == kind) for kind, _ in asked}

    worlds = [Renewed(family, QUARRY.entries, QUARRY.questions, QUARRY.names) for family in ("s/one", "s/late")]
    reading = Reading([[Example((1, 2), 1)]], Told(DRILLS.frequent, DRILLS.values), worlds, short)
    assert reading.kinds == (EXERCISES, "s/one", "s/late")
    assert highest(0) == highest(90, (10, EXERCISES, 0.5), (20, EXERCISES, 0.67)) == {EXERCISES: 0}
    assert highest(90, *((step, EXERCISES, share) for step, share in enumerate((0.5, 0.73, 0.6, 0.9)))) == {
        EXERCISES: 2
    }
    assert highest(99, *((step, EXERCISES, 1.0) for step in range(99))) == {EXERCISES: HARDEST}
    assert highest(130, (9, EXERCISES, 0.9), (110, "s/one", 0.5), (120, "s/one", 0.69), (125, "s/one", 0.7)) == {
        EXERCISES: 1, "s/one": 2, "s/late": 5
    }  # fmt: skip
    assert highest(130, *((step, "s/late", 1.0) for step in range(7))) == {EXERCISES: 0, "s/one": 0, "s/late": 7}
    assert highest(200, *((step, kind, 1.0) for step in range(99) for kind in reading.kinds)) == {
        EXERCISES: HARDEST, "s/one": WHOLE, "s/late": WHOLE
    }  # fmt: skip


@pytest.mark.slow
def test_a_level_is_judged_by_many_and_one_that_was_too_hard_is_gone_back_from() -> None:
    levels: list[int] = []

    class Told(Exercises):
        def drawn(self, rng: Random, level: int) -> Asked:
            levels.append(level)
            return super().drawn(rng, level)

    course = Course(Reading([], Told(DRILLS.frequent, DRILLS.values), [], short), 0, 100, 0, [], 200)

    def highest(*known: tuple[float, float]) -> int:
        levels.clear()
        for number in range(12):
            course.batch(number, [LookedUp(number, EXERCISES, share, asked) for share, asked in known])
        return max(levels)

    assert highest((0.9, 30), (0.9, 30)) == 0
    assert highest((0.9, 30), (0.9, 30), (0.9, 30)) == highest((0.9, 90)) == 1
    assert highest((1.0, 30), (0.5, 30), (0.5, 30)) == 0, "together they are not enough"
    assert highest(*[(0.9, 90)] * 4, (0.5, 90)) == 4
    assert highest(*[(0.9, 90)] * 4, (0.3, 90)) == 3
    assert highest((0.1, 90), (0.1, 90), (0.9, 90)) == 1


def test_steps_are_small_until_values_are_found() -> None:
    one_each = Reading([], DRILLS, [QUARRY], lambda asked: [Example((7,) * 20, 1)])
    course = Course(one_each, 0, 100, 100, [[]], most=240)
    found = LookedUp(3, EXERCISES, 0.9, 90)
    assert sum(kinds(course.batch(5, [])).values()) == 60
    assert sum(kinds(course.batch(5, [found])).values()) == 240
    assert sum(kinds(course.batch(120, [])).values()) == 240, "worlds come when it is their time"


def test_a_log_says_what_was_looked_up_before_a_step() -> None:
    history: list[dict[str, float]] = [
        {"step": 1, "loss": 7.0, "up/all": 0.1, "up/exercises": 0.1, "of/exercises": 9},
        {"step": 10, "loss": 6.0, "up/exercises": 0.5, "of/exercises": 90, "up/s/one": 0.25, "of/s/one": 4},
        {"step": 10, "validation/loss": 6.0},
        {"step": 20, "up/s/one": 0.75, "of/s/one": 8},
    ]
    first = (2, EXERCISES, 0.1, 9)
    assert read_log(history, "up/", "of/", 10, 2) == [first]
    assert read_log(history, "up/", "of/", 20, 2) == [first, (20, EXERCISES, 0.5, 90), (20, "s/one", 0.25, 4)]
    assert read_log(history, "up/", "of/", 21, 1)[3:] == [(20, "s/one", 0.75, 8)]


def test_worlds_made_anew_come_with_exercises_among_them_and_the_corpus_with_both() -> None:
    reading = Reading([[Example((1, 2), 1)]] * 80, DRILLS, [QUARRY], marked)
    course = Course.of(reading, 0, in_order(80, 1.0), warm_up=3, renewed=3, sequence=20, most=120)
    assert kinds(course.batch(0, [])) == {EXERCISES: 30}
    assert kinds(course.batch(3, [])) == {"s/one": 90, EXERCISES: 30}
    assert kinds(course.batch(6, [])) == {"lesson": 40, EXERCISES: 20, "s/one": 60}


def test_tokens_are_of_the_kind_that_they_were_drawn_for() -> None:
    lesson, anew = [Example((5, 6, 7, 8), 2)], [Example((9, 10, 11, 12), 2), Example((9, 10, 13, 14), 3)]
    batch = Batch([lay_out(lesson)] * 2, [Drawn("b", lay_out(anew)), Drawn("a", lay_out(anew[:1]))])
    made = tensors(batch, ("a", "b"), sequence=9, padding=0)
    of = {int(token): int(kind) for token, kind in zip(made["input_ids"].flatten(), made[KINDS].flatten(), strict=True)}
    assert made[KINDS].shape == made["labels"].shape
    assert {token: kind for token, kind in of.items() if token < 9 or token > 12} == {
        0: NO_KIND, 5: NO_KIND, 6: NO_KIND, 7: NO_KIND, 8: NO_KIND, 13: 1, 14: 1
    }  # fmt: skip
    counts = Counter(made[KINDS].flatten().tolist())
    assert (counts[0], counts[1]) == (4, len(lay_out(anew).tokens))


def short(one: Asked) -> list[Example]:
    return [Example((7, 8), 1)]


def marked(one: Asked) -> list[Example]:
    return [Example((3 if "quarry" in one.library else 4,) * 10, 1)]


def kinds(batch: Batch) -> dict[str, int]:
    """Tokens of each kind."""
    counts = Counter({"lesson": sum(len(pack.tokens) for pack in batch.lessons)})
    for drawn in batch.drawn:
        counts[drawn.kind] += len(drawn.pack.tokens)
    return dict(+counts)


def read(batch: Batch) -> list[tuple[str, list[int]]]:
    """What a pass reads: kinds and tokens."""
    packs: list[tuple[str, Pack]] = [("lesson", pack) for pack in batch.lessons]
    return [(kind, pack.tokens.tolist()) for kind, pack in (*packs, *batch.drawn)]


QUARRY = World(
    "s/one",
    (("quarry", "kralo", "sings"),),
    (Quoting("Question: kralo?\nAnswer:", ("sings",), 0, (2, 3), (0, 1), ("kralo",), 0),),
    ("kralo",),
)


def reading_of(rows: list[list[Example]]) -> Reading:
    return Reading(rows, DRILLS, [QUARRY], lambda asked: [Example((7, *map(len, asked.prompts), 9), 1)])


def random_order(count: int, seed: int) -> list[int]:
    return Random(seed).sample(range(count), count)


def test_what_is_too_long_to_be_read_is_another_exercise() -> None:
    read = in_tokens(new_tokenizer(TEXTS, 300, 64), 64)
    assert read(Asked("", ("a",), ("b",)))
    assert not read(Asked("", ("word " * 64,), ("b",)))
    words = tuple(" ".join(["and"] * 200).split())
    long = World("s/long", (words,), (), ())
    reading = Reading(
        [], DRILLS, [long, QUARRY], lambda asked: [] if "and and" in asked.library else [Example((7, 8), 1)]
    )
    mixed = Course(reading, 0, 0, 1, [], most=8).batch(0, [])
    assert kinds(mixed) == {EXERCISES: 2, "s/one": 6}
    nothing = Reading([], DRILLS, [], lambda asked: [])
    with pytest.raises(UserError, match=r"student\.warm_up=0"):
        Course(nothing, 0, 1, 0, [], most=8).batch(0, [])


def test_a_pass_has_no_more_tokens_than_it_may() -> None:
    reading = Reading([], DRILLS, [], lambda asked: [Example((7,) * 10 * len(asked.prompts), 1)])
    found = [LookedUp(step, EXERCISES, 0.9, 90) for step in range(3)]
    for number in range(30):
        made = Course(reading, 0, 30, 0, [], most=250).batch(number, found)
        assert 150 <= sum(kinds(made).values()) <= 250


def test_a_corpus_without_worlds_has_no_steps_on_them() -> None:
    rows = [[Example((1, 2), 1)]] * 4
    without = Reading(rows, DRILLS, [], short)
    made = (
        Course.of(reading, 0, in_order(4, 1.0), 3, 5, sequence=8, most=24) for reading in (without, reading_of(rows))
    )
    assert list(map(len, made)) == [3 + 1, 3 + 5 + 1]


def _holds(entry: list[str], value: list[str]) -> bool:
    return any(entry[place : place + len(value)] == value for place in range(len(entry)))


def _first_value(words: list[str]) -> int:
    """How many of the words come before the first that does not fill."""
    return next((place for place, word in enumerate(words) if word not in DRILLS.frequent), 0)


@given(st.lists(st.integers(1, 50), max_size=200), st.integers(10, 60), st.integers(60, 200))
def test_batches_hold_every_row_once_and_no_more_than_is_allowed(sizes: list[int], sequence: int, most: int) -> None:
    batches = list(in_batches(sizes, sequence, most))
    assert sorted(row for batch in batches for rows in batch for row in rows) == list(range(len(sizes)))
    for batch in batches:
        lengths = [sum(sizes[row] for row in rows) for rows in batch]
        assert len(batch) * max(lengths) <= most or len(batch) == 1
        assert all(length <= sequence or len(rows) == 1 for length, rows in zip(lengths, batch, strict=True))


def test_updates_of_matrices_are_those_of_the_published_optimizer() -> None:
    """`torch.optim.Muon` in bfloat16, so to its rounding."""

    def stepped(optimizer: Callable[..., torch.optim.Optimizer], **settings: Any) -> list[torch.Tensor]:
        generator = torch.Generator().manual_seed(0)
        shapes = ((24, 40), (40, 24), (24, 24), (24, 40))
        weights = [torch.nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
        steps = optimizer(weights, lr=0.02, **settings)
        for number in range(5):
            for weight in weights:
                weight.grad = torch.sin(3 * weight.detach() + number)
            steps.step()
        return [weight.detach() for weight in weights]

    published = stepped(torch.optim.Muon, weight_decay=0.01, adjust_lr_fn="match_rms_adamw")
    for ours, theirs in zip(stepped(Muon), published, strict=True):
        torch.testing.assert_close(ours, theirs, atol=2e-3, rtol=0)


@given(st.integers(1, 4), st.integers(1, 30), st.integers(1, 30), st.integers(0, 1000))
def test_an_orthogonal_update_turns_every_direction_by_about_the_same(
    count: int, rows: int, columns: int, seed: int
) -> None:
    matrices = torch.randn((count, rows, columns), generator=torch.Generator().manual_seed(seed))
    made = orthogonal(matrices)
    values, asked = torch.linalg.svdvals(made), torch.linalg.svdvals(matrices)
    assert made.shape == matrices.shape
    assert float(values.max()) < 1.3
    assert bool((values[asked > 0.05 * asked.max()] > 0.5).all())
    assert not orthogonal(torch.zeros(1, rows, columns)).any()


def test_an_optimizer_takes_up_where_it_was_and_a_schedule_reaches_all_of_it(settings: Config) -> None:
    assert isinstance(settings.student, NewStudent)
    student = settings.student
    tokenizer = new_tokenizer(["some words"], 300, student.context)

    def trained(steps: int, optimizer: MuonAdamW, model: torch.nn.Module) -> None:
        for step in range(steps):
            ids = torch.arange(2 + step, 42 + step)[None]
            model(input_ids=ids, labels=ids).loss.backward()
            optimizer.step()
            optimizer.zero_grad()

    models = [new_student(tokenizer, student, seed=0) for _ in range(2)]
    optimizers = [MuonAdamW(model, 1e-3) for model in models]
    for model, optimizer in zip(models, optimizers, strict=True):
        trained(2, optimizer, model)
    again = MuonAdamW(models[1], 1e-3)
    again.load_state_dict(optimizers[1].state_dict())
    for optimizer in (optimizers[0], again):
        for group in optimizer.param_groups:
            group["lr"] = 5e-4
    trained(2, optimizers[0], models[0])
    trained(2, again, models[1])
    pairs = zip(models[0].parameters(), models[1].parameters(), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)
    before = [weight.clone() for weight in models[0].parameters()]
    for group in optimizers[0].param_groups:
        group["lr"] = 0.0
    trained(1, optimizers[0], models[0])
    assert all(torch.equal(one, other) for one, other in zip(before, models[0].parameters(), strict=True))
    with pytest.raises(AssertionError):
        optimizers[0].step(lambda: 0.0)

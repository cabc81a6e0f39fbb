"""The order of reading: exercises that can be solved by looking up alone, and every row as often as is asked."""

import re
from collections import Counter
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config, NewStudent
from pfe.training.course import Reading, course, in_tokens
from pfe.training.exercises import HARDEST, Exercises
from pfe.training.optimizer import MuonAdamW
from pfe.training.renewal import World, is_coined
from pfe.training.rows import Asked
from pfe.training.sharing import Example, in_batches
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
EXERCISES = Exercises.of(TEXTS)


@given(st.integers(0, 10_000), st.integers(0, HARDEST))
def test_a_value_stands_in_one_entry_with_the_name_that_asks_for_it(seed: int, level: int) -> None:
    drawn = EXERCISES.drawn(Random(seed), level)
    entries = [re.findall(r"\w+", line) for line in drawn.library.splitlines() if line]
    for prompt, completion in zip(drawn.prompts, drawn.completions, strict=True):
        asked = set(re.findall(r"\w+", prompt)) - set(EXERCISES.frequent)
        value = completion.split()
        saying = [entry for entry in entries if _holds(entry, value) and asked & set(entry)]
        assert saying, (prompt, completion, drawn.library)


@pytest.mark.parametrize(("level", "most"), [(0, 0), (1, 1), (5, 3), (7, 4)])
def test_words_between_a_name_and_its_value_grow_in_number(level: int, most: int) -> None:
    rng = Random(3)
    between = []
    for drawn in (EXERCISES.drawn(rng, level) for _ in range(200)):
        names = {name for prompt in drawn.prompts for name in re.findall(r"\w+", prompt) if is_coined(name)}
        for line in drawn.library.splitlines():
            words = re.findall(r"\w+", line)
            places = [place for place, word in enumerate(words) if word in names and word not in EXERCISES.frequent]
            between += [] if not places else [_first_value(words[places[-1] + 1 :])]
    assert max(between) == most


def test_names_are_drawn_and_what_fills_is_frequent() -> None:
    assert not set(EXERCISES.frequent) & set(EXERCISES.values)
    first, second = (EXERCISES.drawn(Random(seed), HARDEST) for seed in (1, 2))
    assert not set(first.prompts) & set(second.prompts)
    assert EXERCISES.drawn(Random(1), HARDEST) == first


@given(st.integers(1, 12), st.sampled_from([0.5, 1.0, 2.25]), st.integers(0, 5), st.integers(0, 5))
def test_every_row_is_read_as_often_as_epochs_say(count: int, epochs: float, warm_up: int, renewed: int) -> None:
    rows = [[Example((number, 400), 1)] for number in range(count)]
    reading = Reading(rows, EXERCISES, [], lambda asked: [Example((7,) * len(asked.prompts), 1)])
    read = list(course(reading, Random(0), epochs, warm_up, renewed))
    times = Counter(row[0].tokens[0] for row in read if row[0].tokens[-1] == 400)
    assert sum(times.values()) == round(epochs * count)
    assert max(times.values(), default=0) - min(times.get(number, 0) for number in range(count)) <= 1
    assert all(row not in rows for row in read[: warm_up + renewed])
    if not warm_up and not renewed:
        assert all(row in rows for row in read)


def test_what_is_too_long_to_be_read_is_another_exercise() -> None:
    read = in_tokens(new_tokenizer(TEXTS, 300, 64), 64)
    assert read(Asked("", ("a",), ("b",)))
    assert not read(Asked("", ("word " * 64,), ("b",)))
    words = tuple(" ".join(["and"] * 200).split())
    long = World((words,), (), ())
    reading = Reading([], EXERCISES, [long], lambda asked: [] if "and and" in asked.library else [Example((7, 8), 1)])
    assert reading.renewed(Random(0)) == [Example((7, 8), 1)]


def test_worlds_made_anew_come_with_exercises_between_them_and_among_the_corpus() -> None:
    asked: list[str] = []

    def read(one: Asked) -> list[Example]:
        asked.append("world" if "quarry" in one.library else "exercise")
        return [Example((7, 8), 1)]

    reading = Reading([[Example((1, 2), 1)]] * 8, EXERCISES, [World((("quarry",),), (), ())], read)
    assert len(list(course(reading, Random(0), 1.0, warm_up=4, renewed=6))) == 4 + 6 + 2 + 8 + 2 + 2
    assert asked[:4] == ["exercise"] * 4
    assert asked[4:12] == ["world", "exercise", "world", "world", "world", "exercise", "world", "world"]
    assert sorted(asked[12:]) == ["exercise"] * 2 + ["world"] * 2


def _holds(entry: list[str], value: list[str]) -> bool:
    return any(entry[place : place + len(value)] == value for place in range(len(entry)))


def _first_value(words: list[str]) -> int:
    """How many of the words come before the first that does not fill."""
    return next((place for place, word in enumerate(words) if word not in EXERCISES.frequent), 0)


@given(st.lists(st.integers(1, 50), max_size=200), st.integers(10, 60), st.integers(60, 200))
def test_batches_hold_every_row_once_and_no_more_than_is_allowed(sizes: list[int], sequence: int, most: int) -> None:
    batches = list(in_batches(sizes, sequence, most))
    assert sorted(row for batch in batches for rows in batch for row in rows) == list(range(len(sizes)))
    for batch in batches:
        lengths = [sum(sizes[row] for row in rows) for rows in batch]
        assert len(batch) * max(lengths) <= most or len(batch) == 1
        assert all(length <= sequence or len(rows) == 1 for length, rows in zip(lengths, batch, strict=True))


def test_heads_of_the_base_look_at_what_is_near(settings: Config) -> None:
    assert isinstance(settings.student, NewStudent)
    student = settings.student
    tokenizer = new_tokenizer(["some words"], 300, student.context)
    base = new_student(tokenizer, student, seed=1)
    base.set_attn_implementation("eager")
    with torch.no_grad():
        (seen, *_) = base(torch.randint(2, len(tokenizer), (1, 500)), output_attentions=True).attentions
    heads = student.heads
    for head in range(heads // 2):
        back = head + 1
        assert all(int(seen[0, head, place].argmax()) == place - back for place in range(back, 120))
        assert float(seen[0, head, 20, 20 - back]) > 0.4
    for number, head in enumerate(range(heads // 2, heads)):
        reach = 24 * 3**number
        nearest_first = seen[0, head, 499].flip(0)
        thirds = [float(part.sum()) for part in nearest_first[:reach].split(reach // 3)]
        assert sum(thirds) > 0.8
        assert thirds == sorted(thirds, reverse=True)


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

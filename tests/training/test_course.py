"""The order of reading: exercises that can be solved by copying alone, and every row as often as is asked."""

from collections import Counter
from random import Random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config, NewStudent
from pfe.training.course import Exercises, course
from pfe.training.optimizer import MuonAdamW
from pfe.training.sharing import Example, in_batches
from pfe.training.student import new_student, new_tokenizer

VOCABULARY = 300
SPOKEN = [[Example(tuple(Random(row).choices(range(2, 40), k=30)), 1)] for row in range(20)]


@given(st.integers(0, 10_000), st.integers(0, 5))
def test_what_an_exercise_asks_for_stands_behind_what_it_asks_with(seed: int, apart: int) -> None:
    """A value stands in front of the question, and within reach of it a token of the question, its name's."""
    rng = Random(seed)
    row = Exercises.of(SPOKEN, VOCABULARY).row(rng, apart)
    for example in row:
        prompt = example.tokens[: example.prompt]
        asked = example.tokens[example.prompt :]
        value = asked[:-1] if len(row) > 1 else asked  # an entry ends behind its value
        places = [at for at in range(len(prompt)) if prompt[at : at + len(value)] == value]
        question = set(prompt[-2 * apart - 4 :])
        assert value
        assert any(question & set(prompt[max(0, at - apart - 3) : at]) for at in places)
        assert all(2 <= token < VOCABULARY for token in example.tokens)


def test_what_fills_is_what_the_corpus_says_most() -> None:
    said = [[Example((5, 6, 7, 3, 5, 6, 7), 1)]] * 30 + [[Example((8, 4), 1)]]
    exercises = Exercises.of(said, vocabulary=9)
    assert exercises.fillers[:6] == (5, 6, 7, 5, 6, 7)
    assert not set(exercises.fillers) & set(exercises.others)


def test_values_stand_next_to_their_names_at_first() -> None:
    rng = Random(3)
    exercises = Exercises.of(SPOKEN, VOCABULARY)
    for example in (example for _ in range(50) for example in exercises.row(rng, 0)):
        prompt, asked = example.tokens[: example.prompt], example.tokens[example.prompt :]
        places = [place for place, token in enumerate(prompt[:-1]) if token == prompt[-1]]
        assert any(prompt[place + 1 : place + 1 + len(asked)] == asked for place in places)


@given(st.integers(1, 12), st.sampled_from([0.5, 1.0, 2.25]), st.integers(0, 5))
def test_every_row_is_read_as_often_as_epochs_say(count: int, epochs: float, warm_up: int) -> None:
    rows = [[Example((number, 400), 1)] for number in range(count)]
    read = list(course(rows, Random(0), epochs, warm_up, VOCABULARY))
    times = Counter(row[0].tokens[0] for row in read if row[0].tokens[-1] == 400)
    assert sum(times.values()) == round(epochs * count)
    assert max(times.values(), default=0) - min(times.get(number, 0) for number in range(count)) <= 1
    assert all(row not in rows for row in read[:warm_up])
    if not warm_up:
        assert all(row in rows for row in read)


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

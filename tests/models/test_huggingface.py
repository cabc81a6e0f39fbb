"""Both ways of computing against one sequence at a time, generation, the response cache, bad models."""

import functools
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers import LlamaConfig

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.huggingface import HuggingFace, together
from pfe.models.loading import LoadedModel, load
from pfe.models.packed import PackedModel
from pfe.models.reading import Reader
from pfe.models.request import Answer, Option, Request
from pfe.models.responses import Responses
from pfe.models.tokens import RequestEncoder
from pfe.problem import Problem
from tests.conftest import ROOT
from tests.small_models import ARCHITECTURES, PACKING

Folder = Callable[[str], str]
LIBRARY = Prefix("[METHOD LIBRARY]\n\n", ("METHOD 1: add the parts.\n\n", "METHOD 2: look on.\n\n"), "[PROBLEM]\n")
CHOICES = ("barometer", "a ruler", "the thermometer on the wall", "balance")


def questions(prefix: Prefix, count: int = 5) -> list[Request]:
    """Choice problems, two of them about the same passage."""
    asked = []
    for i in range(count):
        passage = "12 birds and 8 bees look on.\n" if i < 2 else ""
        prompt = f"{passage}Question: Which tool measures {'air ' * i}pressure?\nAnswer:"
        problem = Problem(f"a/{i}", "a", "science", prompt, CHOICES[i % 4], choices=CHOICES)
        asked.append(Request(problem, prefix, prompt, tuple(Option(prompt, f" {choice}") for choice in CHOICES)))
    return asked


def tasks(prefix: Prefix, count: int = 5, max_tokens: int = 6, stop: tuple[str, ...] = ()) -> list[Request]:
    return [replace(r, prefix=prefix, options=(), stop=stop, max_tokens=max_tokens) for r in questions(prefix, count)]


@pytest.fixture(scope="module")
def loaded_once(model_folder: Folder) -> Callable[[str], LoadedModel]:
    return functools.cache(lambda architecture: load(model_folder(architecture), None, "float32", "cpu"))


@pytest.fixture
def examinee(loaded_once: Callable[[str], LoadedModel], tmp_path: Path) -> Callable[..., HuggingFace]:
    def make(architecture: str, **options: Any) -> HuggingFace:
        loaded = loaded_once(architecture)
        options.setdefault("responses", Responses("m", Cache(tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite")))
        return HuggingFace(loaded, **options)

    return make


@pytest.mark.parametrize("architecture", ["qwen2", "gpt2"])
def test_how_many_are_written_at_once_changes_no_text(examinee: Callable[..., HuggingFace], architecture: str) -> None:
    asked = tasks(LIBRARY, 20, max_tokens=8) + tasks(Prefix(), 20, max_tokens=8)
    few, many, unasked = (examinee(architecture, batch_size=size).answer(asked) for size in (3, 128, None))
    assert [answer.output for answer in few] == [answer.output for answer in many] == [a.output for a in unasked]


@pytest.mark.parametrize(
    ("layers", "hidden", "heads", "groups", "window", "count"),
    [(2, 32, 4, 2, 256, 128), (30, 576, 9, 3, 8192, 45), (30, 576, 9, 9, 8192, 16), (32, 4096, 32, 8, 2**17, 16)],
    ids=["a student", "SmolLM2-135M", "SmolLM2-135M without shared keys", "Llama 3 8B"],
)
def test_a_model_writes_as_many_answers_at_once_as_there_is_room_for(
    loaded_once: Callable[[str], LoadedModel],
    layers: int, hidden: int, heads: int, groups: int, window: int, count: int,
) -> None:  # fmt: skip
    config = LlamaConfig(
        num_hidden_layers=layers, hidden_size=hidden, num_attention_heads=heads, num_key_value_heads=groups
    )
    model = replace(loaded_once("llama"), model=SimpleNamespace(config=config, dtype=torch.float32), window=window)
    assert together(model) == count
    assert together(replace(model, device="cuda")) == max(64, count)


def one_by_one(loaded: LoadedModel, context: str, continuation: str) -> float:
    """The definition: one sequence, no batch, no padding, no cache."""
    known = loaded.tokenizer(context)["input_ids"]
    whole = torch.tensor([loaded.tokenizer(context + continuation)["input_ids"]])
    with torch.no_grad():
        logits = loaded.model(whole).logits[0, :-1].log_softmax(-1)
    return sum(float(logits[i - 1, whole[0, i]]) for i in range(len(known), whole.shape[1]))


def greedy(loaded: LoadedModel, text: str, length: int) -> list[int]:
    """The definition: the likeliest token, again and again, over the whole sequence."""
    ids = loaded.tokenizer(text)["input_ids"]
    for _ in range(length):
        with torch.no_grad():
            ids = [*ids, int(loaded.model(torch.tensor([ids])).logits[0, -1].argmax())]
        if ids[-1] == loaded.tokenizer.eos_token_id:
            return list(ids[-length:-1])
    return list(ids[-length:])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("prefix", [Prefix(), LIBRARY], ids=["bare", "library"])
def test_scores_are_those_of_one_sequence_at_a_time(
    architecture: str, prefix: Prefix, examinee: Callable[..., HuggingFace], loaded_once: Callable[[str], LoadedModel]
) -> None:
    model = examinee(architecture, batch_size=3)
    for request, answer in zip(questions(prefix), model.answer(questions(prefix)), strict=True):
        expected = [
            one_by_one(loaded_once(architecture), prefix.text + o.context, o.continuation) for o in request.options
        ]
        assert answer.scores == pytest.approx(expected, abs=2e-4)
        # Mistral's window has 32 tokens, which no bare problem fills.
        assert (answer.way == "packed") == (architecture in PACKING or (architecture == "mistral" and not prefix.text))
        assert answer.tokens_in == len(model.tokenizer(prefix.text + request.prompt)["input_ids"])
        assert (answer.stop, answer.dropped) == ("choice", 0)


@pytest.mark.parametrize("nodes", [1, 40, 100_000])
def test_the_length_of_rows_changes_nothing(
    nodes: int, examinee: Callable[..., HuggingFace], loaded_once: Callable[[str], LoadedModel]
) -> None:
    loaded = loaded_once("llama")
    encoded = RequestEncoder(loaded.tokenizer, loaded.window).encode(questions(LIBRARY))
    rows = [row for one in encoded if one for row in one.rows]
    packed = PackedModel(Reader(loaded.model, "cpu"), nodes, together=4)
    scores = {
        place: score
        for places, some in packed.score(rows[0].head, rows)
        for place, score in zip(places, some, strict=True)
    }
    expected = [score for answer in examinee("llama").answer(questions(LIBRARY)) for score in answer.scores]
    assert [scores[place] for place in range(len(rows))] == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("batch_size", [1, 3])
def test_greedy_text_is_that_of_one_prompt_at_a_time(
    architecture: str, batch_size: int, examinee: Callable[..., HuggingFace], loaded_once: Callable[[str], LoadedModel]
) -> None:
    model = examinee(architecture, batch_size=batch_size)
    asked = tasks(LIBRARY)
    for request, answer in zip(asked, model.answer(asked), strict=True):
        tokens = greedy(loaded_once(architecture), LIBRARY.text + request.prompt, 6)
        assert answer.output == model.tokenizer.decode(tokens, skip_special_tokens=True)
        assert answer.tokens_out == len(tokens)
        assert answer.stop == ("length" if len(tokens) == 6 else "end")


@pytest.mark.parametrize("architecture", ["llama", "mistral"])
def test_text_ends_before_a_stop_string(architecture: str, examinee: Callable[..., HuggingFace]) -> None:
    free = examinee(architecture).answer(tasks(LIBRARY, max_tokens=12))
    mark = free[0].output[3:5]
    stopped = examinee(architecture).answer(tasks(LIBRARY, max_tokens=12, stop=(mark, "never")))
    for before, after in zip(free, stopped, strict=True):
        assert after.output == before.output.partition(mark)[0]
        assert (after.stop == "stop") == (mark in before.output)
        assert after.tokens_out <= before.tokens_out


def test_long_writing_survives_the_end_of_its_neighbours(examinee: Callable[..., HuggingFace]) -> None:
    lengths = (2, 40, 3, 25, 1, 30, 2, 2)
    asked = [replace(request, max_tokens=n) for request, n in zip(tasks(LIBRARY, 8), lengths, strict=True)]
    together = examinee("qwen2", batch_size=3).answer(asked)
    alone = [examinee("qwen2").answer([request])[0] for request in asked]
    assert [answer.output for answer in together] == [answer.output for answer in alone]


@pytest.mark.parametrize("architecture", ["llama", "mamba"])
def test_sampling_depends_on_seed_and_problem_and_not_on_the_batch(
    architecture: str, examinee: Callable[..., HuggingFace]
) -> None:
    def sampled(seed: int, batch_size: int) -> list[str]:
        model = examinee(architecture, temperature=1.0, seed=seed, batch_size=batch_size)
        return [answer.output for answer in model.answer(tasks(LIBRARY))]

    assert sampled(0, 1) == sampled(0, 4)
    assert sampled(0, 4) != sampled(1, 4)


class Counting(Responses):
    """Counts what is computed, by kind and way, and dies after so many batches."""

    def __init__(self, cache: Cache, lives: int = 1_000, identity: str = "m") -> None:
        super().__init__(identity, cache)
        self.lives, self.counts = lives, Counter[str]()

    def through(self, kind: str, parts: Any, compute: Callable[[list[int]], Any]) -> Iterator[tuple[int, Any]]:
        def watched(places: list[int]) -> Iterator[Any]:
            for batch in compute(places):
                if not self.lives:
                    raise KeyboardInterrupt
                self.lives -= 1
                self.counts[kind] += len(batch[0])
                yield batch

        return super().through(kind, parts, watched)


@pytest.mark.parametrize("ask", [questions, tasks])
def test_a_killed_run_goes_on_where_it_was(
    ask: Callable[[Prefix], list[Request]], examinee: Callable[..., HuggingFace], tmp_path: Path
) -> None:
    def counting(lives: int = 1_000) -> Counting:
        return Counting(Cache(tmp_path / "own.sqlite"), lives)

    asked = ask(LIBRARY)
    kind = "choose packed" if asked[0].options else "write packed"
    pieces = sum(len(request.options) or 1 for request in asked)
    first, second, third = counting(lives=2), counting(), counting()
    with pytest.raises(KeyboardInterrupt):
        examinee("llama", batch_size=1, responses=first).answer(asked)
    assert 0 < first.counts[kind] < pieces
    answers = examinee("llama", batch_size=1, responses=second).answer(asked)
    assert first.counts[kind] + second.counts[kind] == pieces
    assert examinee("llama", batch_size=1, responses=third).answer(asked) == answers
    assert not third.counts
    fresh = examinee("llama").answer(asked)
    assert [replace(a, scores=(), difference=None) for a in answers] == [
        replace(a, scores=(), difference=None) for a in fresh
    ]


DIES = """
import os, signal, sys
from pathlib import Path
from types import SimpleNamespace
from pfe.cache import Cache
from pfe.models.huggingface import HuggingFace, together
from pfe.models.loading import load
from pfe.models.responses import Responses
from tests.models.test_huggingface import LIBRARY, questions, tasks
kept = Responses("m", Cache(Path(sys.argv[2])))
model = HuggingFace(load(sys.argv[1], None, "float32", "cpu"), batch_size=1, responses=kept)
put = kept.put
def put_and_die(entries):
    put(entries)
    os.kill(os.getpid(), signal.SIGKILL)
kept.put = put_and_die
model.answer(tasks(LIBRARY))
"""


@pytest.mark.slow
def test_what_was_answered_outlives_a_kill(
    model_folder: Folder, examinee: Callable[..., HuggingFace], tmp_path: Path
) -> None:
    cache = tmp_path / "own.sqlite"
    died = subprocess.run([sys.executable, "-c", DIES, model_folder("llama"), str(cache)], cwd=ROOT)
    assert died.returncode == -signal.SIGKILL
    counting = Counting(Cache(cache))
    answers = examinee("llama", responses=counting).answer(tasks(LIBRARY))
    assert counting.counts["write packed"] == len(answers) - 1
    assert [answer.output for answer in answers] == [a.output for a in examinee("llama").answer(tasks(LIBRARY))]


@pytest.mark.parametrize("architecture", ["llama", "mistral"])
def test_a_tokenizer_without_padding_or_end_is_enough(
    architecture: str, model_folder: Folder, examinee: Callable[..., HuggingFace], tmp_path: Path
) -> None:
    asked = [*questions(LIBRARY), *tasks(LIBRARY)]
    loaded = load(model_folder(architecture), None, "float32", "cpu")
    loaded.tokenizer.pad_token = loaded.tokenizer.eos_token = None
    answers = HuggingFace(loaded, responses=Responses("m", Cache(tmp_path / "bare.sqlite"))).answer(asked)
    assert [answer.scores for answer in answers] == [answer.scores for answer in examinee(architecture).answer(asked)]


def test_a_changed_prompt_computes_what_it_changed_and_another_model_everything(
    examinee: Callable[..., HuggingFace], tmp_path: Path
) -> None:
    cache = Cache(tmp_path / "own.sqlite")
    examinee("llama", responses=Responses("m", cache)).answer(questions(LIBRARY))
    changed = questions(LIBRARY)
    prompt = changed[0].prompt.replace("12", "8")
    changed[0] = replace(
        changed[0], prompt=prompt, options=tuple(Option(prompt, o.continuation) for o in changed[0].options)
    )
    counting = Counting(cache)
    examinee("llama", responses=counting).answer(changed)
    assert counting.counts["choose packed"] == len(CHOICES)
    other = Counting(cache, identity="n")
    examinee("llama", responses=other).answer(changed)
    assert other.counts["choose packed"] == len(CHOICES) * len(changed)


def test_progress_counts_every_problem_once(examinee: Callable[..., HuggingFace]) -> None:
    seen: list[int] = []
    examinee("llama").answer([*questions(LIBRARY), *tasks(LIBRARY)], seen.append)
    assert sum(seen) == 10


def test_a_library_that_does_not_fit_loses_methods_and_then_choices_their_beginning_and_texts_are_not_asked(
    examinee: Callable[..., HuggingFace], loaded_once: Callable[[str], LoadedModel]
) -> None:
    model = examinee("llama")  # a window of 256 tokens
    long = replace(LIBRARY, methods=LIBRARY.methods * 40)
    request = questions(long, 1)[0]
    prompt = "word " * 400
    endless = replace(request, prompt=prompt, options=tuple(Option(prompt, o.continuation) for o in request.options))
    fitting, cut, too_long = model.answer([request, endless, replace(endless, options=())])
    assert 0 < fitting.dropped < len(long.methods)
    assert fitting.tokens_in <= 256
    assert too_long == Answer(0, 0, "too_long")
    assert (cut.stop, cut.dropped) == ("cut", len(long.methods))
    assert cut.tokens_in <= 256
    expected = one_by_one(
        loaded_once("llama"), long.shortened(80 - fitting.dropped).text + request.prompt, " barometer"
    )
    assert fitting.scores[0] == pytest.approx(expected, abs=1e-3)


@pytest.fixture
def tight(model_folder: Folder, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], tuple[LoadedModel, list[int]]]:
    """A model with memory for so many tokens at once, and how many it was given, call by call."""

    def make(room: int) -> tuple[LoadedModel, list[int]]:
        loaded, sizes = load(model_folder("llama"), None, "float32", "cpu"), list[int]()
        forward = loaded.model.forward

        @functools.wraps(forward)
        def bounded(**inputs: Any) -> Any:
            sizes.append(inputs["input_ids"].numel())
            if sizes[-1] > room:
                raise torch.OutOfMemoryError("no more")
            return forward(**inputs)

        monkeypatch.setattr(loaded.model, "forward", bounded)
        return loaded, sizes

    return make


def test_less_is_taken_at_a_time_where_memory_runs_out(
    examinee: Callable[..., HuggingFace], tight: Callable[[int], tuple[LoadedModel, list[int]]], cache: Cache
) -> None:
    asked = questions(LIBRARY, 16)
    expected = [answer.scores for answer in examinee("llama").answer(asked)]
    loaded, sizes = tight(130)
    for answer, wanted in zip(
        HuggingFace(loaded, responses=Responses("m", cache)).answer(asked), expected, strict=True
    ):
        assert answer.scores == pytest.approx(wanted, abs=2e-4)
        assert answer.way == "packed"
    assert max(sizes) > 130 >= sizes[-1]


def test_a_problem_without_memory_for_it_is_one_line(
    tight: Callable[[int], tuple[LoadedModel, list[int]]], cache: Cache
) -> None:
    loaded, _ = tight(20)
    with pytest.raises(UserError, match="not enough memory for one problem"):
        HuggingFace(loaded, responses=Responses("m", cache)).answer(questions(LIBRARY))


@pytest.mark.parametrize("architecture", ["mistral", "mamba", "bloom"])
def test_models_that_cannot_share_are_told_and_computed_whole(
    architecture: str, examinee: Callable[..., HuggingFace], capsys: pytest.CaptureFixture[str]
) -> None:
    model = examinee(architecture)
    assert "packed" not in {answer.way for asked in (questions, tasks) for answer in model.answer(asked(LIBRARY))}
    assert capsys.readouterr().err.count("every sequence is computed whole") == 1


@pytest.mark.parametrize("ask", [questions, tasks])
@pytest.mark.parametrize("architecture", ["gpt2", "mamba"])
def test_weights_that_are_broken_are_told(
    architecture: str, ask: Callable[[Prefix], list[Request]], model_folder: Folder, tmp_path: Path
) -> None:
    loaded = load(model_folder(architecture), None, "float32", "cpu")
    model = HuggingFace(loaded, responses=Responses("m", Cache(tmp_path / "c.sqlite")))
    with torch.no_grad():
        for parameter in loaded.model.parameters():
            parameter.fill_(float("nan"))
    with pytest.raises(UserError, match="weights hold NaN or infinite numbers"):
        model.answer(ask(LIBRARY))


def test_bfloat16_packs_too(model_folder: Folder, tmp_path: Path) -> None:
    loaded = load(model_folder("llama"), None, "bfloat16", "cpu")
    model = HuggingFace(loaded, responses=Responses("m", Cache(tmp_path / "c.sqlite")))
    exact = load(model_folder("llama"), None, "float32", "cpu")
    expected = HuggingFace(exact, responses=Responses("n", Cache(tmp_path / "c.sqlite"))).answer(questions(LIBRARY))
    for answer, wanted in zip(model.answer(questions(LIBRARY)), expected, strict=True):
        assert answer.scores == pytest.approx(wanted.scores, rel=0.05)
        assert answer.way == "packed"


@pytest.mark.parametrize("content", [None, "{}", "not json"])
def test_a_model_that_cannot_be_loaded_is_one_line(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config.json").write_text(content)
    with pytest.raises(UserError, match="cannot load the model") as told:
        load(str(tmp_path), None, "float32", "auto")
    assert "\n" not in str(told.value)


def test_a_model_that_does_not_fit_is_told_before_it_is_loaded(
    model_folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Memory:
        available = 1_000

    monkeypatch.setattr("psutil.virtual_memory", Memory)
    with pytest.raises(UserError, match="does not fit into the memory of cpu; set dtype: bfloat16"):
        load(model_folder("llama"), None, "float32", "cpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is an accelerator here")
def test_a_device_that_is_not_there_is_told(model_folder: Folder) -> None:
    with pytest.raises(UserError, match="set device: auto or cpu"):
        load(model_folder("llama"), None, "float32", "cuda")


def test_the_identity_follows_the_weights(model_folder: Folder, tmp_path: Path) -> None:
    def identity(folder: str) -> str:
        loaded: LoadedModel = load(folder, None, "float32", "cpu")
        return loaded.identity

    model = load(model_folder("llama"), None, "float32", "cpu")
    for name in ("a", "b"):
        model.model.save_pretrained(tmp_path / name)
        model.tokenizer.save_pretrained(tmp_path / name)
        with torch.no_grad():
            next(model.model.parameters())[0, 0] += 1
    assert identity(str(tmp_path / "a")) != identity(str(tmp_path / "b"))

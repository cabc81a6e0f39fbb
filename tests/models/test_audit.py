"""The audit: packed and batched answers against whole sequences, what a failure does, and where the head is applied."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from pfe.cache import Cache
from pfe.models.audit import TOLERANCE
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import LoadedModel, load
from pfe.models.packed import PackedModel
from pfe.models.plain import PlainModel
from pfe.models.reading import Reader
from pfe.models.responses import Responses
from pfe.models.schemes import borders, unproven
from pfe.models.tokens import Row
from tests.models.architectures import tiny
from tests.models.test_huggingface import LIBRARY, Counting, Folder, greedy, one_by_one, questions, tasks

Score = Callable[..., Iterator[tuple[list[int], list[float]]]]


@pytest.fixture
def loaded(model_folder: Folder) -> LoadedModel:
    return load(model_folder("llama"), None, "float32", "cpu")


def test_the_longest_row_and_one_in_two_hundred_are_computed_whole(loaded: LoadedModel, cache: Cache) -> None:
    counting = Counting(cache)
    asked = questions(LIBRARY, 60)  # 240 rows
    answers = HuggingFace(loaded, responses=counting).answer(asked)
    assert counting.counts["choose packed"] == 240
    assert 3 <= counting.counts["audit alone"] <= 6
    assert answers[-1].difference is not None  # the longest question
    assert {a.difference for a in answers} == {None, TOLERANCE}
    assert sum(answer.difference is None for answer in answers) >= 54


def test_the_sample_is_the_same_again_and_moves_with_the_seed(loaded: LoadedModel, tmp_path: Path) -> None:
    def audited(seed: int, name: str) -> list[int]:
        model = HuggingFace(loaded, seed=seed, responses=Responses("m", Cache(tmp_path / name)))
        answers = model.answer(questions(LIBRARY, 60))
        return [place for place, answer in enumerate(answers) if answer.difference is not None]

    assert audited(0, "a.sqlite") == audited(0, "b.sqlite")
    assert len({tuple(audited(seed, "a.sqlite")) for seed in range(5)}) > 1


def off_by(amount: float, score: Score) -> Score:
    def wrong(*given: Any) -> Iterator[tuple[list[int], list[float]]]:
        for places, values in score(*given):
            yield places, [value + amount for value in values]

    return wrong


def test_packed_scores_that_differ_are_computed_again_whole_and_never_returned(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Cache
) -> None:
    asked = questions(LIBRARY)
    expected = [[one_by_one(loaded, LIBRARY.text + o.context, o.continuation) for o in r.options] for r in asked]
    monkeypatch.setattr(PackedModel, "score", off_by(0.002, PackedModel.score))
    for _ in range(2):  # the second time from what was kept
        model = HuggingFace(loaded, responses=Responses("m", cache))
        progress: list[int] = []
        for answer, scores in zip(model.answer(asked, progress.append), expected, strict=True):
            assert answer.scores == pytest.approx(scores, abs=2e-4)
            assert answer.way not in model.revoked == {"packed"}
        assert sum(progress) == len(asked)
        assert "packed, this model has scores that differ by 0.002 nats" in capsys.readouterr().err
        assert not model.packs
        assert model.answer(tasks(LIBRARY))[0].way != "packed"


def test_a_small_difference_is_no_reason_to_stop_and_only_the_tolerance_is_written(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, cache: Cache
) -> None:
    monkeypatch.setattr(PackedModel, "score", off_by(0.0007, PackedModel.score))
    answers = HuggingFace(loaded, responses=Responses("m", cache)).answer(questions(LIBRARY))
    assert {answer.way for answer in answers} == {"packed"}
    assert {answer.difference for answer in answers} == {None, TOLERANCE}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_tolerance_does_not_depend_on_what_is_cached(dtype: str, model_folder: Folder, tmp_path: Path) -> None:
    """In half precision it depends on the logits of the audited rows, and on no others."""
    loaded = load(model_folder("llama"), None, dtype, "cpu")
    cache = Cache(tmp_path / "c.sqlite")

    def audit(responses: Responses) -> list[float | None]:
        model = HuggingFace(loaded, responses=responses)
        return [answer.difference for answer in model.answer([*questions(LIBRARY, 60), *tasks(LIBRARY)])]

    first = audit(Responses("m", cache))
    with sqlite3.connect(tmp_path / "c.sqlite") as database:
        assert database.execute("UPDATE kept SET value = x'00' WHERE rowid % 3 = 0").rowcount > 50
    assert audit(Responses("m", cache)) == audit(Responses("m", cache)) == first
    assert {value for value in first if value} >= ({TOLERANCE} if dtype == "float32" else set())


def test_packed_text_is_audited_too(loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, cache: Cache) -> None:
    write = PackedModel.write

    def other_prompts(self: PackedModel, head: Any, rows: Any, writings: Any) -> Iterator[list[int]]:
        yield from write(self, head, [Row(row.head, (7, *row.rest[1:]), 0) for row in rows], writings)

    monkeypatch.setattr(PackedModel, "write", other_prompts)
    model = HuggingFace(loaded, responses=Responses("m", cache))
    for request, answer in zip(tasks(LIBRARY), model.answer(tasks(LIBRARY)), strict=True):
        tokens = greedy(loaded, LIBRARY.text + request.prompt, 6)
        assert answer.output == loaded.tokenizer.decode(tokens, skip_special_tokens=True)
    assert model.revoked == {"packed"}


def test_a_packed_way_that_breaks_is_no_traceback(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Cache
) -> None:
    def broken(*_: Any) -> Iterator[Any]:
        raise IndexError("no such place")

    monkeypatch.setattr(PackedModel, "score", broken)
    answers = HuggingFace(loaded, responses=Responses("m", cache)).answer(questions(LIBRARY))
    assert {answer.way for answer in answers} == {"even choose"}
    assert "packed, this model has an error (IndexError); every sequence" in capsys.readouterr().err


@pytest.mark.parametrize("architecture", ["mistral", "mamba"])
def test_the_model_s_own_settings_for_writing_change_nothing(
    architecture: str, model_folder: Folder, cache: Cache
) -> None:
    loaded = load(model_folder(architecture), None, "float32", "cpu")
    loaded.model.generation_config.repetition_penalty = 3.0
    loaded.model.generation_config.no_repeat_ngram_size = 2
    asked = tasks(LIBRARY)
    answers = HuggingFace(loaded, responses=Responses("m", cache)).answer(asked)
    for request, answer in zip(asked, answers, strict=True):
        tokens = greedy(loaded, LIBRARY.text + request.prompt, 6)
        assert answer.output == loaded.tokenizer.decode(tokens, skip_special_tokens=True)
    assert {answer.way for answer in answers} == {"even write"}
    assert loaded.model.generation_config.repetition_penalty == 3.0


@pytest.mark.parametrize("architecture", ["mistral", "gemma2", "bloom", "trocr", "rwkv"])
def test_the_head_is_applied_only_where_a_score_is_read(architecture: str) -> None:
    model = tiny(architecture, 300)
    assert model is not None
    sizes: list[int] = []
    reader = Reader(model, "cpu")
    model.get_output_embeddings().register_forward_hook(lambda _, __, logits: sizes.append(logits.numel()))
    rows = [Row((), tuple(range(5 + place, 45 + place)), scored=3) for place in range(4)]
    batches = list(PlainModel(reader, together=4).score((), rows))
    assert sorted(place for places, _ in batches for place in places) == [0, 1, 2, 3]
    assert sizes == [4 * 3 * 300]
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([row.tokens[:-1] for row in rows])).logits.log_softmax(-1)
    for places, values in batches:
        for place, value in zip(places, values, strict=True):
            expected = sum(float(logits[place, at - 1, rows[place].tokens[at]]) for at in (37, 38, 39))
            assert value == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize(
    ("architecture", "settings", "length"),
    [
        ("mistral", {"sliding_window": 200}, 200),
        ("gemma3_text", {"sliding_window": 100}, 100),
        ("phi3", {"sliding_window": None, "original_max_position_embeddings": 90, "rope_parameters": {
            "rope_type": "longrope", "rope_theta": 1e4, "short_factor": [1.0] * 8, "long_factor": [2.0] * 8}}, 90),
    ],
)  # fmt: skip
def test_a_border_is_exact(architecture: str, settings: dict[str, Any], length: int) -> None:
    model = tiny(architecture, 300, **settings)
    assert model is not None
    assert unproven(model.config, length) == ""
    assert unproven(model.config, length + 1) != ""
    assert length in borders(model.config)


def test_what_is_not_listed_is_not_trusted() -> None:
    model = tiny("llama", 300)
    assert model is not None
    config: Any = model.config
    assert unproven(config, 1_000) == ""
    config.rope_parameters = {"rope_type": "spiral", "rope_theta": 10_000.0}
    assert "spiral" in unproven(config, 1_000)
    config.rope_parameters = {"rope_type": "default", "rope_theta": 10_000.0}
    config.layer_types = ["full_attention", "strided_attention"]
    assert "strided_attention" in unproven(config, 1_000)
    config.layer_types = None
    config.model_type = "llama_of_tomorrow"
    assert "llama_of_tomorrow" in unproven(config, 1_000)

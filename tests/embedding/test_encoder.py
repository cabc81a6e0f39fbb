import sqlite3
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import torch

from pfe.cache import Cache
from pfe.embedding import encoder as module
from pfe.embedding.backends import Floats, fastest, on_torch, sentence_transformer, tokens_of
from pfe.embedding.encoder import Encoder
from pfe.embedding.vectors import Mode, Vectors, windows
from pfe.errors import UserError

MODEL = "all-MiniLM-L6-v2"
TEXTS = ["A dog runs.", "A puppy is running.", "Interest rates rose.", "", "😀 \0 ☃"]
LONG = " ".join(f"The {i}th boat carries {i * 3} crates of pears to the island." for i in range(80))


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that any encoder computes, rather than finds kept, from now on."""
    seen: list[str] = []
    computed = Vectors.compute

    def watched(vectors: Vectors, texts: Sequence[str], mode: Mode) -> list[Floats]:
        seen.extend(texts)
        return computed(vectors, texts, mode)

    monkeypatch.setattr(Vectors, "compute", watched)
    return seen


@pytest.fixture
def own(tmp_path: Path) -> Encoder:
    return Encoder(MODEL, Cache(tmp_path / "cache.sqlite"))


def test_embeddings_are_unit_vectors_and_kept(own: Encoder, tmp_path: Path, embedded: list[str]) -> None:
    vectors = own.encode(TEXTS)
    assert sorted(embedded) == sorted(TEXTS)
    assert vectors.shape == (5, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.6 > 0.2 > vectors[0] @ vectors[2]
    again = Encoder(MODEL, Cache(tmp_path / "cache.sqlite"))
    assert (again.encode(TEXTS[::-1]) == vectors[::-1]).all()
    assert len(embedded) == len(TEXTS)


def test_they_are_those_of_sentence_transformers(own: Encoder) -> None:
    model = sentence_transformer(module.model_path(MODEL), "float32")
    theirs = model.encode([*TEXTS, LONG], normalize_embeddings=True)
    assert np.abs(own.encode([*TEXTS, LONG]) - theirs).max() < 1e-5


def test_every_mode_and_backend_agrees(own: Encoder) -> None:
    fast, single, exact = (own.chunks([*TEXTS, LONG], mode) for mode in get_args(Mode))
    assert fast.counts.tolist() == single.counts.tolist() == exact.counts.tolist()
    assert np.abs(single.vectors - exact.vectors).max() < 1e-5
    assert (1 - (fast.vectors * exact.vectors).sum(axis=1)).max() < 1e-3
    model = sentence_transformer(module.model_path(MODEL), "bfloat16")
    framed = tokens_of(model).framed(tokens_of(model).pieces(TEXTS[:1])[0])
    assert on_torch(model)([framed])[0] @ exact.vectors[0] > 0.999
    assert fastest()[0] in ("openvino", "torch")


def test_alone_or_among_others_a_text_has_the_same_exact_bits(own: Encoder, tmp_path: Path) -> None:
    alone = Encoder(MODEL, Cache(tmp_path / "other.sqlite")).chunks(TEXTS[2:3], "exact")
    assert (own.chunks(TEXTS, "exact").vectors[2] == alone.vectors[0]).all()


@pytest.mark.slow
def test_the_exact_bits_are_those_of_any_number_of_threads(tmp_path: Path) -> None:
    texts = [LONG, *TEXTS]
    before = torch.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            found.append(Encoder(MODEL, Cache(tmp_path / f"{threads}.sqlite")).chunks(texts, "exact").vectors)
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert all((vectors == found[0]).all() for vectors in found)


def test_identical_texts_are_embedded_once(own: Encoder, embedded: list[str]) -> None:
    vectors = own.encode(["one", "two", "one"])
    assert sorted(embedded) == ["one", "two"]
    assert (vectors[0] == vectors[2]).all()


@pytest.mark.parametrize("length", [0, 1, 253, 254, 255, 318, 319, 444, 445, 1000])
def test_chunks_leave_no_piece_out_and_none_is_too_long(length: int) -> None:
    parts = list(windows(list(range(length)), 254))
    assert {piece for part in parts for piece in part} == set(range(length))
    assert parts[0] == list(range(min(length, 254)))
    assert all(len(part) <= 254 for part in parts)
    assert len(parts) == 1 or all(part[0] < before[-1] for before, part in pairwise(parts))


def test_a_kept_vector_that_was_cut_short_or_changed_is_made_again(tmp_path: Path) -> None:
    first = Encoder(MODEL, Cache(tmp_path / "cache.sqlite")).encode(TEXTS[:2])
    with sqlite3.connect(tmp_path / "cache.sqlite") as database:
        database.execute("UPDATE kept SET value = substr(value, 1, 700) WHERE length(value) = 1536 AND key < x'80'")
        database.execute("UPDATE kept SET value = zeroblob(1536) WHERE length(value) = 1536")
    assert np.abs(Encoder(MODEL, Cache(tmp_path / "cache.sqlite")).encode(TEXTS[:2]) - first).max() < 1e-5


def test_vectors_of_another_model_are_not_taken_for_this_one_s(
    own: Encoder, tmp_path: Path, embedded: list[str]
) -> None:
    own.encode(["a text"])
    other = Encoder(MODEL, Cache(tmp_path / "cache.sqlite"))
    other.__dict__["weights_sha256"] = "0" * 64
    other.encode(["a text"])
    assert embedded == ["a text", "a text"]


def test_a_model_is_loaded_once_a_process_and_again_where_its_files_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []

    def watched(path: str, precision: str) -> Any:
        loaded.append(path)
        return sentence_transformer(module.model_path(MODEL), "float32")

    monkeypatch.setattr("pfe.embedding.vectors.sentence_transformer", watched)
    (tmp_path / "config.json").write_text("{}")
    assert [Vectors(str(tmp_path)).dimensions for _ in range(2)] == [384, 384]
    assert loaded == [str(tmp_path)]
    (tmp_path / "config.json").write_text("{ }")
    assert Vectors(str(tmp_path)).dimensions == 384
    assert len(loaded) == 2


def test_weights_that_are_not_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"firewall\.semantic\.sha256 pins 1234"):
        Encoder(MODEL, Cache(tmp_path / "c.sqlite"), pinned="1234").encode(["a"])


def test_a_model_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError, match="cannot load the embedding model"):
        Encoder(str(tmp_path / "nothing"), Cache(tmp_path / "c.sqlite")).encode(["a"])


@pytest.mark.parametrize("call", ["SentenceTransformer.__init__", "SentenceTransformer.forward"])
@pytest.mark.parametrize("error", [KeyError("pooling"), RuntimeError("shapes\n4"), TypeError()], ids=repr)
def test_a_model_that_cannot_embed_is_told(call: str, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(f"sentence_transformers.{call}", fail)
    with pytest.raises(UserError, match="cannot load the embedding model") as told:
        sentence_transformer(module.model_path(MODEL), "float32")
    assert "\n" not in str(told.value)

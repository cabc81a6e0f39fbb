"""GGUF files: the same scores as in Hugging Face's format, and one sentence for what cannot be read."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Quantization
from gguf.quants import dequantize, quantize

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import LoadedModel, describe, load
from pfe.models.responses import Responses
from tests.models.test_huggingface import LIBRARY, questions, tasks
from tests.small_gguf import TEMPLATE, small_llama, write_gguf
from tests.small_models import TEXT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small Llama in Hugging Face's format."""
    path = tmp_path_factory.mktemp("llama")
    for part in small_llama():
        part.save_pretrained(path)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "small.gguf", *small_llama())


def loaded(path: Path) -> LoadedModel:
    return load(str(path), None, "float32", "cpu")


def test_a_file_gives_the_answers_of_its_model_in_hugging_face_s_format(
    folder: Path, file: Path, tmp_path: Path
) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    ours, theirs = loaded(file), loaded(folder)
    assert {path.name for path in tmp_path.iterdir()} == before, "nothing is written beside it"
    for text in TEXT:
        assert ours.tokenizer(text)["input_ids"] == theirs.tokenizer(text)["input_ids"]
    assert ours.tokenizer.get_chat_template() == TEMPLATE
    assert ours.window == theirs.window == 256
    answers = [
        HuggingFace(one, responses=Responses(one.weights, Cache(tmp_path / "c.sqlite"))).answer(
            questions(LIBRARY) + tasks(LIBRARY)
        )
        for one in (ours, theirs)
    ]
    for mine, other in zip(*answers, strict=True):
        assert mine.output == other.output
        assert mine.scores == pytest.approx(other.scores, abs=1e-4)
    described, expected = describe(str(file), None), describe(str(folder), None)
    assert described.ends == expected.ends
    assert described.names == ("Small Llama",)


@pytest.mark.parametrize("quantization", [Quantization.Q8_0, Quantization.Q4_1, Quantization.F16])
def test_quantised_weights_are_computed_with_as_their_blocks_say(quantization: Quantization, tmp_path: Path) -> None:
    model, tokenizer = small_llama()
    file = write_gguf(tmp_path / "m.gguf", model, tokenizer, quantization)
    embeddings = model.model.embed_tokens.weight.detach().numpy()
    expected = dequantize(quantize(embeddings, quantization), quantization)
    actual = loaded(file).model.model.embed_tokens.weight.detach().numpy()
    np.testing.assert_allclose(actual, expected, rtol=1e-6)
    assert not np.array_equal(actual, embeddings)


def test_what_was_read_from_a_file_can_be_cast_trained_and_saved(file: Path, tmp_path: Path) -> None:
    model = loaded(file)
    model.model.save_pretrained(tmp_path / "saved")
    model.tokenizer.save_pretrained(tmp_path / "saved")
    again = loaded(tmp_path / "saved")
    ids = torch.arange(9)[None]
    assert torch.equal(model.model(ids).logits, again.model(ids).logits)
    assert model.model.to(torch.bfloat16).dtype == torch.bfloat16
    model.model(ids, labels=ids).loss.backward()
    assert model.model.model.embed_tokens.weight.grad is not None


def test_its_identity_is_the_hash_of_the_file(file: Path) -> None:
    assert loaded(file).weights == f"sha256 {sha256(file.read_bytes()).hexdigest()}"


def test_a_folder_that_holds_only_such_files_names_the_first(file: Path) -> None:
    with pytest.raises(UserError, match=rf"it has no config\.json\); give the file: {re.escape(str(file))}$"):
        describe(str(file.parent), None)


def cut(share: float) -> Callable[[Path], object]:
    def shorten(file: Path) -> None:
        content = file.read_bytes()
        file.write_bytes(content[: int(len(content) * share)])

    return shorten


def holding(**options: object) -> Callable[[Path], object]:
    return lambda file: write_gguf(file, *small_llama(), **options)  # type: ignore[arg-type]


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda file: file.write_text("once upon a time"), "no GGUF file"),
    "nothing": (lambda file: file.write_bytes(b""), "no GGUF file"),
    "the first bytes": (lambda file: file.write_bytes(b"GGUF"), "cut short or damaged"),
    "half a header": (cut(0.02), "cut short or damaged"),
    "half the weights": (cut(0.6), "cut short or damaged"),
    "all but the last bytes": (cut(0.999), "cut short or damaged"),
    "noise behind the first bytes": (lambda file: file.write_bytes(b"GGUF" + bytes(range(256)) * 9), "damaged|read"),
    "another architecture": (holding(architecture="rwkv6"), "rwkv6 is not supported"),
    "an encoder": (holding(architecture="bert"), "bert"),
    "one part of several": (holding(more={"split.count": 3}), "one part of several"),
    "scaled positions": (holding(more={"llama.rope.scaling.type": "yarn"}), "leaves out how it scales positions"),
    "factors of positions": (
        holding(tensors={"rope_freqs.weight": np.ones(4, np.float32)}),
        "leaves out how it scales positions",
    ),
    "a quantisation that nobody unpacks": (holding(tensors={"more.weight": np.zeros((4, 4), np.int8)}), "I8"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_read_is_one_sentence_that_names_llama_server(
    fault: str, file: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken, told = FAULTS[fault]
    broken(file)
    with pytest.raises(UserError, match=rf"cannot load the model '.*' \(.*{told}") as error:
        loaded(file)
    assert "\n" not in str(error.value)
    assert "`llama-server -m FILE`" in str(error.value)
    assert "--base-url http" in str(error.value)
    assert "Traceback" not in capfd.readouterr().err


def test_a_part_is_known_by_its_name(file: Path) -> None:
    part = file.rename(file.with_name("small-00001-of-00003.gguf"))
    with pytest.raises(UserError, match="it is one part of several"):
        describe(str(part), None)

"""What a model's folder can have wrong with it: one line, naming the entry, that says what to do."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import BertConfig, BertLMHeadModel, GPT2Config, GPT2LMHeadModel, Mamba2Config

from pfe.config import Model, record
from pfe.errors import UserError
from pfe.models.load import examinee
from pfe.models.loading import describe, load
from tests.small_tokenizers import byte_level

Break = Callable[[Path], object]


def edited(**values: Any) -> Break:
    def edit(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | values))

    return edit


def without(*names: str) -> Break:
    def remove(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return remove


def holding(name: str, content: bytes) -> Break:
    return lambda folder: (folder / name).write_bytes(content)


def cut(name: str, size: int) -> Break:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:size])


def emptied(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def renamed_weights(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "weights.safetensors")


def with_index(folder: Path) -> None:
    """Weights in parts, one of which was not fetched."""
    (folder / "model.safetensors").unlink()
    names = {"model.embed_tokens.weight": "model-00001-of-00002.safetensors"}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": names}))


def with_a_larger_tokenizer(folder: Path) -> None:
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text())
    first = len(values["model"]["vocab"])
    values["model"]["vocab"] |= {f"word{i}": first + i for i in range(100)}
    path.write_text(json.dumps(values))


FAULTS: dict[str, tuple[Break, str]] = {
    "nothing at all": (shutil.rmtree, "there is no such folder.*mend path"),
    "an empty folder": (emptied, "it has no config.json.*give the"),
    "no configuration": (without("config.json"), r"it has no config.json\); give the folder that holds"),
    "no JSON": (holding("config.json", b"not json"), "mend its config.json"),
    "an empty configuration": (holding("config.json", b"{}"), "no such model_type; mend its config.json"),
    "a list for a configuration": (holding("config.json", b"[]"), "mend its config.json"),
    "bytes for a configuration": (holding("config.json", b"\xff\xfe\x00"), "mend its config.json"),
    "an unknown architecture": (edited(model_type="nosuch"), "`nosuch`.*transformers .* has no such model_type"),
    "a translator": (edited(model_type="t5"), "t5 is no causal language model.*take one that writes"),
    "sizes that do not go together": (edited(num_attention_heads=5), "not a multiple.*mend its config.json"),
    "a word for a size": (edited(hidden_size="many"), "mend its config.json"),
    "no tokenizer": (without("tokenizer.json", "tokenizer_config.json"), r"it has no tokenizer; save the one"),
    "half a tokenizer": (without("tokenizer.json"), "tokenizer cannot be read; save the one it was trained with"),
    "a tokenizer cut short": (cut("tokenizer.json", 500), "tokenizer cannot be read; save the one"),
    "an empty tokenizer": (holding("tokenizer.json", b"{}"), "tokenizer cannot be read; save the one"),
    "tokenizer settings that are no JSON": (holding("tokenizer_config.json", b"{"), "tokenizer cannot be read; save"),
    "another model's tokenizer": (with_a_larger_tokenizer, "its tokenizer knows .* tokens, its weights .*save the tok"),
    "no weights": (without("model.safetensors"), "it has no weights; put model.safetensors beside"),
    "weights of another name": (renamed_weights, "it has no weights; put model.safetensors beside"),
    "a part of the weights": (with_index, "it has no weights|damaged"),
    "empty weights": (holding("model.safetensors", b""), "cut short or damaged; fetch or save them again"),
    "weights cut short": (cut("model.safetensors", 5000), "cut short or damaged; fetch or save them again"),
    "garbage for weights": (holding("model.safetensors", b"garbage" * 99), "cut short or damaged; fetch or save"),
    "weights of other sizes": (edited(hidden_size=64), "weights have other sizes than its config.json says"),
    "weights of another vocabulary": (edited(vocab_size=50), "other sizes than|its tokenizer knows"),
    "weights of fewer layers": (
        edited(num_hidden_layers=4),
        r"18 of its weights are missing, model.layers.2.*fetch or",
    ),
}


@pytest.fixture
def folder(model_folder: Callable[[str], str], tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_folder("llama"), tmp_path / "model"))


def entry(path: Path | str, **changes: Any) -> Model:
    return record(Model, kind="huggingface", label="Mine", depends="", path=str(path), device="cpu", **changes)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_folder_is_one_line_that_says_what_to_do(
    fault: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken, told = FAULTS[fault]
    broken(folder)
    with pytest.raises(UserError, match=rf"models\.mine: cannot load the model '.*' \(.*{told}") as error:
        examinee("mine", entry(folder), 0)
    assert "\n" not in str(error.value)
    assert "Traceback" not in capfd.readouterr().err


def test_a_file_for_a_folder_is_told(folder: Path) -> None:
    for name in ("model.safetensors", "config.json"):
        with pytest.raises(UserError, match=r"it is a file, but no GGUF file; of other formats give the folder"):
            load(str(folder / name), None, "float32", "cpu")


@pytest.mark.parametrize("name", ["no/such/model", "./nothing", "/nothing/at/all", "~/nothing"])
def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(name: str) -> None:
    with pytest.raises(UserError, match=r"there is no such folder.*mend path, or give a name on the hub"):
        load(name, None, "float32", "cpu")


@pytest.mark.parametrize(
    ("dtype", "device", "told"),
    [
        ("float12", "cpu", "dtype: float12 .*set one of auto, float32, bfloat16"),
        ("Tensor", "cpu", "dtype: Tensor .*set one of auto, float32"),
        ("float32", "tpu", "device: tpu .*set one of auto, cpu, cuda"),
        ("float32", "cuda:9", "device: cuda:9 .*set one of auto, cpu, cuda"),
    ],
)
def test_a_precision_or_device_that_does_not_exist_is_told(dtype: str, device: str, told: str, folder: Path) -> None:
    with pytest.raises(UserError, match=told):
        load(str(folder), None, dtype, device)


def test_weights_without_a_place_are_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited(num_hidden_layers=1)(folder)
    load(str(folder), None, "float32", "cpu")
    assert "9 of its weights have no place in this architecture and are left out, model.layers.1" in (
        capsys.readouterr().err
    )


def test_a_model_that_looks_ahead_is_no_causal_one(tmp_path: Path) -> None:
    """BERT loads as one, and its scores would be of text that it has read."""
    tokenizer = byte_level()
    sizes: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    for causal in (False, True):
        torch.manual_seed(0)
        config = BertConfig(
            vocab_size=len(tokenizer), intermediate_size=64, is_decoder=causal, initializer_range=0.5, **sizes
        )
        BertLMHeadModel(config).save_pretrained(tmp_path / str(causal))
        tokenizer.save_pretrained(tmp_path / str(causal))
    with pytest.raises(UserError, match=r"later tokens change the prediction at a token.*from left to right"):
        load(str(tmp_path / "False"), None, "float32", "cpu")
    assert load(str(tmp_path / "True"), None, "float32", "cpu").window == 512


def test_the_window_is_that_of_lm_eval(tmp_path: Path) -> None:
    tokenizer = byte_level()
    tokenizer.model_max_length = 77
    sizes: dict[str, Any] = {"vocab_size": len(tokenizer)}
    GPT2LMHeadModel(GPT2Config(n_embd=4, n_layer=1, n_head=1, n_positions=64, **sizes)).save_pretrained(tmp_path / "a")
    Mamba2Config(hidden_size=8, num_heads=2, head_dim=8, **sizes).save_pretrained(tmp_path / "b")
    for name in "ab":
        tokenizer.save_pretrained(tmp_path / name)
    assert [describe(str(tmp_path / name), None).window for name in "ab"] == [64, 77]
    tokenizer.model_max_length = 10**30
    tokenizer.save_pretrained(tmp_path / "b")
    assert describe(str(tmp_path / "b"), None).window == 2048

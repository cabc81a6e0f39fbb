"""What a model's folder can have wrong with it: one line, naming the entry, that says what to do."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
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
    "a speech model": (edited(model_type="wav2vec2"), "wav2vec2 is no causal language model.*take a decoder-only"),
    "a list for the number of heads": (edited(num_attention_heads=[4, 4]), "mend its config.json"),
    "a text for the window": (edited(max_position_embeddings="long"), "mend its config.json"),
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
    """A Gemma that embeds loads as a causal one, and its scores would be of text that it has read."""
    tokenizer = byte_level()
    for ahead in (True, False):
        torch.manual_seed(0)
        config = transformers.Gemma3TextConfig(
            vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, head_dim=8,
            num_key_value_heads=2, intermediate_size=64, use_bidirectional_attention=ahead, initializer_range=0.5,
        )  # fmt: skip
        transformers.Gemma3ForCausalLM(config).save_pretrained(tmp_path / str(ahead))
        tokenizer.save_pretrained(tmp_path / str(ahead))
    with pytest.raises(UserError, match=r"later tokens change the prediction at a token.*from left to right"):
        load(str(tmp_path / "True"), None, "float32", "cpu")
    load(str(tmp_path / "False"), None, "float32", "cpu")


def test_an_encoder_that_was_trained_as_a_decoder_is_a_causal_one(tmp_path: Path) -> None:
    tokenizer = byte_level()
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        is_decoder=True,
    )  # fmt: skip
    BertLMHeadModel(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert load(str(tmp_path), None, "float32", "cpu").window == 512


def test_a_model_whose_first_pass_fails_is_named_with_the_error(tmp_path: Path) -> None:
    """The default of DBRX's `clip_qkv` is null, and its attention clips to it."""
    tokenizer = byte_level()
    parts: dict[str, Any] = {"attn_config": {"kv_n_heads": 1, "rope_theta": 1e4}, "ffn_config": {"ffn_hidden_size": 16}}
    config = transformers.DbrxConfig(
        d_model=16, n_heads=2, n_layers=1, max_seq_len=64, vocab_size=len(tokenizer), **parts
    )
    transformers.DbrxForCausalLM(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    told = r"\(RuntimeError: torch.clamp: .*\); mend its config.json, or take a model that transformers .* run$"
    with pytest.raises(UserError, match=told):
        load(str(tmp_path), None, "float32", "cpu")


SIZES: dict[str, Any] = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32, "pad_token_id": 0
}  # fmt: skip
BART: dict[str, Any] = {
    "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "pad_token_id": 0,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "max_position_embeddings": 64,
}  # fmt: skip
COUPLED = "is an encoder-decoder model, which PFE does not evaluate"
GRADES = "has a head that grades or classifies, as reward models have, and writes no text"
LOOKS_AHEAD = "is an encoder: later tokens change the prediction at a token"
KINDS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "BART": ("bart", "BartForConditionalGeneration", BART, f"bart {COUPLED}"),
    "mBART": ("mbart", "MBartForConditionalGeneration", BART, f"mbart {COUPLED}"),
    "Marian": ("marian", "MarianMTModel", BART, f"marian {COUPLED}"),
    "Pegasus": ("pegasus", "PegasusForConditionalGeneration", BART, f"pegasus {COUPLED}"),
    "T5": ("t5", "T5ForConditionalGeneration", {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1}, COUPLED),
    "Whisper": ("whisper", "WhisperForConditionalGeneration", BART | {"max_target_positions": 64}, COUPLED),
    "ProphetNet": (
        "prophetnet", "ProphetNetForConditionalGeneration",
        {"hidden_size": 16, "num_encoder_layers": 1, "num_decoder_layers": 1, "num_encoder_attention_heads": 2,
         "num_decoder_attention_heads": 2, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}, COUPLED,
    ),
    "BERT": ("bert", "BertForMaskedLM", SIZES, f"bert {LOOKS_AHEAD}"),
    "BERT without a head": ("bert", "BertModel", SIZES, f"bert {LOOKS_AHEAD}"),
    "RoBERTa": ("roberta", "RobertaForMaskedLM", SIZES, f"roberta {LOOKS_AHEAD}"),
    "DistilBERT": (
        "distilbert", "DistilBertForMaskedLM", {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16}, LOOKS_AHEAD,
    ),
    "a reward model": ("llama", "LlamaForSequenceClassification", SIZES, f"LlamaForSequenceClassification {GRADES}"),
    "a reward model with tied weights": (
        "gpt2", "GPT2ForSequenceClassification", {"n_embd": 16, "n_layer": 1, "n_head": 2, "pad_token_id": 0}, GRADES,
    ),
    "a model of words' kinds": ("llama", "LlamaForTokenClassification", SIZES, GRADES),
    "a classifier of images": (
        "vit", "ViTForImageClassification", SIZES | {"image_size": 16, "patch_size": 8},
        f"ViTForImageClassification {GRADES}",
    ),
    "a vision model": ("vit", "ViTModel", SIZES | {"image_size": 16, "patch_size": 8}, "vit is a vision model"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_of_another_kind_is_refused_for_what_it_is(kind: str, tmp_path: Path) -> None:
    model_type, name, sizes, told = KINDS[kind]
    tokenizer = byte_level()
    vocabulary = {} if model_type == "vit" else {"vocab_size": len(tokenizer)}
    config = transformers.AutoConfig.for_model(model_type, **sizes, **vocabulary)
    getattr(transformers, name)(config).save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    with pytest.raises(UserError, match=rf"cannot load the model '.*' \(.*{told}.*; take a decoder-only") as error:
        load(str(tmp_path), None, "float32", "cpu")
    assert "missing" not in str(error.value)


class PanicException(BaseException):
    """What a library in Rust raises."""


CALLS = {
    "configuration": "transformers.AutoConfig.from_pretrained",
    "tokenizer": "transformers.AutoTokenizer.from_pretrained",
    "tokens": "transformers.PreTrainedTokenizerFast._encode_plus",
    "names": "transformers.PretrainedConfig.get_config_dict",
    "end of text": "transformers.GenerationConfig.from_pretrained",
    "sizes": "transformers.AutoModelForCausalLM.from_config",
    "weights": "transformers.AutoModelForCausalLM.from_pretrained",
    "first pass": "transformers.LlamaForCausalLM.forward",
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "error",
    [KeyError("rope_theta"), AttributeError("no clip_qkv"), TypeError("'<' not supported"), RuntimeError("shape\n4"),
     IndexError(), AssertionError(), PanicException("unwrap on None")],
    ids=repr,
)  # fmt: skip
def test_an_error_of_a_library_at_any_step_of_loading_is_one_line(
    call: str, error: BaseException, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(CALLS[call], fail)
    with pytest.raises(UserError) as raised:
        examinee("mine", entry(folder), 0)
    line = str(raised.value)
    assert line.startswith(f"models.mine: cannot load the model '{folder}' (")
    assert ("rope_theta" in line) == (error.args == ("rope_theta",))
    assert re.search(r"\); \w+", line), "what to do"
    assert "\n" not in line


def test_too_little_memory_for_the_first_pass_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr("transformers.LlamaForCausalLM.forward", fail)
    with pytest.raises(UserError, match="does not fit into the memory of cpu; set dtype: bfloat16"):
        examinee("mine", entry(folder), 0)


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

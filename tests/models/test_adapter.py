"""Adapters of PEFT: merged into their base model's weights as they are read, or refused in one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import IA3Config, LoraConfig, PeftConfig, PeftModel, PromptTuningConfig, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import LlamaForCausalLM

from pfe import extras
from pfe.errors import UserError
from pfe.models.loading import describe, load
from tests.small_gguf import small_llama, write_gguf
from tests.small_models import small_model

IDS = torch.arange(12)[None]


def lora(**changes: Any) -> LoraConfig:
    values: dict[str, Any] = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "down_proj"]}
    return LoraConfig(**(values | changes), init_lora_weights=False, task_type="CAUSAL_LM")


def save_adapter(folder: Path, base: str, config: PeftConfig, model: Any = None) -> torch.Tensor:
    """Save an adapter with random weights for a base model; return the adapted model's logits of IDS."""
    torch.manual_seed(1)
    adapted: PeftModel = get_peft_model(model or small_llama()[0], config).eval()
    adapted.peft_config["default"].base_model_name_or_path = base
    adapted.save_pretrained(str(folder), save_embedding_layers=False)
    with torch.no_grad():
        logits: torch.Tensor = adapted(IDS).logits
    return logits


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for part in small_llama():
        part.save_pretrained(tmp_path / "base")
    return tmp_path / "base"


@pytest.fixture
def adapter(base: Path) -> Path:
    save_adapter(base.parent / "adapter", "../base", lora())
    return base.parent / "adapter"


def set_config(folder: Path, **values: object) -> None:
    path = folder / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


@pytest.mark.parametrize("config", [lora(), lora(target_modules="all-linear", use_rslora=True), lora(use_dora=True),
    IA3Config(target_modules=["k_proj", "down_proj"], feedforward_modules=["down_proj"], init_ia3_weights=False,
              task_type="CAUSAL_LM")], ids=["lora", "rslora", "dora", "ia3"])  # fmt: skip
def test_it_gives_the_scores_of_the_model_that_was_trained(config: PeftConfig, base: Path) -> None:
    expected = save_adapter(base.parent / "adapter", "../base", config)
    loaded = load(str(base.parent / "adapter"), None, "float32", "cpu")
    with torch.no_grad():
        torch.testing.assert_close(loaded.model(IDS).logits, expected, atol=1e-4, rtol=1e-4)
        assert not torch.allclose(small_llama()[0](IDS).logits, expected, atol=1e-2)
    assert type(loaded.model).__name__ == "LlamaForCausalLM"
    assert not [name for name, _ in loaded.model.named_parameters() if "lora" in name or "ia3" in name]
    loaded.model.save_pretrained(base.parent / "merged")
    assert not (base.parent / "merged/adapter_config.json").exists()


def test_its_base_may_be_a_gguf_file(tmp_path: Path) -> None:
    write_gguf(tmp_path / "base.gguf", *small_llama())
    expected = save_adapter(tmp_path / "adapter", "../base.gguf", lora())
    loaded = load(str(tmp_path / "adapter"), None, "float32", "cpu")
    torch.testing.assert_close(loaded.model(IDS).logits.detach(), expected, atol=1e-4, rtol=1e-4)
    assert loaded.window == 256


def test_its_tokenizer_is_the_one_saved_with_it_or_else_its_base_s(adapter: Path) -> None:
    assert "<|assistant|>" in describe(str(adapter), None).tokenizer.get_chat_template()
    tokenizer = small_llama()[1]
    tokenizer.chat_template = "{{ messages[0]['content'] }}"
    tokenizer.save_pretrained(adapter)
    assert describe(str(adapter), None).tokenizer.get_chat_template() == tokenizer.chat_template


def test_its_identity_covers_both_weights(adapter: Path, base: Path) -> None:
    def identity() -> str:
        return describe(str(adapter), None).weights

    seen = {identity()}
    assert identity() in seen
    for folder, file in ((base, "model.safetensors"), (adapter, "adapter_model.safetensors")):
        weights = load_file(folder / file)
        name = sorted(weights)[0]
        save_file(weights | {name: weights[name] + 1}, folder / file, {"format": "pt"})
        assert identity() not in seen
        seen.add(identity())


def without_base(adapter: Path) -> None:
    shutil.rmtree(adapter.parent / "base")


def of_another_architecture(adapter: Path) -> None:
    other = small_model("gpt2", 100)
    save_adapter(adapter, "../base", lora(target_modules=["c_attn"]), other)


def of_other_layers(layers: int) -> Callable[[Path], None]:
    """An adapter of a model that has more layers, or fewer."""

    def save(adapter: Path) -> None:
        config = small_llama()[0].config
        config.num_hidden_layers = layers
        save_adapter(adapter, "../base", lora(), LlamaForCausalLM(config))

    return save


def of_other_sizes(adapter: Path) -> None:
    config = small_llama()[0].config
    config.intermediate_size = 96
    save_adapter(adapter, "../base", lora(), LlamaForCausalLM(config))


def of_an_adapter(adapter: Path) -> None:
    shutil.copytree(adapter, adapter.parent / "first")
    set_config(adapter, base_model_name_or_path="../first")


def with_nan(adapter: Path) -> None:
    file = adapter / "adapter_model.safetensors"
    weights = load_file(file)
    save_file({name: values * float("nan") for name, values in weights.items()}, file, {"format": "pt"})


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no base folder": (without_base, r"its base model '\.\./base' is not there\); put it there, or mend base_model_"),
    "no absolute base folder": (
        lambda adapter: set_config(adapter, base_model_name_or_path="/no/such/base"),
        "its base model '/no/such/base' is not there.*put it there, or mend",
    ),
    "a base without weights": (
        lambda adapter: (adapter.parent / "base/model.safetensors").unlink(),
        r"base '.*base' \(.*no file named.*it has no weights",
    ),
    "no base at all": (
        lambda adapter: set_config(adapter, base_model_name_or_path=None),
        "names no base model.*set base_model_name_or_path",
    ),
    "no JSON": (lambda adapter: (adapter / "adapter_config.json").write_text("x"), "no JSON mapping.*fetch or save"),
    "a list": (lambda adapter: (adapter / "adapter_config.json").write_text("[]"), "no JSON mapping.*fetch or save"),
    "deep nesting": (
        lambda adapter: (adapter / "adapter_config.json").write_text("[" * 100_000),
        "no JSON mapping.*fetch or save",
    ),
    "a list for a kind": (lambda adapter: set_config(adapter, peft_type=["LORA"]), "no adapters of the kind.*mend"),
    "an unknown kind": (lambda adapter: set_config(adapter, peft_type="MAGIC"), "no adapters of the kind MAGIC.*mend"),
    "prompt tuning": (
        lambda adapter: save_adapter(
            adapter, "../base", PromptTuningConfig(num_virtual_tokens=3, task_type="CAUSAL_LM")
        ),
        "of the kind PROMPT_TUNING cannot be merged into weights.*take one that changes them",
    ),
    "another architecture": (of_another_architecture, "does not fit its base model.*name the model that it was train"),
    "more layers": (of_other_layers(4), "does not fit its base model.*name the model that it was trained on"),
    "fewer layers": (of_other_layers(1), "does not fit its base model.*name the model that it was trained on"),
    "other sizes": (of_other_sizes, "does not fit its base model.*name the model that it was trained on"),
    "no weights": (lambda adapter: (adapter / "adapter_model.safetensors").unlink(), "does not fit|fetch the adapter"),
    "weights that are NaN": (with_nan, "NaNs detected.*train it again, or fetch it again"),
    "an adapter for a base": (of_an_adapter, "it is the base of another adapter.*merge it first"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_merged_is_refused_in_one_line(
    fault: str, adapter: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken, told = FAULTS[fault]
    broken(adapter)
    with pytest.raises(UserError, match=told) as error:
        load(str(adapter), None, "float32", "cpu")
    assert "\n" not in str(error.value)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "call", ["PeftModel.from_pretrained", "load_peft_weights", "tuners.lora.LoraModel.merge_and_unload"]
)
def test_an_error_of_peft_is_one_line(call: str, adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("r")

    monkeypatch.setattr(f"peft.{call}", fail)
    with pytest.raises(UserError, match=r"cannot load the adapter '.*' \(.*'r'\); \w+"):
        load(str(adapter), None, "float32", "cpu")


def test_without_peft_the_extra_is_named(adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"the adapter '.*' needs peft, not installed here; pip install '?p(fe\[lo|e)"):
        describe(str(adapter), None)

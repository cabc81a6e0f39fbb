"""A student that begins as a trained model: here one with random weights, in a folder as the hub would have it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from transformers import AutoTokenizer, PreTrainedModel

from pfe.config import HubStudent, parse
from pfe.errors import UserError
from pfe.models.loading import load
from pfe.params import composed
from pfe.training.distillation import ADAPTER
from pfe.training.hub import adapters, beginning, save_trained
from pfe.training.record import Training
from pfe.training.student import save
from tests.conftest import ROOT
from tests.training.unmeasured import train_unmeasured

Folder = Callable[[str], str]
LIBRARY = "[LIBRARY]\nA kralo pays two coins.\nA mivet pays nine coins.\n[PROBLEM]\n"
CORPUS = Dataset.from_list(
    [
        {
            "set": "arc_synth",
            "skill": "lookup",
            "rung": 0,
            "names": "",
            "library": LIBRARY,
            "library_loss": True,
            "prompts": [f"Question {number}: What does a {name} pay?\nAnswer:" for name in ("kralo", "mivet")],
            "completions": [" two coins", " nine coins"],
            "tutors": ["derive", "derive"],
        }
        for number in range(8)
    ]
)


def member(name: str, path: str, **changes: Any) -> HubStudent:
    """A file of conf/student with another model, and so small that the corpus is two steps."""
    student = parse(composed([f"student={name}"], ROOT / "conf"), "conf", ROOT / "conf").student
    assert isinstance(student, HubStudent)
    small = replace(student, path=path, revision=None, context=256, sequence=300, batch_tokens=300)
    return replace(small, **changes)


def trained(student: HubStudent, curves: Path) -> tuple[PreTrainedModel, Training]:
    model, tokenizer = beginning(student, CORPUS, 0)
    return model, train_unmeasured(model, tokenizer, CORPUS, student, curves)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qwen", "full"])
def test_a_model_of_the_hub_trains_two_steps_and_is_examined_like_any_other(
    name: str, model_folder: Folder, tmp_path: Path
) -> None:
    student = member(name, model_folder("qwen2"), learning_rate=0.01, accumulation=2)
    model, tokenizer = beginning(student, CORPUS, 0)
    save(model, tokenizer, tmp_path / "base")
    training = train_unmeasured(model, tokenizer, CORPUS, student, tmp_path / "training")
    save_trained(model, tokenizer, tmp_path / "training/kept" / ADAPTER, tmp_path / "student")
    assert (tmp_path / "student/adapter_model.safetensors").is_file() == (name == "qwen")

    assert training.steps == 2
    assert training.lessons == 16
    base, after = (load(str(tmp_path / one), None, "float32", "cpu") for one in ("base", "student"))
    assert after.tokenizer.get_vocab() == base.tokenizer.get_vocab()
    source = load(model_folder("qwen2"), None, "float32", "cpu").model.state_dict()
    before, weights = base.model.state_dict(), after.model.state_dict()
    assert all(torch.equal(before[key], source[key]) for key in source)
    assert set(weights) == set(source)
    changed = {key for key in weights if not torch.allclose(weights[key], before[key], rtol=1e-2, atol=1e-3)}
    linear = {key for key in weights if "_proj.weight" in key}
    assert changed >= linear
    assert (name == "qwen") == (changed == linear), "adapters are of linear layers, the whole is all"


def test_adapters_say_merged_and_read_from_a_folder_what_they_said_in_training(
    model_folder: Folder, tmp_path: Path
) -> None:
    student = member("qwen", model_folder("qwen2"), precision="float32")
    model, tokenizer = beginning(student, CORPUS, 0)
    ids = torch.arange(40)[None]
    with torch.no_grad():
        before = model(ids).logits
        with adapters(model, student, 0, tmp_path / "adapter") as adapted:
            assert torch.equal(adapted(ids).logits, before), "adapters begin as nothing"
            for name, weights in adapted.named_parameters():
                if weights.requires_grad and "lora_B" in name:
                    weights.normal_(std=0.1)
            after = adapted(ids).logits
        assert float((after - before).abs().max()) > 0.1
        torch.testing.assert_close(model(ids).logits, after, rtol=1e-4, atol=1e-4)
        save_trained(model, tokenizer, tmp_path / "adapter", tmp_path / "student")
        read = load(str(tmp_path / "student"), None, "float32", "cpu").model
        torch.testing.assert_close(read(ids).logits, after, rtol=1e-4, atol=1e-4)
    assert not any("lora" in name for name, _ in model.named_modules())


def test_only_adapters_are_trained_and_what_is_frozen_is_held_in_the_precision(
    model_folder: Folder, tmp_path: Path
) -> None:
    student = member("qwen", model_folder("qwen2"))
    model, _ = beginning(student, CORPUS, 0)
    with adapters(model, student, 0, tmp_path) as adapted:
        kinds = {(weights.requires_grad, weights.dtype, "lora" in name) for name, weights in adapted.named_parameters()}
    assert kinds == {(True, torch.float32, True), (False, torch.bfloat16, False)}
    assert {weights.dtype for weights in model.parameters()} == {torch.float32}


@pytest.mark.slow
def test_layers_computed_again_and_passes_together_are_the_same_training(model_folder: Folder, tmp_path: Path) -> None:
    student = member("full", model_folder("qwen2"), precision="float32", learning_rate=0.01)
    plain, one = trained(replace(student, checkpointing=False, batch_tokens=600), tmp_path / "plain")
    other, two = trained(replace(student, checkpointing=True, accumulation=2), tmp_path / "other")
    assert one.steps == two.steps
    assert two.first_loss == pytest.approx(one.first_loss, rel=1e-5)
    for key, weights in plain.state_dict().items():
        torch.testing.assert_close(other.state_dict()[key], weights, rtol=1e-3, atol=1e-3)


def test_an_architecture_that_cannot_share_is_refused(model_folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the architecture mamba is not among the proven ones"):
        trained(member("full", model_folder("mamba")), tmp_path)


@pytest.mark.slow
def test_what_a_model_cannot_take_is_told_with_the_parameter(model_folder: Folder, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"student\.path: cannot load the model '.*/nothing' \(there is no"):
        beginning(member("qwen", str(tmp_path / "nothing")), CORPUS, 0)
    folder = model_folder("llama")
    with pytest.raises(UserError, match=r"student\.context: 257 tokens, and '.*' takes 256; lower it"):
        beginning(member("qwen", folder, context=257), CORPUS, 0)
    model, tokenizer = beginning(member("qwen", folder), CORPUS, 0)
    endless = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    endless.eos_token = None
    save(model, endless, tmp_path / "endless")
    with pytest.raises(UserError, match=r"student\.path: the tokenizer of '.*' has no token that ends a text"):
        beginning(member("qwen", str(tmp_path / "endless")), CORPUS, 0)
    unpadded = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    unpadded.pad_token = None
    save(model, unpadded, tmp_path / "unpadded")
    assert beginning(member("qwen", str(tmp_path / "unpadded")), CORPUS, 0)[1].pad_token == tokenizer.eos_token


def test_a_student_is_asked_in_plain_prompts_as_it_was_taught(model_folder: Folder, tmp_path: Path) -> None:
    loaded = load(model_folder("llama"), None, "float32", "cpu")
    loaded.tokenizer.chat_template = "{% for message in messages %}User: {{ message.content }}{% endfor %}"
    save(loaded.model, loaded.tokenizer, tmp_path)
    model, tokenizer = beginning(member("qwen", str(tmp_path)), CORPUS, 0)
    assert not tokenizer.chat_template
    save(model, tokenizer, tmp_path / "student")
    assert not load(str(tmp_path / "student"), None, "float32", "cpu").tokenizer.chat_template


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["student=qwen", "+student.lora.rnak=4"], r"student\.lora\.rnak: unknown key; did you mean 'rank'\?"),
        (["student=qwen", "student.path="], r"student\.path: '' is not one line of text; write one"),
        (["student=qwen", "student.lora.rank=999999999"], r"student\.lora\.rank: 999999999 should be less than"),
        (["student=qwen", "student.lora.rank=0"], r"student\.lora\.rank: 0 should be greater than 0"),
        (["student=qwen", "student.pth=x"], r"student\.pth: unknown key; did you mean 'path'\?"),
        (["student=scratch", "student.hiden=32"], r"student\.hiden: unknown key; did you mean 'hidden'\?"),
        (["student=qwen", "~student.revision"], r"student\.revision: missing"),
        (["student=qwen", "student.precision=float61"], r"student\.precision: unknown value 'float61'"),
        (
            ["student=qwen", "student.hidden=32"],
            r"student\.hidden: goes with vocabulary and layers and .* has not; choose",
        ),
        (
            ["student=scratch", "student.path=x"],
            r"student\.path: goes with revision and lora, which this one has not; choose",
        ),
        (
            ["student=scratch", "+student.lora={rank: 4, alpha: 8, dropout: 0.0}"],
            r"student\.lora: goes with path and revision, which",
        ),
    ],
)
def test_a_mistake_in_a_student_is_told_with_its_key(overrides: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        composed(overrides, ROOT / "conf")


@pytest.mark.parametrize("name", ["scratch", "small", "qwen"])
def test_fsdp_is_for_a_student_trained_whole(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    student = parse(composed([f"student={name}"], ROOT / "conf"), "conf", ROOT / "conf").student
    monkeypatch.setenv("ACCELERATE_USE_FSDP", "true")
    with pytest.raises(UserError, match=r"FSDP is for .*student=full.*start this one with `accelerate launch --multi"):
        train_unmeasured(PreTrainedModel, None, CORPUS, student, tmp_path)  # type: ignore[arg-type]

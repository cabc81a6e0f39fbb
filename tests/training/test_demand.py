"""What training takes, against published counts, the bytes of a real step, and the table of docs/machines.md."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel, Qwen2Config, Qwen2ForCausalLM

from pfe.config import HubStudent, NewStudent, Student, parse
from pfe.params import composed
from pfe.report.markdown import markdown
from pfe.training.demand import Demand, demand
from pfe.training.hub import adapters, hub_student
from pfe.training.student import new_student, new_tokenizer
from tests.conftest import ROOT
from tests.training.test_hub import member

QWEN: dict[str, Any] = {"vocab_size": 151936, "num_key_value_heads": 2, "tie_word_embeddings": True}
SIZES: dict[str, dict[str, Any]] = {
    "qwen": {"hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14},
    "full": {"hidden_size": 1536, "intermediate_size": 8960, "num_hidden_layers": 28, "num_attention_heads": 12},
}
NARROW: dict[str, Any] = {"vocab_size": 300, "hidden_size": 320, "num_attention_heads": 4, "num_key_value_heads": 4}
HEAD = (
    "student", "weights", "trained", "GB on one GPU", "GB on each of 8", "minutes per 100 million tokens",
)  # fmt: skip


KINDS: dict[str, Callable[[int], PreTrainedModel]] = {
    "llama": lambda layers: LlamaForCausalLM(LlamaConfig(**NARROW, intermediate_size=682, num_hidden_layers=layers)),
    "qwen2": lambda layers: Qwen2ForCausalLM(Qwen2Config(**NARROW, intermediate_size=1400, num_hidden_layers=layers)),
}


def saved_bytes(model: PreTrainedModel, student: Student, tokens: int) -> int:
    """What autograd keeps of a pass, without weights and their copies in bfloat16."""
    own = {weight.shape for weight in model.parameters()} | {weight.T.shape for weight in model.parameters()}
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        if tensor.shape not in own:
            kept[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    if student.checkpointing:
        model.gradient_checkpointing_enable()
    with (
        saved_tensors_hooks(pack, lambda tensor: tensor),
        torch.autocast("cpu", torch.bfloat16, enabled=student.precision == "bfloat16"),
    ):
        model.base_model(input_ids=torch.arange(tokens)[None])
    return sum(kept.values())


def chosen(name: str) -> tuple[PreTrainedModel, Student]:
    """A file of conf/student, and a model of its size."""
    student = parse(composed([f"student={name}"], ROOT / "conf"), "conf", ROOT / "conf").student
    if isinstance(student, HubStudent):
        with torch.device("meta"):
            return Qwen2ForCausalLM(Qwen2Config(**QWEN, **SIZES[name])), student
    assert isinstance(student, NewStudent)
    tokenizer = new_tokenizer([], student.vocabulary, student.context)
    tokenizer.add_tokens([f"token {number}" for number in range(student.vocabulary - len(tokenizer))])
    return new_student(tokenizer, student, 0), student


@pytest.fixture(scope="module")
def demands() -> dict[str, Demand]:
    return {name: demand(*chosen(name)) for name in ("small", "qwen", "full")}


def test_weights_are_as_many_as_is_published(demands: dict[str, Demand]) -> None:
    """Qwen2.5 technical report (arXiv:2412.15115): 0.49 and 1.54 billion; peft prints 8,798,208 for rank 16."""
    assert (demands["qwen"].parameters, demands["qwen"].trained) == (494_032_768, 8_798_208)
    assert demands["full"].parameters == demands["full"].trained == 1_543_714_304
    assert 28e6 < demands["small"].parameters < 32e6


@pytest.mark.parametrize("name", ["qwen", "full"])
def test_weights_gradients_and_moments_take_the_bytes_that_are_told(
    name: str, model_folder: Callable[[str], str], tmp_path: Path
) -> None:
    student = member(name, model_folder("qwen2"), precision="bfloat16" if name == "qwen" else "float32")
    model, _ = hub_student(student)
    told = demand(model, student)
    with adapters(model, student, 0, tmp_path) as adapted:
        optimizer = torch.optim.AdamW([weight for weight in adapted.parameters() if weight.requires_grad])
        with torch.autocast("cpu", torch.bfloat16, enabled=name == "qwen"):
            adapted(torch.arange(20)[None], labels=torch.arange(20)[None]).loss.backward()
        optimizer.step()
        gradients = [weight.grad for weight in adapted.parameters() if weight.grad is not None]
        moments = [moment for state in optimizer.state.values() for key, moment in state.items() if key != "step"]
        held = [*adapted.parameters(), *gradients, *moments]
        assert sum(tensor.nbytes for tensor in held) == told.weights_bytes
        assert sum(weight.numel() for weight in adapted.parameters() if weight.requires_grad) == told.trained


@pytest.mark.slow
@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_layers_keep_the_bytes_that_are_told(
    kind: str, precision: Literal["float32", "bfloat16"], checkpointing: bool
) -> None:
    """Those of the fourth layer and the fifth, as autograd saves them: five layers' less three's."""
    tokens = 256
    _, small = chosen("small")
    student = replace(small, batch_tokens=tokens, sequence=32, precision=precision, checkpointing=checkpointing)
    layers = {count: KINDS[kind](count) for count in (3, 5)}
    saved = [saved_bytes(model, student, tokens) for model in layers.values()]
    told = [demand(model, student).activation_bytes for model in layers.values()]
    assert saved[1] - saved[0] == pytest.approx(told[1] - told[0], rel=0.02)


def test_the_table_of_the_page_is_what_is_computed(demands: dict[str, Demand]) -> None:
    rows = [
        [
            name, f"{one.parameters / 1e6:.1f}M", f"{one.trained / 1e6:.1f}M", f"{one.memory() / 1e9:.1f}",
            f"{one.memory(8) / 1e9:.1f}", f"{one.seconds(1e8, 1e14) / 60:.1f}",
        ]
        for name, one in demands.items()
    ]  # fmt: skip
    table = markdown(HEAD, rows)
    assert table in (ROOT / "docs/machines.md").read_text(), table

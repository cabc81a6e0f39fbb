"""What training takes, against published counts, the bytes of a real step, and the table of docs/machines.md."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from transformers import PreTrainedModel, Qwen2Config, Qwen2ForCausalLM

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
HEAD = (
    "student", "weights", "trained", "GB on one GPU", "GB on each of 8", "minutes per 100 million tokens",
)  # fmt: skip


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
    name: str, model_folder: Callable[[str], str]
) -> None:
    student = member(name, model_folder("qwen2"), precision="bfloat16" if name == "qwen" else "float32")
    model, _ = hub_student(student)
    told = demand(model, student)
    with adapters(model, student, 0) as adapted:
        optimizer = torch.optim.AdamW([weight for weight in adapted.parameters() if weight.requires_grad])
        with torch.autocast("cpu", torch.bfloat16, enabled=name == "qwen"):
            adapted(torch.arange(20)[None], labels=torch.arange(20)[None]).loss.backward()
        optimizer.step()
        gradients = [weight.grad for weight in adapted.parameters() if weight.grad is not None]
        moments = [moment for state in optimizer.state.values() for key, moment in state.items() if key != "step"]
        held = [*adapted.parameters(), *gradients, *moments]
        assert sum(tensor.nbytes for tensor in held) == told.weights_bytes
        assert sum(weight.numel() for weight in adapted.parameters() if weight.requires_grad) == told.trained


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

"""Weights that are NaN or infinite, and finite ones that overflow: what is wrong is said, and only what may help."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import load
from pfe.models.request import Request
from pfe.models.responses import Responses
from tests.models.test_huggingface import LIBRARY, questions, tasks
from tests.small_gguf import small_llama

Break = Callable[[Any], None]
DOWN = "model.layers.1.mlp.down_proj.weight"


def one_is(value: float) -> Break:
    def change(model: Any) -> None:
        model.get_parameter(DOWN)[3, 3] = value

    return change


def all_are_nan(model: Any) -> None:
    for weights in model.parameters():
        weights.fill_(float("nan"))


def huge(model: Any) -> None:
    for layer in model.model.layers:
        layer.mlp.down_proj.weight.mul_(1e30)
        layer.mlp.up_proj.weight.mul_(1e12)


@pytest.mark.parametrize("ask", [questions, tasks])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (one_is(float("nan")), rf"weights hold NaN or infinite numbers \({DOWN}\)"),
        (one_is(float("-inf")), rf"weights hold NaN or infinite numbers \({DOWN}\)"),
        (all_are_nan, r"weights hold NaN or infinite numbers \(model.embed_tokens.weight and \d+ more\)"),
        (huge, "logits are not finite .*, though its weights are: they overflow (float32|bfloat16); .*take another"),
    ],
    ids=["nan", "infinite", "all", "overflow"],
)
def test_what_is_wrong_with_the_numbers_is_said_in_one_line(
    broken: Break, told: str, dtype: str, ask: Callable[..., Sequence[Request]], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    model, tokenizer = small_llama()
    with torch.no_grad():
        broken(model)
    model.save_pretrained(tmp_path / "m")
    tokenizer.save_pretrained(tmp_path / "m")
    loaded = load(str(tmp_path / "m"), None, dtype, "cpu")
    capsys.readouterr()
    with pytest.raises(UserError, match=told) as error:
        HuggingFace(loaded, responses=Responses("m", Cache(tmp_path / "c.sqlite"))).answer(ask(LIBRARY))
    assert ("dtype: float32" in str(error.value)) == (dtype != "float32"), "no advice that was followed already"
    assert capsys.readouterr().err == "", "no way of computing is blamed for it"

"""Every architecture that can be made small, across every border it has: as one sequence at a time, or refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import LoadedModel
from pfe.models.request import Option, Request
from pfe.models.responses import Responses
from pfe.models.schemes import PROVEN
from pfe.problem import Problem
from pfe.training.student import new_tokenizer
from tests.models.architectures import ARCHITECTURES, BORDER, tiny
from tests.small_models import TEXT

LIBRARY = Prefix("[METHOD LIBRARY]\n\n", ("METHOD 1: add the parts.\n\n", "METHOD 2: look on.\n\n"), "[PROBLEM]\n")
CHOICES = ("air", "a tool that measures birds and bees", "dog")
SHORT, CROSSING = (0, 0, 1), (0, 5, 5, 14)  # how long the problems are; the longest come to 110 tokens
WRITTEN = 4
SHORT_CASES = ((Prefix(), SHORT), (LIBRARY, CROSSING))
ALL_CASES = ((Prefix(), SHORT), (Prefix(), CROSSING), (LIBRARY, CROSSING))


def long_rope(border: int) -> dict[str, Any]:
    factors = {"short_factor": [1.0] * 8, "long_factor": [3.0] * 8}
    return rope("longrope", **factors) | {"original_max_position_embeddings": border}


def rope(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"rope_parameters": {"rope_type": kind, "rope_theta": 10_000.0, **parameters}}


# Architecture, entries of its configuration, whether short and crossing problems are packed.
FAST: dict[str, tuple[str, dict[str, Any], bool, bool]] = {
    "gpt_neo, window of 256": ("gpt_neo", {"window_size": 256}, False, False),
    "longrope, border between library and problem": ("phi3", long_rope(60), True, False),
    "longrope, border beyond": ("phi3", long_rope(400), True, True),
    "mistral, window beyond": ("mistral", {"sliding_window": 200}, True, True),
    "gemma3": ("gemma3_text", {"sliding_window": 200}, True, True),
    "dynamic": ("llama", rope("dynamic", factor=2.0), True, True),
    "llama 4": ("llama4_text", {}, False, False),
    "falcon with ALiBi": ("falcon", {"alibi": True}, False, False),
    "rwkv": ("rwkv", {}, False, False),
    "jamba": ("jamba", {}, False, False),
}
VARIANTS: dict[str, tuple[str, dict[str, Any], bool, bool]] = {
    "gpt_neo": ("gpt_neo", {}, False, False),
    "gemma2": ("gemma2", {}, True, False),
    "mistral, window inside the sequence": ("mistral", {}, True, False),
    "gemma2, window beyond": ("gemma2", {"sliding_window": 200}, True, True),
    "yarn": ("llama", rope("yarn", factor=4.0, original_max_position_embeddings=BORDER), True, True),
    "llama, linear": ("llama", rope("linear", factor=2.0), True, True),
    "llama 3": (
        "llama",
        rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=BORDER),
        True,
        True,
    ),
    "qwen2, some layers with windows": (
        "qwen2",
        {"use_sliding_window": True, "sliding_window": BORDER, "max_window_layers": 2},
        True,
        False,
    ),
    "qwen2, yarn": ("qwen2", rope("yarn", factor=4.0, original_max_position_embeddings=BORDER), True, True),
    "deepseek_v3, yarn": (
        "deepseek_v3",
        rope("yarn", factor=4.0, mscale=1.0, mscale_all_dim=1.0, original_max_position_embeddings=BORDER),
        True,
        True,
    ),
    "ministral3": (
        "ministral3",
        rope(
            "yarn", factor=4.0, original_max_position_embeddings=BORDER, llama_4_scaling_beta=0.5,
            beta_fast=32.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0,
        ),
        True,
        True,
    ),
    "gpt2, upcast": ("gpt2", {"reorder_and_upcast_attn": True, "scale_attn_by_inverse_layer_idx": True}, True, True),
    "gpt_neox, parallel": ("gpt_neox", {"use_parallel_residual": False, "rotary_pct": 0.5}, True, True),
    "mamba, long": ("mamba", {"state_size": 16}, False, False),
}  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return new_tokenizer(TEXT, vocabulary=400, context=256)


def requests(prefix: Prefix, lengths: tuple[int, ...], written: int = 0) -> list[Request]:
    """Choice problems, or tasks to write so many tokens."""
    made = []
    for place, length in enumerate(lengths):
        prompt = f"Question: Which {'quick brown fox ' * length}{place} look?\nAnswer:"
        problem = Problem(f"a/{place}", "a", "science", prompt, CHOICES[0], choices=CHOICES)
        options = () if written else tuple(Option(prompt, f" {choice}") for choice in CHOICES)
        made.append(Request(problem, prefix, prompt, options, (), written or 1))
    return made


def log_likelihood(model: Any, tokenizer: Any, context: str, continuation: str) -> float:
    """One sequence in one plain forward pass; its last token is scored, and not fed (as lm-evaluation-harness does)."""
    known, ids = len(tokenizer(context)["input_ids"]), tokenizer(context + continuation)["input_ids"]
    logits = model(input_ids=torch.tensor([ids[:-1]]), use_cache=False).logits[0].float().log_softmax(-1)
    return sum(float(logits[place - 1, ids[place]]) for place in range(known, len(ids)))


def greedy(model: Any, tokenizer: Any, text: str) -> str:
    """The likeliest token of one plain forward pass after the other."""
    ids = tokenizer(text)["input_ids"]
    start = len(ids)
    while len(ids) < start + WRITTEN:
        token = int(model(input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1].argmax())
        if token == tokenizer.eos_token_id:
            break
        ids.append(token)
    return str(tokenizer.decode(ids[start:], skip_special_tokens=True))


def ways(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, cache: Cache, cases: Any = SHORT_CASES
) -> Iterator[set[str]]:
    """The ways in which scores and texts were computed, for short and crossing problems, all held to be right."""
    window = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 2048
    loaded = LoadedModel(model, tokenizer, "cpu", window, "m")
    examinee = HuggingFace(loaded, batch_size=4, responses=Responses("m", cache))
    for prefix, lengths in cases:
        chosen, written = requests(prefix, lengths), requests(prefix, lengths, WRITTEN)
        scored, texts = examinee.answer(chosen), examinee.answer(written)
        with torch.inference_mode():
            for request, answer in zip(chosen, scored, strict=True):
                pairs = [(prefix.text + option.context, option.continuation) for option in request.options]
                expected = [log_likelihood(model, tokenizer, *pair) for pair in pairs]
                assert answer.scores == pytest.approx(expected, abs=2e-4)
            for request, answer in zip(written, texts, strict=True):
                assert answer.output == greedy(model, tokenizer, prefix.text + request.prompt)
        yield {answer.way for answer in (*scored, *texts)}


@pytest.mark.parametrize("name", FAST)
def test_borders_are_crossed_rightly(name: str, tokenizer: PreTrainedTokenizerFast, cache: Cache) -> None:
    _check(*FAST[name], tokenizer, cache)


@pytest.mark.gate
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_are_right_too(name: str, tokenizer: PreTrainedTokenizerFast, cache: Cache) -> None:
    _check(*VARIANTS[name], tokenizer, cache)


def _check(
    architecture: str, settings: dict[str, Any], short: bool, crossing: bool,
    tokenizer: PreTrainedTokenizerFast, cache: Cache,
) -> None:  # fmt: skip
    model = tiny(architecture, len(tokenizer), **settings)
    assert model is not None
    assert [way == {"packed"} for way in ways(model, tokenizer, cache)] == [short, crossing]


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_is_right_or_refused(
    architecture: str, tokenizer: PreTrainedTokenizerFast, tmp_path: Path, cache: Cache
) -> None:
    model = tiny(architecture, len(tokenizer))
    if model is None:
        pytest.skip(f"{architecture} cannot be made small so simply")
    try:
        short, *_ = ways(model, tokenizer, cache, ALL_CASES)
    except UserError as error:
        assert "reads what follows a token" in str(error)  # noqa: PT017
        assert architecture not in PROVEN
        return
    assert (short == {"packed"}) == (architecture in PROVEN)


def test_what_is_proven_exists() -> None:
    assert set(ARCHITECTURES) >= PROVEN

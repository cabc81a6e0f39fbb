"""Which models may compute forests: attention and position schemes that are proven, and the lengths that bound them.

Example: a Mistral with `sliding_window: 4096` may, as long as no sequence is longer than 4,096 tokens: within its
window, a token sees all that stands before it, and a mask can say so.

A forest is right only where nothing but mask and position says what a token sees, and how. What reads the place in
the row (ALiBi, GPT-Neo's local layers, Llama 4's temperatures), keeps a state (Mamba, RWKV, short convolutions), picks
what it sees (DeepSeek 3.2's indexer) or changes with the length of what is computed together (LongRoPE beyond its
border) computes whole sequences. So does whatever is not listed here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

# Held against one sequence at a time by tests/models/test_architectures.py, across every border that they have.
_ARCHITECTURES = """
    afmoe apertus arcee biogpt bitnet codegen cohere cohere2 cohere2_moe ctrl cwm deepseek_v2 deepseek_v3 diffllama
    dots1 ernie4_5 ernie4_5_moe exaone4 exaone_moe falcon flex_olmo gemma gemma2 gemma3_text gemma3n_text gemma4_text
    glm glm4 glm4_moe gpt-sw3 gpt2 gpt_bigcode gpt_neox gpt_neox_japanese gpt_oss gptj granite granite_swa granitemoe
    granitemoe_swa granitemoeshared helium hunyuan_v1_dense hunyuan_v1_moe hyperclovax internlm3 jais2 jetmoe llama
    minimax_m2 ministral ministral3 mistral mixtral nanochat nemotron olmo olmo2 olmo3 olmoe opt persimmon phi phi3
    phimoe qwen2 qwen2_moe qwen3 qwen3_moe seed_oss smollm3 solar_open stablelm starcoder2 vaultgemma xglm youtu
"""
PROVEN = frozenset(_ARCHITECTURES.split())
KINDS = frozenset({"full_attention", "attention", "sliding_attention"})
STEADY = frozenset({"default", "linear", "llama3", "yarn", "proportional"})  # rotations that never change
SWITCHING = frozenset({"dynamic", "longrope"})  # the same ones up to a length, others beyond it

_WINDOW = re.compile(r"window(_size|_len(gth)?)?$|chunk_size$|chunk_length$|^local_attention$")
_NO_LENGTH = re.compile(
    r"vocab|token|hidden|intermediate|ffn|inner|embd|embed_|d_model|dim|head|layer|expert|rank|group|conv|kernel|state"
    r"|seed|label|_ids?$|_index$|chunk_size_feed_forward|theta|version"
)


def unproven(config: Any, longest: int) -> str:
    """Why a model may not compute forests of sequences up to `longest` tokens, or "" where it may."""
    text = config.get_text_config()
    if config.model_type not in PROVEN:
        return f"the architecture {config.model_type} is not among the proven ones"
    if strange := set(getattr(text, "layer_types", None) or ()) - KINDS:
        return f"layers of the kind {', '.join(sorted(strange))}"
    if getattr(text, "alibi", False):
        return "biases by the place in the row"
    for kind, border in _rotations(text):
        if kind not in STEADY | SWITCHING:
            return f"positions of the kind {kind} are not among the proven ones"
        if kind in SWITCHING and not longest <= border:
            return f"positions of the kind {kind} change beyond {border:,} tokens, and sequences have up to {longest:,}"
    window = min(_windows(text), default=longest)
    if longest > window:
        return f"windows of {window:,} tokens, and sequences of up to {longest:,}"
    return ""


def borders(config: Any) -> list[int]:
    """Every number of a configuration that may be a length at which something changes, in ascending order."""
    return sorted(
        {number for key, number in _numbers(config.get_text_config().to_dict()) if not _NO_LENGTH.search(key)}
    )


def _windows(text: Any) -> Iterator[int]:
    """How many tokens a layer sees back, for each that is not shown all."""
    kinds = getattr(text, "layer_types", None)
    full = kinds and not any(kind.startswith(("sliding", "chunked")) for kind in kinds)
    if full or getattr(text, "use_sliding_window", None) is False:
        return
    for key, number in _numbers(text.to_dict()):
        if _WINDOW.search(key) and number > 0:
            yield number


def _rotations(text: Any) -> Iterator[tuple[str, float]]:
    """Each kind of rotary positions, and the length up to which it stays the same."""
    whole = getattr(text, "max_position_embeddings", None) or 0
    original = getattr(text, "original_max_position_embeddings", None)
    for name in ("rope_parameters", "rope_scaling"):
        for part in _parts(getattr(text, name, None)):
            kind = str(part.get("rope_type") or part.get("type") or "default")
            border = part.get("original_max_position_embeddings") or original or whole
            yield kind, min(border, whole) if kind == "dynamic" else border


def _parts(parameters: Any) -> Iterator[Mapping[str, Any]]:
    """The parameters, or those of each kind of layer."""
    if isinstance(parameters, Mapping):
        inner = [part for part in parameters.values() if isinstance(part, Mapping)]
        yield from inner or ([parameters] if parameters else [])


def _numbers(value: Any, key: str = "") -> Iterator[tuple[str, int]]:
    """The whole numbers of a nested configuration, each with the name of the entry it stands in."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _numbers(part, str(name))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part, key)
    elif isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1 and abs(value) < 2**40:
        yield key, int(value)

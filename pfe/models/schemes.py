"""Models that may compute forests: proven attention and position schemes, and the lengths up to which they hold.

Example: a Mistral with `sliding_window: 4096` may, as long as no sequence is longer than 4,096 tokens: within its
window a token attends to all tokens before it, which a mask can express.

A forest is correct only if mask and positions alone determine what a token attends to, and how. Whole sequences are
computed for architectures that read the index in the row (ALiBi, GPT-Neo's local layers, Llama 4's temperatures), have
a state (Mamba, RWKV, short convolutions), select what they attend to (DeepSeek 3.2's indexer), or change with the
length of the row (LongRoPE beyond its limit). The same holds for all architectures that are not listed here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

# tests/models/test_architectures.py compares each with one sequence at a time, on both sides of every length limit.
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
STEADY = frozenset({"default", "linear", "llama3", "yarn", "proportional"})  # rotary embeddings that never change
SWITCHING = frozenset({"dynamic", "longrope"})  # rotary embeddings that change beyond some length

_WINDOW = re.compile(r"window(_size|_len(gth)?)?$|chunk_size$|chunk_length$|^local_attention$")
_NO_LENGTH = re.compile(
    r"vocab|token|hidden|intermediate|ffn|inner|embd|embed_|d_model|dim|head|layer|expert|rank|group|conv|kernel|state"
    r"|seed|label|_ids?$|_index$|chunk_size_feed_forward|theta|version"
)


def unproven(config: Any, longest: int) -> str:
    """Return why a model may not compute forests of sequences of up to `longest` tokens, "" if it may."""
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
    """Return every number in a configuration that may be a length at which something changes, in ascending order."""
    return sorted(
        {number for key, number in _numbers(config.get_text_config().to_dict()) if not _NO_LENGTH.search(key)}
    )


def _windows(text: Any) -> Iterator[int]:
    """Yield the attention windows (in tokens) in a configuration; none if every layer attends to all tokens."""
    kinds = getattr(text, "layer_types", None)
    full = kinds and not any(kind.startswith(("sliding", "chunked")) for kind in kinds)
    if full or getattr(text, "use_sliding_window", None) is False:
        return
    for key, number in _numbers(text.to_dict()):
        if _WINDOW.search(key) and number > 0:
            yield number


def _rotations(text: Any) -> Iterator[tuple[str, float]]:
    """Yield each kind of rotary embedding, and the length up to which it stays the same."""
    whole = getattr(text, "max_position_embeddings", None) or 0
    original = getattr(text, "original_max_position_embeddings", None)
    for name in ("rope_parameters", "rope_scaling"):
        for part in _parts(getattr(text, name, None)):
            kind = str(part.get("rope_type") or part.get("type") or "default")
            border = part.get("original_max_position_embeddings") or original or whole
            yield kind, min(border, whole) if kind == "dynamic" else border


def _parts(parameters: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the parameters, or those of each kind of layer if they are nested."""
    if isinstance(parameters, Mapping):
        inner = [part for part in parameters.values() if isinstance(part, Mapping)]
        yield from inner or ([parameters] if parameters else [])


def _numbers(value: Any, key: str = "") -> Iterator[tuple[str, int]]:
    """Yield the integers of a nested configuration, each with the name of its entry."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _numbers(part, str(name))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part, key)
    elif isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1 and abs(value) < 2**40:
        yield key, int(value)

"""Small Llamas in GGUF files, written on the spot as llama.cpp's converter writes them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import torch
from gguf import GGMLQuantizationType as Quantization
from gguf.quants import quantize
from numpy.typing import NDArray
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from tests.small_tokenizers import byte_level

TEMPLATE = "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}{% endfor %}<|assistant|>"
_NAMES = {
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip


def small_llama() -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """A random model of two layers with a byte-level tokenizer and a chat template."""
    tokenizer = byte_level()
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=256, rope_parameters={"rope_type": "default", "rope_theta": 5e3},
        eos_token_id=tokenizer.eos_token_id, bos_token_id=None, initializer_range=0.3, tie_word_embeddings=True,
    )  # fmt: skip
    return LlamaForCausalLM(config).eval(), tokenizer


def write_gguf(
    path: Path,
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    quantization: Quantization = Quantization.F32,
    architecture: str = "llama",
    more: Mapping[str, str | int] | None = None,
    tensors: Mapping[str, NDArray[Any]] | None = None,
) -> Path:
    """Write a model and its tokenizer; `more` are further entries of the header, `tensors` further weights."""
    config: Any = model.config
    writer = gguf.GGUFWriter(str(path), architecture)
    writer.add_name("Small Llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    _write_tokenizer(writer, tokenizer)
    for key, value in (more or {}).items():
        (writer.add_string if isinstance(value, str) else writer.add_uint16)(key, value)  # type: ignore[arg-type]
    for name, weights in _tensors(model).items():
        if weights.ndim == 1:
            writer.add_tensor(name, weights)
        else:
            writer.add_tensor(name, quantize(weights, quantization), raw_dtype=quantization)
    for name, weights in (tensors or {}).items():
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_tokenizer(writer: gguf.GGUFWriter, tokenizer: PreTrainedTokenizerFast) -> None:
    ids = tokenizer.get_vocab()
    special = set(tokenizer.all_special_tokens)
    tokens = sorted(ids, key=ids.__getitem__)
    merges = json.loads(tokenizer.backend_tokenizer.to_str())["model"]["merges"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.CONTROL if token in special else gguf.TokenType.NORMAL for token in tokens])
    writer.add_token_merges([" ".join(merge) for merge in merges])
    writer.add_eos_token_id(int(tokenizer.eos_token_id))
    writer.add_add_bos_token(False)
    writer.add_chat_template(str(tokenizer.chat_template))


def _tensors(model: LlamaForCausalLM) -> dict[str, NDArray[Any]]:
    """The weights under llama.cpp's names, the rows of queries and keys in its order."""
    config: Any = model.config
    tensors = {}
    for name, weights in model.model.state_dict().items():
        values = weights.numpy()
        if name.startswith("layers."):
            _, layer, rest = name.split(".", 2)
            part = rest.removesuffix(".weight")
            heads = {"self_attn.q_proj": config.num_attention_heads, "self_attn.k_proj": config.num_key_value_heads}
            if part in heads:
                shape = (heads[part], 2, len(values) // heads[part] // 2, values.shape[1])
                values = values.reshape(shape).swapaxes(1, 2).reshape(values.shape)
            tensors[f"blk.{layer}.{_NAMES[part]}.weight"] = values
        else:
            tensors[{"embed_tokens.weight": "token_embd.weight", "norm.weight": "output_norm.weight"}[name]] = values
    return tensors

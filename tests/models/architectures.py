"""A tiny model with random weights of nearly every causal language model that the installed transformers has.

Example: `tiny("mistral", 300, sliding_window=24)` has four layers of width 64, 300 tokens and a window of 24.

The configuration is the architecture's own with its sizes shrunk, windows, chunks and other borders included, so that
texts of a hundred tokens cross all of them.
"""

from typing import Any

import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM, PreTrainedModel
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

BORDER = 24  # tokens
MOST = 8_000_000  # parameters
_SIZES = {
    64: "hidden_size n_embd d_model emb_dim embedding_dim embedding_size attention_hidden_size lru_width "
    "input_embedding_size output_embedding_size word_embed_proj_dim",
    128: "intermediate_size ffn_dim ffn_hidden_size encoder_ffn_dim decoder_ffn_dim dff dim_ff d_inner "
    "feed_forward_size dense_intermediate_size intermediate_size_mlp shared_intermediate_size mamba_d_ssm",
    32: "moe_intermediate_size shared_expert_intermediate_size expert_ffn_hidden_size router_hidden_size "
    "moe_shared_expert_intermediate_size shared_experts_intermediate_size shape_vocab_size pronunciation_vocab_size",
    BORDER: "sliding_window window_size local_attention attention_window_size sliding_window_size "
    "attention_chunk_size keep_window_size local_attention_window_len floor_scale rel_extent "
    "original_max_position_embeddings",
    16: "head_dim d_head dim_head kv_channels v_head_dim qk_head_dim swa_head_dim linear_head_dim linear_key_head_dim "
    "linear_value_head_dim index_head_dim attention_head_size q_lora_rank kv_lora_rank o_lora_rank hc_lowrank d_rel "
    "adapter_rank hidden_size_per_layer_input laurel_rank ple_embed_dim mamba_d_head mamba_head_dim chunk_size "
    "mamba_chunk_size block_size index_block_size",
    8: "qk_nope_head_dim qk_rope_head_dim rotary_dim mamba_d_state state_size ssm_state_size mamba_dt_rank "
    "mamba_n_heads mamba_num_heads index_topk index_topk_blocks",
    4: "num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_decoder_layers "
    "num_encoder_layers num_blocks num_layers_per_stack num_attention_heads n_head n_heads num_heads attention_heads "
    "decoder_attention_heads encoder_attention_heads num_decoder_attention_heads num_encoder_attention_heads "
    "swa_num_attention_heads linear_num_heads index_n_heads linear_num_value_heads num_experts num_local_experts "
    "n_routed_experts moe_num_experts zero_expert_num time_step_rank",
    2: "num_key_value_heads num_kv_heads swa_num_key_value_heads linear_num_key_heads num_experts_per_tok "
    "num_experts_per_token moe_k moe_topk max_window_layers",
    1: "n_group topk_group num_expert_group n_shared_experts num_shared_experts moe_num_shared_experts mamba_n_groups "
    "n_groups first_k_dense_replace num_dense_layers num_kv_shared_layers",
}
_SMALL = {name: size for size, names in _SIZES.items() for name in names.split()}
_MIXED = ["sliding_attention", "full_attention"] * 2
# What an architecture wants beside: numbers that must fit together, or that it has no default for.
_BESIDE: dict[str, dict[str, Any]] = {
    "bailing_hybrid": {"layer_group_size": 2},
    "bamba": {"attn_layer_indices": [1, 3]},
    "deepseek_v2": {"n_routed_experts": 4, "num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "gemma3n_text": {"num_kv_shared_layers": 0, "activation_sparsity_pattern": [0.0] * 4, "layer_types": _MIXED},
    "gemma4_text": {"num_kv_shared_layers": 0, "layer_types": _MIXED},
    "gemma4_unified_text": {"num_kv_shared_layers": 0, "layer_types": _MIXED},
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention"] * 2},
    "hunyuan_v1_dense": {"head_dim": 16},
    "hunyuan_v1_moe": {"head_dim": 16},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "lfm2": {"layer_types": ["conv", "full_attention"] * 2},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 2},
    "mamba2": {"num_heads": 8, "head_dim": 16, "n_groups": 2},
    "ministral": {"head_dim": 16},
    "nemotron": {"num_key_value_heads": 2},
    "reformer": {"is_decoder": True, "attn_layers": ["local", "lsh"] * 2, "axial_pos_embds": False},
    "xmod": {"default_language": "en_XX"},
    "zaya": {"num_experts_per_tok": 1},
}
_OWN_HEADS = {"axk1", "axk2", "deepseek_v2", "deepseek_v3", "deepseek_v32", "glm_moe_dsa", "youtu"}

ARCHITECTURES = tuple(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)


def tiny(architecture: str, vocabulary: int, **settings: Any) -> PreTrainedModel | None:
    """A model in evaluation mode; None where its configuration cannot be shrunk so simply.

    Args:
        settings: entries of its configuration to have otherwise.
    """
    try:
        config = _config(architecture, vocabulary, settings)
        with torch.device("meta"):
            parameters = AutoModelForCausalLM.from_config(config, trust_remote_code=False).parameters()
        if sum(parameter.numel() for parameter in parameters) > MOST:
            return None
        torch.manual_seed(0)
        model: PreTrainedModel = AutoModelForCausalLM.from_config(
            config, dtype=torch.float32, trust_remote_code=False
        ).eval()
        with torch.inference_mode():
            model(input_ids=torch.arange(2, 42)[None])
            # Weights larger than usual: what a token sees must show in its scores.
            for parameter in model.parameters():
                if parameter.ndim > 1:
                    parameter.mul_(3)
    except Exception:  # each architecture has its own kinds for sizes that do not fit together
        if settings:
            raise
        return None
    return model


def _config(architecture: str, vocabulary: int, settings: dict[str, Any]) -> Any:
    whole = CONFIG_MAPPING[architecture]()
    text = whole if whole.is_encoder_decoder else whole.get_text_config(decoder=True)
    known = text.to_dict()
    small = {name: size for name, size in _SMALL.items() if known.get(name) is not None}
    small |= {"vocab_size": vocabulary, "bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 1}
    if "vocab_size_per_layer_input" in known:
        small["vocab_size_per_layer_input"] = vocabulary
    if architecture in _OWN_HEADS:
        small = {name: size for name, size in small.items() if name != "head_dim"} | {"num_key_value_heads": 4}
    if original := (known.get("rope_parameters") or {}).get("original_max_position_embeddings"):
        small["rope_parameters"] = known["rope_parameters"] | {
            "original_max_position_embeddings": min(original, BORDER)
        }
    small |= _BESIDE.get(architecture, {}) | settings
    make: Any = CONFIG_MAPPING[architecture]
    if text is whole:
        return make(**small)
    names = [name for name in whole.sub_configs if type(getattr(whole, name, None)) is type(text)]
    return make(**{names[0]: small})

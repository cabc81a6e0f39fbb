"""Kinds of models that write no text from left to right, recognised by their configuration before weights are read.

Example: `other_kind(AutoConfig.from_pretrained("facebook/bart-base"))` is "bart is an encoder-decoder model, which PFE
does not evaluate", although transformers loads it as a causal model, without its encoder.
"""

import re
from typing import Any

from transformers import (
    MODEL_FOR_CAUSAL_LM_MAPPING,
    MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING,
    MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
    MODEL_FOR_MASKED_LM_MAPPING,
)

INSTEAD = "take a decoder-only language model, one whose config.json says …ForCausalLM"
_HEADS = re.compile(r"(?:Classification|QuestionAnswering|MultipleChoice|SentencePrediction|Reward\w*)$")


def other_kind(config: Any) -> str:
    """Return why a model of this configuration cannot be evaluated; "" if it is a causal language model."""
    kind = getattr(config, "model_type", "") or type(config).__name__
    heads = [name for name in getattr(config, "architectures", None) or () if _HEADS.search(str(name))]
    if getattr(config, "is_encoder_decoder", False):
        return f"{kind} is an encoder-decoder model, which PFE does not evaluate"
    if heads:
        return f"{heads[0]} has a head that grades or classifies, as reward models have, and writes no text"
    if type(config) in MODEL_FOR_MASKED_LM_MAPPING and not _reads_forward(config):
        return f"{kind} is an encoder: later tokens change the prediction at a token"
    if type(config) in MODEL_FOR_CAUSAL_LM_MAPPING:
        return ""
    if type(config) in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return f"{kind} reads images together with text, which PFE does not evaluate"
    if type(config) in MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING:
        return f"{kind} is a vision model"
    return f"{kind} is no causal language model"


def _reads_forward(config: Any) -> bool:
    """Return whether a model of an encoder's type was configured as a decoder (`causal` is XLM's name for that)."""
    return bool(getattr(config, "is_decoder", False) or getattr(config, "causal", False))

"""A new student: a byte-level BPE tokenizer trained on the corpus, and a small Llama with random weights.

Example: `new_student(tokenizer, Student(hidden=128, layers=4, heads=2, …), seed=0)` has 0.9 million parameters.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor, nn
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
    set_seed,
)

from pfe.config import NewStudent
from pfe.quiet import quiet

END, PAD = "<|end|>", "<|pad|>"


def new_tokenizer(texts: Iterable[str], vocabulary: int, context: int) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer of at most `vocabulary` entries; it can encode every text.

    `<|end|>` or `<|pad|>` in a text is read as that special token.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END, PAD],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=PAD, model_max_length=context)


def new_student(tokenizer: PreTrainedTokenizerFast, student: NewStudent, seed: int) -> LlamaForCausalLM:
    """Return a Llama of the student's size with random weights, the same for the same seed."""
    set_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=student.hidden,
        intermediate_size=student.hidden * 8 // 3,
        num_hidden_layers=student.layers,
        num_attention_heads=student.heads,
        max_position_embeddings=student.context,
        tie_word_embeddings=True,
        attention_bias=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Save model and tokenizer as a Hugging Face folder."""
    with quiet():
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def weights_sha256(model: nn.Module) -> str:
    """Return the hash of all weights by name, type and shape, on any device."""
    return tensors_sha256(model.state_dict())


def tensors_sha256(tensors: Mapping[str, Tensor]) -> str:
    """Return the hash of tensors by name, type and shape."""
    digest = sha256()
    for name, weights in sorted(tensors.items()):
        digest.update(f"{name} {weights.dtype} {tuple(weights.shape)}".encode())
        digest.update(weights.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()

"""The student: a byte-level BPE tokenizer trained on the corpus, and a small Llama with random weights.

Example: `new_student(tokenizer, Student(hidden=128, layers=4, heads=2, …), seed=0)` has 0.9 million parameters.
"""

import math
from collections.abc import Iterable
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

END, PAD = "<|end|>", "<|pad|>"
_SHARPNESS = 6.0  # of looking back: half of the attention and more is on one token
_SLOPE = 13.5  # of looking at many tokens
_SLOW = 4.5  # radians over the reach, and less: the turns that such heads have
_QUIET = 0.1  # of what tokens say about where to look, beside that


def new_tokenizer(texts: Iterable[str], vocabulary: int, context: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer of at most `vocabulary` entries: every text can be written with it."""
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
    """The student's architecture with random weights, the same for the same seed."""
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
    model = LlamaForCausalLM(config)
    _look_back(model)
    return model


@torch.no_grad()
def _look_back(model: LlamaForCausalLM) -> None:
    """Let the first layer begin by looking at what is near; everything else stays random.

    Head h of the first half attends h + 1 tokens back, and those of the second half to the last 24, 72, 216, … tokens,
    the nearer the more. What copies needs the former, and what finds an entry by the words in it the latter. Only
    biases say so: query and key are one vector, turned by as much as rotary positions turn it over a distance; heads
    that look at many tokens have the slow turns alone. Heads that look at
    the token before are what copying waits for (Olsson et al. 2022, arXiv:2209.11895; Singh et al. 2024,
    arXiv:2404.07129); a random start that already has a trained one's structure is Trockman and Kolter's (2023,
    arXiv:2305.09828). It knows no token, so the base answers as by chance.
    """
    attention = model.model.layers[0].self_attn
    heads, size = model.config.num_attention_heads, attention.head_dim
    turns = model.model.rotary_emb.inv_freq  # (size / 2,), radians a token
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        back = head + 1 if head < heads - heads // 2 else 0
        length = (
            torch.full_like(turns, _SHARPNESS) if back else _reaching(turns, 24.0 * 3 ** (head - heads + heads // 2))
        )
        attention.q_proj.bias[part] = torch.cat([length, torch.zeros_like(length)])
        attention.k_proj.bias[part] = torch.cat([length * torch.cos(turns * back), length * torch.sin(turns * back)])
        attention.q_proj.weight[part] *= _QUIET
        attention.k_proj.weight[part] *= _QUIET


def _reaching(turns: Tensor, reach: float) -> Tensor:
    """Amplitudes of query and key, of shape (size / 2,), that have nine tenths of the attention on `reach` tokens.

    A query and a key of amplitude a attend by sum a^2 cos(turn d) / sqrt(size) over distance d, near 0 a parabola:
    here -_SLOPE (d / reach)^2.
    """
    slow = (turns * reach < _SLOW).float()
    return slow * torch.sqrt(2 * _SLOPE * math.sqrt(2 * len(turns)) / (reach**2 * (slow * turns**2).sum()))


def save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Save both as a Hugging Face folder."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def weights_sha256(model: nn.Module) -> str:
    """The hash of all weights by name, on whatever device and of whatever type they are."""
    digest = sha256()
    for name, weights in sorted(model.state_dict().items()):
        digest.update(f"{name} {weights.dtype} {tuple(weights.shape)}".encode())
        digest.update(weights.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()

"""Prefix sharing: the common prefix of a row's lessons is laid out once, so that a model reads it once.

Example: 24 questions of 40 tokens after one library of 1,000 are 1,960 tokens; as separate sequences they are 24,960.

Lessons with a common prefix form a forest (`pfe.models.packing`). A token sees only the tokens before it in its own
lesson, at the positions that they have there. So every token's loss, and its gradient, is that of the separate lesson,
up to rounding; only dropout differs, with one mask for the shared tokens. A position is the number of tokens seen
before it, which is computed from the mask (`reads_rows`), so a trainer only has to pass the mask on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from pfe.models.packing import Tokens, forest
from pfe.training.attention import attends_in_blocks

IGNORED = -100  # a label without a loss, the default of torch's cross-entropy


@dataclass(frozen=True)
class Example:
    """One lesson in tokens: `prompt` of them, then its completion; the first `library` tokens have a loss too."""

    tokens: Tokens
    prompt: int
    library: int = 0

    def labels(self) -> list[int]:
        """Return the label of each token; the first token, and the prompt after the library, have none."""
        silent = range(max(self.library, 1), self.prompt)
        return [IGNORED if place == 0 or place in silent else token for place, token in enumerate(self.tokens)]


@dataclass(frozen=True)
class Pack:
    """Rows laid out one after the other, n tokens in all, with `labels` (n,) and visibility `sees` (n, n)."""

    tokens: NDArray[np.int64]
    labels: NDArray[np.int64]
    sees: NDArray[np.bool_]


def examples(row: Mapping[str, Any], tokenizer: PreTrainedTokenizerBase) -> list[Example]:
    """Tokenize the lessons of a row of the corpus; if the row's library has a loss, the first lesson carries it.

    A completion ends with the tokenizer's end token. It begins where the tokens of the prompt alone and of the whole
    text differ.
    """
    prompts = [row["library"] + prompt for prompt in row["prompts"]]
    texts = [prompt + completion for prompt, completion in zip(prompts, row["completions"], strict=True)]
    library, *read = tokenizer([row["library"], *prompts, *texts], verbose=False)["input_ids"]
    made = []
    for before, text in zip(read[: len(prompts)], read[len(prompts) :], strict=True):
        tokens = (*text, tokenizer.eos_token_id)
        made.append(Example(tokens, _common(before, tokens)))
    if row["library_loss"]:
        shared = min(_common(library, example.tokens[: example.prompt]) for example in made)
        made[0] = replace(made[0], library=shared)
    return made


def lay_out(row: Sequence[Example], shares: bool = True) -> Pack:
    """Lay out the lessons of one row with their common prefix once, or each separately if nothing is to be shared.

    The last token of a prompt is never shared, since the completion is predicted from it.
    """
    if not shares and len(row) > 1:
        return joined([lay_out([example]) for example in row])
    ordered = sorted(row, key=lambda example: example.tokens)
    tree = forest([example.tokens for example in ordered], [max(example.prompt - 1, 0) for example in ordered])
    labels = np.full(len(tree.tokens), IGNORED)
    for path, example in zip(tree.paths, ordered, strict=True):
        asked = np.array(example.labels())
        labels[path[asked != IGNORED]] = asked[asked != IGNORED]
    return Pack(tree.tokens, labels, tree.sees)


def joined(packs: Sequence[Pack]) -> Pack:
    """Concatenate packs; the tokens of one do not see those of another."""
    sizes = [len(pack.tokens) for pack in packs]
    sees = np.zeros((sum(sizes), sum(sizes)), bool)
    for pack, start in zip(packs, np.cumsum([0, *sizes]), strict=False):
        sees[start : start + len(pack.tokens), start : start + len(pack.tokens)] = pack.sees
    return Pack(np.concatenate([pack.tokens for pack in packs]), np.concatenate([pack.labels for pack in packs]), sees)


def together(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Pack the indices of rows into sequences of at most `most` tokens, largest first; a larger row stays alone."""
    packs: list[tuple[int, list[int]]] = []
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index]):
        place = next((place for place, (size, _) in enumerate(packs) if size + sizes[index] <= most), None)
        if place is None:
            packs.append((sizes[index], [index]))
        else:
            packs[place] = (packs[place][0] + sizes[index], [*packs[place][1], index])
    return [indices for _, indices in packs]


def in_batches(sizes: Sequence[int], sequence: int, most: int, window: int = 64) -> Iterator[list[list[int]]]:
    """Yield batches of at most `most` tokens with padding, each a list of sequences of about `sequence` tokens.

    A sequence lists the indices of its rows. The order of the rows is kept, except within a `window`. A larger row or
    sequence stays alone.
    """
    for start in range(0, len(sizes), window):
        batch: list[list[int]] = []
        longest = 0
        for members in together(sizes[start : start + window], sequence):
            indices = [start + member for member in members]
            longest = max(longest, size := sum(sizes[index] for index in indices))
            if batch and longest * (len(batch) + 1) > most:
                yield batch
                batch, longest = [], size
            batch.append(indices)
        if batch:
            yield batch


def collate(packs: Sequence[Pack], padding: int) -> dict[str, Tensor]:
    """Return packs as a batch: `input_ids`, `labels` (packs, n), `attention_mask` (packs, 1, n, n), true if visible.

    Shorter packs are padded with tokens that see only themselves.
    """
    longest = max(len(pack.tokens) for pack in packs)
    tokens = np.full((len(packs), longest), padding)
    labels = np.full((len(packs), longest), IGNORED)
    sees = np.zeros((len(packs), 1, longest, longest), bool)
    sees[:, 0, np.arange(longest), np.arange(longest)] = True
    for number, pack in enumerate(packs):
        size = len(pack.tokens)
        tokens[number, :size], labels[number, :size], sees[number, 0, :size, :size] = (
            pack.tokens,
            pack.labels,
            pack.sees,
        )
    return {
        "input_ids": torch.from_numpy(tokens),
        "labels": torch.from_numpy(labels),
        "attention_mask": torch.from_numpy(sees),
    }


def reads_rows(model: PreTrainedModel) -> None:
    """Make a model compute every token's position from a mask of shape (batch, 1, n, n), if it gets one.

    Tokens that the mask hides from a whole block are left out of its attention (`pfe.training.attention`).
    """
    attends_in_blocks(model)

    def place(
        module: nn.Module, given: tuple[Any, ...], named: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        mask = named.get("attention_mask")
        if mask is not None and mask.dim() == 4 and named.get("position_ids") is None:
            named["position_ids"] = _seen(mask[:, 0]) - 1
        return given, named

    model.register_forward_pre_hook(place, with_kwargs=True)


def _seen(mask: Tensor) -> Tensor:
    """Count the true values in each row of a mask (batch, n, n); numpy takes a tenth of torch's time."""
    return torch.from_numpy(np.count_nonzero(mask.numpy(), axis=-1)) if mask.device.type == "cpu" else mask.sum(-1)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the length of the common prefix of two token sequences."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(map(len, (one, other)))
    )

"""Rows of the corpus as a model reads them: what lessons have in common is laid out once.

Example: 24 questions of 40 tokens behind one library of 1,000 are 1,960 tokens, and apart they are 24,960.

Lessons with one beginning are a forest (`pfe.models.packing`), in which a token sees those before it in its own lesson
and no others, at the place that it has there. So every token's loss, and its gradient, is that of the lesson alone, up
to rounding; dropout alone draws one mask for what lessons share. A place is the number of tokens that are seen before
it, which the mask says (`reads_rows`), so that any trainer that hands the mask on hands on everything.
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

IGNORED = -100  # a label that takes no loss, as torch's cross-entropy has it


@dataclass(frozen=True)
class Example:
    """One lesson in tokens: those of its prompt, of which the leading `library` take a loss, and its completion's."""

    tokens: Tokens
    prompt: int
    library: int = 0

    def labels(self) -> list[int]:
        """What each token is to be; none is asked for the first token, nor for the prompt behind the library."""
        silent = range(max(self.library, 1), self.prompt)
        return [IGNORED if place == 0 or place in silent else token for place, token in enumerate(self.tokens)]


@dataclass(frozen=True)
class Pack:
    """Rows laid out one behind the other, n nodes in all; `labels` (n,) of those before them, `sees` (n, n)."""

    tokens: NDArray[np.int64]
    labels: NDArray[np.int64]
    sees: NDArray[np.bool_]


def examples(row: Mapping[str, Any], tokenizer: PreTrainedTokenizerBase) -> list[Example]:
    """The lessons of a row of the corpus; where the row's library takes a loss, the first of them has it.

    A completion ends with the tokenizer's end. It begins where the tokens of the prompt alone and of both part.
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
    """The lessons of one row, what they have in common once; each by itself where nothing is to be shared.

    Of a lesson's prompt the last token is always its own, since it is the one that its completion is read from.
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
    """Packs one behind the other: nothing of one sees anything of another."""
    sizes = [len(pack.tokens) for pack in packs]
    sees = np.zeros((sum(sizes), sum(sizes)), bool)
    for pack, start in zip(packs, np.cumsum([0, *sizes]), strict=False):
        sees[start : start + len(pack.tokens), start : start + len(pack.tokens)] = pack.sees
    return Pack(np.concatenate([pack.tokens for pack in packs]), np.concatenate([pack.labels for pack in packs]), sees)


def together(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Indices of rows that fill a sequence of at most `most` nodes, the largest first; a larger row is by itself."""
    packs: list[tuple[int, list[int]]] = []
    for index in sorted(range(len(sizes)), key=lambda index: -sizes[index]):
        place = next((place for place, (size, _) in enumerate(packs) if size + sizes[index] <= most), None)
        if place is None:
            packs.append((sizes[index], [index]))
        else:
            packs[place] = (packs[place][0] + sizes[index], [*packs[place][1], index])
    return [indices for _, indices in packs]


def in_batches(sizes: Sequence[int], sequence: int, most: int, window: int = 64) -> Iterator[list[list[int]]]:
    """Indices of rows in sequences of about `sequence` nodes, and these in batches of at most `most`, padding included.

    The order of the rows is kept, but for that within `window`. A row or sequence that is larger is by itself.
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
    """Packs as a batch: `input_ids` and `labels` (packs, n), `attention_mask` (packs, 1, n, n), true where it is seen.

    Packs of different sizes are filled up with tokens that see themselves alone.
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
    """Make a model take every token's position from a mask of shape (batch, 1, n, n), where it is given one.

    What the mask hides from a block of tokens is left out of their attention (`pfe.training.attention`).
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
    """How many are true in each row of a mask (batch, n, n); numpy counts them in a tenth of torch's time."""
    return torch.from_numpy(np.count_nonzero(mask.numpy(), axis=-1)) if mask.device.type == "cpu" else mask.sum(-1)


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many leading tokens two sequences have in common."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(map(len, (one, other)))
    )

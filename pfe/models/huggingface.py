"""Causal language models in Hugging Face's format: log-likelihoods and greedy decoding.

Example: `HuggingFace("data/models/student").choose(requests)`

Rows that begin alike (the method library) share one computation of that beginning: its keys and
values are kept and every row goes on from there. Where a model's cache cannot be shared so, or the
two ways disagree, rows are computed whole.
"""

import copy
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.cache_utils import DynamicCache

from pfe.errors import UserError
from pfe.models.request import Request

TOLERANCE = 1e-3


@dataclass(frozen=True)
class Row:
    """One sequence of token ids, of which the last `scored` are the continuation; `cut` if its beginning is lost."""

    tokens: tuple[int, ...]
    scored: int
    cut: bool = False


class HuggingFace:
    """A causal language model from a folder or the hub.

    Raises:
        UserError: the model or its tokenizer cannot be loaded.
    """

    def __init__(self, path: str, revision: str | None = None, dtype: str = "float32", batch_size: int = 16) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(path, revision=revision)
            self.model: Any = AutoModelForCausalLM.from_pretrained(path, revision=revision, dtype=getattr(torch, dtype))
        except Exception as error:  # transformers, huggingface_hub and safetensors each raise their own kinds
            reason = " ".join(str(error).split())[:200]
            raise UserError(
                f"cannot load the model '{path}' ({reason}); give a folder with config.json, weights and tokenizer, "
                "or a hub name your network and token reach"
            ) from None
        self.model.eval().to(self._device)
        self._batch_size = batch_size
        self._shares = True
        self._checked = False

    @property
    def window(self) -> int:
        """The longest sequence the model takes, in tokens."""
        config = self.model.config.get_text_config()
        return int(getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or 2048)

    def choose(self, requests: Sequence[Request]) -> list[tuple[float, ...]]:
        """The sum of the log-probabilities (nats) of each option's continuation, in the order of the options."""
        rows = [
            self._row(request.prefix + option.context, option.continuation)
            for request in requests
            for option in request.options
        ]
        self._tell_cut(rows)
        scores = iter(self.log_likelihoods(rows))
        return [tuple(next(scores) for _ in request.options) for request in requests]

    def generate(self, requests: Sequence[Request]) -> list[str]:
        """Greedy decoding after every prompt, cut before the request's first stop string."""
        outputs = [""] * len(requests)
        rows = [self._prompt_row(request) for request in requests]
        self._tell_cut(rows)
        for batch in self._batches(rows, "generate"):
            texts = self._continue([rows[i] for i in batch], max(requests[i].max_tokens for i in batch))
            for index, text in zip(batch, texts, strict=True):
                outputs[index] = cut(text, requests[index].stop)
        return outputs

    def log_likelihoods(self, rows: Sequence[Row]) -> list[float]:
        """The sum of the log-probabilities (nats) of each row's scored tokens."""
        self._check_sharing(rows)
        shared = common_prefix(rows) if self._shares else ()
        beginning = self._keys_and_values(shared)
        scores = [0.0] * len(rows)
        for batch in self._batches(rows, "choose"):
            values = self._scored([rows[i] for i in batch], len(shared), beginning)
            for index, value in zip(batch, values, strict=True):
                scores[index] = value
        return scores

    def _encode(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer(text)["input_ids"]) if text else ()

    def _row(self, context: str, continuation: str) -> Row:
        """Token ids of both, split where the context's own ids end (white space goes with the continuation)."""
        stripped = context.rstrip()
        continuation = context[len(stripped) :] + continuation
        whole, known = self._encode(stripped + continuation), self._encode(stripped)
        first = self.tokenizer.bos_token_id if self.tokenizer.bos_token_id is not None else self.tokenizer.eos_token_id
        if not known:
            whole, known = (first, *whole), (first,)
        scored = max(1, len(whole) - len(known))
        return Row(self._fit(whole, 0), scored, cut=len(whole) > self.window)

    def _prompt_row(self, request: Request) -> Row:
        whole = self._encode(request.prefix + request.prompt)
        return Row(self._fit(whole, request.max_tokens), 0, cut=len(whole) > self.window - request.max_tokens)

    def _tell_cut(self, rows: Sequence[Row]) -> None:
        if too_long := sum(row.cut for row in rows):
            print(
                f"NOTE: {too_long:,} of {len(rows):,} sequences were longer than the model's window of "
                f"{self.window:,} tokens; they lost their beginning",
                file=sys.stderr,
            )

    def _fit(self, tokens: tuple[int, ...], room: int) -> tuple[int, ...]:
        """The end of a sequence that is longer than the model's window, less `room`."""
        return tokens[-(self.window - room) :]

    def _batches(self, rows: Sequence[Row], word: str) -> Iterator[list[int]]:
        """Indices of rows of similar length, the longest first, so that memory runs out at once or never."""
        order = sorted(range(len(rows)), key=lambda i: (-len(rows[i].tokens), rows[i].tokens))
        for start in tqdm(range(0, len(order), self._batch_size), desc=word, leave=False, file=sys.stderr):
            yield order[start : start + self._batch_size]

    @torch.inference_mode()
    def _keys_and_values(self, tokens: Sequence[int]) -> Any:
        if not tokens:
            return None
        cache = DynamicCache(config=self.model.config)
        self.model(input_ids=torch.tensor([tokens], device=self._device), past_key_values=cache, use_cache=True)
        return cache

    def _padded(self, rows: Sequence[Row], shared: int) -> tuple[Tensor, Tensor, Tensor]:
        """Input ids without the shared beginning, padded on the left; the mask with it; positions."""
        rests = [row.tokens[shared:] for row in rows]
        width = max(len(rest) for rest in rests)
        pad = self.tokenizer.pad_token_id if self.tokenizer.pad_token_id is not None else 0
        ids = torch.tensor([(pad,) * (width - len(rest)) + rest for rest in rests], device=self._device)
        mask = torch.tensor(
            [[1] * shared + [0] * (width - len(rest)) + [1] * len(rest) for rest in rests], device=self._device
        )
        positions = (mask.cumsum(-1) - 1).clamp(min=0)[:, shared:]
        return ids, mask, positions

    @torch.inference_mode()
    def _scored(self, rows: Sequence[Row], shared: int, beginning: Any) -> list[float]:
        ids, mask, positions = self._padded(rows, shared)
        keep = max(row.scored for row in rows) + 1
        logits = self.model(
            input_ids=ids, attention_mask=mask, position_ids=positions,
            past_key_values=_repeated(beginning, len(rows)), use_cache=beginning is not None, logits_to_keep=keep,
        ).logits[:, -keep:-1]  # fmt: skip
        targets = ids[:, -(keep - 1) :]
        chosen = logits.float().log_softmax(-1).gather(-1, targets[..., None])[..., 0]
        if not torch.isfinite(chosen[:, -1]).all():
            raise UserError(
                "the model's logits are not finite (NaN or infinite); its weights are broken, or try dtype: float32"
            )
        return [chosen[i, -row.scored :].sum().item() for i, row in enumerate(rows)]

    @torch.inference_mode()
    def _continue(self, rows: Sequence[Row], max_tokens: int) -> list[str]:
        ids, mask, _ = self._padded(rows, 0)
        stop = self.tokenizer.eos_token_id
        pad = self.tokenizer.pad_token_id if self.tokenizer.pad_token_id is not None else stop or 0
        output = self.model.generate(
            input_ids=ids, attention_mask=mask, max_new_tokens=max_tokens, do_sample=False,
            pad_token_id=pad, eos_token_id=stop, num_beams=1,
        )  # fmt: skip
        texts: list[str] = self.tokenizer.batch_decode(output[:, ids.shape[1] :], skip_special_tokens=True)
        return texts

    def _check_sharing(self, rows: Sequence[Row]) -> None:
        """Once, compare both ways on a few rows; share nothing with a model where they differ."""
        if self._checked or not common_prefix(rows):
            return
        self._checked = True
        few = list(rows[:4])
        shared = common_prefix(few)
        plain = self._scored(few, 0, None)
        try:
            packed = self._scored(few, len(shared), self._keys_and_values(shared))
            difference = max(abs(a - b) for a, b in zip(plain, packed, strict=True))
        except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, NotImplementedError) as error:
            difference, packed = float("inf"), []
            print(f"NOTE: no shared prefixes with this model ({type(error).__name__})", file=sys.stderr)
        if difference > TOLERANCE * max(1.0, max(abs(value) for value in plain)):
            self._shares = False
            print(f"NOTE: shared prefixes change scores by {difference:.2g}; computing rows whole", file=sys.stderr)


def common_prefix(rows: Sequence[Row]) -> tuple[int, ...]:
    """The longest beginning that all rows share, short of each row's last token before its continuation."""
    if len(rows) < 2:
        return ()
    low, high = min(row.tokens for row in rows), max(row.tokens for row in rows)
    most = min(len(row.tokens) - row.scored - 1 for row in rows)
    length = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[: max(0, min(length, most))]


def cut(text: str, stop: Sequence[str]) -> str:
    """The text before the first of the stop strings that occurs in it."""
    ends = [place for mark in stop if (place := text.find(mark)) >= 0]
    return text[: min(ends)] if ends else text


def _repeated(cache: Any, times: int) -> Any:
    if cache is None:
        return None
    repeated = copy.deepcopy(cache)
    repeated.batch_repeat_interleave(times)
    return repeated

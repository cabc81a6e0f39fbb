"""Writing one answer, token by token: which token comes next, and when it is over.

Example: with the stop string "\\n" and the tokens of " 18\\nQuestion", the writing is done after the
token that completes "\\n", and its text is " 18".
"""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from pfe.errors import UserError
from pfe.models.request import cut
from pfe.problem import Stop


@dataclass(frozen=True)
class Decoding:
    """How tokens become text and when it ends.

    `decode` turns token ids to text, `spell` to text with the special tokens in it, where stop strings are looked
    for too; `ends` are the ids of end-of-text tokens. At `temperature` 0 decoding is greedy.
    """

    decode: Callable[[Sequence[int]], str]
    spell: Callable[[Sequence[int]], str]
    ends: Collection[int]
    temperature: float


class Writing:
    """One answer in the making; its random draws are those of its `lot`, at least 8 bytes.

    `tokens_with_end` are its tokens with the one that ended it, if any, and `log_probability` (nats) is what the model
    gave them.
    """

    def __init__(self, decoding: Decoding, stop: Sequence[str], max_tokens: int, lot: bytes) -> None:
        self._decoding, self._stop, self.max_tokens = decoding, stop, max_tokens
        # Any token that is text has at least one byte.
        self._tail = max((len(mark.encode()) for mark in stop), default=0) + 4
        self._random = torch.Generator()
        self._seed = int.from_bytes(lot[:8], "little") >> 1
        self.restart()

    def restart(self) -> None:
        """Begin anew, with the same random draws."""
        self._random.manual_seed(self._seed)
        self.tokens: list[int] = []
        self.tokens_with_end: list[int] = []
        self.log_probability = 0.0
        self.ending: Stop = "length"

    @property
    def settings(self) -> bytes:
        """All that decides what is written after a given prompt."""
        sampling = [self._decoding.temperature, self._seed] if self._decoding.temperature else []
        return json.dumps([self.max_tokens, list(self._stop), *sampling]).encode()

    @property
    def last(self) -> int:
        """The token that was written last, to be read next."""
        return self.tokens[-1]

    @property
    def text(self) -> str:
        """What was written, up to the first stop string."""
        return cut(self._decoding.decode(self.tokens), self._stop)

    def take(self, token: int, log_probability: float = 0.0) -> bool:
        """Write a token; whether that was the last."""
        self.tokens_with_end.append(token)
        self.log_probability += log_probability
        if token in self._decoding.ends:
            self.ending = "end"
            return True
        self.tokens.append(token)
        if self._stop and any(mark in self._decoding.spell(self.tokens[-self._tail :]) for mark in self._stop):
            self.ending = "stop"
            return True
        return len(self.tokens) >= self.max_tokens

    def sample(self, logits: Tensor) -> int | None:
        """A token drawn by its logits (vocabulary,); None where decoding is greedy."""
        if not self._decoding.temperature:
            return None
        shares = (logits.float().cpu() / self._decoding.temperature).softmax(-1)
        return int(torch.multinomial(shares, 1, generator=self._random))


def advance(writings: Sequence[Writing], logits: Tensor) -> list[bool]:
    """Let each writing take its next token by its row of logits (writings, vocabulary); which of them are done.

    Raises:
        NotFiniteError: the likeliest of them are not finite.
    """
    likeliest = logits.argmax(-1)
    finite(logits.gather(-1, likeliest[:, None]))
    samples = [writing.sample(row) for writing, row in zip(writings, logits, strict=True)]
    tokens = [best if sample is None else sample for best, sample in zip(likeliest.tolist(), samples, strict=True)]
    values = logits.gather(-1, torch.tensor(tokens, device=logits.device)[:, None])[:, 0] - logits.logsumexp(-1)
    return [writing.take(*pair) for writing, *pair in zip(writings, tokens, values.tolist(), strict=True)]


class NotFiniteError(UserError):
    """A model's scores are no numbers."""


def finite(values: Tensor) -> None:
    """Refuse scores that are no numbers.

    Raises:
        NotFiniteError: one of them is NaN or infinite.
    """
    if not bool(torch.isfinite(values).all()):
        raise NotFiniteError(
            "the model's logits are not finite (NaN or infinite); its weights are broken, or try dtype: float32"
        )

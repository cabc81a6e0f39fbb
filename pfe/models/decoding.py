"""Decoding of one answer, token by token: the choice of the next token, and the end of the answer.

Example: with the stop string "\\n" and the tokens of " 18\\nQuestion", decoding ends after the token that completes
"\\n", and the text is " 18". A thought before the answer has its own token budget, and no stop string ends it.
"""

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from pfe.errors import UserError
from pfe.models.request import cut, cut_answer
from pfe.problem import Stop
from pfe.thoughts import after_thoughts, closes_thought


@dataclass(frozen=True)
class Decoding:
    """The settings of decoding: how token ids become text, and what ends it.

    `decode` turns token ids into text; `spell` includes the special tokens, and stop strings are searched in its text.
    `ends` are the ids of end-of-text tokens. At `temperature` 0 decoding is greedy. `opening` is the mark of the
    thought that prompts open, "" if they open none.
    """

    decode: Callable[[Sequence[int]], str]
    spell: Callable[[Sequence[int]], str]
    ends: Collection[int]
    temperature: float
    opening: str = ""


_LONGEST_MARK = 24  # tokens of the longest mark around a thought
_UNDECIDED = 64  # tokens after which an output that opened no thought counts as an answer
_LONGEST_OPENING = 32  # characters after which it does
_REPEATED = 64  # tokens at the end of an answer that only repeat a piece end it
_TIMES = 3  # how often it must be there
_EVERY = 8  # tokens between two such checks: for a hundred answers one takes as long as a small model's step


def repeats(tokens: Sequence[int]) -> bool:
    """Return whether the last tokens are one piece of up to `_REPEATED` tokens again and again, at least `_TIMES`.

    Together they have at least `_REPEATED` tokens, so that a short piece may be there several times in a program or a
    table. Greedy decoding seldom leaves such a loop.
    """
    last = tokens[-_TIMES * _REPEATED :]
    return any(
        len(last) >= (end := max(_REPEATED, _TIMES * piece)) and last[-end:-piece] == last[piece - end :]
        for piece in range(1, _REPEATED + 1)
    )


class Writing:
    """One answer that is being decoded; its random draws are seeded by `lot`, at least 8 bytes.

    `tokens_with_end` are its tokens including the one that ended it, if any, and `log_probability` (nats) is their sum
    under the model.
    """

    def __init__(
        self, decoding: Decoding, stop: Sequence[str], max_tokens: int, lot: bytes, thinking: int = 0
    ) -> None:  # fmt: skip
        """Begin an answer of at most `max_tokens` tokens, after a thought of at most `thinking` more."""
        self._decoding, self._stop = decoding, stop
        self._answer_tokens, self._thinking = max_tokens, thinking
        self._thinks = bool(thinking or decoding.opening)
        # Any token that is text has at least one byte.
        self._tail = max((len(mark.encode()) for mark in stop), default=0) + 4 + (_UNDECIDED if self._thinks else 0)
        self._random = torch.Generator()
        self._seed = int.from_bytes(lot[:8], "little") >> 1
        self.restart()

    def restart(self) -> None:
        """Start again with the same random draws."""
        self._random.manual_seed(self._seed)
        self.tokens: list[int] = []
        self.tokens_with_end: list[int] = []
        self.log_probability = 0.0
        self.ending: Stop = "length"
        self._thought = bool(self._decoding.opening)  # whether it is within a thought
        self._start = None if self._thinks else 0  # index in `tokens` where the answer starts, None until it is known

    @property
    def max_tokens(self) -> int:
        """The most tokens that thought and answer may have together."""
        return self._thinking + self._answer_tokens

    @property
    def settings(self) -> bytes:
        """All settings that determine the completion of a given prompt, as JSON."""
        sampling = [self._decoding.temperature, self._seed] if self._decoding.temperature else []
        thought = [self._thinking, self._decoding.opening] if self._thinks else []
        return json.dumps([self._answer_tokens, list(self._stop), _REPEATED, *sampling, *thought]).encode()

    @property
    def last(self) -> int:
        """The last token, which the model reads next."""
        return self.tokens[-1]

    @property
    def text(self) -> str:
        """The text so far: the thought with its marks, and the answer up to the first stop string."""
        if not self._thinks:
            return cut(self._decoding.decode(self.tokens), self._stop)
        start = len(self.tokens) if self._thought else self._start or 0
        thought = self._decoding.opening + self._decoding.spell(self.tokens[:start])
        return cut_answer(thought + self._decoding.decode(self.tokens[start:]), self._stop)

    def take(self, token: int, log_probability: float = 0.0) -> bool:
        """Append a token, and return whether it was the last."""
        self.tokens_with_end.append(token)
        self.log_probability += log_probability
        if token in self._decoding.ends:
            self.ending = "end"
            return True
        self.tokens.append(token)
        if self._start is None:
            self._look_for_the_answer()
            if self._start is None:
                most = self._thinking if self._thought else self._answer_tokens
                return len(self.tokens) >= most or self._loops(0)
        if self._stops():
            self.ending = "stop"
            return True
        return len(self.tokens) - self._start >= self._answer_tokens or self._loops(self._start)

    def _look_for_the_answer(self) -> None:
        """Record whether a thought was opened or closed, or the answer began without one."""
        if self._thought:
            if closes_thought(self._decoding.spell(self.tokens[-_LONGEST_MARK:])):
                self._thought, self._start = False, len(self.tokens)
            return
        text = self._decoding.spell(self.tokens)
        self._thought = after_thoughts(text) is None
        if closes_thought(text):
            self._start = len(self.tokens)
        elif not self._thought and (len(text.strip()) >= _LONGEST_OPENING or len(self.tokens) >= _UNDECIDED):
            self._start = 0

    def _stops(self) -> bool:
        """Return whether the answer contains a stop string, apart from white space directly after a thought."""
        if not self._stop or self._start is None:
            return False
        first = max(self._start, len(self.tokens) - self._tail)
        text = self._decoding.spell(self.tokens[first:])
        return any(mark in (text.lstrip() if 0 < first == self._start else text) for mark in self._stop)

    def _loops(self, start: int) -> bool:
        """Return whether the tokens from this index on end in a loop, and note it as the ending."""
        if len(self.tokens) % _EVERY or not repeats(self.tokens[start:]):
            return False
        self.ending = "repeat"
        return True

    def sample(self, logits: Tensor) -> int | None:
        """Return a token sampled from logits (vocabulary,), None if decoding is greedy."""
        if not self._decoding.temperature:
            return None
        shares = (logits.float().cpu() / self._decoding.temperature).softmax(-1)
        return int(torch.multinomial(shares, 1, generator=self._random))


def advance(writings: Sequence[Writing], logits: Tensor) -> list[bool]:
    """Append the next token to each writing by its row of logits (writings, vocabulary); return which are done.

    Raises:
        NotFiniteError: the highest logit of a row is not finite.
    """
    likeliest = logits.argmax(-1)
    finite(logits.gather(-1, likeliest[:, None]))
    samples = [writing.sample(row) for writing, row in zip(writings, logits, strict=True)]
    tokens = [best if sample is None else sample for best, sample in zip(likeliest.tolist(), samples, strict=True)]
    values = logits.gather(-1, torch.tensor(tokens, device=logits.device)[:, None])[:, 0] - logits.logsumexp(-1)
    return [writing.take(*pair) for writing, *pair in zip(writings, tokens, values.tolist(), strict=True)]


class NotFiniteError(UserError):
    """A model's logits or scores are NaN or infinite."""


def finite(values: Tensor) -> None:
    """Check that all values are finite.

    Raises:
        NotFiniteError: one of them is NaN or infinite.
    """
    if not bool(torch.isfinite(values).all()):
        raise NotFiniteError(
            "the model's logits are not finite (NaN or infinite); see to its weights, or take another model"
        )

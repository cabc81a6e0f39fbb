"""From requests to token ids: where texts are cut, and what fits into a model's window.

Example: behind the library "… [PROBLEM]\\n" the option "Question: …\\nAnswer:" + " ruler" becomes the
head that all problems share, the ids of the rest, and how many of the last ids are scored.

The ids of a sequence are those of its whole text, and its continuation begins where the context's own
ids end, white space going with the continuation (as in lm-evaluation-harness 0.4.13, `_encode_pair`).
A shared beginning is tokenized once where that gives the same ids, which is tried out per prefix.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pfe.icr.prefix import Prefix
from pfe.models.packing import Tokens
from pfe.models.request import Request

_TRIED = 64  # problems on which a boundary is tried
_BEGINNING = 16  # characters; problems that begin alike there meet the boundary alike


@dataclass(frozen=True)
class Row:
    """One sequence: `head` + `rest`, of which the last `scored` tokens are the continuation (0: go on from here).

    A head is short of what any score is read after: `rest` has a token before its scored ones.
    """

    head: Tokens
    rest: Tokens
    scored: int

    @property
    def tokens(self) -> Tokens:
        return self.head + self.rest


@dataclass(frozen=True)
class Encoded:
    """A request as rows, one an option or one in all, without the last `dropped` methods of its prefix."""

    rows: tuple[Row, ...]
    dropped: int

    @property
    def prompt_length(self) -> int:
        return len(self.rows[0].head) + len(self.rows[0].rest) - self.rows[0].scored


class Encoder:
    """A tokenizer and a window (in tokens) of one model."""

    def __init__(self, tokenizer: Any, window: int) -> None:
        self._tokenizer, self._window = tokenizer, window
        first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        self._first: int = first if first is not None else 0
        self._method_length = cache(lambda method: max(1, self.count(method)))

    def count(self, text: str) -> int:
        """How many tokens a text is, special ones aside."""
        return len(self._ids([text], special=False)[0])

    def trial(self, prefix: str, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Rows of (context, continuation) pairs behind a prefix."""
        return [rows[0] for rows in self._rows(prefix, [[pair] for pair in pairs])]

    def encode(self, requests: Sequence[Request]) -> list[Encoded | None]:
        """Token ids of every request; None where the problem alone is longer than the window."""
        encoded: list[Encoded | None] = [None] * len(requests)
        waiting = [(index, request.prefix) for index, request in enumerate(requests)]
        while waiting:
            groups: dict[Prefix, list[int]] = defaultdict(list)
            for index, prefix in waiting:
                groups[prefix].append(index)
            waiting = []
            for prefix, indices in groups.items():
                parts = [_parts(requests[index]) for index in indices]
                for index, rows in zip(indices, self._rows(prefix.text, parts), strict=True):
                    excess = max(len(row.tokens) for row in rows) - self._room(requests[index])
                    if excess <= 0:
                        dropped = len(requests[index].prefix.methods) - len(prefix.methods)
                        encoded[index] = Encoded(rows, dropped)
                    elif prefix.methods:
                        waiting.append((index, self._without(prefix, excess)))
                    elif not requests[index].options and excess < requests[index].max_tokens:
                        # There is room for the problem and the beginning of an answer.
                        encoded[index] = Encoded(rows, len(requests[index].prefix.methods))
        return encoded

    def _room(self, request: Request) -> int:
        """The longest sequence that can be asked; the last scored token is read, never fed."""
        return self._window + 1 if request.options else self._window - request.max_tokens

    def _without(self, prefix: Prefix, excess: int) -> Prefix:
        """The prefix less as many of its last methods as hold `excess` tokens, and at least one."""
        kept = len(prefix.methods)
        while kept and excess > 0:
            kept -= 1
            excess -= self._method_length(prefix.methods[kept])
        return prefix.shortened(kept)

    def _rows(self, prefix: str, pairs: Sequence[list[tuple[str, str]]]) -> Iterator[tuple[Row, ...]]:
        """The rows of requests given as (context, continuation) pairs, all behind one prefix."""
        head, text = self._head(prefix, [pair[0] for parts in pairs for pair in parts])
        # Something must stand before whatever a rest scores.
        head, first = head[:-1], head[-1:]
        rest = prefix[len(text) :]
        wholes = iter(self._ids([rest + context + more for parts in pairs for context, more in parts], not text))
        contexts = list(dict.fromkeys(context for parts in pairs for context, more in parts if more))
        known = dict(zip(contexts, self._lengths([rest + context for context in contexts], not text), strict=True))
        for parts in pairs:
            yield tuple(
                self._row(head, first + next(wholes), len(first) + known.get(context, 0), scored=bool(more))
                for context, more in parts
            )

    def _row(self, head: Tokens, ids: Tokens, known: int, scored: bool) -> Row:
        if not (known if scored else ids):
            ids, known = (self._first, *ids), 1
        return Row(head, ids, max(1, len(ids) - known) if scored else 0)

    def _head(self, prefix: str, contexts: Sequence[str]) -> tuple[Tokens, str]:
        """The ids of the longest beginning of a prefix that can be tokenized by itself, and that beginning."""
        tried = list({context[:_BEGINNING]: context for context in contexts}.values())[:_TRIED]
        for boundary in _boundaries(prefix) if len(contexts) > 1 else ():
            text = prefix[:boundary]
            head = self._ids([text], special=True)[0]
            wholes = self._ids([prefix + context for context in tried], special=True)
            rests = self._ids([prefix[boundary:] + context for context in tried], special=False)
            if all(whole == head + rest for whole, rest in zip(wholes, rests, strict=True)):
                return head, text
        return (), ""

    def _lengths(self, texts: Sequence[str], special: bool) -> list[int]:
        return [len(ids) for ids in self._ids(texts, special)]

    def _ids(self, texts: Sequence[str], special: bool) -> list[Tokens]:
        """Token ids of texts; those of an empty text are none at all."""
        full = [text for text in texts if text]
        if not full:
            return [()] * len(texts)
        ids = iter(self._tokenizer(full, add_special_tokens=special, return_attention_mask=False)["input_ids"])
        return [tuple(next(ids)) if text else () for text in texts]


def _parts(request: Request) -> list[tuple[str, str]]:
    """(context, continuation) of every option, or the prompt with nothing to score."""
    if not request.options:
        return [(request.prompt, "")]
    parts = []
    for option in request.options:
        context = option.context.rstrip()
        parts.append((context, option.context[len(context) :] + option.continuation))
    return parts


def _boundaries(prefix: str) -> Iterator[int]:
    """Where a prefix may be cut, the latest first: at its end, before white space, before its last lines."""
    end = len(prefix)
    for _ in range(3):
        yield end
        stripped = len(prefix[:end].rstrip())
        if stripped < end:
            yield stripped
        end = prefix.rfind("\n", 0, stripped) + 1
        if end <= 0:
            return

"""Tokenization of requests: shared prefixes, and truncation to a model's context window.

Example: with the library "… [PROBLEM]\\n" in context, the option "Question: …\\nAnswer:" + " ruler" becomes the head
that all problems share, the ids of the rest, and the number of scored ids at the end.

Texts are encoded as in lm-evaluation-harness 0.4.13 (`TemplateLM._encode_pair`, `HFLM.tok_encode`):
- White space at the end of a context moves to the continuation.
- The ids are the context's own, then those of the whole text beyond as many. So if a token spans the border, the
  tokenization of the context alone decides.
- A text that begins with the beginning-of-text token gets no second one.
- An empty context is replaced by that token.
- A choice that is too long is truncated on the left.
A shared prefix is tokenized once, and only if the whole text has the same ids there.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pfe.errors import UserError
from pfe.icr.prefix import Prefix
from pfe.models.chat import DELIMITER, ChatTemplate
from pfe.models.packing import Tokens
from pfe.models.request import Request, hash_of

_MOST_TRIALS = 64  # texts on which a cut is tried
_BEGINNING = 16  # characters; of texts with the same ones, only one is tried
_ANCHOR = 64  # characters before a cut, at least, that are tokenized again with the text after it


@dataclass(frozen=True)
class Row:
    """One sequence, `head` + `rest`, whose last `scored` tokens are the continuation (0: generate from here).

    `rest` has at least one token before its scored ones, at which the first score is read.
    """

    head: Tokens
    rest: Tokens
    scored: int

    @property
    def tokens(self) -> Tokens:
        return self.head + self.rest


@dataclass(frozen=True)
class Encoded:
    """A tokenized request: one row for each option or one in all, without the last `dropped` methods of its prefix.

    If it was `cut`, the beginning of the problem is missing too; `prompt_sha256` is the hash of the prompt before that.
    """

    rows: tuple[Row, ...]
    dropped: int
    prompt_sha256: str
    cut: bool = False

    @property
    def prompt_length(self) -> int:
        return len(self.rows[0].head) + len(self.rows[0].rest) - self.rows[0].scored


@dataclass(frozen=True)
class _Pair:
    """A context, and the continuation that is scored after it, "" if text is generated instead."""

    context: str
    continuation: str


@dataclass(frozen=True)
class _Cut:
    """The place where texts with a common prefix are cut: character `place`, after the ids `head` and `last`.

    `anchor` is the end of the text before the cut, with its ids. It is tokenized again together with the text after the
    cut. This shows whether a token spans the cut, and gives the text after it the ids that it has in mid-text.
    """

    place: int
    head: Tokens
    last: Tokens
    anchor: str
    anchor_ids: Tokens


_NOWHERE = _Cut(0, (), (), "", ())


class RequestEncoder:
    """An encoder with the tokenizer, the context window (in tokens) and the chat template, if any, of one model."""

    def __init__(self, tokenizer: Any, window: int, chat: ChatTemplate | None = None) -> None:
        self._tokenizer, self._window, self._chat = tokenizer, window, chat
        first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        self._first: int = first if first is not None else 0
        # A text that begins with this has its own beginning-of-text token. The keys say whether texts are scored: for
        # generation the harness does not fall back to the end-of-text token.
        self._opening = {True: tokenizer.decode([first]) if first is not None else "", False: tokenizer.bos_token or ""}
        self._method_length = cache(lambda method: max(1, self.count(method)))

    def count(self, text: str) -> int:
        """Return the number of tokens in a text, without special tokens."""
        return len(self._ids([text], special=False)[0])

    def trial(self, prefix: str, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Return rows of (context, continuation) pairs after a prefix, as plain text."""
        return [rows[0] for rows in self._rows(prefix, [[_Pair(*pair)] for pair in pairs], scored=True)]

    def encode(self, requests: Sequence[Request]) -> list[Encoded | None]:
        """Return every request as token ids, None if it does not fit into the window without any method.

        A choice is cut on the left before that; it does not fit only if a continuation alone is too long.

        Raises:
            UserError: an option has no text to score, or the chat template fails.
        """
        encoded: list[Encoded | None] = [None] * len(requests)
        waiting = [(index, request.prefix) for index, request in enumerate(requests)]
        while waiting:
            groups: dict[tuple[Prefix, bool], list[int]] = defaultdict(list)
            for index, prefix in waiting:
                groups[prefix, bool(requests[index].options)].append(index)
            waiting = []
            for (prefix, scored), indices in groups.items():
                shared, texts = self._texts(prefix, [requests[index] for index in indices])
                for index, pairs, rows in zip(indices, texts, self._rows(shared, texts, scored), strict=True):
                    excess = max(len(row.tokens) for row in rows) - self._room(requests[index])
                    if excess > 0 and prefix.methods:
                        waiting.append((index, self._without(prefix, excess)))
                    else:
                        prompt = hash_of(shared + pair.context for pair in pairs)
                        encoded[index] = self._fit(requests[index], prefix, rows, excess, prompt)
        return encoded

    def _fit(self, request: Request, prefix: Prefix, rows: tuple[Row, ...], excess: int, prompt: str) -> Encoded | None:
        """Return rows without further methods to drop, cut if they are `excess` tokens too long; None if impossible."""
        dropped = len(request.prefix.methods) - len(prefix.methods)
        if excess <= 0:
            return Encoded(rows, dropped, prompt)
        if not request.options:
            # There may be room for the problem and the beginning of its answer.
            return Encoded(rows, dropped, prompt) if excess < self._window - self._room(request) else None
        if max(row.scored for row in rows) > self._window:
            return None
        room = self._room(request)
        return Encoded(tuple(Row((), row.tokens[-room:], row.scored) for row in rows), dropped, prompt, cut=True)

    def _room(self, request: Request) -> int:
        """Return the length of the longest sequence that fits; the last scored token is never fed to the model."""
        if request.options:
            return self._window + 1
        return self._window - request.max_tokens - min(request.thinking, self._window // 2)

    def _without(self, prefix: Prefix, excess: int) -> Prefix:
        """Return the prefix without as many of its last methods as have `excess` tokens, and at least one."""
        count = len(prefix.methods)
        while count and excess > 0:
            count -= 1
            excess -= self._method_length(prefix.methods[count])
        return prefix.shortened(count)

    def _texts(self, prefix: Prefix, requests: Sequence[Request]) -> tuple[str, list[list[_Pair]]]:
        """Return the common beginning of requests with one prefix, and the pairs after it, with any chat template."""
        texts = [
            [_Pair(option.context, option.continuation) for option in request.options] or [_Pair(request.prompt, "")]
            for request in requests
        ]
        if self._chat is None:
            return prefix.text, texts
        turns = {text: self._chat.around(prefix.text + text) for pairs in texts for text in {p.context for p in pairs}}
        shared = self._chat.before + prefix.text
        if not all(text.startswith(shared) for text in turns.values()):
            shared = self._chat.before
        return shared, [
            [_Pair(turns[pair.context][len(shared) :], pair.continuation.removeprefix(DELIMITER)) for pair in pairs]
            for pairs in texts
        ]

    def _rows(self, shared: str, texts: Sequence[Sequence[_Pair]], scored: bool) -> Iterator[tuple[Row, ...]]:
        """Yield the rows of requests given as pairs, all after one shared text."""
        alone = not shared
        shared, moved = _spaces_moved(shared, texts) if scored else (shared, texts)
        contexts = dict.fromkeys(pair.context for pairs in moved for pair in pairs)
        wholes = dict.fromkeys(pair.context + pair.continuation for pairs in moved for pair in pairs)
        cut = self._find_cut(shared, list(contexts), scored) if len(contexts) > 1 else _NOWHERE
        rows = self._behind(cut, shared, list(contexts | wholes), scored)
        for pairs, originals in zip(moved, texts, strict=True):
            if not scored:
                yield tuple(self._with_beginning(rows[pair.context]) for pair in pairs)
                continue
            yield tuple(
                self._alone(pair.continuation)
                if alone and not original.context
                else self._pair(shared, pair, rows[pair.context], rows[pair.context + pair.continuation])
                for pair, original in zip(pairs, originals, strict=True)
            )

    def _pair(self, shared: str, pair: _Pair, context: Row, whole: Row) -> Row:
        """Return the context's own ids, then those of the whole text beyond as many.

        Raises:
            UserError: the continuation has no text to score.
        """
        more = whole.tokens[len(context.tokens) :]
        if not more:  # the context has as many tokens as the whole, or more: nothing is left to score
            more = self._ids([pair.continuation], special=False)[0]
        if not more:
            raise UserError(
                f"a choice after {(shared + pair.context)[-60:]!r} has no text that could be scored; mend the problem"
            )
        return self._with_beginning(Row(context.head, context.rest + more, len(more)))

    def _alone(self, continuation: str) -> Row:
        """Return a continuation after only the beginning-of-text token, which is not added if the text has its own.

        Raises:
            UserError: the continuation has no text to score.
        """
        ids = self._ids([continuation], special=False)[0]
        ids = ids if ids[:1] == (self._first,) else (self._first, *ids)
        if len(ids) < 2:
            raise UserError("a choice has neither a prompt nor a text that could be scored; mend the problem")
        return Row((), ids, len(ids) - 1)

    def _with_beginning(self, row: Row) -> Row:
        """Return the row with a beginning-of-text token if there is nothing before its scored tokens."""
        return row if len(row.tokens) > row.scored else Row(row.head, (self._first, *row.rest), row.scored)

    def _find_cut(self, shared: str, texts: Sequence[str], scored: bool) -> _Cut:
        """Return a cut at the last place in `shared` that no token of these texts spans, or `_NOWHERE`."""
        if len(shared) <= len(self._opening[scored]):
            return _NOWHERE
        trials = list({text[:_BEGINNING]: text for text in texts}.values())[:_MOST_TRIALS]
        wholes = self._whole([shared + text for text in trials], scored)
        for place in _places(shared):
            cut = self._cut_at(shared, place, scored)
            if cut is None:
                continue
            rests = self._ids([cut.anchor + shared[place:] + text for text in trials], special=False)
            if all(
                _begins(rest, cut.anchor_ids) and cut.head + cut.last + rest[len(cut.anchor_ids) :] == whole
                for rest, whole in zip(rests, wholes, strict=True)
            ):
                return cut
        return _NOWHERE

    def _cut_at(self, shared: str, place: int, scored: bool) -> _Cut | None:
        """Return a cut at this place, None if the ids there depend on text far before it."""
        ids = self._whole([shared[:place]], scored)[0]
        anchor = shared[shared.rfind("\n", 0, max(0, place - _ANCHOR)) + 1 : place]
        again = self._ids([anchor], special=False)[0]
        same = (len(again) + 1) // 2
        if not again or ids[-same:] != again[-same:]:
            return None
        return _Cut(place, ids[:-1], ids[-1:], anchor, again)

    def _behind(self, cut: _Cut, shared: str, texts: Sequence[str], scored: bool) -> dict[str, Row]:
        """Return the row of `shared` and each text, with the cut's head, or without one if a token spans the cut."""
        if cut is _NOWHERE:
            wholes = self._whole([shared + text for text in texts], scored)
            return {text: Row((), ids, 0) for text, ids in zip(texts, wholes, strict=True)}
        length = len(cut.anchor_ids)
        rests = self._ids([cut.anchor + shared[cut.place :] + text for text in texts], special=False)
        rows = {
            text: Row(cut.head, cut.last + rest[length:], 0)
            for text, rest in zip(texts, rests, strict=True)
            if _begins(rest, cut.anchor_ids)
        }
        return rows | self._behind(_NOWHERE, shared, [text for text in texts if text not in rows], scored)

    def _whole(self, texts: Sequence[str], scored: bool) -> list[Tokens]:
        """Return ids with special tokens, which are not added to texts that begin with their own."""
        opening = self._opening[scored]
        has_bos = [bool(opening) and text.startswith(opening) for text in texts]
        ids = {
            special: iter(self._ids([t for t, has in zip(texts, has_bos, strict=True) if has is not special], special))
            for special in (True, False)
        }
        return [next(ids[not has]) for has in has_bos]

    def _ids(self, texts: Sequence[str], special: bool) -> list[Tokens]:
        if not texts:
            return []
        ids: Iterable[list[int]] = self._tokenizer(
            list(texts), add_special_tokens=special, return_attention_mask=False
        )["input_ids"]
        return [tuple(sequence) for sequence in ids]


def _spaces_moved(shared: str, texts: Sequence[Sequence[_Pair]]) -> tuple[str, Sequence[Sequence[_Pair]]]:
    """Move the white space at the end of every context to the beginning of its continuation."""
    space = ""
    if not all(pair.context.strip() for pairs in texts for pair in pairs):
        shared, space = shared.rstrip(), shared[len(shared.rstrip()) :]
    return shared, [[_space_moved(space + pair.context, pair.continuation) for pair in pairs] for pairs in texts]


def _space_moved(context: str, continuation: str) -> _Pair:
    stripped = context.rstrip()
    return _Pair(stripped, context[len(stripped) :] + continuation)


def _begins(ids: Tokens, beginning: Tokens) -> bool:
    return ids[: len(beginning)] == beginning


def _places(text: str) -> Iterator[int]:
    """Yield the places where a text may be cut, the last first: its end, before white space, before its last lines."""
    end = len(text)
    for _ in range(3):
        yield end
        stripped = len(text[:end].rstrip())
        if stripped < end:
            yield stripped
        end = text.rfind("\n", 0, stripped) + 1
        if end <= 0:
            return

"""From requests to token ids: where texts are cut, and what fits into a model's window.

Example: behind the library "… [PROBLEM]\\n" the option "Question: …\\nAnswer:" + " ruler" becomes the
head that all problems share, the ids of the rest, and how many of the last ids are scored.

Texts are encoded as in lm-evaluation-harness 0.4.13 (`TemplateLM._encode_pair`, `HFLM.tok_encode`): white space at the
end of a context goes with the continuation; the ids are the context's own, then those of the whole text beyond as many,
so that a token over the border is read as the context alone has it; a text that begins with the beginning-of-text token
is given no second one; an empty context is that token; what is too long to choose by loses tokens on its left. A shared
beginning is tokenized once, and only where the whole text has the same ids there.
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
_BEGINNING = 16  # characters; texts that begin alike there meet a cut alike
_ANCHOR = 64  # characters before a cut, at least, that are tokenized again with what follows it


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
    """A request as rows, one an option or one in all, without the last `dropped` methods of its prefix.

    Where it was `cut`, the problem's beginning is missing too; `prompt_sha256` is that of the whole.
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
    """A context, and the continuation that is scored behind it; "" where the context is gone on from."""

    context: str
    continuation: str


@dataclass(frozen=True)
class _Cut:
    """Where texts of one beginning are cut: at character `place`, behind the ids `head` and `last`.

    `anchor` is the end of what stands before, with its ids: tokenized again in front of what follows, it shows
    whether a token goes over the cut, and leaves to what follows the ids it has in the middle of a text.
    """

    place: int
    head: Tokens
    last: Tokens
    anchor: str
    anchor_ids: Tokens


_NOWHERE = _Cut(0, (), (), "", ())


class RequestEncoder:
    """A tokenizer, a window (in tokens), and the chat template, if any, of one model."""

    def __init__(self, tokenizer: Any, window: int, chat: ChatTemplate | None = None) -> None:
        self._tokenizer, self._window, self._chat = tokenizer, window, chat
        first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        self._first: int = first if first is not None else 0
        # A text that begins so has its beginning-of-text token; asked for text, the harness looks for that one only.
        self._opening = {True: tokenizer.decode([first]) if first is not None else "", False: tokenizer.bos_token or ""}
        self._method_length = cache(lambda method: max(1, self.count(method)))

    def count(self, text: str) -> int:
        """How many tokens a text is, special ones aside."""
        return len(self._ids([text], special=False)[0])

    def trial(self, prefix: str, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Rows of (context, continuation) pairs behind a prefix, as plain text."""
        return [rows[0] for rows in self._rows(prefix, [[_Pair(*pair)] for pair in pairs], scored=True)]

    def encode(self, requests: Sequence[Request]) -> list[Encoded | None]:
        """Token ids of every request; None where the problem alone is longer than the window.

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
        """Rows that may be `excess` tokens too long though nothing stands before them."""
        dropped = len(request.prefix.methods) - len(prefix.methods)
        if excess <= 0:
            return Encoded(rows, dropped, prompt)
        if not request.options:
            # There may be room for the problem and the beginning of what is written.
            return Encoded(rows, dropped, prompt) if excess < self._window - self._room(request) else None
        if max(row.scored for row in rows) > self._window:
            return None
        room = self._room(request)
        return Encoded(tuple(Row((), row.tokens[-room:], row.scored) for row in rows), dropped, prompt, cut=True)

    def _room(self, request: Request) -> int:
        """The longest sequence that can be asked; the last scored token is read, never fed."""
        if request.options:
            return self._window + 1
        return self._window - request.max_tokens - min(request.thinking, self._window // 2)

    def _without(self, prefix: Prefix, excess: int) -> Prefix:
        """The prefix less as many of its last methods as hold `excess` tokens, and at least one."""
        count = len(prefix.methods)
        while count and excess > 0:
            count -= 1
            excess -= self._method_length(prefix.methods[count])
        return prefix.shortened(count)

    def _texts(self, prefix: Prefix, requests: Sequence[Request]) -> tuple[str, list[list[_Pair]]]:
        """How requests behind one prefix begin alike, and the pairs behind that; texts of a chat where there is one."""
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
        """The rows of requests given as pairs, all behind one text."""
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
        """The context's own ids, then those of the whole text beyond as many."""
        more = whole.tokens[len(context.tokens) :]
        if not more:  # the context has as many tokens as the whole, or more: nothing is left to score
            more = self._ids([pair.continuation], special=False)[0]
        if not more:
            raise UserError(
                f"a choice behind {(shared + pair.context)[-60:]!r} has no text that could be scored; mend the problem"
            )
        return self._with_beginning(Row(context.head, context.rest + more, len(more)))

    def _alone(self, continuation: str) -> Row:
        """A continuation behind nothing but the beginning-of-text token, its own where it has one."""
        ids = self._ids([continuation], special=False)[0]
        ids = ids if ids[:1] == (self._first,) else (self._first, *ids)
        if len(ids) < 2:
            raise UserError("a choice has neither a prompt nor a text that could be scored; mend the problem")
        return Row((), ids, len(ids) - 1)

    def _with_beginning(self, row: Row) -> Row:
        """The row with something before its scored tokens, or to go on from."""
        return row if len(row.tokens) > row.scored else Row(row.head, (self._first, *row.rest), row.scored)

    def _find_cut(self, shared: str, texts: Sequence[str], scored: bool) -> _Cut:
        """The last place in `shared` that no token of these texts goes over, or the very beginning."""
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
        """A cut at this place; None where its ids depend on what stands far before it."""
        ids = self._whole([shared[:place]], scored)[0]
        anchor = shared[shared.rfind("\n", 0, max(0, place - _ANCHOR)) + 1 : place]
        again = self._ids([anchor], special=False)[0]
        same = (len(again) + 1) // 2
        if not again or ids[-same:] != again[-same:]:
            return None
        return _Cut(place, ids[:-1], ids[-1:], anchor, again)

    def _behind(self, cut: _Cut, shared: str, texts: Sequence[str], scored: bool) -> dict[str, Row]:
        """The ids of `shared` and each text: behind the cut's head, or without a head where a token goes over it."""
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
        """Ids with special tokens, but for texts that have theirs written out."""
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
    """The texts with the white space at the end of every context at the beginning of its continuation."""
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
    """Where a text may be cut, the latest first: at its end, before white space, before its last lines."""
    end = len(text)
    for _ in range(3):
        yield end
        stripped = len(text[:end].rstrip())
        if stripped < end:
            yield stripped
        end = text.rfind("\n", 0, stripped) + 1
        if end <= 0:
            return

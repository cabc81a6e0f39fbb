"""Causal language models in Hugging Face's format: log-likelihoods and text.

Example: `HuggingFace(load("data/models/student", None, "float32", "auto")).answer(requests)`

Problems behind the same library share one computation of it, choices that of their problem (see
`pfe.models.packed`). Where a model cannot, or the two ways disagree, every sequence is computed whole.
"""

import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import torch

from pfe.errors import UserError
from pfe.fingerprint import fingerprint
from pfe.models.decoding import Decoding, Writing, finite
from pfe.models.loading import Loaded
from pfe.models.packed import NotPackableError, PackedModel
from pfe.models.packing import Tokens
from pfe.models.plain import PlainModel
from pfe.models.request import Answer, Done, Request, unseen
from pfe.models.responses import APART, Responses
from pfe.models.tokens import Encoded, Encoder, Row

# By how much the packed way may differ from whole sequences: nats in float32; bfloat16 keeps 8 bits,
# so there it is a share of the log-likelihood.
TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.02}
MOST_NODES = {"cpu": 512, "cuda": 4096}
TOGETHER = {"cpu": 16, "cuda": 64}
_TRIAL = "[METHOD LIBRARY]\n\nMETHOD 1: add what is put together.\nExample: 2 and 3 are 5.\n\n[PROBLEM]\nQuestion: "
_TRIALS = ("Which tool measures air pressure?", "How many are 12 and 7?", "Which tool measures heat?")
_ANSWERS = ("\nAnswer: a barometer, I think", "\nAnswer: 19", "\nAnswer: a ruler")
V = TypeVar("V")


class HuggingFace:
    """An examinee that scores choices by log-likelihood (nats) and writes text.

    Args:
        batch_size: the most answers written, or whole sequences scored, at once; a small one shortens packed
            rows too. None lets it find itself.
        temperature: 0 for greedy decoding; otherwise it samples by `seed`.
        responses: where answers are kept; the default is the user's cache.
    """

    writes = True

    def __init__(
        self,
        loaded: Loaded,
        batch_size: int | None = None,
        temperature: float = 0.0,
        seed: int = 0,
        responses: Responses | None = None,
    ) -> None:
        self.tokenizer, self._window, self._seed = loaded.tokenizer, loaded.window, seed
        self._responses = responses if responses is not None else Responses(loaded.identity, Responses.kept())
        self._encoder = Encoder(loaded.tokenizer, loaded.window)
        self._decoding = Decoding(self._text, _ends(loaded), temperature)
        self._engine = _engine(loaded, self._encoder, batch_size or TOGETHER[loaded.device])

    @property
    def packs(self) -> bool:
        """Whether sequences share what they have in common."""
        return isinstance(self._engine, PackedModel)

    def count(self, text: str) -> int:
        return self._encoder.count(text)

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Answers to every request.

        Raises:
            UserError: the logits are not finite, or there is no memory for a single problem.
        """
        encoded = {i: one for i, one in enumerate(self._encoder.encode(requests)) if one is not None}
        done(len(requests) - len(encoded))
        answers = self._choose({i: one for i, one in encoded.items() if requests[i].options}, done)
        answers |= self._write({i: one for i, one in encoded.items() if not requests[i].options}, requests, done)
        return [answers.get(i, Answer(0, 0, "too_long")) for i in range(len(requests))]

    def _choose(self, encoded: Mapping[int, Encoded], done: Done) -> dict[int, Answer]:
        places = [(index, option) for index, one in encoded.items() for option in range(len(one.rows))]
        rows = [encoded[index].rows[option] for index, option in places]
        left = Counter(index for index, _ in places)
        values = [0.0] * len(rows)
        for place, value in self._responses.through("choose", _keys(rows), lambda new: self._scored(rows, new)):
            values[place] = value
            index = places[place][0]
            left[index] -= 1
            done(not left[index])
        answers, start = {}, 0
        for index, one in encoded.items():
            scores, start = tuple(values[start : start + len(one.rows)]), start + len(one.rows)
            length = sum(row.scored for row in one.rows)
            answers[index] = Answer(one.prompt_length, length, "choice", scores=scores, dropped=one.dropped)
        return answers

    def _write(self, encoded: Mapping[int, Encoded], requests: Sequence[Request], done: Done) -> dict[int, Answer]:
        indices = list(encoded)
        rows = [encoded[index].rows[0] for index in indices]
        writings = [self._writing(requests[i], row) for i, row in zip(indices, rows, strict=True)]
        keys = [(*key, writing.settings) for key, writing in zip(_keys(rows), writings, strict=True)]
        answers = {}
        for place, (text, ending, length) in self._responses.through(
            "write", keys, lambda new: self._written(rows, writings, new)
        ):
            one = encoded[indices[place]]
            answers[indices[place]] = Answer(one.prompt_length, length, ending, output=text, dropped=one.dropped)
            done(1)
        return answers

    def _writing(self, request: Request, row: Row) -> Writing:
        room = self._window - len(row.tokens)
        return Writing(self._decoding, request.stop, min(request.max_tokens, room), request.lot(self._seed))

    def _scored(self, rows: Sequence[Row], wanted: list[int]) -> Iterator[tuple[list[int], list[float]]]:
        def score(head: Tokens, places: Sequence[int]) -> Iterator[tuple[list[int], list[float]]]:
            for batch, values in self._engine.score(head, [_behind(head, rows[i]) for i in places]):
                finite(torch.tensor(values))
                yield [places[i] for i in batch], values

        yield from self._by_head(rows, wanted, score)

    def _written(
        self, rows: Sequence[Row], writings: Sequence[Writing], wanted: list[int]
    ) -> Iterator[tuple[list[int], list[Any]]]:
        def write(head: Tokens, places: Sequence[int]) -> Iterator[tuple[list[int], list[Any]]]:
            some = [writings[i] for i in places]
            for writing in some:
                writing.restart()
            for batch in self._engine.write(head, [_behind(head, rows[i]) for i in places], some):
                yield [places[i] for i in batch], [[some[i].text, some[i].ending, len(some[i].tokens)] for i in batch]

        yield from self._by_head(rows, wanted, write)

    def _by_head(
        self,
        rows: Sequence[Row],
        wanted: Sequence[int],
        compute: Callable[[Tokens, Sequence[int]], Iterator[tuple[list[int], list[V]]]],
    ) -> Iterator[tuple[list[int], list[V]]]:
        """Compute rows head by head; those whose head nobody shares, whole. Half as much where memory runs out."""
        groups: dict[int, list[int]] = defaultdict(list)
        for place in wanted:
            groups[id(rows[place].head)].append(place)
        alone = [place for places in groups.values() if len(places) == 1 for place in places]
        shared = [(rows[places[0]].head, places) for places in groups.values() if len(places) > 1]
        for head, places in [*shared, *([((), alone)] if alone else [])]:
            left = dict.fromkeys(places)
            while left:
                try:
                    for batch, values in compute(head, list(left)):
                        for place in batch:
                            del left[place]
                        yield batch, values
                except RuntimeError as error:
                    if not _out_of_memory(error):
                        raise
                    if not self._engine.halve():
                        raise UserError(
                            "there is not enough memory for one problem; set dtype: bfloat16, or take another machine"
                        ) from None

    def _text(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))


def _engine(loaded: Loaded, encoder: Encoder, together: int) -> PackedModel | PlainModel:
    """The packed way where it agrees with whole sequences on a few texts, and them where it does not."""
    pad = loaded.tokenizer.pad_token_id
    plain = PlainModel(loaded.model, loaded.device, pad if pad is not None else 0, together)
    try:
        packed = PackedModel(loaded.model, loaded.device, MOST_NODES[loaded.device], together)
        _compare(packed, plain, encoder, TOLERANCE[loaded.model.dtype])
    except NotPackableError as reason:
        print(f"NOTE: this model shares no computation ({reason}); every sequence is computed whole", file=sys.stderr)
        return plain
    return packed


def _compare(packed: PackedModel, plain: PlainModel, encoder: Encoder, tolerance: float) -> None:
    """Score a few texts both ways.

    Raises:
        NotPackableError: the ways disagree, or the packed one fails.
    """
    rows = encoder.trial(_TRIAL, [(question, answer) for question in _TRIALS for answer in _ANSWERS])
    whole = dict(_pairs(plain.score(rows[0].head, rows)))
    try:
        shared = dict(_pairs(packed.score(rows[0].head, rows)))
    except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, NotImplementedError) as error:
        raise NotPackableError(f"{type(error).__name__} with a packed mask") from None
    scale = 1.0 if tolerance < 0.01 else max(abs(value) for value in whole.values())
    worst = max(abs(shared[place] - value) for place, value in whole.items())
    if not worst <= tolerance * scale:
        raise NotPackableError(f"packed scores differ by {worst:.2g} nats")


def _pairs(batches: Iterator[tuple[list[int], list[float]]]) -> Iterator[tuple[int, float]]:
    for places, values in batches:
        yield from zip(places, values, strict=True)


def _behind(head: Tokens, row: Row) -> Row:
    """The row behind the head that its group shares: its own, or none."""
    return row if row.head is head else Row(head, row.tokens, row.scored)


def _keys(rows: Sequence[Row]) -> list[tuple[bytes, ...]]:
    """What answers are kept under: the code that computes them, and the tokens."""
    code = str(fingerprint("pfe.models.huggingface", *APART)).encode()
    return [(code, array("i", row.tokens).tobytes(), str(row.scored).encode()) for row in rows]


def _ends(loaded: Loaded) -> set[int]:
    """The tokens after which a text is over, by the model and by the tokenizer."""
    configured = getattr(loaded.model.generation_config, "eos_token_id", None)
    ends = configured if isinstance(configured, list) else [configured]
    return {end for end in (*ends, loaded.tokenizer.eos_token_id) if end is not None}


def _out_of_memory(error: RuntimeError) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "allocate memory" in str(error)

"""Hugging Face causal language models: log-likelihoods of options and generated text.

Example: `HuggingFace(load("data/models/student", None, "float32", "auto")).answer(requests)`

Problems with the same library in context share its computation, and options share that of their problem (see
`pfe.models.packed`). If a model does not support this, or gives results that differ from those of whole sequences,
every sequence is computed whole (see `pfe.models.audit`).
"""

import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from pfe.config import Model
from pfe.models.audit import AuditedComputations, Batches, Engine, Kind, after_prefix, keys
from pfe.models.chat import choose, thought_tokens
from pfe.models.decoding import Decoding, Writing, finite
from pfe.models.loading import LoadedModel, describe, explaining, naming_entry, with_weights
from pfe.models.packing import Tokens
from pfe.models.precision import arithmetic
from pfe.models.request import Answer, Done, Provenance, Request, in_chat, libraries, unseen, with_thought
from pfe.models.responses import Responses
from pfe.models.tokens import Encoded, RequestEncoder, Row

TOGETHER = {"cpu": 16, "cuda": 64}
_TOGETHER_SMALL = 128  # for a small model, whose steps are mostly overhead
_KEPT = 2**31  # bytes that the KV cache of these answers may fill
_ANSWER = 1024  # tokens assumed for an answer with its problem
Text = list[Any]  # text, stop reason, number of tokens, tokens including the end token, their log-probability


def examinee(name: str, model: Model, seed: int) -> "HuggingFace":
    """Load the model of a configuration entry.

    Raises:
        UserError: it cannot be loaded, or is not causal.
    """
    path = str(model.path)
    with naming_entry(name):
        description = describe(path, model.revision)
    chat = choose(name, model, description.tokenizer, description.ends, description.names)
    with naming_entry(name):
        how = arithmetic(model.dtype, model.device)
        print(f"{name}: {chat.line}, {how.line}", file=sys.stderr)
        loaded = with_weights(description, how, chat.template)
        with explaining(description.source):
            return HuggingFace(loaded, model.batch_size, model.temperature, seed, thinking=thought_tokens(model))


class HuggingFace:
    """A model that scores options by log-likelihood (nats) and generates text.

    Args:
        batch_size: the most answers generated, or whole sequences scored, at once; a small one also shortens packed
            rows. None derives it from the model's size.
        temperature: 0 for greedy decoding; otherwise answers are sampled with `seed`.
        responses: the response cache; the default is the user's.
        thinking: token budget of a thought before each answer. If it is not 0, options are chosen by letter.

    Raises:
        UserError: the model is not causal, or its logits are not finite.
    """

    writes = True

    def __init__(
        self,
        loaded: LoadedModel,
        batch_size: int | None = None,
        temperature: float = 0.0,
        seed: int = 0,
        responses: Responses | None = None,
        thinking: int = 0,
    ) -> None:
        self._thinking, self._chats = thinking, loaded.chat is not None
        self.tokenizer, self._window, self._seed = loaded.tokenizer, loaded.window, seed
        engine = f"huggingface, {loaded.arithmetic}"
        around = (loaded.chat.before, loaded.chat.after) if loaded.chat else ()
        self.provenance = Provenance(
            engine, libraries("pfe.models.huggingface"), loaded.weights, loaded.revision, *around
        )
        cache = responses if responses is not None else Responses(loaded.identity, Responses.user_cache())
        self._encoder = RequestEncoder(loaded.tokenizer, loaded.window, loaded.chat)
        opening = loaded.chat.opening if loaded.chat and thinking else ""
        self._decoding = Decoding(self._text, loaded.tokenizer.decode, _ends(loaded), temperature, opening)
        self._ways = AuditedComputations(loaded, batch_size or together(loaded), cache, seed)

    @property
    def packs(self) -> bool:
        """Whether the computation of common prefixes is shared, if the sequences are not too long for it."""
        return self._ways.packs

    @property
    def revoked(self) -> frozenset[str]:
        """The ways of computing that gave incorrect results."""
        return self._ways.revoked

    def count(self, text: str) -> int:
        return self._encoder.count(text)

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Return an answer to every request, in order.

        Raises:
            UserError: the logits are not finite, or the memory does not suffice for a single problem.
        """
        if self._chats:
            requests = [in_chat(request) for request in requests]
        if self._thinking:
            requests = [with_thought(request, self._thinking) for request in requests]
        encoded = {i: entry for i, entry in enumerate(self._encoder.encode(requests)) if entry is not None}
        done(len(requests) - len(encoded))
        answers = self._choose({i: entry for i, entry in encoded.items() if requests[i].options}, done)
        answers |= self._write({i: entry for i, entry in encoded.items() if not requests[i].options}, requests, done)
        return [answers.get(i, Answer(0, 0, "too_long")) for i in range(len(requests))]

    def _choose(self, encoded: Mapping[int, Encoded], done: Done) -> dict[int, Answer]:
        places = [(index, option) for index, entry in encoded.items() for option in range(len(entry.rows))]
        settled = self._ways.settle(
            _Choices([encoded[index].rows[option] for index, option in places]),
            _problem_counter([index for index, _ in places], done),
        )
        answers, start = {}, 0
        for index, entry in encoded.items():
            end = start + len(entry.rows)
            checked = [settled.within[place] for place in range(start, end) if place in settled.within]
            answers[index] = Answer(
                entry.prompt_length, sum(row.scored for row in entry.rows), "cut" if entry.cut else "choice",
                scores=tuple(settled.values[start:end]), dropped=entry.dropped,
                way=settled.way, difference=_rounded_up(max(checked)) if checked else None,
                prompt_sha256=entry.prompt_sha256,
            )  # fmt: skip
            start = end
        return answers

    def _write(self, encoded: Mapping[int, Encoded], requests: Sequence[Request], done: Done) -> dict[int, Answer]:
        rows = [entry.rows[0] for entry in encoded.values()]
        writings = [self._writing(requests[i], row) for i, row in zip(encoded, rows, strict=True)]
        settled = self._ways.settle(_Texts(rows, writings), _problem_counter(list(encoded), done))
        answers = {}
        for place, ((index, entry), value) in enumerate(zip(encoded.items(), settled.values, strict=True)):
            text, ending, length, *_ = value
            within = settled.within.get(place)
            answers[index] = Answer(
                entry.prompt_length, length, ending, output=text, dropped=entry.dropped,
                way=settled.way, difference=None if within is None else _rounded_up(within),
                prompt_sha256=entry.prompt_sha256,
            )  # fmt: skip
        return answers

    def _writing(self, request: Request, row: Row) -> Writing:
        room = self._window - len(row.tokens)
        answer = min(request.max_tokens, room)
        thought = min(request.thinking, room - answer)
        return Writing(self._decoding, request.stop, answer, request.lot(self._seed), thought)

    def _text(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))


def together(loaded: LoadedModel) -> int:
    """Return the default number of answers that a model generates at once: the smaller the model, the more."""
    config = loaded.model.config.get_text_config()
    layers, hidden, heads = (
        getattr(config, name, None) for name in ("num_hidden_layers", "hidden_size", "num_attention_heads")
    )
    if not layers or not hidden or not heads:
        return TOGETHER[loaded.device]
    width = (getattr(config, "head_dim", None) or hidden // heads) * (
        getattr(config, "num_key_value_heads", 0) or heads
    )
    answer = 2 * layers * width * loaded.model.dtype.itemsize * min(_ANSWER, loaded.window)
    return max(TOGETHER[loaded.device], min(_TOGETHER_SMALL, int(_KEPT // answer)))


class _Choices:
    """Continuations to score: a value is the log-likelihood (nats) of a row's scored tokens."""

    kind: Kind = "choose"

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.longest = max((len(row.tokens) - 1 for row in rows), default=0)

    def parts(self) -> list[tuple[bytes, ...]]:
        return keys(self.rows)

    def compute(self, engine: Engine, head: Tokens, places: Sequence[int]) -> Batches[float]:
        for batch, values in engine.score(head, [after_prefix(head, self.rows[place]) for place in places]):
            finite(torch.tensor(values))
            yield [places[i] for i in batch], values

    def claim(self, place: int, value: float) -> tuple[Row, float]:
        return self.rows[place], value


class _Texts:
    """Prompts to complete."""

    kind: Kind = "write"

    def __init__(self, rows: Sequence[Row], writings: Sequence[Writing]) -> None:
        self.rows, self._writings = rows, writings
        self.longest = max((len(r.tokens) + w.max_tokens for r, w in zip(rows, writings, strict=True)), default=0)

    def parts(self) -> list[tuple[bytes, ...]]:
        return [(*key, writing.settings) for key, writing in zip(keys(self.rows), self._writings, strict=True)]

    def compute(self, engine: Engine, head: Tokens, places: Sequence[int]) -> Batches[Text]:
        group = [self._writings[place] for place in places]
        for writing in group:
            writing.restart()
        for batch in engine.write(head, [after_prefix(head, self.rows[place]) for place in places], group):
            done = [group[i] for i in batch]
            values = [[w.text, w.ending, len(w.tokens), w.tokens_with_end, w.log_probability] for w in done]
            yield [places[i] for i in batch], values

    def claim(self, place: int, value: Text) -> tuple[Row, float]:
        *_, tokens, log_probability = value
        return Row((), self.rows[place].tokens + tuple(tokens), len(tokens)), log_probability


def _problem_counter(problems: Sequence[int], done: Done) -> Callable[[int], None]:
    """Return a function of a row's index that reports each problem once, when all its rows have a value."""
    rows_left, waiting = Counter(problems), set(range(len(problems)))

    def count(place: int) -> None:
        if place in waiting:
            waiting.remove(place)
            rows_left[problems[place]] -= 1
            done(not rows_left[problems[place]])

    return count


def _rounded_up(value: float) -> float:
    """Round a tolerance up to one significant digit."""
    unit: float = 10.0 ** math.floor(math.log10(value))
    return float(f"{math.ceil(round(value / unit, 9)) * unit:.0e}")


def _ends(loaded: LoadedModel) -> set[int]:
    """Return the end-of-text token ids of the model and of the tokenizer."""
    configured = getattr(loaded.model.generation_config, "eos_token_id", None)
    ends = configured if isinstance(configured, list) else [configured]
    return {end for end in (*ends, loaded.tokenizer.eos_token_id) if end is not None}

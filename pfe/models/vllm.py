"""Models that vLLM runs in this process on a local GPU: an optional extra, `pip install 'pfe[vllm]'`.

Example, conf/model/mine.yaml:
    # @package models.mine
    kind: vllm
    label: Mine
    path: data/models/mine
    depends: data/models/mine
    dtype: bfloat16

With vLLM's prefix cache a library is computed once for all problems. For log-probabilities of a prompt, vLLM would skip
the cache by default and compute the whole prompt. Here it uses the cache, and only sequences whose scored tokens were
cached too are computed again in full.
"""

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

from pfe.cache import Cache
from pfe.config import Model
from pfe.errors import UserError, sentences
from pfe.extras import need
from pfe.fingerprint import fingerprint, versions
from pfe.models.chat import choose, thought_tokens
from pfe.models.loading import describe, naming_entry
from pfe.models.precision import arithmetic
from pfe.models.request import Answer, Done, Provenance, Request, cut_answer, in_chat, libraries, unseen, with_thought
from pfe.models.responses import APART, Responses
from pfe.models.tokens import Encoded, RequestEncoder, Row
from pfe.problem import Stop

TOGETHER = 256  # requests that are given to vLLM, and cached, at a time
# vLLM also feeds the last scored token, and generates one token after it.
_SPARE = 2


@dataclass(frozen=True)
class SequenceTask:
    """One sequence to score or to complete, with all settings that determine the result."""

    row: Row
    stop: tuple[str, ...] = ()
    max_tokens: int = 1
    seed: int | None = None

    def parts(self, temperature: float) -> Iterator[bytes]:
        """Yield the parts of its cache key."""
        yield str(self.row.tokens).encode()
        if self.row.scored:
            yield str(self.row.scored).encode()
        else:
            yield str((self.stop, self.max_tokens, temperature, self.seed)).encode()


def examinee(name: str, model: Model, seed: int) -> "VLLM":
    """Return the vLLM model of a configuration entry; raise what `VLLM` raises."""
    return VLLM(name, model, Responses.user_cache(), seed)


class VLLM:
    """A model in vLLM that scores options by log-likelihood (nats) and generates text; it is loaded when needed.

    Raises:
        UserError: vLLM is not installed, there is no such model, or it is a GGUF file or an adapter.
    """

    writes = True
    revoked: tuple[str, ...] = ()

    def __init__(self, name: str, model: Model, cache: Cache, seed: int = 0) -> None:
        self._name, self._model, self._seed = name, model, seed
        need(f"models.{name}: kind: vllm", "vllm")
        with naming_entry(name):
            description = describe(str(model.path), model.revision)
            if description.source.file or description.source.adapter:
                raise description.source.unloadable(
                    "vLLM is given folders and names on the hub here", "set kind: huggingface, which reads this one"
                )
            how = arithmetic(model.dtype, model.device)
        chat = choose(name, model, description.tokenizer, description.ends, description.names)
        print(f"{name}: {chat.line}, {how.line}", file=sys.stderr)
        weights, code = description.weights, fingerprint("pfe.models.vllm", *APART)
        chat_identity = f" {chat.template.identity}" if chat.template else ""
        around = (chat.template.before, chat.template.after) if chat.template else ()
        self._dtype = how.dtype
        engine = f"vllm, {how.dtype}"
        self.provenance = Provenance(engine, libraries("pfe.models.vllm"), weights, model.revision or "", *around)
        self._responses = Responses(f"vllm {weights} {how.dtype} {code} {versions('torch')}{chat_identity}", cache)
        self._window = description.window
        self._encoder = RequestEncoder(description.tokenizer, self._window - _SPARE, chat.template)
        self._thinking, self._chats = thought_tokens(model), chat.template is not None
        self._opening = chat.template.opening if chat.template and self._thinking else ""

    def count(self, text: str) -> int:
        return self._encoder.count(text)

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Return an answer to every request, in order.

        Raises:
            UserError: vLLM cannot load the model, or its log-probabilities are missing or not finite.
        """
        if self._chats:
            requests = [in_chat(request) for request in requests]
        if self._thinking:
            requests = [with_thought(request, self._thinking) for request in requests]
        encoded = self._encoder.encode(requests)
        answers: list[Answer] = []
        for start in range(0, len(requests), TOGETHER):
            part = list(zip(requests, encoded, strict=True))[start : start + TOGETHER]
            answers += self._part(part)
            done(len(part))
        return answers

    def _part(self, part: Sequence[tuple[Request, Encoded | None]]) -> list[Answer]:
        tasks = [[self._task(request, row) for row in rows.rows] if rows else [] for request, rows in part]
        values = iter(self._values([task for row in tasks for task in row]))
        answers = [_answer(rows, [next(values) for _ in row]) for (_, rows), row in zip(part, tasks, strict=True)]
        if not self._thinking:
            return answers
        return [self._with_thought(request, answer) for (request, _), answer in zip(part, answers, strict=True)]

    def _with_thought(self, request: Request, answer: Answer) -> Answer:
        """Return the answer with the opening of its thought, cut at the first stop string after the thought."""
        if answer.stop == "too_long":
            return answer
        whole = self._opening + answer.output
        output = cut_answer(whole, request.stop)
        return replace(answer, output=output, stop=answer.stop if output == whole else "stop")

    def _task(self, request: Request, row: Row) -> SequenceTask:
        if row.scored:
            return SequenceTask(row)
        seed = int.from_bytes(request.lot(self._seed)[:4], "little") >> 1 if self._model.temperature else None
        room = self._window - len(row.tokens)
        return SequenceTask(
            row,
            () if self._thinking else request.stop,  # vLLM would end a thought at them
            min(request.max_tokens + request.thinking, room),
            seed,
        )

    def _values(self, tasks: Sequence[SequenceTask]) -> list[Any]:
        """Return the value of every task, from the cache or computed now and cached."""
        keys = [self._responses.key("vllm", *task.parts(self._model.temperature)) for task in tasks]
        values = self._responses.get_many(keys)
        new = {key: task for key, task in zip(keys, tasks, strict=True) if key not in values}
        if new:
            scored = {key: task.row for key, task in new.items() if task.row.scored}
            new_values = self._score(scored) | self._write({key: new[key] for key in new if key not in scored})
            self._responses.put(new_values)
            values |= new_values
        return [values[key] for key in keys]

    def _score(self, rows: Mapping[bytes, Row]) -> dict[bytes, Any]:
        """Return the log-likelihood (nats) of each row's scored tokens."""
        sums: dict[bytes, Any] = {}
        for whole in (False, True):
            waiting = [key for key in rows if key not in sums]
            outputs = self._generate([rows[key] for key in waiting], [self._scoring(whole)] * len(waiting))
            for key, output in zip(waiting, outputs, strict=True):
                value = log_likelihood(output, rows[key].scored)
                if value is not None:
                    sums[key] = value
        if len(sums) < len(rows) or not all(map(math.isfinite, sums.values())):
            remedy = "" if self._dtype == "float32" else "set dtype: float32 (--dtype float32), or "
            raise UserError(
                f"models.{self._name}: vLLM returned log-probabilities that are missing or not finite; "
                f"{remedy}fetch, convert or train the weights again"
            )
        return sums

    def _write(self, tasks: Mapping[bytes, SequenceTask]) -> dict[bytes, Any]:
        outputs = self._generate([task.row for task in tasks.values()], [self._writing(t) for t in tasks.values()])
        return {key: list(text_of(output)) for key, output in zip(tasks, outputs, strict=True)}

    def _scoring(self, whole: bool) -> Any:
        return self._vllm.SamplingParams(
            max_tokens=1, temperature=0.0, prompt_logprobs=0, detokenize=False, skip_reading_prefix_cache=whole
        )

    def _writing(self, task: SequenceTask) -> Any:
        return self._vllm.SamplingParams(
            max_tokens=task.max_tokens,
            temperature=self._model.temperature,
            stop=list(task.stop) or None,
            seed=task.seed,
            skip_special_tokens=not self._thinking,  # some templates mark thoughts by special tokens
        )

    def _generate(self, rows: Sequence[Row], params: Sequence[Any]) -> Sequence[Any]:
        if not rows:
            return []
        prompts = [self._vllm.TokensPrompt(prompt_token_ids=list(row.tokens)) for row in rows]
        outputs: Sequence[Any] = self._engine.generate(prompts, list(params), use_tqdm=False)
        return outputs

    @cached_property
    def _vllm(self) -> Any:
        return import_module("vllm")

    @cached_property
    def _engine(self) -> Any:
        limit = {} if self._model.batch_size is None else {"max_num_seqs": self._model.batch_size}
        try:
            return self._vllm.LLM(
                model=str(self._model.path),
                revision=self._model.revision,
                dtype=self._dtype,
                trust_remote_code=False,
                max_model_len=self._window,
                enable_prefix_caching=True,
                **limit,
            )
        except Exception as error:  # vLLM's engine raises exceptions of many libraries
            raise self._unloadable(error) from None

    def _unloadable(self, error: Exception) -> UserError:
        reason = sentences(error)
        return UserError(
            f"models.{self._name}: cannot load '{self._model.path}' with vLLM ({reason}); give a folder or a hub name "
            "of a model that vLLM knows and that fits, or use kind: huggingface"
        )


def log_likelihood(output: Any, scored: int) -> float | None:
    """Return the log-likelihood (nats) of the last `scored` prompt tokens of a vLLM `RequestOutput`.

    It is None if it is unknown: no logits are computed for cached tokens, so the token before the first scored one must
    not have been cached. The entries of cached tokens are missing or arbitrary, so entries are counted from the end.
    """
    tokens = output.prompt_token_ids
    if output.num_cached_tokens is None or output.num_cached_tokens >= len(tokens) - scored:
        return None
    entries = (output.prompt_logprobs or [])[-scored:]
    if len(entries) < scored:
        return None
    values = [(entry or {}).get(token) for entry, token in zip(entries, tokens[-scored:], strict=True)]
    return None if None in values else float(sum(value.logprob for value in values if value is not None))


def text_of(output: Any) -> tuple[str, Stop, int]:
    """Return text, stop reason and number of tokens of a vLLM `RequestOutput`; vLLM has cut the stop string off."""
    first = output.outputs[0]
    stop: Stop = (
        "length" if first.finish_reason == "length" else "stop" if isinstance(first.stop_reason, str) else "end"
    )
    return first.text, stop, len(first.token_ids)


def _answer(encoded: Encoded | None, values: Sequence[Any]) -> Answer:
    if encoded is None:
        return Answer(0, 0, "too_long")
    tokens_in, dropped = encoded.prompt_length, encoded.dropped
    if not encoded.rows[0].scored:
        text, stop, tokens_out = values[0]
        return Answer(tokens_in, tokens_out, stop, output=text, dropped=dropped, prompt_sha256=encoded.prompt_sha256)
    return Answer(
        tokens_in, sum(row.scored for row in encoded.rows), "cut" if encoded.cut else "choice",
        scores=tuple(values), dropped=dropped, prompt_sha256=encoded.prompt_sha256,
    )  # fmt: skip

"""Prompts split into the prefix of the arm (head) and the problem (tail).

Example: for an answer in the arm icr the head is "[SCIENCE FACT LIBRARY] …", the tail "Question: … Answer:", and the
options are "barometer", "ruler", ….

Reconstructing a prompt takes a millisecond, and a page may hold a million. So heads are cached: a cached head in front
of the problem is the prompt if it has the hash that the answer records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonprefix

from pfe.config import Config
from pfe.evaluation.reconstruction import prompt_of, split
from pfe.icr.retrieval import Entry
from pfe.models.request import Option, hash_of
from pfe.problem import Problem, ScoredPrediction

Texts = tuple[Option, ...]
Kind = tuple[str, str, str]  # the chat template before and after a prompt, and the way it was asked


@dataclass(frozen=True)
class Prompt:
    """The prefix of a prompt, its problem, and the continuations that were scored."""

    head: str
    tail: str
    options: tuple[str, ...]


class Prompts:
    """The prompts of one benchmark."""

    def __init__(self, settings: Config, shots: Sequence[Problem], entries: Sequence[Entry]) -> None:
        self._settings, self._shots, self._entries = settings, shots, entries
        self._heads: dict[tuple[Kind, str, int], str] = {}

    def of(self, problem: Problem, rows: Sequence[ScoredPrediction]) -> list[Prompt]:
        """Return the prompts of answers to one problem, which may come from several models and arms.

        Raises:
            UserError: a prompt cannot be reconstructed.
        """
        by_hash: dict[str, Texts] = {"": ()}
        bare: dict[Kind, Texts] = {}
        for row in sorted(rows, key=lambda row: row.arm != "canonical"):
            if row.prompt_sha256 not in by_hash:
                by_hash[row.prompt_sha256] = self._texts(row, problem, bare.get(_kind(row), ()))
            if row.arm == "canonical":
                bare.setdefault(_kind(row), by_hash[row.prompt_sha256])
        return [_split(by_hash[row.prompt_sha256], bare.get(_kind(row), ()), row) for row in rows]

    def _texts(self, row: ScoredPrediction, problem: Problem, bare: Texts) -> Texts:
        key = (_kind(row), row.library_sha256, row.dropped)
        behind = [text.context.removeprefix(row.chat_before) for text in bare]
        if (head := self._heads.get(key)) is not None and bare:
            contexts = [head + text for text in behind]
            if hash_of(contexts) == row.prompt_sha256:
                return tuple(Option(context, text.continuation) for context, text in zip(contexts, bare, strict=True))
        texts = prompt_of(row, problem, self._settings, self._shots, self._entries)
        if len(texts) == len(behind) and behind and texts[0].context.endswith(behind[0]):
            self._heads[key] = texts[0].context.removesuffix(behind[0])
        return texts


def _kind(row: ScoredPrediction) -> Kind:
    return row.chat_before, row.chat_after, row.way


def _split(texts: Texts, bare: Texts, row: ScoredPrediction) -> Prompt:
    whole, options = split(texts)
    tail = whole if row.arm == "canonical" else _same_end(whole, split(bare)[0])
    return Prompt(whole.removesuffix(tail), tail, options if row.scores else ())


def _same_end(one: str, other: str) -> str:
    return commonprefix([one[::-1], other[::-1]])[::-1]  # noqa: RUF071 (by characters)

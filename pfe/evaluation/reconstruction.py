"""Reconstruction of the exact prompt that a model was given, from the row of its answer.

Example: for a tuned model's answer on ARC in the arm icr, `prompt_of` returns four options with one context,
"<|im_start|>user\\n[SCIENCE FACT LIBRARY] … Answer:<|im_end|>\\n<|im_start|>assistant\\n": "barometer", "ruler", …
"""

from collections.abc import Sequence
from dataclasses import replace
from os.path import commonprefix
from typing import NamedTuple, cast

from pfe.config import Arm, Config
from pfe.errors import UserError
from pfe.evaluation.arms import base_of, prefixes
from pfe.evaluation.prompts import request_for
from pfe.icr.prefix import Prefix
from pfe.icr.retrieval import Entry
from pfe.models.chat import DELIMITER
from pfe.models.request import Option, Request, contexts, hash_of, letter_prompt
from pfe.problem import Prediction, Problem

# The ways in which chat templates treat white space around a text.
_SPACES = (str, str.strip, str.rstrip, str.lstrip)


class Asked(NamedTuple):
    """The texts that a model was given, and the prefix that the arm put in front of the problem."""

    texts: tuple[Option, ...]
    prefix: Prefix


def prompt_of(
    row: Prediction, problem: Problem, settings: Config, shots: Sequence[Problem], entries: Sequence[Entry] = ()
) -> tuple[Option, ...]:
    """Return the texts that a model was given, byte for byte.

    There is one text for each scored choice, or a single text to complete, with the continuation "". If the row has
    `stop="cut"`, the beginning of these texts did not fit into the model's window. If the problem alone exceeded the
    window, the result is empty.

    Args:
        row: the prediction.
        problem: the sealed problem that the row answers.
        settings: those of the run.
        shots: the solved problems that the arm `reference` drew from.
        entries: the base that the arm `retrieved` searched.

    Raises:
        UserError: the texts differ from those of the run, because template, library, problem, shots or base changed.
    """
    return asked_of(row, problem, settings, shots, entries).texts


def asked_of(
    row: Prediction, problem: Problem, settings: Config, shots: Sequence[Problem], entries: Sequence[Entry] = ()
) -> Asked:
    """Return the result of `prompt_of`, and the prefix of the problem without the methods that were dropped.

    Raises:
        UserError: as `prompt_of`.
    """
    if not row.prompt_sha256:
        return Asked((), Prefix())
    benchmark = settings.benchmark[row.benchmark]
    (whole,) = prefixes(
        cast(Arm, row.arm), row.benchmark, settings.benchmark, [problem],
        order=row.order, seed=settings.seed, words=lambda *_: row.library_words, shots=shots,
        base=base_of(entries, settings),
    )  # fmt: skip
    prefix = whole.shortened(len(whole.methods) - row.dropped) if row.dropped else whole
    texts = _texts(request_for(problem, benchmark, prefix, row.order), row)
    for spaces in _SPACES:
        prompt = tuple(replace(text, context=row.chat_before + spaces(text.context) + row.chat_after) for text in texts)
        if hash_of(text.context for text in prompt) == row.prompt_sha256:
            return Asked(prompt, prefix)
    hashes = {
        "the template": (hash_of([benchmark.prompt]), row.template_sha256),
        "what the arm puts in front": (hash_of([whole.text]), row.library_sha256),
    }
    changed = [part for part, (now, then) in hashes.items() if now != then] or ["the problem"]
    raise UserError(
        f"{row.problem_id}, arm {row.arm}: {' and '.join(changed)} changed since {row.model} was asked; "
        f"run `dvc repro evaluate@{row.model}`"
    )


def split(texts: Sequence[Option]) -> tuple[str, tuple[str, ...]]:
    """Return the longest common beginning of a prompt's texts, and the rest of each text: the scored choices."""
    prompt = commonprefix([text.context for text in texts])  # noqa: RUF071 (by characters is what is meant)
    return prompt, tuple(text.context[len(prompt) :] + text.continuation for text in texts)


def _texts(request: Request, row: Prediction) -> list[Option]:
    """Return the texts of a request, by letter or by choice as in the row, without the chat template around them."""
    if request.options and not row.scores:
        return [Option(request.prefix.text + letter_prompt(request), "")]
    delimiter = DELIMITER if row.chat_after else ""
    continuations = [option.continuation.removeprefix(delimiter) for option in request.options] or [""]
    return [Option(*pair) for pair in zip(contexts(request), continuations, strict=True)]

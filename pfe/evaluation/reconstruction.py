"""What a model was asked, made again from the row of its answer.

Example: of a tuned model's answer on ARC in the arm icr, `prompt_of` gives four options behind one context,
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

# What templates do with the white space around a text.
_SPACES = (str, str.strip, str.rstrip, str.lstrip)


class Asked(NamedTuple):
    """The texts that a model was given, and what the arm put in front of the problem in them."""

    texts: tuple[Option, ...]
    prefix: Prefix


def prompt_of(
    row: Prediction, problem: Problem, settings: Config, shots: Sequence[Problem], entries: Sequence[Entry] = ()
) -> tuple[Option, ...]:
    """The texts that a model was given, to the byte: one a choice, or one to go on from, with the continuation "".

    Where the row has `stop="cut"`, the model lost the beginning of these texts for its window. There are none
    where the problem alone was longer than that.

    Args:
        problem: the sealed problem that the row answers.
        settings: those of the run.
        shots: the solved problems that the arm `reference` drew from.
        entries: the base that the arm `retrieved` searched.

    Raises:
        UserError: they are not what was asked: template, library, problem, shots or base have changed since.
    """
    return asked_of(row, problem, settings, shots, entries).texts


def asked_of(
    row: Prediction, problem: Problem, settings: Config, shots: Sequence[Problem], entries: Sequence[Entry] = ()
) -> Asked:
    """`prompt_of`, and what stood in front of the problem, without the methods that were left out.

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
    """What the texts of a prompt have in common, and what each has behind it: the choices that were scored."""
    prompt = commonprefix([text.context for text in texts])  # noqa: RUF071 (by characters is what is meant)
    return prompt, tuple(text.context[len(prompt) :] + text.continuation for text in texts)


def _texts(request: Request, row: Prediction) -> list[Option]:
    """The texts of a request in the way that the row names, without what a chat template puts around them."""
    if request.options and not row.scores:
        return [Option(request.prefix.text + letter_prompt(request), "")]
    delimiter = DELIMITER if row.chat_after else ""
    continuations = [option.continuation.removeprefix(delimiter) for option in request.options] or [""]
    return [Option(*pair) for pair in zip(contexts(request), continuations, strict=True)]

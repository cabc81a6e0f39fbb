"""Requests to models and their answers, the same for all kinds of models.

Example: `Request(problem, Prefix("[METHOD LIBRARY]\\n\\n", ("METHOD 1: …\\n\\n", …), "[PROBLEM]\\n"),
prompt="Question: …\\nAnswer:", options=(Option("Question: …\\nAnswer:", " barometer"), …))`
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Protocol

from pfe.fingerprint import fingerprint
from pfe.icr.prefix import Prefix
from pfe.problem import Problem, Stop
from pfe.thoughts import after_thoughts


@dataclass(frozen=True)
class Option:
    """One option of a choice: `continuation` is scored given `context`, which follows the prefix."""

    context: str
    continuation: str


@dataclass(frozen=True)
class Request:
    """One request to a model: choose among `options`, or generate if there are none.

    Generation ends at one of the `stop` strings or after `max_tokens` tokens, in addition to a thought of up to
    `thinking` tokens. `order` and the problem's id seed any sampling. `schema` is a JSON Schema that the text must
    match on servers that support it.
    """

    problem: Problem
    prefix: Prefix
    prompt: str
    options: tuple[Option, ...] = ()
    stop: tuple[str, ...] = ()
    max_tokens: int = 1
    order: int = 0
    schema: str = ""
    thinking: int = 0

    def lot(self, seed: int) -> bytes:
        """Return 32 bytes derived from seed, problem and order, which seed any sampling for this request."""
        return sha256(f"{seed}:{self.problem.id}:{self.order}".encode()).digest()


@dataclass(frozen=True)
class Answer:
    """A model's answer: a score for every option (the highest is its choice), or the generated `output`.

    An output ends before the stop string. `tokens_in` counts the tokens of prefix and prompt as they were given,
    `tokens_out` those generated or scored. `dropped` is the number of the prefix's methods that did not fit into the
    window. A choice that was made by letter has no scores, and `output` is the reply.

    `way` names how the answer was computed or requested, if there are several ways. If it was checked against the whole
    sequence alone, `difference` is by how many nats the two log-likelihoods differ. `prompt_sha256` is `hash_of` the
    prompt, "" if none was given.
    """

    tokens_in: int
    tokens_out: int
    stop: Stop
    scores: tuple[float, ...] = ()
    output: str = ""
    dropped: int = 0
    way: str = ""
    difference: float | None = None
    prompt_sha256: str = ""


@dataclass(frozen=True)
class Provenance:
    """The origin of answers: an engine with the versions of its libraries, the weights, and the requested revision.

    `chat_before` and `chat_after` are the text that a chat template puts around every prompt.
    """

    engine: str
    versions: str
    weights: str = ""
    revision: str = ""
    chat_before: str = ""
    chat_after: str = ""


def libraries(engine: str) -> str:
    """Return the versions of Python and of all libraries that an engine's module imports: "python 3.11, torch …"."""
    return ", ".join(fingerprint(engine).versions)


def hash_of(texts: Iterable[str]) -> str:
    """Return the SHA-256 of the distinct texts of one request, in order and separated by NUL."""
    return sha256("\0".join(dict.fromkeys(texts)).encode("utf-8", "surrogatepass")).hexdigest()


def contexts(request: Request) -> tuple[str, ...]:
    """Return the full prompts: the prefix with each option's context, or with the prompt if there are no options."""
    return tuple(request.prefix.text + option.context for option in request.options) or (
        request.prefix.text + request.prompt,
    )


def chat_stops(stop: Sequence[str]) -> tuple[str, ...]:
    """Return the stop strings that apply in a chat, where a reply ends by itself: those that contain a letter.

    Line ends and punctuation, which end a plain-text completion, would cut a reply within its first sentence.
    """
    return tuple(mark for mark in stop if any(map(str.isalpha, mark)))


def in_chat(request: Request) -> Request:
    """Return the request with only the stop strings that apply in a chat."""
    return replace(request, stop=chat_stops(request.stop))


LETTER_TOKENS = 64  # room for "The correct answer is:\n\n**B. barometer**", whatever the benchmark's max_tokens


def fills_blank(request: Request) -> bool:
    """Return whether the options differ in their contexts, as WinoGrande's do."""
    return len({option.context for option in request.options}) > 1


def letter_prompt(request: Request) -> str:
    """Return the prompt with its lettered options (continuations, or fillers of its blank) and a request for a letter.

    Example: "Question: Which tool measures air pressure?\\nAnswer:\\n\\nA. barometer\\nB. ruler\\n\\n
    Which of these comes next? Reply with its letter alone.\\nAnswer:"
    """
    blank = fills_blank(request)
    texts = request.problem.choices if blank else [option.continuation.strip() for option in request.options]
    options = "\n".join(f"{chr(ord('A') + place)}. {text}" for place, text in enumerate(texts))
    question = "Which of these belongs in the blank (_)?" if blank else "Which of these comes next?"
    return f"{request.prompt}\n\n{options}\n\n{question} Reply with its letter alone.\nAnswer:"


def letter_request(request: Request) -> Request:
    """Return the request to generate the letter of an option, with room for a sentence around it."""
    return replace(
        request, prompt=letter_prompt(request), options=(), stop=(), max_tokens=letter_tokens(request.max_tokens)
    )


def letter_tokens(max_tokens: int) -> int:
    """Return the token limit of a choice by letter, for a benchmark whose answers have up to `max_tokens` tokens."""
    return max(LETTER_TOKENS, max_tokens)


def with_thought(request: Request, tokens: int) -> Request:
    """Return the request with room for a thought of `tokens` tokens, after which a choice is made by letter."""
    return replace(letter_request(request) if request.options else request, thinking=tokens)


def cut_answer(output: str, stop: Sequence[str]) -> str:
    """Cut an output at the first stop string of its answer.

    Stop strings in a thought, or in the white space after one, do not count.
    """
    answer = after_thoughts(output)
    if answer is None:
        return output
    thought = output[: output.rfind(answer)]
    space = answer[: len(answer) - len(answer.lstrip())] if thought else ""
    return thought + space + cut(answer.removeprefix(space), stop)


def cut(text: str, stop: Sequence[str]) -> str:
    """Return the text before the first stop string in it."""
    ends = [place for mark in stop if (place := text.find(mark)) >= 0]
    return text[: min(ends)] if ends else text


def words(text: str) -> int:
    """Return the number of white-space separated words, which count as tokens for models without a tokenizer."""
    return len(text.split())


def by_scores(request: Request, scores: tuple[float, ...]) -> Answer:
    """Return the answer of a model without a tokenizer: a score for each option, or nothing if there are none."""
    return Answer(
        words(request.prefix.text + request.prompt), 0, "choice" if scores else "none",
        scores=scores, prompt_sha256=hash_of(contexts(request)),
    )  # fmt: skip


Done = Callable[[int], object]


def unseen(count: int) -> None:
    """Ignore the progress."""


class Examinee(Protocol):
    """A model that can be evaluated. If `writes` is False it can only choose, and is never asked to generate."""

    writes: bool

    @property
    def provenance(self) -> Provenance:
        """The engine, libraries and weights that answer."""

    @property
    def revoked(self) -> Collection[str]:
        """The ways of computing that gave incorrect results: answers computed that way must be requested again."""

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Return an answer to every request, in order; call `done(n)` as soon as n more are finished."""

    def count(self, text: str) -> int:
        """Return the number of this model's tokens in a text."""

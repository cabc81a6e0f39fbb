"""What a model is asked, and what it answers.

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
    """One way to go on: `continuation` is scored given `context`, which stands behind the prefix."""

    context: str
    continuation: str


@dataclass(frozen=True)
class Request:
    """One question to a model: choose among `options`, or, where there are none, generate.

    Generation goes on until one of `stop` or `max_tokens` tokens, behind a thought of up to `thinking` tokens. `order`
    and the problem's id seed what is drawn at random, where anything is. `schema` is JSON Schema that a server which
    can is to keep its text to.
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
        """32 bytes by seed, problem and order, for whatever is drawn in answering this request."""
        return sha256(f"{seed}:{self.problem.id}:{self.order}".encode()).digest()


@dataclass(frozen=True)
class Answer:
    """What came back: a score for every option (the highest is the model's choice), or the `output` it wrote.

    An output ends before the stop string. `tokens_in` counts the tokens of prefix and prompt as they
    were given, `tokens_out` those generated or scored. `dropped` methods of the prefix did not fit
    the window. A choice that was asked for by letter has no scores, and in `output` what came.

    `way` names how it was computed or asked, where there are several; where that was checked by computing the whole
    sequence alone, `difference` is by how many nats the two log-likelihoods differ. `prompt_sha256` is `hash_of` what
    was given, "" where nothing was.
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
    """Who answers: an engine, with the versions of its libraries, and weights of the revision that was asked for.

    `chat_before` and `chat_after` are what a chat template puts around all that is asked.
    """

    engine: str
    versions: str
    weights: str = ""
    revision: str = ""
    chat_before: str = ""
    chat_after: str = ""


def libraries(engine: str) -> str:
    """The versions of Python and of all that the module of an engine imports: "python 3.11, torch 2.13.0, …"."""
    return ", ".join(fingerprint(engine).versions)


def hash_of(texts: Iterable[str]) -> str:
    """The SHA-256 of the different texts that one request is given as, in their order, with a NUL between two."""
    return sha256("\0".join(dict.fromkeys(texts)).encode("utf-8", "surrogatepass")).hexdigest()


def contexts(request: Request) -> tuple[str, ...]:
    """What stands before each option, or is gone on from, behind the prefix."""
    return tuple(request.prefix.text + option.context for option in request.options) or (
        request.prefix.text + request.prompt,
    )


def chat_stops(stop: Sequence[str]) -> tuple[str, ...]:
    """Return the stop strings that hold in a chat, where a reply ends by itself: those with a letter in them.

    Line ends and punctuation, which end what is written to plain text, would cut a reply within its first sentence.
    """
    return tuple(mark for mark in stop if any(map(str.isalpha, mark)))


def in_chat(request: Request) -> Request:
    """Return the request as it is asked in a chat."""
    return replace(request, stop=chat_stops(request.stop))


LETTER_TOKENS = 64  # room for "The correct answer is:\n\n**B. barometer**", whatever the benchmark's max_tokens


def fills_blank(request: Request) -> bool:
    """Whether the options differ in what stands before the continuation, as WinoGrande's do."""
    return len({option.context for option in request.options}) > 1


def letter_prompt(request: Request) -> str:
    """The prompt, then its options by letter (what follows it, or what goes into its blank), and the wish for one.

    Example: "Question: Which tool measures air pressure?\\nAnswer:\\n\\nA. barometer\\nB. ruler\\n\\n
    Which of these comes next? Reply with its letter alone.\\nAnswer:"
    """
    blank = fills_blank(request)
    texts = request.problem.choices if blank else [option.continuation.strip() for option in request.options]
    options = "\n".join(f"{chr(ord('A') + place)}. {text}" for place, text in enumerate(texts))
    question = "Which of these belongs in the blank (_)?" if blank else "Which of these comes next?"
    return f"{request.prompt}\n\n{options}\n\n{question} Reply with its letter alone.\nAnswer:"


def letter_request(request: Request) -> Request:
    """Return the request that asks for the letter of an option in writing, with room for a sentence around it."""
    return replace(
        request, prompt=letter_prompt(request), options=(), stop=(), max_tokens=letter_tokens(request.max_tokens)
    )


def letter_tokens(max_tokens: int) -> int:
    """Return how many tokens the letter of a choice may take, where the benchmark's answers have up to `max_tokens`."""
    return max(LETTER_TOKENS, max_tokens)


def with_thought(request: Request, tokens: int) -> Request:
    """Return the request with room for a thought of so many tokens, after which a choice is made by letter."""
    return replace(letter_request(request) if request.options else request, thinking=tokens)


def cut_answer(output: str, stop: Sequence[str]) -> str:
    """Cut the answer at the first stop string in it: none in a thought, or in the white space behind one, ends it."""
    answer = after_thoughts(output)
    if answer is None:
        return output
    thought = output[: output.rfind(answer)]
    space = answer[: len(answer) - len(answer.lstrip())] if thought else ""
    return thought + space + cut(answer.removeprefix(space), stop)


def cut(text: str, stop: Sequence[str]) -> str:
    """The text before the first of the stop strings that occurs in it."""
    ends = [place for mark in stop if (place := text.find(mark)) >= 0]
    return text[: min(ends)] if ends else text


def words(text: str) -> int:
    """How many white-space separated words a text has: the tokens of examinees that have no tokenizer."""
    return len(text.split())


def by_scores(request: Request, scores: tuple[float, ...]) -> Answer:
    """The answer of an examinee without a tokenizer: a score for each option, or nothing where there are none."""
    return Answer(
        words(request.prefix.text + request.prompt), 0, "choice" if scores else "none",
        scores=scores, prompt_sha256=hash_of(contexts(request)),
    )  # fmt: skip


Done = Callable[[int], object]


def unseen(count: int) -> None:
    """Nobody watches the progress."""


class Examinee(Protocol):
    """Anything that can be examined. What only chooses does not `write`, and is never asked to."""

    writes: bool

    @property
    def provenance(self) -> Provenance:
        """Which engine, libraries and weights answer."""

    @property
    def revoked(self) -> Collection[str]:
        """The ways of computing that turned out to be wrong: what was answered so must be asked again."""

    def answer(self, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """An answer to every request, in their order; `done(n)` is called as soon as n more are there."""

    def count(self, text: str) -> int:
        """How many tokens a text is to this examinee."""

"""Components, features and truth of many untrusted formulas, by sympy in killable processes.

Example: `measure([Question("x1 + x1", ("x1", "x2"))], Limits(), Cache.default(), workers=2)` gives
[Measured(parsed=3, simplified=3, status="simplified", features=("x1",), …, counted="simplified")].

Answers are kept by what was asked, the limits, this package's code, and the versions of its libraries: time-outs and
failures too, so that a killed run goes on where it was. A time-out is one of processor time, and an answer to no other
limit; what a busy machine ended by the clock is not kept. To try those again, raise the limits.
"""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any, Literal, TypeVar

from pfe.cache import Cache
from pfe.expressions.equivalence import HOPELESS, TOLERANCE
from pfe.expressions.parser import Expression, NotAnExpressionError, parse
from pfe.expressions.pool import Conversation, Pool, Reply
from pfe.expressions.symbolic import components_written
from pfe.fingerprint import fingerprint

T = TypeVar("T")
Equivalent = Literal["symbolic", "numerical", "no", "unknown"]


@dataclass(frozen=True)
class Limits:
    """Of each step of a question: counting, simplifying, and each way of comparing with the truth.

    `seconds`: of the processor.

    `decimals`: round floats to so many after simplification and before counting; None, the default, does not, for
    rounding deletes structure.
    """

    seconds: float = 10.0
    memory_mb: int = 2048
    decimals: int | None = None


@dataclass(frozen=True)
class Question:
    """A model over columns; with a truth, whether it is equivalent to that one.

    `ranges` holds the lowest and highest value of each column, for the numerical comparison; () forgoes it.
    """

    model: str
    columns: tuple[str, ...]
    truth: str | None = None
    ranges: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Measured:
    """What was found about a model.

    `parsed` counts the components of the tree that sympy builds, `simplified` those of what sympy.simplify makes of
    it, where these are fewer: some models it makes longer, and no model counts more than as it was told. `counted`
    says which of the two `simplified` is. Where `status` is "timeout" or "failed", it is `parsed`; where sympy builds
    no tree of real numbers, both are the count of the formula as it is written. All are None where it is "unparsed".
    `features` are the columns that remain. `equivalent` is None where no truth was asked.
    """

    parsed: int | None
    simplified: int | None
    status: Literal["simplified", "timeout", "failed", "unparsed"]
    features: tuple[str, ...]
    equivalent: Equivalent | None
    reason: str
    counted: Literal["parsed", "simplified"] | None = None


def measure(
    questions: Sequence[Question],
    limits: Limits,
    cache: Cache | None,
    workers: int,
    done: Callable[[int], object] = lambda answered: None,
) -> list[Measured]:
    """Answer all questions; equal ones are measured once.

    Args:
        done: is told how many more different questions are answered.

    Raises:
        ValueError: a truth is no expression, or its ranges are not those of its columns.
    """
    keys = {question: _key(question, limits) for question in questions}
    for question in keys:
        _check(question)
    known = cache.get_many(list(keys.values())) if cache else {}
    answers = {question: _decoded(known[key]) for question, key in keys.items() if key in known}
    done(len(answers))
    left = [question for question in keys if question not in answers]
    with Pool(min(workers, len(left)), limits.seconds, limits.memory_mb) as pool:
        for place, (measured, stalled) in pool.run([_watched(_conversation(question, limits)) for question in left]):
            answers[left[place]] = measured
            if cache and not stalled:
                cache.put_many({keys[left[place]]: json.dumps(asdict(measured)).encode()})
            done(1)
    return [answers[question] for question in questions]


def _key(question: Question, limits: Limits) -> bytes:
    asked = [str(fingerprint("pfe.expressions.measure")), asdict(question), asdict(limits)]
    return sha256(("pfe.expressions.measure " + json.dumps(asked, sort_keys=True)).encode()).digest()


def _decoded(value: bytes) -> Measured:
    fields = json.loads(value)
    return Measured(**{**fields, "features": tuple(fields["features"])})


def _check(question: Question) -> None:
    if question.ranges and len(question.ranges) != len(question.columns):
        raise ValueError(f"{len(question.ranges)} ranges for the {len(question.columns)} columns of a question")
    if question.truth is not None:
        parse(question.truth, question.columns)


def _watched(conversation: Conversation[T]) -> Conversation[tuple[T, bool]]:
    """The same conversation; its result with whether a child was ended by the clock on the way."""
    stalled = False
    try:
        request = next(conversation)
        while True:
            reply = yield request
            stalled = stalled or reply.status == "stalled"
            request = conversation.send(reply)
    except StopIteration as end:
        return end.value, stalled


def _conversation(question: Question, limits: Limits) -> Conversation[Measured]:
    try:
        model = parse(question.model, question.columns)
    except NotAnExpressionError as error:
        return Measured(None, None, "unparsed", (), None if question.truth is None else "no", str(error))
    asked = {"model": question.model, "columns": question.columns}
    measured = yield from _counted(model, {**asked, "decimals": limits.decimals})
    if question.truth is None:
        return measured
    equivalent = yield from _compared(measured, {**asked, "truth": question.truth, "ranges": question.ranges})
    return replace(measured, equivalent=equivalent)


def _counted(model: Expression, asked: Mapping[str, Any]) -> Conversation[Measured]:
    counted = yield {"task": "count", **asked}
    if counted.status != "done" or not counted.value["real"]:
        return _unsimplified(model, components_written(model), counted)
    simplified = yield {"task": "simplify", **asked}
    if simplified.status != "done" or not simplified.value["real"]:
        return _unsimplified(model, counted.value["components"], simplified)
    features = tuple(simplified.value["features"])
    before, after = counted.value["components"], simplified.value["components"]
    if after > before:
        return Measured(before, before, "simplified", features, None, f"{after} components when simplified", "parsed")
    return Measured(before, after, "simplified", features, None, "", "simplified")


def _unsimplified(model: Expression, parsed: int, reply: Reply) -> Measured:
    if reply.status == "done":
        return Measured(parsed, parsed, "failed", model.features, None, "not a real number everywhere", "parsed")
    status: Literal["timeout", "failed"] = "failed" if reply.status == "failed" else "timeout"
    return Measured(parsed, parsed, status, model.features, None, reply.reason, "parsed")


def _compared(measured: Measured, asked: Mapping[str, Any]) -> Generator[Mapping[str, Any], Reply, Equivalent]:
    """Symbolic first, then numerical; no symbolic attempt where the numbers are far apart."""
    if not measured.features:
        return "no"
    numbers = yield {"task": "deviation", **asked}
    deviation = numbers.value.get("deviation")
    if deviation is not None and deviation > HOPELESS:
        return "no"
    for task in ("difference", "ratio"):
        symbols = yield {"task": task, **asked}
        if symbols.value.get("constant"):
            return "symbolic"
    if deviation is None:
        return "unknown"
    return "numerical" if deviation <= TOLERANCE else "no"

"""Measurement of many untrusted formulas by sympy in killable processes: components, features, equivalence to a truth.

Example: `measure([Question("x1 + x1", ("x1",))], StepLimits(), Cache.default(), workers=2)` gives
[Measurement(parsed=3, simplified=3, status="simplified", features=("x1",), …, counted="simplified")].

Answers are cached under the question, the limits, this package's code, and the versions of its libraries. Time-outs and
failures are cached too, so that a killed run resumes where it stopped. A time-out refers to processor time, and is
reused only for the same limit. A step that the wall clock ended on a busy machine is not cached. To retry formulas that
timed out, raise the limits.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from math import ceil
from typing import Any, Literal

from pfe.cache import Cache
from pfe.fingerprint import fingerprint
from pfe.processes.pool import Conversation, Pool
from pfe.processes.server import Task
from pfe.symreg.expressions import steps
from pfe.symreg.expressions.equivalence import HOPELESS, TOLERANCE
from pfe.symreg.expressions.parser import Expression, NotAnExpressionError, parse
from pfe.symreg.expressions.symbolic import components_written

LOADED = (steps.__name__, "sympy.physics.units", "sympy.tensor.tensor")  # sympy.simplify imports the last two
PATIENCE, MARGIN = 20.0, 60.0  # wall-clock limit: PATIENCE times the processor limit, plus MARGIN seconds
Equivalent = Literal["symbolic", "numerical", "no", "unknown"]


@dataclass(frozen=True)
class StepLimits:
    """The limits of each step of a question: counting, simplifying, and each comparison with the truth.

    `seconds` is processor time, rounded up to whole seconds. `memory_mb` is in MiB, in addition to the memory of a
    process that has loaded sympy. Floats are rounded to `decimals` after simplification and before counting; None, the
    default, does not round, because rounding deletes structure.
    """

    seconds: float = 10.0
    memory_mb: int = 2048
    decimals: int | None = None


@dataclass(frozen=True)
class Question:
    """A model over columns and, if a truth is given, the question whether the model is equivalent to it.

    `ranges` holds the lowest and highest value of each column, for the numerical comparison; () skips that comparison.
    """

    model: str
    columns: tuple[str, ...]
    truth: str | None = None
    ranges: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Measurement:
    """The measures of a model.

    `parsed` counts the components of the tree that sympy builds. `simplified` counts those after sympy.simplify if they
    are fewer, because simplification makes some models longer and no model should count more than as reported.
    `counted` names the count that `simplified` holds. If `status` is "timeout" or "failed", `simplified` is equal to
    `parsed`; if sympy builds no tree of real numbers, both are the count of the formula as written. If `status` is
    "unparsed", all three are None. `features` are the columns that remain. `equivalent` is None if no truth was given.
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
    limits: StepLimits,
    cache: Cache | None,
    workers: int,
    done: Callable[[int], object] = lambda answered: None,
) -> list[Measurement]:
    """Return the measurements of all questions; equal questions are measured once.

    Args:
        done: called with the number of further distinct questions that are answered.

    Raises:
        ValueError: a truth is not an expression, or the number of ranges is not that of the columns.
    """
    keys = {question: _key(question, limits) for question in questions}
    for question in keys:
        _check(question)
    cached = cache.get_many(list(keys.values())) if cache else {}
    answers = {question: _decoded(cached[key]) for question, key in keys.items() if key in cached}
    done(len(answers))
    remaining = [question for question in keys if question not in answers]
    with Pool(min(workers, len(remaining)), LOADED) as pool:
        for place, (measurement, stalled) in pool.run([_answer(question, limits) for question in remaining]):
            answers[remaining[place]] = measurement
            if cache and not stalled:
                cache.put_many({keys[remaining[place]]: json.dumps(asdict(measurement)).encode()})
            done(1)
    return [answers[question] for question in questions]


def _key(question: Question, limits: StepLimits) -> bytes:
    parts = [str(fingerprint("pfe.symreg.expressions.measure")), asdict(question), asdict(limits)]
    return sha256(("pfe.symreg.expressions.measure " + json.dumps(parts, sort_keys=True)).encode()).digest()


def _decoded(value: bytes) -> Measurement:
    fields = json.loads(value)
    return Measurement(**{**fields, "features": tuple(fields["features"])})


def _check(question: Question) -> None:
    if question.ranges and len(question.ranges) != len(question.columns):
        raise ValueError(f"{len(question.ranges)} ranges for the {len(question.columns)} columns of a question")
    if question.truth is not None:
        parse(question.truth, question.columns)


@dataclass(frozen=True)
class _Reply:
    """The result of a step: `value` if the status is "done", otherwise `reason`."""

    status: Literal["done", "timeout", "failed"]
    value: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


class _Sympy:
    """The steps of a question in child processes; `stalled` is whether the wall clock ended one on a busy machine."""

    def __init__(self, limits: StepLimits) -> None:
        self._limits, self.stalled = limits, False

    def __call__(self, step: str, **request: Any) -> Conversation[_Reply]:
        limits = self._limits
        clock = PATIENCE * limits.seconds + MARGIN
        call = partial(steps.run_step, step, request, limits.memory_mb)
        report = yield Task(call, clock, {"CPU": ceil(limits.seconds)})
        if report.end == "late":
            self.stalled = True
            return _Reply("timeout", reason=f"{report.detail} by the clock, on a busy machine")
        if report.end != "answered":
            return _Reply("timeout" if report.end == "overdrawn" else "failed", reason=report.detail)
        value = json.loads(report.answer)
        return _Reply("failed", reason=value["failed"]) if "failed" in value else _Reply("done", value)


def _answer(question: Question, limits: StepLimits) -> Conversation[tuple[Measurement, bool]]:
    sympy = _Sympy(limits)
    measurement = yield from _measurement(question, limits, sympy)
    return measurement, sympy.stalled


def _measurement(question: Question, limits: StepLimits, sympy: _Sympy) -> Conversation[Measurement]:
    try:
        model = parse(question.model, question.columns)
    except NotAnExpressionError as error:
        return Measurement(None, None, "unparsed", (), None if question.truth is None else "no", str(error))
    measurement = yield from _counts(question, model, limits.decimals, sympy)
    if question.truth is None:
        return measurement
    equivalent = yield from _equivalence(question, measurement, sympy)
    return replace(measurement, equivalent=equivalent)


def _counts(question: Question, model: Expression, decimals: int | None, sympy: _Sympy) -> Conversation[Measurement]:
    request = {"model": question.model, "columns": question.columns}
    count = yield from sympy("count", **request)
    if count.status != "done" or not count.value["real"]:
        return _unsimplified(model, components_written(model), count)
    simplified = yield from sympy("simplify", **request, decimals=decimals)
    if simplified.status != "done" or not simplified.value["real"]:
        return _unsimplified(model, count.value["components"], simplified)
    features = tuple(simplified.value["features"])
    before, after = count.value["components"], simplified.value["components"]
    if after > before:
        return Measurement(
            before, before, "simplified", features, None, f"{after} components when simplified", "parsed"
        )
    return Measurement(before, after, "simplified", features, None, "", "simplified")


def _unsimplified(model: Expression, parsed: int, reply: _Reply) -> Measurement:
    if reply.status == "done":
        return Measurement(parsed, parsed, "failed", model.features, None, "not a real number everywhere", "parsed")
    return Measurement(parsed, parsed, reply.status, model.features, None, reply.reason, "parsed")


def _equivalence(question: Question, measurement: Measurement, sympy: _Sympy) -> Conversation[Equivalent]:
    """Return the equivalence, symbolic before numerical.

    The symbolic comparison is skipped if the numerical deviation is large.
    """
    if not measurement.features:
        return "no"
    request = {"model": question.model, "columns": question.columns, "truth": question.truth}
    numbers = yield from sympy("deviation", **request, ranges=question.ranges)
    deviation = numbers.value.get("deviation")
    if deviation is not None and deviation > HOPELESS:
        return "no"
    for step in ("difference", "ratio"):
        symbols = yield from sympy(step, **request)
        if symbols.value.get("constant"):
            return "symbolic"
    if deviation is None:
        return "unknown"
    return "numerical" if deviation <= TOLERANCE else "no"

"""Running of a model on benchmarks in every arm: it sends requests and returns predictions, without scores.

Example: `examine(model, "student", "arc_easy", settings, problems, shots=[])` returns a prediction for
every problem in the arms canonical, icr and placebo, in that order.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from itertools import zip_longest

from pfe.config import Arm, Benchmark, Config
from pfe.evaluation.arms import base_of, is_asked, prefixes, shots_note
from pfe.evaluation.prompts import request_for
from pfe.icr.controls import methods_words, placebo_words
from pfe.icr.retrieval import Entry
from pfe.models.request import Answer, Examinee, Request, hash_of
from pfe.problem import Prediction, Problem
from pfe.progress import progress

Stratum = tuple[str, str, str]  # skill, rung and names of a problem


def draw(problems: Sequence[Problem], limit: int | None, seed: int) -> list[Problem]:
    """Return at most `limit` problems, sampled by seed and id, in the sealed order; smaller limits give subsets.

    If problems have a rung, the sample is stratified by skill, rung and names. Strata that are not exhausted differ by
    at most one problem, and those with one more are spread over skills, rungs and names.
    """
    if limit is None or limit >= len(problems):
        return list(problems)
    if any(problem.rung for problem in problems):
        return _stratified(problems, limit, seed)
    lots = {problem.id: _lot(seed, problem.id) for problem in problems}
    last = sorted(lots.values())[limit - 1]
    return [problem for problem in problems if lots[problem.id] <= last]


def _stratified(problems: Sequence[Problem], limit: int, seed: int) -> list[Problem]:
    """Return `limit` problems, taken from the strata in turn, in the sealed order."""
    strata: dict[Stratum, list[str]] = {}
    for problem in problems:
        strata.setdefault((problem.skill, f"{problem.rung}", problem.names), []).append(problem.id)
    turns = {stratum: turn for turn, stratum in enumerate(_interleaved([*strata], seed))}
    places = {
        id: (place, turns[stratum])
        for stratum, ids in strata.items()
        for place, id in enumerate(sorted(ids, key=lambda id: _lot(seed, id)))
    }
    drawn = set(sorted(places, key=places.__getitem__)[:limit])
    return [problem for problem in problems if problem.id in drawn]


def _interleaved(strata: Sequence[Stratum], seed: int, level: int = 0) -> list[Stratum]:
    """Return strata in an order whose first n, for any n, are spread evenly over the values at `level`.

    Strata with the same value are ordered in the same way by the next levels.
    """
    if level == len(strata[0]):
        return list(strata)
    groups: dict[str, list[Stratum]] = {}
    for stratum in sorted(strata, key=lambda stratum: _lot(seed, "/".join(stratum[: level + 1]))):
        groups.setdefault(stratum[level], []).append(stratum)
    parts = [_interleaved(group, seed, level + 1) for group in groups.values()]
    return [stratum for turn in zip_longest(*parts) for stratum in turn if stratum is not None]


def _lot(seed: int, name: str) -> bytes:
    return sha256(f"{seed}:{name}".encode()).digest()


def examine(
    examinee: Examinee,
    model: str,
    name: str,
    settings: Config,
    problems: Sequence[Problem],
    shots: Sequence[Problem],
    entries: Sequence[Entry] = (),
) -> list[Prediction]:
    """Return the predictions of one model on one benchmark, arm by arm.

    An examinee that cannot write is not asked problems that need written answers. A problem is not asked in arms that
    do not apply to it (`pfe.evaluation.arms.is_asked`).

    Args:
        examinee: the model.
        model: its name.
        name: the benchmark's name.
        settings: of the run.
        problems: the problems to ask.
        shots: solved problems for the arm `reference`.
        entries: the base of the arm `retrieved`.

    Raises:
        UserError: a prompt template or a library is invalid, or the model cannot answer.
    """
    benchmark = settings.benchmark[name]
    asked = [problem for problem in problems if examinee.writes or not benchmark.writes(problem)]
    predictions: list[Prediction] = []
    base = base_of(entries, settings)
    passes = [(arm, n) for arm in settings.evaluate.arms for n in range(settings.icr.orders if arm == "icr" else 1)]
    for arm, order in passes:
        problems = [problem for problem in asked if is_asked(arm, problem)]
        if not problems:
            continue
        before = prefixes(
            arm, name, settings.benchmark, problems,
            order=order, seed=settings.seed, words=partial(placebo_words, count=examinee.count), shots=shots,
            base=base,
        )  # fmt: skip
        if arm == "reference" and benchmark.shots:
            print(f"NOTE: {shots_note(name, benchmark, problems, before, shots)}", file=sys.stderr)
        requests = [request_for(p, benchmark, prefix, order) for p, prefix in zip(problems, before, strict=True)]
        label = f"{model} {name} {arm}" + (f" {order}" if order else "")
        with progress(len(requests), label, "problem") as done:
            answers = examinee.answer(requests, done)
        predictions += _predictions(examinee, model, name, benchmark, arm, requests, answers)
    return predictions


def examinations(
    examinee: Examinee,
    model: str,
    settings: Config,
    sealed: Mapping[str, Sequence[Problem]],
    solved: Mapping[str, Sequence[Problem]],
    entries: Sequence[Entry] = (),
) -> Iterator[tuple[str, list[Prediction]]]:
    """Run `examine` on every benchmark of the settings, and repeat benchmarks as `with_reruns` requires.

    Args:
        examinee: the model.
        model: its name.
        settings: of the run.
        sealed: all problems by benchmark; at most the settings' limit is sampled.
        solved: the problems that shots are drawn from, by benchmark; if empty, the benchmark's own problems.
        entries: the base of the arm `retrieved`.
    """

    def predictions_of(name: str) -> list[Prediction]:
        problems = draw(sealed[name], settings.limit_of(model), settings.seed)
        return examine(examinee, model, name, settings, problems, solved.get(name) or sealed[name], entries)

    return with_reruns(list(settings.benchmark), examinee, predictions_of)


def with_reruns(
    names: Sequence[str], examinee: Examinee, predictions_of: Callable[[str], list[Prediction]]
) -> Iterator[tuple[str, list[Prediction]]]:
    """Yield the predictions by benchmark, and repeat benchmarks that used a way of computing that was revoked later.

    Example: packed scores pass the audit on `arc_easy` and fail on `race`. So `race` is computed as whole sequences,
    and `arc_easy` is repeated in the same way.
    """
    ways: dict[str, set[str]] = {}
    waiting = list(names)
    while waiting:
        for name in waiting:
            predictions = predictions_of(name)
            ways[name] = {prediction.way for prediction in predictions}
            yield name, predictions
        waiting = [name for name in names if ways[name] & set(examinee.revoked)]


def summary(predictions: Sequence[Prediction], seconds: float) -> str:
    """Return one line with the number of answers, their rate, and the counts of those that ended abnormally."""
    if not predictions:
        return "not examined: it chooses, and this benchmark wants text"
    stops = Counter(prediction.stop for prediction in predictions)
    counts = {
        "cut at the token limit": stops["length"],
        "ended because they repeated themselves": stops["repeat"],
        "longer than the window": stops["too_long"],
        "without their beginning, which the window did not hold": stops["cut"],
        "not answered": stops["none"],
        "with a shortened library": sum(prediction.dropped > 0 for prediction in predictions),
    }
    audits = [prediction.difference for prediction in predictions if prediction.difference is not None]
    notes = "".join(f", {count:,} {words}" for words, count in counts.items() if count)
    rate = f"{len(predictions):,} answers in {seconds:.0f} s ({len(predictions) / max(seconds, 1e-9):.1f}/s)"
    if audits:
        notes += f"; audit: {len(audits):,} computed again alone, scores within {max(audits):.0e} nats"
    return rate + notes


def _predictions(
    examinee: Examinee,
    model: str,
    name: str,
    benchmark: Benchmark,
    arm: Arm,
    requests: Sequence[Request],
    answers: Sequence[Answer],
) -> Iterator[Prediction]:
    hashed = cache(lambda text: hash_of([text]))
    words = cache(methods_words)
    for request, answer in zip(requests, answers, strict=True):
        yield Prediction(
            problem_id=request.problem.id,
            benchmark=name,
            model=model,
            arm=arm,
            order=request.order,
            template_sha256=hashed(benchmark.prompt),
            library_sha256=hashed(request.prefix.text),
            library_words=words(request.prefix),
            **vars(examinee.provenance),
            **vars(answer),
        )

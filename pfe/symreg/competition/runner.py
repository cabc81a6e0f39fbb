"""Parallel runs of methods on data sets, each in its own process with limits; a cache prevents repeated runs.

Example: `run_all(jobs, seed=0, limits=RunLimits(60, 2048), workers=2, cache=Cache.default())` on 4 methods, 15 data
sets and 10 repetitions returns 600 runs, in the order of the jobs. If it is killed after 400, it resumes from there.

A run is cached as soon as it ends, under a key of everything it depends on: the method's entry, its package's version,
our code that runs it and reads its answer, the data, the seed and the limits. Runs that crashed or timed out are cached
too; with other limits they run again. The time limit is wall-clock time, as in the field's competitions, because a
method may wait for processes that are not its own. A run that timed out with less than half of that in processor time
was delayed by something else, and is not cached.
"""

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from importlib import metadata

from pfe.cache import Cache
from pfe.config import Method
from pfe.errors import UserError
from pfe.fingerprint import fingerprint
from pfe.processes.pool import Conversation, Pool
from pfe.processes.server import Task
from pfe.symreg.competition.child import UNKNOWN, Points, check_entry, run
from pfe.symreg.competition.dataset import DataSet, Draw
from pfe.symreg.competition.methods import how_to_install, version
from pfe.symreg.competition.notation import NOTATIONS
from pfe.symreg.competition.outcome import Outcome, line, outcome_of, read
from pfe.symreg.competition.record import Run, Track

Drawing = Callable[[DataSet, int], Draw]
BUSY = 0.5  # minimum processor time of a run that timed out, as a share of its limit; with less it is not cached
BUILDING = 120.0  # seconds for importing and building a regressor in the check of the methods


@dataclass(frozen=True)
class RunLimits:
    """The limits of a run: wall-clock seconds, and MiB of data, which include the libraries' own data (about 200)."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Job:
    """A method, by its name and entry in conf/method, on one repetition of a data set, for a track."""

    track: Track
    name: str
    method: Method
    dataset: DataSet
    repetition: int


def run_all(
    jobs: Sequence[Job],
    seed: int,
    limits: RunLimits,
    workers: int,
    cache: Cache,
    done: Callable[[int], object] = lambda count: None,
) -> list[Run]:
    """Run all jobs that are not in the cache; `done(n)` is called as soon as n more have ended.

    Args:
        workers: number of parallel runs, each with one thread.

    Returns:
        One run per job, in the order of the jobs.

    Raises:
        UserError: a method's package is not installed, its regressor cannot be built, or its entry has a mistake. The
            error is raised before anything runs or, if the code cannot be read, when the first run reports no model.
    """
    draw = lru_cache(2 * workers)(lambda dataset, repetition: dataset.draw(repetition))
    keys = _keys(jobs, seed, limits, draw)
    outcomes = {key: Outcome(**json.loads(value)) for key, value in cache.get_many(list(dict.fromkeys(keys))).items()}
    done(sum(key in outcomes for key in keys))
    todo = {key: job for key, job in zip(keys, jobs, strict=True) if key not in outcomes}
    draws = list(dict.fromkeys((job.dataset, job.repetition) for job in todo.values()))
    order = {pair: place for place, pair in enumerate(draws)}  # consecutive runs share a draw
    todo = dict(sorted(todo.items(), key=lambda item: order[item[1].dataset, item[1].repetition]))
    shares = Counter(keys)
    with closing(_outcomes(todo, seed, limits, workers, draw)) as endings:
        for key, outcome, lasting in endings:
            if lasting:
                cache.put_many({key: json.dumps(asdict(outcome)).encode()})
            outcomes[key] = outcome
            done(shares[key])
    return [
        Run(job.track, job.name, job.dataset.name, job.repetition, **vars(outcomes[key]))
        for key, job in zip(keys, jobs, strict=True)
    ]


def run_seed(seed: int, dataset: str, repetition: int) -> int:
    """Return the seed of a run, below 2³¹, which is the same for all methods."""
    digest = hashlib.sha256(f"{seed}/{dataset}/{repetition}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _keys(jobs: Sequence[Job], seed: int, limits: RunLimits, draw: Drawing) -> list[bytes]:
    """Return the cache key of each job."""
    code = str(fingerprint("pfe.symreg.competition.runner", "pfe.config", "pfe.problem"))
    methods = {job.name: _entry(job.method) for job in jobs}
    hashes: dict[tuple[DataSet, int], str] = {}
    keys = []
    for job in jobs:
        pair = job.dataset, job.repetition
        if pair not in hashes:
            hashes[pair] = draw(*pair).sha256()
        seed_of_run = run_seed(seed, job.dataset.name, job.repetition)
        parts = [code, methods[job.name], hashes[pair], job.dataset.columns, seed_of_run, asdict(limits)]
        keys.append(hashlib.sha256(json.dumps(["competition", *parts], sort_keys=True).encode()).digest())
    return keys


def _entry(method: Method) -> list[object]:
    """Return everything about a method that its runs depend on."""
    packages = [f"{name} {metadata.version(name)}" for name in ("scikit-learn", "numpy")]
    versions = [version(method), *packages, platform.python_version()]
    return [method.regressor, method.expression, method.seed, dict(method.settings), versions]


def _outcomes(
    todo: Mapping[bytes, Job], seed: int, limits: RunLimits, workers: int, draw: Drawing
) -> Generator[tuple[bytes, Outcome, bool]]:
    """Yield the key and outcome of each run as it ends, and whether to cache it; closing the generator ends them."""
    keys, methods = list(todo), {job.name: job.method for job in todo.values()}
    # A regressor outside `NOTATIONS` is imported in its run: it may start threads, which a fork loses.
    modules = {method.regressor.rpartition(".")[0] for method in methods.values() if method.expression in NOTATIONS}
    with Pool(min(workers, len(todo)), sorted(modules)) as pool:
        mistakes = dict(pool.run([_mistake(name, method, limits) for name, method in methods.items()]))
        if first := next((mistakes[place] for place in sorted(mistakes) if mistakes[place]), ""):
            raise UserError(first)
        for place, (outcome, lasting) in pool.run(_outcome(job, seed, limits, draw) for job in todo.values()):
            yield keys[place], outcome, lasting


def _outcome(job: Job, seed: int, limits: RunLimits, draw: Drawing) -> Conversation[tuple[Outcome, bool]]:
    """Return the outcome of a run, and whether to cache it.

    Raises:
        UserError: the method's entry has a mistake that only a run can prove.
    """
    data = draw(job.dataset, job.repetition)
    inputs = tuple(table.x for table in (data.test, data.probe) if table)
    points = Points(job.dataset.columns, data.train.x, data.train.y, inputs)
    seed_of_run = run_seed(seed, job.dataset.name, job.repetition)
    report = yield _task(partial(run, job.method, seed_of_run, points), limits.seconds, limits)
    outcome = outcome_of(report, data, job.dataset.columns)
    if outcome.reason.startswith(UNKNOWN):
        raise UserError(f"method '{job.name}': expression: {outcome.reason}; {_mend(job.name)}")
    held_up = outcome.status == "timeout" and report.processor < BUSY * limits.seconds
    return outcome, not held_up


def _mistake(name: str, method: Method, limits: RunLimits) -> Conversation[str]:
    """Return the mistake in a method's entry, or the reason why its regressor cannot be built; "" if there is none."""
    report = yield _task(partial(check_entry, method), BUILDING, limits)
    try:
        answer = read(report.answer if report.end == "answered" else b"", [])
    except ValueError as error:
        trouble = line(report.detail or str(error))
        return f"method '{name}': {method.regressor} cannot be built: {trouble}; {_remedy(trouble, name, method)}"
    return f"method '{name}': {answer.refusal}; {_mend(name)}" if answer.refusal else ""


def _task(call: Callable[[], bytes], seconds: float, limits: RunLimits) -> Task:
    return Task(call, seconds, {"DATA": limits.memory << 20})


def _remedy(trouble: str, name: str, method: Method) -> str:
    if trouble.startswith(("ModuleNotFoundError", "ImportError")):
        return how_to_install(method.regressor.partition(".")[0])
    return _mend(name)


def _mend(name: str) -> str:
    return f"mend conf/method/{name}.yaml"

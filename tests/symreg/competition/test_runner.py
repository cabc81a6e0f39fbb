"""Runs apart from us: whatever a method does, its run has an outcome, and the next one is none the worse."""

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pfe.cache import Cache
from pfe.config import Method
from pfe.errors import UserError
from pfe.processes.report import Report
from pfe.symreg.competition.dataset import DataSet, Draw, LabelledPoints
from pfe.symreg.competition.outcome import Outcome, difference, outcome_of, r2
from pfe.symreg.competition.record import Run, failures
from pfe.symreg.competition.runner import Job, RunLimits, run_all, run_seed
from tests.conftest import ROOT

LIMITS = RunLimits(seconds=2.5, memory=1024)
HERE = "tests.symreg.competition.misbehaving"


def sklearn_r2(y: NDArray[np.float64], predicted: NDArray[np.float64]) -> float:
    from sklearn.metrics import r2_score

    return float(r2_score(y, predicted))


def draw(repetition: int) -> Draw:
    """y = 2a on 30 points, and 2a + 1 on the probe."""
    x = np.random.default_rng(repetition).uniform(1, 3, (50, 2))
    return Draw(
        LabelledPoints(x[:30], 2 * x[:30, 0]),
        LabelledPoints(x[30:], 2 * x[30:, 0]),
        LabelledPoints(x[30:], 2 * x[30:, 0] + 1),
    )


DATA = DataSet("two_columns", ("a", "b"), draw)


def job(name: str, repetition: int = 0, note: Path | None = None, dataset: DataSet = DATA) -> Job:
    method = Method(name, f"{HERE}.{name}", "told", None, {"note": str(note)} if note else {})
    return Job("synthetic", name, method, dataset, repetition)


def run(jobs: Sequence[Job], cache: Path, limits: RunLimits = LIMITS, workers: int = 2, **options: Any) -> list[Run]:
    return run_all(jobs, 0, limits, workers, Cache(cache / "runs.sqlite"), **options)


FATES = {
    "Honest": ("ok", ""),
    "CountsFromOne": ("ok", ""),
    "Raises": ("crashed", "RuntimeError: not today nor tomorrow"),
    "RaisesNothingThatCanBeShown": ("crashed", "an exception that cannot be shown"),
    "Exits": ("crashed", "ended without an answer, exit status 0"),
    "SystemExits": ("crashed", "SystemExit: bye"),
    "Segfaults": ("crashed", "signal 11"),
    "DiesOfARealTimeSignal": ("crashed", "signal 37"),
    "Spins": ("timeout", "not done within 2.5 s"),
    "LeavesAProcess": ("ok", ""),
    "Explodes": ("crashed", "MemoryError"),
    "Prints": ("ok", ""),
    "WritesToAllPipes": ("crashed", "nonsense"),
    "ClosesAllPipes": ("crashed", ""),
    "KillsItsGuard": ("crashed", "its guard fell silent"),
    "SaysNaN": ("nan", "test points"),
    "SaysInfinity": ("nan", "test points"),
    "SaysTooMuch": ("nan", "test points"),
    "SaysTooFew": ("crashed", "shape (19,) for 20 points"),
    "SaysAColumn": ("crashed", "shape (20, 1) for 20 points"),
    "SaysComplex": ("crashed", "complex128"),
    "SaysWords": ("crashed", "ValueError"),
    "TellsCode": ("unparsed", "_"),
    "TellsAnotherModel": ("mistranslated", "predicts otherwise"),
    "TellsNoColumn": ("unparsed", "x17"),
    "TellsNothing": ("unparsed", "RuntimeError: I forgot"),
    "TellsForEver": ("unparsed", "more than"),
}
NOTING = ("Spins", "LeavesAProcess", "TellsCode")


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: tmp_path_factory.mktemp("notes") / name for name in NOTING}


@pytest.fixture(scope="module")
def misbehaved(tmp_path_factory: pytest.TempPathFactory, notes: dict[str, Path]) -> dict[str, Run]:
    """All of them at once, two at a time."""
    jobs = [job(name, note=notes.get(name)) for name in FATES]
    return {found.method: found for found in run(jobs, tmp_path_factory.mktemp("cache"))}


@pytest.mark.parametrize("name", FATES)
def test_whatever_a_method_does_its_run_has_a_status_and_a_reason(name: str, misbehaved: dict[str, Run]) -> None:
    found = misbehaved[name]
    status, reason = FATES[name]
    assert found.status == status
    assert reason in found.reason
    assert (found.reason == "") == (found.model != "") == (status == "ok")


def test_a_run_that_is_over_leaves_no_process(misbehaved: dict[str, Run], notes: dict[str, Path]) -> None:
    for name in ("Spins", "LeavesAProcess"):
        numbers = [int(line) for line in notes[name].read_text().split()]
        assert len(numbers) == 3  # the grandchild, the run, its guard
        assert not any(map(running, numbers))


def test_an_expression_that_is_code_is_not_executed(misbehaved: dict[str, Run], notes: dict[str, Path]) -> None:
    assert misbehaved["TellsCode"].status == "unparsed"
    assert notes["TellsCode"].exists()  # it was fitted
    assert not notes["TellsCode"].with_suffix(".code").exists()


def test_an_honest_run_is_scored_by_the_model_it_tells_on_test_and_probe(misbehaved: dict[str, Run]) -> None:
    found = misbehaved["Honest"]
    probe = draw(0).probe
    assert probe is not None
    assert found.r2 == 1
    assert found.property_r2 == pytest.approx(sklearn_r2(probe.y, 2 * probe.x[:, 0]))
    assert (found.model, found.track, found.dataset, found.repetition) == ("2.0 * a", "synthetic", "two_columns", 0)


def test_a_mistold_model_keeps_the_accuracy_of_its_predictions_but_no_property(misbehaved: dict[str, Run]) -> None:
    assert misbehaved["TellsAnotherModel"].r2 == 1
    assert misbehaved["TellsAnotherModel"].property_r2 is None


@pytest.mark.slow
def test_runs_come_in_the_order_of_their_jobs_whatever_the_number_of_workers(tmp_path: Path) -> None:
    jobs = [job(name, repetition) for name in ("Honest", "Raises", "CountsFromOne") for repetition in (2, 0, 1)]
    found = [run(jobs, tmp_path / str(workers), workers=workers) for workers in (1, 3)]
    same = [[replace(each, seconds=0) for each in runs] for runs in found]
    assert same[0] == same[1]
    assert [(each.method, each.repetition) for each in found[0]] == [(each.name, each.repetition) for each in jobs]


def test_what_is_kept_is_not_run_again_crashes_and_time_outs_included(tmp_path: Path) -> None:
    note = tmp_path / "note"
    jobs = [job("Honest", repetition, note) for repetition in range(3)] + [job("Raises")]
    counts: list[int] = []
    first = run(jobs, tmp_path, done=counts.append)
    assert sum(counts) == len(jobs)
    counts.clear()
    assert run(jobs, tmp_path, done=counts.append) == first
    assert counts == [len(jobs)]
    assert len(note.read_text().split()) == 2 * 3


@pytest.mark.slow
def test_other_settings_seeds_limits_and_data_are_other_runs(tmp_path: Path) -> None:
    note = tmp_path / "note"
    cache = Cache(tmp_path / "runs.sqlite")
    one = job("Honest", 0, note)
    other_data = replace(DATA, draw=lambda repetition: draw(repetition + 10))
    relabelled = replace(one, method=replace(one.method, label="Another"))
    for changed, seed, limits, runs in (
        (one, 0, LIMITS, 1),
        (relabelled, 0, LIMITS, 1),
        (replace(one, track="qualification"), 0, LIMITS, 1),
        (replace(one, dataset=other_data), 0, LIMITS, 2),
        (one, 1, LIMITS, 3),
        (one, 0, replace(LIMITS, seconds=5), 4),
        (replace(one, method=replace(one.method, settings={"note": f"{note}"[:-4] + "note"})), 0, LIMITS, 4),
        (replace(one, method=replace(one.method, expression="said")), 0, LIMITS, 5),
    ):
        run_all([changed], seed, limits, 1, cache)
        assert len(note.read_text().split()) == 2 * runs


def test_a_data_set_that_two_tracks_share_is_run_once(tmp_path: Path) -> None:
    note = tmp_path / "note"
    counts: list[int] = []
    jobs = [job("Honest", 0, note), replace(job("Honest", 0, note), track="qualification")]
    assert [found.track for found in run(jobs, tmp_path, done=counts.append)] == ["synthetic", "qualification"]
    assert len(note.read_text().split()) == 2
    assert sum(counts) == 2


MISTAKES = [
    ({"regressor": "nowhere.at.All"}, r"no package 'nowhere' .*install the package that brings 'nowhere' here"),
    ({"regressor": f"{HERE}.CannotBeBuilt"}, "cannot be built: ValueError: no licence; mend conf/method/mine.yaml"),
    (
        {"regressor": "sklearn.linear_model.LinearRegression", "expression": "equatoin"},
        "method 'mine': expression: 'equatoin' is no notation .*; mend conf/method/mine.yaml",
    ),
    (
        {"regressor": f"{HERE}.HidesItsAttributes", "expression": "equatoin"},
        "expression: when it is fitted it has no attribute 'equatoin'; mend",
    ),
]


@pytest.mark.parametrize(("changes", "told"), MISTAKES, ids=[told[:40] for _, told in MISTAKES])
def test_a_mistake_in_an_entry_is_a_users_error_before_anything_is_run(
    changes: dict[str, Any], told: str, tmp_path: Path
) -> None:
    note = tmp_path / "note"
    entry: dict[str, Any] = {"regressor": f"{HERE}.Honest", "expression": "told", "seed": None, "settings": {}}
    broken = Job("synthetic", "mine", Method(label="Mine", **{**entry, **changes}), DATA, 0)
    with pytest.raises(UserError, match=told):
        run([broken, job("Honest", 0, note)], tmp_path, workers=1)
    assert not note.exists()


@pytest.mark.parametrize(
    ("name", "expression"), [("TellsWhenFitted", "equation_"), ("HidesItsAttributes", "equation_")]
)
def test_an_attribute_that_comes_with_the_fit_tells_a_model(name: str, expression: str, tmp_path: Path) -> None:
    honest = job(name)
    (found,) = run([replace(honest, method=replace(honest.method, expression=expression))], tmp_path)
    assert (found.status, found.model) == ("ok", "2.0 * a")


@pytest.mark.slow
def test_a_run_that_waits_is_ended_by_the_clock_and_tried_anew_next_time(tmp_path: Path) -> None:
    """It used no processor, so its time-out says something of the machine, or of a wait, and may not come again."""
    told: list[int] = []
    for _ in range(2):
        (found,) = run([job("Waits")], tmp_path, replace(LIMITS, seconds=1), done=told.append)
        assert (found.status, found.reason) == ("timeout", "not done within 1 s")
    assert told == [0, 1, 0, 1]


def test_why_runs_failed_is_told_by_method_and_status(misbehaved: dict[str, Run]) -> None:
    raised = misbehaved["Raises"]
    several = [raised, raised, replace(raised, reason="MemoryError"), misbehaved["Honest"], misbehaved["Spins"]]
    assert [failed.in_words() for failed in failures(several)] == [
        "3 crashed: RuntimeError: not today nor tomorrow, and for 1 other reason",
        "1 timeout: not done within 2.5 s",
    ]
    assert len(failures([replace(raised, reason="x" * 900)])[0].in_words()) < 200


SCRIPT = """
    import sys
    from pathlib import Path
    from tests.symreg.competition.test_runner import RunLimits, job, run
    folder = Path(sys.argv[1])
    jobs = [job("Honest", 0, folder / "honest"), job("Spins", 0, folder / "spins"), job("Spins", 1, folder / "spins")]
    run(jobs, folder, limits=RunLimits(100, 1024), done=lambda count: print(count, flush=True))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_it_leaves_no_process_and_keeps_what_is_finished(number: signal.Signals, tmp_path: Path) -> None:
    # A shell may have told its background processes to ignore Ctrl-C; a terminal's do not.
    script = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{textwrap.dedent(SCRIPT)}"
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, stderr=subprocess.DEVNULL)
    spins = tmp_path / "spins"
    until(lambda: spins.exists() and len(spins.read_text().split()) == 6)
    process.send_signal(number)
    assert process.wait() != 0
    numbers = [int(line) for line in spins.read_text().split()]
    until(lambda: not any(map(running, numbers)))
    counts: list[int] = []
    run([job("Honest", 0, tmp_path / "honest")], tmp_path, limits=RunLimits(100, 1024), done=counts.append)
    assert counts == [1]
    assert len((tmp_path / "honest").read_text().split()) == 2


METHODS = {path.stem: Method(**yaml.safe_load(path.read_text())) for path in (ROOT / "conf/method").glob("*.yaml")}


def sums(repetition: int) -> Draw:
    """y = ab + sin 3a with noise, the same in every repetition: 80 points to fit and 60 to test."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (140, 3))
    y = x[:, 0] * x[:, 1] + np.sin(3 * x[:, 0]) + rng.normal(size=140)
    return Draw(LabelledPoints(x[:80], y[:80]), LabelledPoints(x[80:], y[80:]))


def smaller(method: Method) -> Method:
    """A method whose population, if it has one, is small enough for a test."""
    return replace(method, settings={**method.settings, **dict.fromkeys({"population_size"} & {*method.settings}, 50)})


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[list[Run]]:
    """Every method twice, with nothing kept, on two repetitions that differ in their seed alone."""
    data = DataSet("sums", ("x1", "x2", "x3"), sums)
    jobs = [Job("synthetic", name, smaller(entry), data, place) for name, entry in METHODS.items() for place in (0, 1)]
    return [run(jobs, tmp_path_factory.mktemp("cache"), RunLimits(60, 2048)) for _ in range(2)]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(METHODS))
def test_the_same_job_gives_the_same_model_and_another_seed_another(name: str, twice: list[list[Run]]) -> None:
    (first, other), (again, _) = [[found for found in runs if found.method == name] for runs in twice]
    assert (first.status, first.reason) == ("ok", "")
    assert first.model == again.model
    assert first.r2 == again.r2
    assert (first.model == other.model) == (METHODS[name].seed is None)


@given(seed=st.integers(0, 2**40), dataset=st.text(), repetition=st.integers(0, 10**6))
def test_the_seed_of_a_run_is_a_32_bit_number(seed: int, dataset: str, repetition: int) -> None:
    assert 0 <= run_seed(seed, dataset, repetition) < 2**31


def test_seeds_differ_between_seeds_data_sets_and_repetitions() -> None:
    assert len({run_seed(s, name, r) for s in range(3) for name in "abc" for r in range(10)}) == 90


finite = st.floats(-1e6, 1e6)


@given(pairs=st.lists(st.tuples(finite, finite), min_size=2, max_size=20))
def test_r2_is_scikit_learns(pairs: list[tuple[float, float]]) -> None:
    y, predicted = np.array(pairs).T
    if np.ptp(y) == 0 or np.ptp(y) > 1e-3:  # between, the rounding of the mean decides
        assert r2(y, predicted) == pytest.approx(sklearn_r2(y, predicted), rel=1e-9, abs=1e-9)


def test_on_a_constant_target_only_exact_predictions_are_right() -> None:
    assert r2(np.full(5, 0.1), np.full(5, 0.1)) == 1
    assert r2(np.full(5, 0.1), np.full(5, 0.2)) == 0


@given(own=st.lists(finite, min_size=1, max_size=9))
def test_a_model_that_predicts_the_same_differs_by_nothing(own: list[float]) -> None:
    assert difference(np.array(own), np.array(own)) == 0


def test_rounded_constants_agree_and_other_columns_do_not() -> None:
    x = np.random.default_rng(0).normal(size=(100, 2))
    own = 2.71828 * x[:, 0] - 0.31416
    assert difference(own, 2.718 * x[:, 0] - 0.314) < 0.01
    assert difference(own, 2.71828 * x[:, 1] - 0.31416) > 10
    assert difference(np.full(9, 1e6), np.full(9, 1e6 + 0.1)) < 1
    assert difference(own, np.where(x[:, 0] > 1, np.nan, own)) == float("inf")


@given(answer=st.binary(max_size=200) | st.just(b"[" * 100_000) | st.just(b'{"readings": ' + b"9" * 5000 + b"}\n"))
def test_any_bytes_from_a_methods_process_end_in_a_status(answer: bytes) -> None:
    assert outcome_of(Report("answered", "", 0.0, answer), draw(0), ("a", "b")).status == "crashed"


def test_predictions_that_are_not_finite_on_the_probe_alone_are_a_failure_too() -> None:
    drawn = draw(0)
    values = [*2 * drawn.test.x[:, 0], *[np.inf] * 20]
    answer = b'{"readings": ["2 * a"], "refused": ""}\n' + np.array(values).tobytes()
    found = outcome_of(Report("answered", "", 0.5, answer), drawn, ("a", "b"))
    assert found == Outcome("nan", None, None, "", 0.5, "predictions on the probe points, or their R², are not finite")


def test_telling_another_model_than_the_one_that_predicts_gains_nothing() -> None:
    drawn = draw(0)
    assert drawn.probe is not None
    exact = np.tile(2 * drawn.test.x[:, 0], 2)
    answer = b'{"readings": ["1.99 * a"], "refused": ""}\n' + exact.tobytes()
    found = outcome_of(Report("answered", "", 0.5, answer), drawn, ("a", "b"))
    assert found.status == "ok"
    assert found.r2 == pytest.approx(sklearn_r2(drawn.test.y, 1.99 * drawn.test.x[:, 0]))
    assert found.property_r2 == pytest.approx(sklearn_r2(drawn.probe.y, 1.99 * drawn.probe.x[:, 0]))


def running(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def until(holds: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)

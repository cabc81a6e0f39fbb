"""Children behind guards: whatever they do, they end, how is known, and the next is none the worse."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from pfe.processes.pool import Conversation, Pool
from pfe.processes.report import Report
from pfe.processes.server import Task
from tests.children import children_running
from tests.conftest import ROOT
from tests.processes import tasks

MODULES = [tasks.__name__]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lends orphans to their guard")


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(2, MODULES) as pool:
        yield pool


def asked(*given: Task) -> Conversation[list[Report]]:
    reports = []
    for task in given:
        reports.append((yield task))
    return reports


def reports(pool: Pool, *given: Task) -> list[Report]:
    """Side by side, in the order of the tasks."""
    ended = dict(pool.run([asked(task) for task in given]))
    return [report for place in sorted(ended) for report in ended[place]]


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def alive(number: int) -> bool:
    try:
        return psutil.Process(number).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


FATES: dict[str, tuple[Task, str, str]] = {
    "raises": (Task(tasks.fail, 60), "raised", "ValueError: not\ntoday"),
    "exits": (Task(tasks.leave, 60), "exited", "ended without an answer, exit status 3"),
    "is out of processor time": (Task(partial(tasks.spin, 60), 60, {"CPU": 1}), "overdrawn", "1 s of processor time"),
    "and does not heed it": (Task(tasks.ignore_the_end, 60, {"CPU": 1}), "overdrawn", "1 s of processor time"),
    "is out of time": (Task(tasks.wait, 0.5), "late", "not done within 0.5 s"),
    "wants more memory": (Task(tasks.grow, 60, {"DATA": 1 << 28}), "raised", "MemoryError"),
    "kills its guard": (Task(tasks.kill_the_guard, 60), "killed", "its guard fell silent"),
    "answers too much": (Task(partial(tasks.large, 1 << 27), 60), "killed", "signal 9"),
}


@pytest.mark.parametrize("name", FATES)
def test_whatever_a_child_does_its_end_is_known_and_the_next_one_answers(name: str, pool: Pool) -> None:
    task, end, detail = FATES[name]
    ((_, (first, second)),) = pool.run([asked(task, Task(partial(tasks.echo, "still here"), 60))])
    assert first.end == end
    assert detail in first.detail
    assert (second.end, second.answer) == ("answered", b"still here")


def test_every_task_has_a_process_of_its_own_with_what_its_guard_has_loaded(pool: Pool) -> None:
    ended = reports(pool, *[Task(tasks.count, 60)] * 5, *[Task(tasks.number, 60)] * 5)
    assert [report.answer for report in ended[:5]] == [b"1"] * 5
    children, guards = zip(*(report.answer.split() for report in ended[5:]), strict=True)
    assert len(set(children)) == 5
    assert len(set(guards)) <= 2


@pytest.mark.parametrize("size", [0, 1, 1 << 16, 1 << 25])
def test_an_answer_of_any_size_comes_whole(size: int, pool: Pool) -> None:
    (report,) = reports(pool, Task(partial(tasks.large, size), 60))
    assert report.answer == bytes(size)
    assert report.end == "answered"


def test_a_conversation_that_asks_nothing_ends_too(pool: Pool) -> None:
    given = [asked(), asked(Task(partial(tasks.echo, "a"), 60)), asked()]
    assert {place: len(answers) for place, answers in pool.run(given)} == {0: 0, 1: 1, 2: 0}


def test_processor_time_is_what_ends_a_child_and_not_the_clock(pool: Pool) -> None:
    """A child that is stopped for longer than its limit goes on where it was, and answers."""

    def stop_and_go() -> None:
        until(lambda: bool(busy()))
        (child,) = busy()
        child.suspend()
        time.sleep(1.5)
        child.resume()

    def busy() -> list[psutil.Process]:
        return [child for guard in children_running(tasks.__name__) for child in guard.children()]

    thread = threading.Thread(target=stop_and_go)
    thread.start()
    (report,) = reports(pool, Task(partial(tasks.spin, 0.6), 60, {"CPU": 1}))
    thread.join()
    assert report.end == "answered"
    assert report.seconds > 1.5
    assert 0.5 < report.processor < 1.5


def test_a_guard_that_was_killed_while_it_had_nothing_to_do_is_replaced() -> None:
    def killing() -> Conversation[tuple[int, int]]:
        first = yield Task(tasks.number, 60)
        guard = int(first.answer.split()[1])
        os.kill(guard, signal.SIGKILL)
        until(lambda: not alive(guard))
        second = yield Task(tasks.number, 60)
        return guard, int(second.answer.split()[1])

    with Pool(1, MODULES) as pool:
        ((_, (first, second)),) = pool.run([killing()])
    assert first != second


@LINUX
def test_what_a_child_started_ends_with_it_whatever_group_and_parent_it_has(tmp_path: Path, pool: Pool) -> None:
    note = tmp_path / "numbers"
    (report,) = reports(pool, Task(partial(tasks.leave_a_grandchild, str(note)), 2))
    assert report.end == "late"
    numbers = [int(line) for line in note.read_text().split()]
    assert len(numbers) == 2
    assert not any(map(alive, numbers))


@pytest.mark.slow
@LINUX
@pytest.mark.parametrize("whom", ["guard", "caller"])
def test_nothing_outlives_a_killed_guard_or_caller(whom: str, tmp_path: Path) -> None:
    """A child dies with its guard, and a guard that nobody asks any more ends all of them."""
    note = tmp_path / "numbers"
    script = f"""
import sys
from functools import partial
from tests.processes import tasks
from tests.processes.test_pool import Pool, Task, asked
with Pool(1, {MODULES!r}) as pool:
    print(dict(pool.run([asked(Task(partial(tasks.wait_noted, {str(note)!r}), 600))])))
"""
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT) as caller:
        until(lambda: note.exists() and note.read_text().endswith("\n"))
        (guard,) = psutil.Process(caller.pid).children()
        (child,) = guard.children()
        (guard if whom == "guard" else caller).kill()
        _, left = psutil.wait_procs([child, guard], timeout=10)
    assert left == []


def test_leaving_the_block_ends_what_runs(tmp_path: Path) -> None:
    note = tmp_path / "numbers"
    with Pool(2, MODULES) as pool:
        given = [Task(partial(tasks.wait_noted, str(note)), 600), Task(partial(tasks.echo, "a"), 60)]
        (place, _) = next(pool.run([asked(task) for task in given]))
        assert place == 1
        until(lambda: note.exists() and note.read_text().endswith("\n"))
    assert not alive(int(note.read_text()))


def test_a_guard_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Pool(1, MODULES) as pool, pytest.raises(RuntimeError, match="ended with status 1"):
        list(pool.run([asked(Task(partial(tasks.echo, "a"), 60))]))

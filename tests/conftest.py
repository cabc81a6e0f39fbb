"""What many tests share: problems, the composed configuration, a cache of their own."""

import asyncio
import gc
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from pfe import config
from pfe.config import Config, Firewall, NewStudent
from pfe.params import composed
from pfe.problem import Problem

pytest_plugins = ["tests.real_server", "tests.servers", "tests.small_models"]
ROOT = Path(__file__).resolve().parents[1]
hypothesis.settings.register_profile("pfe", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pfe")
SHARED = ROOT.parent / "shared"
DEFAULT = config.load(ROOT / "params.yaml")


def pytest_addoption(parser: pytest.Parser) -> None:
    help = (
        "run only the tests that loop over families, of these alone and with more problems: toll_roads, 'gsm1k_synth/*'"
    )
    parser.addoption("--family", action="append", default=[], metavar="[SET/]NAME", help=help)
    help = "append the seconds of every file of tests to this file"
    parser.addoption("--file-times", type=Path, metavar="FILE", help=help)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, so that no worker is left alone with one.

    The largest file of the pipeline makes the experiment that the others copy; meanwhile the other worker has files
    that need none.
    """
    paths = {item: item.path.relative_to(ROOT).as_posix() for item in items}
    counts = Counter(paths.values())
    pipeline = [path for path in counts if path.startswith("tests/pipeline/")]
    largest = max(pipeline, key=lambda path: (counts[path], path), default=None)
    long = {paths[item] for item in items if item.get_closest_marker("slow") or item.get_closest_marker("gate")}

    def order(item: pytest.Item) -> tuple[int, int, str]:
        path = paths[item]
        ranks = (path == largest, path in long and path not in pipeline, path in pipeline, True)
        return ranks.index(True), -counts[path], path

    items.sort(key=order)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect tests without garbage collection, which would go through imports and items again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Append how long every file took to the file of `--file-times`, a line "seconds<tab>file" each."""
    if config.option.file_times is None:
        return
    seconds: defaultdict[str, float] = defaultdict(float)
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    with config.option.file_times.open("a", encoding="utf-8") as file:
        file.writelines(f"{duration:.1f}\t{path}\n" for path, duration in seconds.items())


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or fills the user's cache; the workers of a run share one, so that no text is embedded twice."""
    folder = tmp_path_factory.getbasetemp()
    run = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PFE_CACHE_DIR", str(run / "cache"))
        yield


@pytest.fixture(autouse=True, scope="module")
def _no_loop_left_running() -> Iterator[None]:
    """What comes behind a module on the same worker can run an event loop of its own, in any order of modules."""
    yield
    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()


@pytest.fixture(scope="session")
def settings() -> Config:
    return DEFAULT


@pytest.fixture(scope="session")
def scratch() -> NewStudent:
    """A student with random weights, as conf/student has one."""
    student = config.parse(composed(["student=scratch"], ROOT / "conf"), "conf", ROOT / "conf").student
    assert isinstance(student, NewStudent)
    return student


@pytest.fixture(scope="session")
def strict(settings: Config) -> Firewall:
    """The default firewall."""
    return settings.firewall


@pytest.fixture
def arc_problem() -> Problem:
    choices = ("barometer", "ruler", "thermometer", "balance")
    return Problem(
        "arc_easy/1", "arc_easy", "science", "Which tool measures air pressure?", "barometer", choices=choices
    )

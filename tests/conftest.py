"""What many tests share: problems, the composed configuration, a cache of their own."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from pfe import config
from pfe.config import Config, Firewall
from pfe.problem import Problem

pytest_plugins = ["tests.real_server", "tests.servers", "tests.small_models"]
ROOT = Path(__file__).resolve().parents[1]
hypothesis.settings.register_profile("pfe", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pfe")
SHARED = ROOT.parent / "shared"
DEFAULT = config.load(ROOT / "params.yaml")
SHARING = {
    f"tests/pipeline/test_{name}.py" for name in ("ablations", "code", "experiment", "mistakes", "reference", "review")
}
MANY = 100  # tests of a file


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, so that no worker is left alone with one, of those that were chosen.

    These are the ones that share an experiment, then slow ones of many tests. What else runs experiments begins behind
    these: by then their texts are embedded, and there is enough left for the other worker.
    """
    paths = {item: item.path.relative_to(ROOT).as_posix() for item in items}
    counts = Counter(paths.values())
    slow = {paths[item] for item in items if item.get_closest_marker("slow")}

    def order(item: pytest.Item) -> tuple[int, int, str]:
        path = paths[item]
        pipeline = path.startswith("tests/pipeline/")
        ranks = (path in SHARING, path in slow and not pipeline and counts[path] > MANY, pipeline, path in slow, True)
        return ranks.index(True), -counts[path], path

    items.sort(key=order)


class OneExperiment(LoadFileScheduling):  # type: ignore[misc]
    """A file's tests go to one worker, and those of all that share an experiment to one too."""

    def _split_scope(self, nodeid: str) -> str:
        path = str(super()._split_scope(nodeid))
        return "shares an experiment" if path in SHARING else path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneExperiment:
    """The scheduler of `--dist loadfile`."""
    return OneExperiment(config, log)


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
def strict(settings: Config) -> Firewall:
    """The default firewall."""
    return settings.firewall


@pytest.fixture
def arc_problem() -> Problem:
    choices = ("barometer", "ruler", "thermometer", "balance")
    return Problem(
        "arc_easy/1", "arc_easy", "science", "Which tool measures air pressure?", "barometer", choices=choices
    )

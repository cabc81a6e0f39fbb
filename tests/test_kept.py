"""Every use of a kept answer: other code or another library never gets the old one, another docstring does."""

import importlib.metadata
import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from pfe.cache import Cache
from pfe.config import Config, Method
from pfe.embedding.encoder import Encoder
from pfe.fingerprint import PACKAGES, Project
from pfe.firewall.behaviour import Behaviour
from pfe.firewall.reference import Reference
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import load
from pfe.models.responses import Responses
from pfe.problem import Problem
from pfe.screening.files import screen_files
from pfe.symreg.competition.dataset import DataSet, Draw, LabelledPoints
from pfe.symreg.competition.runner import Job, RunLimits, run_all
from pfe.symreg.expressions.measure import Question, StepLimits, measure
from tests.conftest import ROOT
from tests.models.scripted import Body, Reply, Script, chat, question, server, text_reply, texts

TASK = Problem("c/1", "c", "code", "Double it", "def twice(n):\n    return 2 * n", tests=("assert twice(4) == 8",))
SUM = Problem("g/1", "g", "math", "Tom has 3 apples and 4 pears. How many fruits are there?", "7")


@dataclass(frozen=True)
class Given:
    """What a use is given: where it keeps, and what it asks."""

    cache: Path
    settings: Config
    model_folder: Callable[[str], str]
    script: Script

    def entries(self) -> int:
        """How many answers are kept."""
        if not self.cache.exists():
            return 0
        with sqlite3.connect(self.cache) as database:
            return int(database.execute("SELECT COUNT(*) FROM kept").fetchone()[0])


def embeds(given: Given) -> int:
    Encoder("all-MiniLM-L6-v2", Cache(given.cache)).encode(["A text."])
    return given.entries()


def chooses(given: Given) -> int:
    loaded = load(given.model_folder("llama"), None, "float32", "cpu")
    HuggingFace(loaded, responses=Responses(loaded.identity, Cache(given.cache))).answer([question()])
    return given.entries()


def behaves(given: Given) -> int:
    Behaviour([TASK], Cache(given.cache)).find([TASK])
    return given.entries()


def screens(given: Given) -> int:
    folder = given.cache.parent
    (folder / "a.jsonl").write_text(json.dumps({"question": "What is 3 and 4?", "answer": "7"}))
    reference = Reference([SUM], Encoder("all-MiniLM-L6-v2"), 5)
    screen_files([folder / "a.jsonl"], reference, given.settings.firewall, folder / "screening")
    return len(list((folder / "screening").rglob("*.verdicts.parquet")))


def competes(given: Given) -> int:
    x = np.arange(40.0).reshape(20, 2)
    table = LabelledPoints(x, x[:, 0])
    data = DataSet("line", ("a", "b"), lambda repetition: Draw(table, table, None))
    method = Method("Line", "tests.symreg.competition.misbehaving.Honest", "told", None, {})
    run_all([Job("synthetic", "line", method, data, 0)], 0, RunLimits(20, 1024), 1, Cache(given.cache))
    return given.entries()


def measures(given: Given) -> int:
    measure([Question("x1 + x1", ("x1",))], StepLimits(), Cache(given.cache), 1)
    return given.entries()


def echoes(given: Given) -> int:
    def says(path: str, body: Body) -> Reply:
        words = [f"{word} " for word in body["prompt"].split(" ")]
        values = [None, *[-1.0] * (len(words) - 1), -2.0]
        logprobs = {"tokens": [*words, "x"], "token_logprobs": values}
        return text_reply("", path, choices=[{"text": "", "logprobs": logprobs}], usage={"completion_tokens": 1})

    given.script.says = says
    server(given.script.url, Cache(given.cache)).answer([question()])
    return given.entries()


# What keeps answers, and a line of code that decides them: file, old, new.
USES: dict[str, tuple[Callable[[Given], int], str, str, str]] = {
    "vectors": (embeds, "pfe/embedding/vectors.py", "_OVERLAP = 64", "_OVERLAP = 65"),
    "vectors' engine": (embeds, "pfe/embedding/backends.py", "dim=1).numpy()", "dim=0).numpy()"),
    "answers": (chooses, "pfe/models/packed.py", "use_cache=True", "use_cache=not False"),
    "answers' tokens": (chooses, "pfe/models/tokens.py", "return ", "return (0, 0)[0] or "),
    "log-likelihoods": (echoes, "pfe/models/echo.py", "return sum(values)", "return 2 * sum(values)"),
    "log-likelihoods' tokens": (echoes, "pfe/models/likelihood.py", "if scored is None:", "if scored is not None:"),
    "programs": (behaves, "pfe/firewall/trial.py", "FIRST_SECONDS = ", "FIRST_SECONDS = 1 + "),
    "programs' sandbox": (behaves, "pfe/sandbox/sandboxed.py", "import marshal", "import marshal as marshal"),
    "verdicts": (screens, "pfe/firewall/tokens.py", "BLOCK = 4096", "BLOCK = 4097"),
    "runs": (competes, "pfe/symreg/competition/outcome.py", "TOLERANCE = 0.05", "TOLERANCE = 0.06"),
    "runs' guard": (competes, "pfe/processes/guard.py", "_PIECE = 1 << 20", "_PIECE = 1 << 19"),
    "runs' readings": (competes, "pfe/symreg/expressions/parser.py", "return ", "return () and "),
    "measures": (measures, "pfe/symreg/expressions/steps.py", "return ", "return () or "),
}
TARGETS = (
    "pfe.symreg.competition.runner", "pfe.embedding.encoder", "pfe.symreg.expressions.measure",
    "pfe.firewall.behaviour", "pfe.screening.files", "pfe.models.server", "pfe.models.audit",
)  # fmt: skip


@pytest.fixture
def given(
    tmp_path: Path,
    settings: Config,
    model_folder: Callable[[str], str],
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
) -> Given:
    monkeypatch.setattr("pfe.embedding.vectors.fastest", lambda: ("torch", "float32"))  # the quickest to load
    return Given(tmp_path / "kept.sqlite", settings, model_folder, script)


def running(code: Path, patch: pytest.MonkeyPatch) -> None:
    """From here on answers are kept as by the code in a folder."""
    project = Project(code, PACKAGES)
    for target in TARGETS:
        patch.setattr(f"{target}.fingerprint", lambda module, *apart: project.fingerprint(module, apart))


@pytest.mark.slow
@pytest.mark.parametrize("use", USES)
def test_other_code_never_gets_the_old_answer_and_another_docstring_does(
    use: str, given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks, name, old, new = USES[use]
    code = tmp_path / "code"
    shutil.copytree(ROOT / "pfe", code / "pfe", ignore=shutil.ignore_patterns("__pycache__", "families"))
    running(code, monkeypatch)
    first = asks(given)
    assert first
    file = code / name
    text = file.read_text()
    file.write_text(text.replace('"""', '"""Well: ', 1) + "\n# and a comment\n")
    running(code, monkeypatch)
    assert asks(given) == first
    assert old in text
    file.write_text(text.replace(old, new, 1))
    running(code, monkeypatch)
    assert asks(given) > first


@pytest.mark.parametrize(
    ("asks", "library"),
    [
        (embeds, "torch"),
        (embeds, "tokenizers"),
        (chooses, "transformers"),
        (chooses, "tokenizers"),
        (measures, "sympy"),
    ],
)
def test_another_library_never_gets_the_old_answer(
    asks: Callable[[Given], int], library: str, given: Given, monkeypatch: pytest.MonkeyPatch
) -> None:
    running(ROOT, monkeypatch)
    first = asks(given)
    version = importlib.metadata.version

    def other(name: str) -> str:
        return f"{version(name)}.1" if name == library else version(name)

    monkeypatch.setattr(importlib.metadata, "version", other)
    running(ROOT, monkeypatch)
    assert asks(given) > first


def test_what_was_paid_for_outlives_every_change_of_ours(
    given: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reply is kept as it came; what is made of it is made anew each time."""
    given.script.says = chat(lambda _: text_reply("barometer"))
    running(ROOT, monkeypatch)
    asked = server(given.script.url, Cache(given.cache)).answer(texts(2))
    before = len(given.script.questions)

    code = tmp_path / "code"
    shutil.copytree(ROOT / "pfe", code / "pfe", ignore=shutil.ignore_patterns("__pycache__", "families"))
    for file in (code / "pfe/models").glob("*.py"):
        file.write_text(file.read_text() + "\nmore = 1\n")
    running(code, monkeypatch)
    monkeypatch.setattr("pfe.models.server.cut_answer", lambda text, stops: text[:4])
    again = server(given.script.url, Cache(given.cache)).answer(texts(2))
    assert len(given.script.questions) == before
    assert [answer.output for answer in again] == [answer.output[:4] for answer in asked]
    assert {answer.stop for answer in again} == {"stop"}

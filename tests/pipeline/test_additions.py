"""What a newcomer adds is found by being there: a benchmark on data of its own, a library, a model, a set, a family.

The table of docs/add.md says which files that takes, and these are all; what it shows step by step is done here.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guide import steps
from tests.pipeline.conftest import PROBLEMS, Run, copy_checkout, ran, runner

BENCHMARK = """# @package benchmark.mine
# dvc exp run -S 'benchmark=[mine]'
title: Mine
domain: math
columns: gsm
hub: null
config: null
revision: null
split: test
rows: [3]
scorer: number
form: generate
prompt: "Question: {question}\\nAnswer:"
library: mine.txt
stop: ["\\n"]
max_tokens: 4
path: ../own.jsonl
"""
LIBRARY = "[METHOD LIBRARY]\n\nMETHOD 1: Adding\nWhen: two amounts become one\nExample: 2 apples and 3 apples\n→ 5\n"
MODEL = "# @package models.guess\nkind: chance\nlabel: Guess\ndepends: conf/model/guess.yaml\n"
FAMILY = """from pfe.tutors.content import CONTENT
from pfe.tutors.engines.coreference import Engine


class OtherSize(Engine):
    name = "other_size"

    def __init__(self) -> None:
        super().__init__(self.set, CONTENT / "winogrande_synth/size_and_fit.yaml")
        self.name = "other_size"
"""


@pytest.fixture
def clone(tmp_path: Path, binaries: Path) -> tuple[Path, Run]:
    """A copy of the checkout in a folder of its own, and a runner of commands there."""
    folder = tmp_path / "clone"
    folder.mkdir()
    copy_checkout(folder)
    return folder, runner(folder, binaries)


@pytest.mark.gate
def test_additions_run_and_run_again_when_their_data_change(clone: tuple[Path, Run], tmp_path: Path) -> None:
    folder, run = clone
    problems = [{"question": f"What is {n} + {n}?", "answer": f"#### {2 * n}"} for n in range(PROBLEMS)]
    own = tmp_path / "own.jsonl"
    own.write_text("".join(json.dumps(problem) + "\n" for problem in problems))
    made = folder / "pfe/tutors/families/made_synth"
    made.mkdir()
    for path, text in {
        folder / "conf/benchmark/mine.yaml": BENCHMARK,
        folder / "pfe/icr/libraries/mine.txt": LIBRARY,
        folder / "conf/model/guess.yaml": MODEL,
        made / "__init__.py": '"""A set of our own."""\n',
        made / "sizes.py": FAMILY,
    }.items():  # fmt: skip
        path.write_text(text)
    chosen = ["benchmark=[race,mine]", "model=[guess]", "scale=smoke", "+scale.targets.made_synth=4"]
    run("pfe", "params", *chosen)

    first = ran(run("dvc", "repro", "evaluate@guess", "generate").stdout)
    assert first == {"configuration", "source@mine", "canonical", "libraries", "evaluate@guess", "generate"}
    assert (folder / "data/predictions/guess/mine.parquet").is_file()
    assert (folder / "data/candidates/made_synth.parquet").is_file()
    assert ran(run("dvc", "repro", "evaluate@guess").stdout) == set()

    own.write_text(own.read_text().replace("What is 3 + 3?", "How much is 3 and 3?"))
    again = ran(run("dvc", "repro", "evaluate@guess").stdout)
    assert again == {"source@mine", "canonical", "libraries", "evaluate@guess"}
    sealed = json.loads((folder / "data/canonical/SEAL.json").read_text())
    assert sealed["mine"]["rows"] == PROBLEMS


def follow(section: str, folder: Path, run: Callable[..., object]) -> list[str]:
    """Do what a section of a page says; the files that it had one write."""
    written = []
    for file, content in steps(section):
        if file is None:
            for command in content.splitlines():
                run("bash", "-ec", command)
            continue
        assert not (folder / file).exists(), f"{file} is there already"
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
        written.append(file)
    assert written
    return written


@pytest.mark.gate
def test_a_benchmark_is_the_three_files_of_the_guide(clone: tuple[Path, Run]) -> None:
    folder, run = clone
    written = follow("A benchmark", folder, run)
    assert [name.split("/")[0] for name in written] == ["conf", "pfe", "data"]
    sealed = json.loads((folder / "data/canonical/SEAL.json").read_text())
    assert sealed["seasons"]["rows"] == 4
    assert "seasons" in json.loads((folder / "metrics/lift.json").read_text())["chance"]
    changed = run("git", "status", "--porcelain", "-uall", "conf", "pfe", "stages", "data/sample").stdout
    assert sorted(line.split()[1] for line in changed.splitlines()) == sorted(written)


@pytest.mark.gate
def test_a_family_is_the_one_file_of_the_guide(clone: tuple[Path, Run]) -> None:
    folder, run = clone
    printed = []

    def noted(*command: str) -> None:
        printed.append(run(*command).stdout)

    (written,) = follow("A synthetic family", folder, noted)
    assert written.startswith("pfe/tutors/content/")
    shown, tested = printed
    assert "queue" in shown
    assert re.search(r"\b[4-9] passed", tested)


@pytest.mark.gate
def test_a_family_that_needs_its_library_is_the_one_file_of_the_guide(clone: tuple[Path, Run]) -> None:
    folder, run = clone
    printed = []

    def noted(*command: str) -> None:
        printed.append(run(*command).stdout)

    (written,) = follow("A family that needs its library", folder, noted)
    assert written == "pfe/tutors/content/gsm1k_synth/toll_roads.yaml"
    shown, tested = printed
    assert "Bridge" in shown
    assert re.search(r"\b9 passed", tested)


@pytest.mark.gate
def test_a_gate_is_found_by_its_file_and_its_threshold(clone: tuple[Path, Run]) -> None:
    folder, run = clone
    printed = []

    def noted(*command: str) -> None:
        printed.append(run(*command, check=False).stdout)

    (written,) = follow("A gate of the firewall", folder, noted)
    assert written == "pfe/firewall/gates/opening.py"
    (screened,) = printed
    assert "opening > 0" in screened
    assert "opening 1.000" in screened

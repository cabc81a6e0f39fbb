"""What a newcomer adds is found by being there: a benchmark on data of its own, a library, a model, a set, a family.

README's table "Add …" says which files that takes, and these are all.
"""

import json
import sys
from pathlib import Path

import pytest

from tests.pipeline.conftest import PROBLEMS, copy_checkout, ran, runner

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
FAMILY = """from pfe.tutors.family import families_of

Size = type(families_of("winogrande_synth")["size"])


class OtherSize(Size):
    name, set = "other_size", "made_synth"
"""


@pytest.mark.slow
def test_additions_run_and_run_again_when_their_data_change(tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    folder.mkdir()
    copy_checkout(folder)
    run = runner(folder)
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
    run(sys.executable, "-m", "pfe.params", *chosen)

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

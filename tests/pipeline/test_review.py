"""Two revisions of a real experiment compared: another seed, and another threshold of the firewall."""

import json
from typing import Any

import pytest

from tests.pipeline.conftest import Experiment, Run, overrides

pytestmark = pytest.mark.slow


def compared(run: Run, *words: str) -> Any:
    return json.loads(run("pfe", "compare", *words, "--format", "json").stdout)


def test_another_seed_of_the_student_is_no_significant_change(experiment: Experiment) -> None:
    _, run, _ = experiment
    run("dvc", "exp", "run", "--temp", "--name", "another-seed", *overrides("seed=1"), "score")
    found = compared(run, "HEAD", "another-seed", "--model", "student")
    assert {"name": "seed", "before": 0, "after": 1} in found["parameters"]
    assert found["models"]["student"]["tests"] > 0  # of the problems that both seeds drew
    assert found["models"]["student"]["significant"] == []
    assert found["corpus"]["others"] > 0


def test_of_another_threshold_it_says_what_became_of_the_corpus(experiment: Experiment) -> None:
    _, run, _ = experiment
    run(
        "dvc",
        "exp",
        "run",
        "--temp",
        "--name",
        "strict-firewall",
        *overrides("firewall.threshold=0.0", "icr.screen=report"),
        "firewall",
    )
    found = compared(run, "HEAD", "strict-firewall")
    assert {"name": "firewall.threshold", "before": 0.3, "after": 0.0} in found["parameters"]
    assert found["models"] == {}
    rejected = {one["name"]: one for one in found["corpus"]["gates"]}
    assert rejected["token_overlap"]["after"] > rejected["token_overlap"]["before"]
    assert found["corpus"]["sets"]

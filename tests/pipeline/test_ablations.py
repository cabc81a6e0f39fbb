"""Ablations by the real `dvc`: two files of conf/experiment are queued with a seed and run."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.conftest import copy_checkout, overrides, runner, wait_for_queue
from tests.pipeline.warm import warm_python


@pytest.mark.slow
def test_queued_ablations_are_each_an_experiment_of_its_name_and_seed(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy_checkout(tmp_path)
    with warm_python(tmp_path_factory.mktemp("warm")) as binaries:
        run = runner(tmp_path, binaries)
        run("dvc", "exp", "run", "train", "--queue", *overrides("experiment=plain_only,shared_rows", "seed=1"))
        told = wait_for_queue(run, polls=600)
        assert told.count("Success") == 2, told
        (before, *_) = json.loads(run("dvc", "exp", "show", "--json").stdout)[1:]
    made = [experiment["revs"][0]["data"] for experiment in before["experiments"]]
    values = [one["params"]["params.yaml"]["data"] for one in made]
    assert {(value["experiment"], value["seed"]) for value in values} == {("plain_only", 1), ("shared_rows", 1)}
    assert all(value["corpus"]["problems"] == "plain" for value in values if value["experiment"] == "plain_only")
    plain, shared = (one["metrics"]["metrics/train.json"]["data"] for one in sorted(made, key=_name))
    assert 0 < plain["lessons"] < shared["lessons"]
    assert len({one["deps"]["data/validation"]["hash"] for one in made}) == 1, "all are measured on the same problems"
    assert len({one["deps"]["data/corpus"]["hash"] for one in made}) == 2


def _name(made: dict[str, Any]) -> str:
    return str(made["params"]["params.yaml"]["data"]["experiment"])

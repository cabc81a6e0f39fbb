"""Ablations by the real `dvc`: two files of conf/experiment are queued with a seed and run."""

import json
from typing import Any

import pytest

from tests.pipeline.conftest import Experiment, overrides, wait_for_queue

QUEUED = ("plain_only", "shared_rows")


@pytest.mark.slow
def test_queued_ablations_are_each_an_experiment_of_its_name_and_seed(experiment: Experiment) -> None:
    _, run, _ = experiment
    run("dvc", "exp", "run", "train", "--queue", *overrides(f"experiment={','.join(QUEUED)}", "seed=1"))
    told = wait_for_queue(run, polls=600)
    assert told.count("Success") == 2, told
    (before, *_) = json.loads(run("dvc", "exp", "show", "--json").stdout)[1:]
    shown = [one["revs"][0]["data"] for one in before["experiments"]]
    made = [one for one in shown if _name(one) in QUEUED]
    values = [one["params"]["params.yaml"]["data"] for one in made]
    assert {(value["experiment"], value["seed"]) for value in values} == {("plain_only", 1), ("shared_rows", 1)}
    assert all(value["corpus"]["problems"] == "plain" for value in values if value["experiment"] == "plain_only")
    assert all(one["metrics"]["metrics/train.json"]["data"]["parameters"] > 0 for one in made)
    assert len({one["deps"]["data/validation"]["hash"] for one in made}) == 1, "all are measured on the same problems"
    assert len({one["deps"]["data/corpus"]["hash"] for one in made}) == 2


def _name(made: dict[str, Any]) -> str:
    return str(made["params"]["params.yaml"]["data"]["experiment"])

"""What of an experiment is of it, by its lock."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe.lock import stages_of
from pfe.report.current import outdated, parameters_of
from tests.conftest import ROOT


def lock() -> dict[str, Any]:
    """The stages of a dvc.lock, as its text has them."""

    def params(**values: Any) -> dict[str, Any]:
        return {"params": {"params.yaml": values}}

    return {
        "train": {"deps": [], "outs": [{"path": "data/student", "md5": "a"}], **params(seed=0)},
        "evaluate@student": {
            "deps": [{"path": "data/student", "md5": "a"}],
            "outs": [{"path": "data/predictions/student", "md5": "b"}],
            **params(**{"evaluate.limit": None}),
        },
        "score": {
            "deps": [{"path": "data/predictions", "md5": "of a folder"}],
            "outs": [{"path": "metrics/pfe.json", "md5": "c"}],
        },
        "judge": {"deps": [{"path": "elsewhere", "md5": "z"}], "outs": [{"path": "metrics/judge.json", "md5": "d"}]},
    }


def old(stages: dict[str, Any], parameters: dict[str, Any]) -> set[str]:
    written = {"schema": "2.0", "stages": {name: {"cmd": "true", **stage} for name, stage in stages.items()}}
    return outdated(stages_of(yaml.safe_dump(written).encode(), Path("dvc.lock")), parameters)


PARAMETERS = {"seed": 0, "evaluate": {"limit": None}}


def test_of_a_whole_run_all_is_current() -> None:
    assert old(lock(), PARAMETERS) == set()


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"seed": 1, "evaluate": {"limit": None}}, {"data/student", "data/predictions/student", "metrics/pfe.json"}),
        ({"seed": 0, "evaluate": {"limit": 3}}, {"data/predictions/student", "metrics/pfe.json"}),
    ],
)
def test_what_was_run_with_other_parameters_is_old_and_what_read_it(
    parameters: dict[str, Any], expected: set[str]
) -> None:
    assert old(lock(), parameters) == expected


def test_what_read_other_bytes_than_were_written_is_old_and_what_read_it() -> None:
    stages = lock()
    stages["train"]["outs"][0]["md5"] = "new"
    assert old(stages, PARAMETERS) == {"data/predictions/student", "metrics/pfe.json"}


def test_a_tutor_that_is_not_chosen_any_more_makes_nothing_old() -> None:
    stages = lock()
    stages["train"]["deps"] = [{"path": "data/tutors", "md5": "of the folder without it"}]
    stages["tutor@wide"] = {
        "outs": [{"path": "data/tutors/wide", "md5": "e"}], "params": {"params.yaml": {"embedded.wide": {"seed": 1}}}
    }  # fmt: skip
    assert old(stages, PARAMETERS | {"embedded": {"deep": {}}}) == set()
    assert "metrics/pfe.json" in old(stages, PARAMETERS | {"embedded": {"wide": {"seed": 2}}})


def test_a_stage_whose_parameter_is_gone_is_old() -> None:
    assert "data/student" in old(lock(), {"evaluate": {"limit": None}})


def test_a_circle_has_an_end() -> None:
    stages = lock()
    stages["train"]["deps"] = [{"path": "metrics/pfe.json", "md5": "other"}]
    assert "metrics/judge.json" not in old(stages, PARAMETERS)


def test_of_what_is_committed_nothing_is_old() -> None:
    parameters = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    assert outdated(stages_of((ROOT / "dvc.lock").read_bytes(), Path("dvc.lock")), parameters) == set()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"rate: 1e-05", {"rate": 1e-05}),
        (b"time: 24:00:00", {"time": "24:00:00"}),
        (b"", None), (b"- seed", None), (b"seed", None), (b"seed: [", None), (b"\xff", None),
        (b"seed: 0\nseed: 1", None), (b"day: 2026-13-45", None), (b"[" * 5000, None),
    ],
)  # fmt: skip
def test_parameters_are_read_as_dvc_reads_them(text: bytes, values: dict[str, Any] | None) -> None:
    assert parameters_of(text) == values

from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe import config
from pfe.config import Config
from pfe.errors import UserError
from tests.conftest import ROOT


@pytest.fixture
def values() -> Any:
    return yaml.safe_load((ROOT / "params.yaml").read_text())


def test_spec_parameters_are_the_default(settings: Config) -> None:
    """SPEC, "The Contamination Firewall": n = 5, 30 %, cosine 0.85."""
    assert (settings.firewall.n, settings.firewall.threshold, settings.firewall.semantic.threshold) == (5, 0.3, 0.85)


def test_a_typo_names_the_nearest_key(values: Any) -> None:
    values["firewall"]["treshold"] = values["firewall"].pop("threshold")
    with pytest.raises(UserError, match=r"firewall\.treshold: unknown key; did you mean 'threshold'\?"):
        config.parse(values, "params.yaml")


def test_a_typo_inside_a_benchmark_names_the_nearest_key(values: Any) -> None:
    values["benchmark"]["race"]["promt"] = "x"
    with pytest.raises(UserError, match=r"benchmark\.race\.promt: unknown key; did you mean 'prompt'\?"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize(
    ("path", "value"),
    [("seed", "zero"), ("seed", -1), ("firewall.threshold", "0.3"), ("firewall.threshold", 1.5), ("firewall.n", 5.5),
     ("evaluate.arms", ["canonical", "icl"]), ("models", {}), ("student.layers", True)],
)  # fmt: skip
def test_an_ill_typed_value_is_told_with_its_path(values: Any, path: str, value: Any) -> None:
    place, *inner = path.split(".")
    if inner:
        values[place][inner[0]] = value
    else:
        values[place] = value
    with pytest.raises(UserError, match=path):
        config.parse(values, "params.yaml")


def test_a_missing_key_is_told(values: Any) -> None:
    del values["corpus"]["icr_share"]
    with pytest.raises(UserError, match=r"corpus\.icr_share: missing"):
        config.parse(values, "params.yaml")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run from the repository's root"):
        config.load(tmp_path / "params.yaml")


def test_a_file_that_is_no_yaml_is_told(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text("a: [1")
    with pytest.raises(UserError, match="not YAML"):
        config.load(tmp_path / "params.yaml")


def test_an_unknown_name_among_chosen_names_the_nearest(settings: Config) -> None:
    with pytest.raises(UserError, match="unknown model 'studnet'; did you mean 'student'"):
        config.chosen("studnet", settings.models, "model")

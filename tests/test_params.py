"""conf/ and params.yaml: one composes to the other, every member composes, mistakes are one line."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.params import composed
from tests.conftest import ROOT

SINGLE = ("canonical", "scale", "firewall", "student", "competition", "rules")
SEVERAL = ("benchmark", "model", "tutor", "method")
MEMBERS = [(group, path.stem) for group in SINGLE + SEVERAL for path in sorted((ROOT / "conf" / group).glob("*.yaml"))]


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_params_yaml_is_what_conf_composes_to() -> None:
    assert (ROOT / "params.yaml").read_text() == composed()


@pytest.mark.parametrize(("group", "member"), MEMBERS)
def test_every_member_of_every_group_composes_and_is_valid(group: str, member: str) -> None:
    text = composed([f"{group}=[{member}]" if group in SEVERAL else f"{group}={member}"])
    assert text


@pytest.mark.parametrize(("group", "member"), MEMBERS)
def test_every_config_file_shows_the_command_that_uses_it(group: str, member: str) -> None:
    head = (ROOT / "conf" / group / f"{member}.yaml").read_text().splitlines()[:3]
    assert any("dvc exp run -S" in line for line in head)


def test_a_typo_in_an_override_names_the_nearest_key() -> None:
    with pytest.raises(UserError, match=r"firewall\.treshold: unknown key; did you mean 'threshold'\?"):
        composed(["firewall.treshold=0.25"])


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("benchmark=[arc_esy]", "unknown benchmark 'arc_esy'; did you mean 'arc_easy'"),
        ("model=[base,studnet]", "unknown model 'studnet'; did you mean 'student'"),
        ("tutor=[gpt]", "unknown tutor 'gpt'; allowed: derive"),
        ("scale=ful", "unknown scale 'ful'; did you mean 'full'"),
    ],
)
def test_an_unknown_member_names_the_nearest(override: str, words: str) -> None:
    with pytest.raises(UserError, match=re.escape(words)):
        composed([override])


def test_check_fails_in_one_line_where_params_yaml_is_stale(tmp_path: Path) -> None:
    (tmp_path / "conf").symlink_to(ROOT / "conf")
    (tmp_path / "params.yaml").write_text("seed: 1\n")
    command = [sys.executable, "-m", "pfe.params", "--check"]
    run = subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert run.returncode == 1
    assert "run `python -m pfe.params`" in run.stderr
    assert len(run.stderr.splitlines()) == 1

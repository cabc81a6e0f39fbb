"""README and CONTRIBUTING keep to what is there: commands first, the table as it is printed, files that exist."""

import re

from pfe.config import Config
from pfe.report.table import table
from tests import guide
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_stand_before_the_first_section() -> None:
    head = README.split("\n## ")[0]
    assert "make repro" in head
    assert "make test" in head


def test_the_table_is_in_the_printed_format_and_has_every_default_model(settings: Config) -> None:
    shown = README.split("<!-- table -->")[1].split("<!-- /table -->")[0]
    title, rule, head, *_ = table("PFE: averages over benchmarks", []).splitlines()
    assert all(line in shown for line in (title, rule, head))
    assert all(re.search(rf"^{re.escape(model.label)} .*%", shown, re.MULTILINE) for model in settings.models.values())


def test_every_group_member_that_a_command_names_exists() -> None:
    commands = " ".join(re.findall(r"dvc exp run[^\n`]*", README))
    for group, names in re.findall(r"-S '?(\w+)=\[?([\w,]+)\]?'?", commands):
        if (ROOT / "conf" / group).is_dir():
            for name in names.split(","):
                assert name == "mine" or (ROOT / "conf" / group / f"{name}.yaml").is_file(), f"{group}={name}"


def test_every_path_that_is_named_exists() -> None:
    examples = {"conf/model/mine.yaml", *(step.file for step in guide.steps())}
    for path in re.findall(r"`((?:conf|pfe|docs|stages|data/sample|tests|\.github)/[\w/.]*)`", README + guide.TEXT):
        assert path in examples or (ROOT / path).exists(), path


def test_every_target_area_and_test_file_that_the_guide_names_exists() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"make ([a-z-]+)(?=[` ]*(?:$|`|#|AREA))", guide.TEXT, re.MULTILINE)) <= set(targets)
    assert all((ROOT / "tests" / area).is_dir() for area in re.findall(r"AREA=(\w+)", guide.TEXT))
    assert all((ROOT / path).exists() for path in re.findall(r"\btests/[\w./]+\b(?!\*)", guide.TEXT))

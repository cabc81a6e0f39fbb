"""docs/add.md as steps: the files that they show, each named right before it, and the commands.

Example: "…, `conf/benchmark/seasons.yaml`:" and YAML is `Step("conf/benchmark/seasons.yaml", "# @package …")`;
a block of `sh` is `Step(None, "dvc repro score\\n")`.
"""

import re
from typing import NamedTuple

from tests.conftest import ROOT

TEXT = (ROOT / "docs/add.md").read_text(encoding="utf-8")
_FENCED = re.compile(r"(.*?)\n```(\w+)\n(.*?)```\n", re.DOTALL)
_FILE = re.compile(r"`([\w-]+/[\w/.-]+\.\w+)`")


class Step(NamedTuple):
    """A file to write, or without one, commands to run."""

    file: str | None
    content: str


def steps(section: str = "") -> list[Step]:
    """The steps of a section by its title; of the whole page where none is given."""
    text = re.split(r"\n###? ", TEXT.partition(f"## {section}\n")[2])[0] if section else TEXT
    return [
        Step(None if language == "sh" else _FILE.findall(before)[-1], content)
        for before, language, content in _FENCED.findall(text)
    ]

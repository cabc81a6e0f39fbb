"""Real text to compare on, where it is."""

import gzip
import json

import pytest

from pfe.problem import Problem
from pfe.rows import files
from tests.conftest import SHARED


def questions(split: str) -> list[str]:
    """The questions of a GSM8K split; skips the test where they are not."""
    path = SHARED / "canonical" / "gsm8k" / f"{split}.jsonl.gz"
    if not path.is_file():
        pytest.skip("no ../shared/canonical here: real text is not compared")
    with gzip.open(path, "rt") as lines:
        return [json.loads(line)["question"] for line in lines]


def problems(split: str) -> list[Problem]:
    """A GSM8K split with answers and solutions; skips the test where it is not."""
    questions(split)
    path = SHARED / "canonical" / "gsm8k" / f"{split}.jsonl.gz"
    return [row.problem for row in files.problems(path) if isinstance(row.problem, Problem)]

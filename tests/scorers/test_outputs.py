"""Outputs in the manners of today's models, read as a careful person reads them.

A row of outputs*.jsonl, whose texts are our own: its kind, the output, and what is read ("" if nothing can be; true or
false of names and programs). `source` names where such a form is reported to have been misread.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from pfe.problem import Problem, Scorer
from pfe.scorers import score
from tests.conftest import SHARED
from tests.each import check_each


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


ROWS = [row for path in sorted(Path(__file__).parent.glob("outputs*.jsonl")) for row in rows(path)]
CASES = rows(SHARED / "cases/outputs.jsonl")
KINDS: tuple[Scorer, ...] = ("number", "choice", "boolean", "alias", "program")


def check(row: dict[str, Any]) -> None:
    right, choices = row["right"], tuple(row.get("choices", ()))
    answer = str(row.get("gold") or right or (choices or ("yes",))[0])
    problem = Problem(
        "a/1", "a", "math", row.get("question", "?"), answer, choices=choices,
        aliases=tuple(row.get("aliases", ())), tests=tuple(row.get("tests", ())),
    )  # fmt: skip
    scored = score(row["kind"], problem, row["output"])
    if row["kind"] in ("alias", "program"):
        assert scored.correct is right, scored.extracted
    elif right == "":
        assert scored.extracted == ""
    else:
        assert scored.correct, scored.extracted


@pytest.mark.parametrize("kind", KINDS)
def test_every_output_is_read_as_a_person_reads_it(kind: Scorer) -> None:
    check_each({row["id"]: row for row in ROWS if row["kind"] == kind}, check)


def test_outputs_that_were_misread_are_read() -> None:
    if not CASES:
        pytest.skip("no ../shared/cases here: the misread outputs that were collected are not tried")
    tools = ["barometer", "ruler", "scales", "clock"]
    check_each({row["id"]: row | ({"choices": tools} if row["kind"] == "choice" else {}) for row in CASES}, check)

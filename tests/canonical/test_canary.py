"""The mark in our own problems, for whoever collects training data."""

import json
import uuid
from pathlib import Path

import pytest

from pfe.canonical.canary import CANARY, GUID
from pfe.rows.files import entries, split
from tests.conftest import ROOT

OURS = sorted(path for name in ("sample", "fncall", "invented") for path in (ROOT / "data" / name).rglob("*.jsonl*"))


@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_row_of_our_own_problems_has_the_canary(path: Path) -> None:
    rows = [entry.columns for shard in split([path]) for entry in entries(shard)]
    assert rows
    assert {row["canary"] for row in rows} == {CANARY}


def test_the_canary_is_one_guid() -> None:
    assert str(uuid.UUID(GUID)) == GUID
    assert GUID in json.dumps(CANARY)
    assert len(OURS) >= 11

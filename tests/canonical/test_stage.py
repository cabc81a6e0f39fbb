"""The stage that seals: what it writes with and without the arm that shows solved problems."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe.canonical.seal import read_sealed, read_shots, sealed_names
from stages import canonical
from tests.canonical.test_sources import ROW
from tests.conftest import ROOT


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A folder with one benchmark and its train split; the parameters of this folder, to be changed."""
    monkeypatch.chdir(tmp_path)
    for split, rows in (("test", 2), ("train", 5)):
        path = tmp_path / "source" / "arc_easy" / f"{split}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(ROW | {"id": f"{split}{i}"}) + "\n" for i in range(rows)))
    values: dict[str, Any] = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    arc = values["benchmark"]["arc_easy"] | {"shots": 2, "shots_split": "train", "rows": [2]}
    return values | {"benchmark": {"arc_easy": arc}, "canonical": {"source": "files", "path": str(tmp_path / "source")}}


@pytest.mark.parametrize(("arms", "shots"), [(["canonical", "icr"], 0), (["canonical", "reference"], 5)])
def test_shots_are_sealed_only_for_the_arm_that_shows_them(
    experiment: dict[str, Any], arms: list[str], shots: int, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate = {"limit": None, "arms": arms, "unsafe_code": False}
    Path("params.yaml").write_text(yaml.safe_dump(experiment | {"evaluate": evaluate}))
    canonical.main()
    assert sealed_names() == ["arc_easy"]
    assert len(read_sealed("arc_easy")) == 2
    assert len(read_shots("arc_easy")) == shots
    assert ("and 5 solved ones of train" in capsys.readouterr().out) is bool(shots)

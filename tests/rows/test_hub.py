"""A data set's name on the hub, of which the cache of `huggingface_hub` has the files: nothing is fetched here."""

from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.rows.files import data_files
from pfe.rows.hub import local

COMMIT = "0" * 40


@pytest.fixture
def _cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "hub/datasets--owner--set"
    (home / f"snapshots/{COMMIT}/data").mkdir(parents=True)
    (home / f"snapshots/{COMMIT}/data/train.csv").write_text("question,answer\nWhat is 2 + 2?,4\n")
    (home / f"snapshots/{COMMIT}/README.md").write_text("# A set\n")
    (home / "refs").mkdir()
    (home / "refs/main").write_text(COMMIT)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_cached")
@pytest.mark.parametrize("name", ["owner/set", f"owner/set@{COMMIT}"])
def test_a_name_on_the_hub_is_the_folder_of_its_files_at_a_revision(name: str) -> None:
    folder = local(name)
    assert folder.name == COMMIT
    assert [path.name for path in data_files([folder])] == ["train.csv"]


@pytest.mark.usefixtures("_cached")
def test_what_is_here_is_not_looked_for_on_the_hub(tmp_path: Path) -> None:
    (tmp_path / "owner/set").mkdir(parents=True)
    assert local("owner/set") == Path("owner/set")
    for name in ("set", "owner/set/more", "owner/set.csv", "/owner/set"):
        assert local(name) == Path(name)


@pytest.mark.usefixtures("_cached")
def test_a_name_that_is_nowhere_is_told_in_one_line() -> None:
    with pytest.raises(
        UserError, match=r"owner/sets: no such file or folder here, and not to be had from the hub"
    ) as told:
        local("owner/sets")
    assert "\n" not in str(told.value)

"""`pfe params`, as a person types it: params.yaml is written or compared, and mistakes change nothing."""

from pathlib import Path

import pytest

from pfe.__main__ import main
from pfe.params import written
from tests.conftest import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with our conf/ and a params.yaml that is not current, in which we are."""
    (tmp_path / "conf").symlink_to(ROOT / "conf")
    (tmp_path / "params.yaml").write_text("seed: 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main("params", *words)
    return ended.value.code


@pytest.mark.parametrize(
    ("words", "ended", "said"),
    [
        (["--check"], 1, "pfe: params.yaml is not what conf/ composes to; run `pfe params` to write it"),
        (["--chek"], 2, "No such option: --chek (Possible options: --check"),
        (["seed"], 2, "pfe: cannot read the override 'seed'"),
        (["modle=[base]"], 2, "modle: unknown key; did you mean 'model'?"),
    ],
)
def test_a_mistake_and_a_stale_file_are_one_line_and_nothing_is_written(
    words: list[str], ended: int, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(*words) == ended
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert (folder / "params.yaml").read_text() == "seed: 1\n"


def test_what_is_written_passes_the_check_and_holds_the_overrides(folder: Path) -> None:
    assert status("seed=3") == 0
    assert (folder / "params.yaml").read_text() == written(["seed=3"])
    assert status("--check") == 1
    assert status() == 0
    assert status("--check") == 0


def test_no_conf_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status() == 2
    assert "pfe: conf: no such folder here; run from the repository's root" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())

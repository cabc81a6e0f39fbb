"""`pfe verify` on what is no certificate: it says so before anything is screened, and what to give."""

import shutil
from pathlib import Path

import pytest

from pfe.__main__ import main
from tests.conftest import ROOT


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main("verify", *words)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("content", ["", "{}", "[1]", "no JSON", '{"files": 3}', '{"files": {}}', "[" * 5000])
def test_a_file_that_is_no_certificate_is_told(content: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.json").write_text(content)
    assert said(capsys, "mine.json").endswith("mine.json: not a certificate of the firewall; give a certificate.json")
    (folder / "data").mkdir()
    (folder / "mine.json").rename("data/certificate.json")
    assert said(capsys).endswith("run `dvc repro --force firewall`")


def test_what_is_not_there_is_told_with_what_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys).endswith("data/certificate.json: no such file; run `dvc repro firewall`")
    assert said(capsys, "mine.json").endswith("mine.json: no such file; give a certificate.json")
    (folder / "other").mkdir()
    assert said(capsys, "other").endswith("other: a folder; give the certificate.json in it")
    (folder / "certificate.json").write_text('{"claim": "", "files": {}}')
    assert "did you mean 'certificate.json'?" in said(capsys, "certifcate.json")
    assert "data/candidates: not there" in said(capsys, "certificate.json")

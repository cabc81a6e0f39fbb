"""Where the real problems come from."""

import gzip
import shutil
from pathlib import Path

import pytest

from pfe.canonical.seal import write_sealed
from pfe.config import Canonical, Config
from pfe.errors import UserError
from pfe.quality.real_problems import real_side
from tests.conftest import ROOT

SAMPLE = ROOT / "data/sample"


def test_all_benchmarks_of_the_domain_are_read(settings: Config) -> None:
    assert {problem.set for problem in real_side("science", str(SAMPLE), settings.benchmark)} == {
        "arc_easy",
        "arc_challenge",
    }
    assert {problem.set for problem in real_side("function_call", "sample", settings.benchmark)} == {"fncall"}
    assert real_side("format", "sample", settings.benchmark) == []


def test_a_folder_of_another_name_counts_where_its_rows_have_the_shape(settings: Config, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE / "gsm1k", tmp_path / "other_gsm")
    shutil.copytree(SAMPLE / "trivia_qa", tmp_path / "trivia_qa")
    (tmp_path / "notes").mkdir()
    with gzip.open(tmp_path / "notes/test.jsonl.gz", "wt") as file:
        file.write('{"title": "no problem"}\n')
    assert {problem.set for problem in real_side("math", str(tmp_path), settings.benchmark)} == {"other_gsm"}


def test_a_sealed_folder_is_read_under_its_seal(settings: Config, tmp_path: Path) -> None:
    problems = real_side("math", "sample", settings.benchmark)
    write_sealed({"gsm1k": problems}, settings.benchmark, Canonical("sample", str(SAMPLE)), tmp_path / "sealed")
    assert real_side("math", str(tmp_path / "sealed"), settings.benchmark) == problems
    assert real_side("science", str(tmp_path / "sealed"), settings.benchmark) == []


def test_a_folder_that_is_not_there_or_holds_nothing_of_the_domain_is_told(settings: Config, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        real_side("math", str(tmp_path / "none"), settings.benchmark)
    with pytest.raises(UserError, match="holds no problems of gsm1k"):
        real_side("math", str(tmp_path), settings.benchmark)

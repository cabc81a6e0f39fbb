from dataclasses import replace
from pathlib import Path

import pytest

from pfe.canonical.seal import read_sealed, read_shots, sealed_names, write_sealed
from pfe.config import Canonical, Config
from pfe.errors import UserError
from pfe.problem import Problem


@pytest.fixture
def sealed(tmp_path: Path, settings: Config, arc_problem: Problem) -> Path:
    folder = tmp_path / "canonical"
    write_sealed({"arc_easy": [arc_problem]}, settings.benchmark, Canonical("sample", "data/sample"), folder)
    return folder


def test_sealed_problems_are_read_as_they_were(sealed: Path, arc_problem: Problem) -> None:
    assert read_sealed("arc_easy", sealed) == [arc_problem]
    assert sealed_names(sealed) == ["arc_easy"]


def test_sealing_the_same_problems_again_gives_the_same_seal(
    sealed: Path, settings: Config, arc_problem: Problem
) -> None:
    before = (sealed / "SEAL.json").read_bytes()
    write_sealed({"arc_easy": [arc_problem]}, settings.benchmark, Canonical("sample", "data/sample"), sealed)
    assert (sealed / "SEAL.json").read_bytes() == before


@pytest.mark.parametrize("place", [0, 100, -1])
def test_one_changed_byte_stops_the_reader_with_both_hashes(sealed: Path, place: int) -> None:
    path = sealed / "arc_easy.parquet"
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(
        UserError, match=r"either may have changed: sealed were sha256 [0-9a-f]{64}, the file has sha256"
    ):
        read_sealed("arc_easy", sealed)


@pytest.mark.parametrize(("sealed_as", "changed"), [('"rows": 1', '"rows": 3'), ('"sha256": "', '"sha256": "0')])
def test_a_changed_seal_is_not_laid_to_the_file_alone(sealed: Path, sealed_as: str, changed: str) -> None:
    seal = sealed / "SEAL.json"
    seal.write_text(seal.read_text().replace(sealed_as, changed))
    with pytest.raises(UserError, match=r"arc_easy.parquet and its seal in .*SEAL.json differ, and either may have"):
        read_sealed("arc_easy", sealed)


def test_a_benchmark_that_is_not_sealed_names_the_nearest(sealed: Path) -> None:
    with pytest.raises(UserError, match="no benchmark 'arc_esy' is sealed; did you mean 'arc_easy'"):
        read_sealed("arc_esy", sealed)


def test_a_missing_file_or_seal_is_told(sealed: Path) -> None:
    (sealed / "arc_easy.parquet").unlink()
    with pytest.raises(UserError, match="sealed, but gone"):
        read_sealed("arc_easy", sealed)
    (sealed / "SEAL.json").write_text("{")
    with pytest.raises(UserError, match="not a seal"):
        read_sealed("arc_easy", sealed)
    (sealed / "SEAL.json").unlink()
    with pytest.raises(UserError, match="run `dvc repro canonical`"):
        sealed_names(sealed)


def test_shots_are_sealed_apart_from_the_benchmarks(
    sealed: Path, tmp_path: Path, settings: Config, arc_problem: Problem
) -> None:
    shot = replace(arc_problem, id="arc_easy/train/1")
    shots = tmp_path / "shots"
    write_sealed({"arc_easy": [shot]}, settings.benchmark, Canonical("sample", "data/sample"), shots)
    assert read_shots("arc_easy", shots) == [shot]
    assert read_shots("race", shots) == []
    assert [p for name in sealed_names(sealed) for p in read_sealed(name, sealed)] == [arc_problem]


def test_changed_or_missing_shots_stop_the_reader(tmp_path: Path, settings: Config, arc_problem: Problem) -> None:
    with pytest.raises(UserError, match="run `dvc repro canonical`"):
        read_shots("arc_easy", tmp_path)
    write_sealed({"arc_easy": [arc_problem]}, settings.benchmark, Canonical("sample", "data/sample"), tmp_path / "s")
    Problem.write([replace(arc_problem, answer="ruler")], tmp_path / "s" / "arc_easy.parquet")
    with pytest.raises(UserError, match="either may have changed"):
        read_shots("arc_easy", tmp_path / "s")

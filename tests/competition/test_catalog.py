"""The catalogue: every set under one name, listed without reading values, chosen by patterns."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.competition.catalog import catalog, chosen
from pfe.competition.tables import read
from pfe.errors import UserError
from tests.conftest import SHARED

REAL = SHARED / "srbench"
real = pytest.mark.skipif(not REAL.exists(), reason="needs shared/srbench")
MADE = catalog(0, None)


def test_made_sets_are_named_by_family_and_difficulty_and_need_no_folder() -> None:
    assert "made/local_optima/hard" in MADE
    assert all(name.startswith("made/") and dataset.name == name for name, dataset in MADE.items())
    assert MADE["made/noise/easy"].draw(0).sha256() == catalog(0, None)["made/noise/easy"].draw(0).sha256()
    assert MADE["made/noise/easy"].draw(0).sha256() != catalog(1, None)["made/noise/easy"].draw(0).sha256()


@real
def test_the_whole_catalogue_is_listed_without_reading_values() -> None:
    read.cache_clear()
    sets = catalog(0, REAL)
    assert read.cache_info().misses == 0
    counts = {prefix: sum(name.startswith(f"{prefix}/") for name in sets) for prefix in ("pmlb20", "synthetic2022")}
    assert counts == {"pmlb20": 20, "synthetic2022": 17}
    assert list(chosen(["realworld2022/*"], sets)) == [f"realworld2022/{name}" for name in ("cases", "hosp", "deaths")]
    assert list(sets) == list(catalog(1, REAL))
    assert all(dataset.name == name for name, dataset in sets.items())


def test_patterns_choose_by_folder_and_by_last_part() -> None:
    assert list(chosen(["made/noise/*"], MADE)) == [f"made/noise/{level}" for level in ("easy", "medium", "hard")]
    assert len(chosen(["made/*/easy"], MADE)) == 5
    assert chosen(["made/*"], MADE) == MADE
    assert chosen([], MADE) == {}


@given(st.lists(st.sampled_from([*MADE, "made/*/easy", "made/noise/*"])))
def test_what_is_chosen_stands_in_the_catalogue_s_order_each_once(patterns: list[str]) -> None:
    names = list(chosen(patterns, MADE))
    assert names == [name for name in MADE if name in names]
    assert names == list(chosen(patterns[::-1] * 2, MADE))


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("made/noise/esay", "did you mean 'made/noise/easy'?"),
        ("made/nois/*", "did you mean 'made/noise/*'?"),
        ("pmlb20/*", "real ones need competition.path"),
        ("Made/noise/easy", "did you mean 'made/noise/easy'?"),
    ],
)
def test_a_pattern_that_matches_nothing_is_told_with_what_is_near(pattern: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        chosen(["made/*", pattern], MADE)
    assert f"'{pattern}'" in str(error.value)
    assert told in str(error.value)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere: no such folder; it should hold pmlb20/"):
        catalog(0, tmp_path / "nowhere")


@real
@pytest.mark.parametrize("part", ["pmlb20", "synthetic2022", "realworld2022"])
def test_a_folder_that_lacks_a_part_is_told(tmp_path: Path, part: str) -> None:
    for path in REAL.iterdir():
        if path.name != part:
            (tmp_path / path.name).symlink_to(path)
    with pytest.raises(UserError, match=rf"{part}/.*: no such file"):
        catalog(0, tmp_path)

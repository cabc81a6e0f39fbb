"""The catalogue: every set under one name, listed without reading values, chosen by patterns."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pfe.config import Competition
from pfe.errors import UserError
from pfe.symreg.competition.catalog import catalog, datasets_by_track, matching
from pfe.symreg.competition.tables import read
from tests.conftest import ROOT, SHARED

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
    assert list(matching(["realworld2022/*"], sets)) == [
        f"realworld2022/{name}" for name in ("cases", "hosp", "deaths")
    ]
    assert list(sets) == list(catalog(1, REAL))
    assert all(dataset.name == name for name, dataset in sets.items())


def test_patterns_choose_by_folder_and_by_last_part() -> None:
    assert list(matching(["made/noise/*"], MADE)) == [f"made/noise/{level}" for level in ("easy", "medium", "hard")]
    assert len(matching(["made/*/easy"], MADE)) == 5
    assert matching(["made/*"], MADE) == MADE
    assert matching([], MADE) == {}


@given(st.lists(st.sampled_from([*MADE, "made/*/easy", "made/noise/*"])))
def test_what_is_chosen_stands_in_the_catalogue_s_order_each_once(patterns: list[str]) -> None:
    names = list(matching(patterns, MADE))
    assert names == [name for name in MADE if name in names]
    assert names == list(matching(patterns[::-1] * 2, MADE))


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
        matching(["made/*", pattern], MADE)
    assert f"'{pattern}'" in str(error.value)
    assert told in str(error.value)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere: no such folder; it is to hold tables, or one of pmlb20, "):
        catalog(0, tmp_path / "nowhere")


FULL = TypeAdapter(Competition).validate_json(
    json.dumps(yaml.safe_load((ROOT / "conf/competition/full.yaml").read_text()))
)


def enter(path: Path, **changes: Any) -> tuple[list[str], list[str]]:
    """The names of the sets that take part, and what is said."""
    said: list[str] = []
    competition = replace(FULL, path=str(path), **changes)
    return [dataset.name for _, dataset in datasets_by_track(competition, 0, said.append)], said


@real
def test_a_whole_folder_leaves_nothing_to_say() -> None:
    names, said = enter(REAL)
    assert len(names) == 20 + 17 + 15 + 3
    assert said == []


@real
@pytest.mark.parametrize(
    ("part", "track", "count"),
    [("pmlb20", "qualification", 20), ("synthetic2022", "synthetic", 17), ("realworld2022", "real-world", 3)],
)
def test_what_a_folder_lacks_is_said_and_the_rest_takes_part(tmp_path: Path, part: str, track: str, count: int) -> None:
    for path in REAL.iterdir():
        if path.name != part:
            (tmp_path / path.name).symlink_to(path)
    names, said = enter(tmp_path)
    assert len(names) == 20 + 17 + 15 + 3 - count
    assert not any(name.startswith(part) for name in names)
    assert said == [f"{tmp_path}: no {part}; the {track} track goes on without"]


@real
@pytest.mark.parametrize(("part", "count"), [("pmlb20", 20), ("synthetic2022", 17), ("realworld2022", 3)])
def test_one_of_the_named_folders_alone_is_a_competition(part: str, count: int) -> None:
    names, said = enter(REAL / part, synthetic=("synthetic2022/*",))
    assert len(names) == count
    assert all(name.startswith(f"{part}/") for name in names)
    assert len(said) == 2


@real
def test_parts_of_the_named_sets_that_are_missing_are_said(tmp_path: Path) -> None:
    (tmp_path / "synthetic2022").mkdir()
    for path in (REAL / "synthetic2022").iterdir():
        if "_noise_base_" not in path.name and not path.name.startswith("2082_localopt_hard"):
            (tmp_path / "synthetic2022" / path.name).symlink_to(path)
    chosen_sets = {"qualification": (), "synthetic": ("synthetic2022/*",), "real_world": ()}
    names, said = enter(tmp_path, **chosen_sets)
    assert len(names) == 16
    assert said == [
        f"{tmp_path}: no noise_base in synthetic2022; the synthetic track goes on without",
        f"{tmp_path}: 9 of 10 draws of synthetic2022/localopt_hard; the synthetic track goes on without",
    ]
    assert enter(
        tmp_path, **{**chosen_sets, "synthetic": ("synthetic2022/noise_base", "synthetic2022/noise_easy")}
    ) == (
        ["synthetic2022/noise_easy"],
        [f"{tmp_path}: no noise_base in synthetic2022; the synthetic track goes on without"],
    )


def test_a_mistyped_name_of_a_named_set_is_a_mistake_also_where_the_folder_lacks_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,target\n" + "".join(f"{row},{row}\n" for row in range(12)))
    with pytest.raises(UserError, match="no data set matches 'synthetic2022/noise_bsae'"):
        enter(tmp_path, synthetic=("tables/*", "synthetic2022/noise_bsae"))


def test_all_bad_tables_are_named_at_once_before_anything_runs(tmp_path: Path) -> None:
    good = "x,target\n" + "".join(f"{row},{row}\n" for row in range(12))
    bad = {"gap": good + ",3\n", "word": good + "Oslo,3\n", "x": "a,b,y\n1,2,3\n", "semi": "a;b;target\n1;2;3\n"}
    for name, content in {"good": good, **bad}.items():
        (tmp_path / f"{name}.csv").write_text(content)
    with pytest.raises(UserError) as caught:
        enter(tmp_path, qualification=(), synthetic=("tables/*",), real_world=())
    assert "gap.csv: line 14, column 'x': missing" in str(caught.value)
    assert str(caught.value).count("; and ") == len(bad) - 1
    assert "x.csv: no column 'target'; allowed: a, b, y, or set competition.target" in str(caught.value)
    assert "semi.csv: its columns are separated by semicolons (;); save it with commas as .csv" in str(caught.value)
    assert "word.csv: line 14, column 'x': 'Oslo' is not a number" in str(caught.value)
    assert enter(tmp_path, qualification=(), synthetic=("tables/good",), real_world=()) == (["tables/good"], [])


@pytest.mark.parametrize("beside", ["README.md", "several"])
def test_a_folder_without_a_table_is_told_as_that(tmp_path: Path, beside: str) -> None:
    (tmp_path / beside).mkdir()
    with pytest.raises(
        UserError, match=rf"{re.escape(str(tmp_path))}: holds no table, and 'tables/\*' names some; a ta"
    ):
        enter(tmp_path, qualification=(), synthetic=("tables/*",), real_world=())
    with pytest.raises(UserError, match=r"no data set matches 'made/nois/\*'; did you mean 'made/noise/\*'\?$"):
        enter(tmp_path, qualification=(), synthetic=("made/nois/*",), real_world=())


def test_where_nothing_is_left_there_is_no_competition(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no data set is left"):
        enter(tmp_path, synthetic=("synthetic2022/*",))


def test_tables_that_no_track_names_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,target\n" + "".join(f"{row},{row}\n" for row in range(12)))
    names, said = enter(tmp_path, qualification=(), synthetic=("made/noise/easy",), real_world=())
    assert names == ["made/noise/easy"]
    assert said == [f"{tmp_path}: 1 tables that no track names; -S competition=tables takes them all"]

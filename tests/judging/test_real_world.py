"""Which model an expert sees, and how trust ranks the methods."""

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pfe.errors import UserError
from pfe.judging.expert import Expert, read_expert
from pfe.judging.judge import judge
from tests.conftest import ROOT
from tests.judging.tables import preset, runs

CELLS: dict[tuple[str, str], list[tuple[float, int]]] = {
    ("a", "cases"): [(0.9312, 14), (0.9314, 12), (0.9, 1), (0.2, 1)],
    ("b", "cases"): [(0.5, 5), (math.nan, 1), (0.5, 5), (0.1, 5)],
    ("c", "cases"): [(math.nan, 1)] * 4,
    ("a", "deaths"): [(0.5, 5)] * 4,
    ("b", "deaths"): [(0.6, 25)] * 4,
    ("c", "deaths"): [(0.7, 125)] * 4,
}


def table() -> pd.DataFrame:
    keys = ("track", "method", "dataset", "repetition", "r2", "simplified", "model")
    return runs(
        [
            dict(zip(keys, ("real_world", *at, number, r2, size, f"{at[0]}{number}"), strict=True))
            for at, cell in CELLS.items()
            for number, (r2, size) in enumerate(cell)
        ]
    )


def shown(**changes: Any) -> dict[tuple[str, str], str]:
    found = judge(table(), preset(**changes)).representatives
    return {(method, dataset): one.model for dataset, methods in found.items() for method, one in methods.items()}


def test_the_best_model_is_shown_of_equals_the_smallest_then_the_first() -> None:
    models = shown()
    assert models[("a", "cases")] == "a1"
    assert models[("b", "cases")] == "b0"
    assert ("c", "cases") not in models
    one = judge(table(), preset()).representatives["cases"]["a"]
    assert (one.repetition, one.accuracy, one.simplicity, one.components) == (1, 0.931, -1.5, 12)


def test_the_median_model_is_the_one_nearest_the_median_of_what_counts() -> None:
    assert shown(representative="median")[("a", "cases")] == "a2"  # 0.9 and 0.931 are as near 0.9155: the smaller
    assert shown(representative="median")[("b", "cases")] == "b3"  # −inf, 0.1, 0.5, 0.5: 0.1 is nearer 0.3 by no less
    assert shown(representative="median", missing="drop")[("b", "cases")] == "b0"


def test_without_an_expert_nobody_is_ranked() -> None:
    assert all(candidate.real_world is None for candidate in judge(table(), preset()).candidates.values())


def ranked(expert: Expert, **changes: Any) -> dict[str, tuple[float | None, int]]:
    found = judge(table(), preset(**changes), expert).candidates
    return {name: (one.real_world.score, one.real_world.place) for name, one in found.items() if one.real_world}


EXPERT = Expert("trust.yaml", {"cases": {"a": 2, "b": 1}, "deaths": {"a": 9, "b": 9, "c": 1}})


def test_trust_ranks_are_averaged_and_who_shows_no_model_is_last() -> None:
    assert ranked(EXPERT) == {"a": (3, 1), "b": (2.5, 2), "c": (1.5, 3)}
    assert ranked(EXPERT, ties="min") == {"a": (3, 1), "b": (2.5, 2), "c": (1, 3)}


def test_the_harmonic_mean_takes_accuracy_and_simplicity_too() -> None:
    """Ranks of a, b, c on cases: accuracy 3 2 1, simplicity 2 3 1, trust 3 2 1; on deaths 1 2 3, 3 2 1, 3 3 2."""
    expected = {
        "a": (3 / (1 / 3 + 1 / 2 + 1 / 3) + 3 / (1 + 1 / 3 + 1 / 3)) / 2,
        "b": (3 / (1 / 2 + 1 / 3 + 1 / 2) + 3 / (1 / 2 + 1 / 2 + 1 / 3)) / 2,
        "c": (1 + 3 / (1 / 3 + 1 + 1 / 2)) / 2,
    }
    found = ranked(EXPERT, real_world="harmonic")
    assert {name: score for name, (score, _) in found.items()} == pytest.approx(expected, abs=1e-9)
    assert [found[name][1] for name in "abc"] == [2, 1, 3]


@pytest.mark.parametrize(
    ("trust", "message"),
    [
        ({"cases": {"a": 1, "b": 2}}, "trust.yaml: no data set deaths; add it"),
        ({**EXPERT.trust, "death": {"a": 1}}, "trust.yaml: death: no real-world data set here; did you mean 'deaths'"),
        ({**EXPERT.trust, "cases": {"a": 1}}, "trust.yaml: cases: no method b; add it"),
        ({**EXPERT.trust, "cases": {"a": 1, "b": 2, "d": 3}}, "trust.yaml: cases.d: no method here; allowed: a, b, c"),
    ],
)
def test_an_expert_who_judged_others_is_told_where(trust: dict[str, dict[str, float]], message: str) -> None:
    with pytest.raises(UserError) as error:
        ranked(Expert("trust.yaml", trust))
    assert str(error.value).startswith(message)


def test_an_expert_is_read_as_a_list_with_ties_or_as_marks(tmp_path: Path) -> None:
    path = tmp_path / "expert.yaml"
    path.write_text("cases: [b, [a, c]]\ndeaths: {a: 9, b: 9.5, c: 1}\n")
    found = read_expert(path)
    assert found is not None
    assert found.trust["cases"]["b"] > found.trust["cases"]["a"] == found.trust["cases"]["c"]
    assert found.trust["deaths"] == {"a": 9, "b": 9.5, "c": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "no data sets; write each as"),
        ("- a", "no data sets; write each as"),
        ("cases: [a", "not YAML"),
        ("cases: a", "cases: neither a list of methods"),
        ("cases: []", "cases: neither a list of methods"),
        ("cases: [a, 3]", "cases[1]: '3' is no method's name"),
        ("cases: [a, [b, a]]", "cases[1]: a stands here twice"),
        ("cases: {a: high}", "cases.a: 'high' is no mark"),
        ("cases: {a: .nan}", "cases.a: 'nan' is no mark"),
        ("cases: {a: true}", "cases.a: 'True' is no mark"),
    ],
)
def test_what_is_no_ranking_is_told_with_its_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "expert.yaml"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_expert(path)
    assert str(error.value).startswith(f"{path}: {message}")


def test_the_file_that_ships_names_nothing_yet_and_its_example_is_a_ranking(tmp_path: Path) -> None:
    shipped = (ROOT / "conf" / "expert.yaml").read_text(encoding="utf-8")
    assert read_expert(ROOT / "conf" / "expert.yaml") is None
    path = tmp_path / "expert.yaml"
    path.write_text("\n".join(line.removeprefix("#   ") for line in shipped.splitlines()))
    found = read_expert(path)
    assert found is not None
    assert set(found.trust) == {"realworld2022/cases", "realworld2022/deaths"}


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_expert(tmp_path / "none.yaml")

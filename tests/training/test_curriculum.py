"""The order in which a trained model reads the corpus."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.training.curriculum import LADDER, SHARES, level, reading_order
from pfe.tutors.family import families_of

sizes = st.lists(st.integers(0, 9), min_size=1, max_size=40)


def row(skill: str = "lookup", rung: int = 4, names: str = "plain", set: str = LADDER) -> dict[str, object]:
    return {"set": set, "skill": skill, "rung": rung, "names": names}


@pytest.mark.parametrize(
    ("of_row", "expected"),
    [
        (row(), 0),
        (row(rung=8), 0),
        (row(rung=16), 1),
        (row(names="confusable"), 2),
        (row("abstention"), 2),
        (row("hops"), 3),
        (row(set="arc_synth"), 4),
    ],
)
def test_what_is_easier_comes_first(of_row: dict[str, object], expected: int) -> None:
    assert level(of_row) == expected


def test_every_problem_of_the_ladder_has_a_level_below_the_other_sets() -> None:
    assert {level({"set": LADDER, **vars(family.make(0, 0))}) for family in families_of(LADDER).values()} <= {
        0,
        1,
        2,
        3,
    }


@given(sizes, st.data())
def test_without_a_budget_every_row_is_read_once_level_by_level(tokens: list[int], data: st.DataObject) -> None:
    levels = data.draw(st.lists(st.sampled_from([*SHARES]), min_size=len(tokens), max_size=len(tokens)))
    order = reading_order(levels, None, tokens.__getitem__, 0)
    assert sorted(order) == [number for number, size in enumerate(tokens) if size]
    assert [levels[number] for number in order] == sorted(levels[number] for number in order)


@given(sizes, st.integers(1, 2000), st.data())
def test_of_a_budget_as_much_is_read_as_fits(tokens: list[int], budget: int, data: st.DataObject) -> None:
    levels = data.draw(st.lists(st.sampled_from([*SHARES]), min_size=len(tokens), max_size=len(tokens)))
    order = reading_order(levels, budget, tokens.__getitem__, 0)
    assert order == reading_order(levels, budget, tokens.__getitem__, 0)
    read = sum(tokens[number] for number in order)
    assert all(tokens[number] for number in order)
    if all(tokens):
        assert budget <= read < budget + max(tokens)


def test_each_level_has_its_share_and_easier_rows_are_read_again() -> None:
    levels = [one for one in SHARES for _ in range(50)]
    order = reading_order(levels, 10_000, lambda number: 10, 0)
    counts = Counter(levels[number] for number in order[: len(order) // 5])
    assert set(counts) == {0}
    rows = round(len(order) * SHARES[4])
    last = Counter(levels[number] for number in order[-rows:])
    assert last[4] > rows / 2
    assert set(last) == set(SHARES)

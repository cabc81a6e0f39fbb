"""Character 5-gram Jaccard: the worked example, the naive definition for every pair, and real text."""

import gzip
import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.firewall import characters
from pfe.firewall.characters import CharacterIndex
from pfe.firewall.matches import Matches
from tests.conftest import SHARED

Row = tuple[int, float, int, float, int, int]
# Pieces shared by many texts make high scores common; "𝔸" and "中" need more than 16 and 8 bits.
pieces = st.sampled_from(["abcdefgh", "bcdefghi", "abab", "x", "0", "é", "中文中文中文", "𝔸"])
texts = st.lists(pieces, max_size=5).map("".join)
floors = st.sampled_from([0.1, 0.3, 0.5, 0.6, 0.8, 1.0])


def grams(text: str) -> set[str]:
    """The definition: distinct 5-grams; a shorter text is one gram, an empty one none."""
    return {text[i : i + 5] for i in range(max(len(text) - 4, 1))} if text else set()


def naive(candidates: list[str], canonical: list[str], floor: float) -> list[Row]:
    """Every pair by sets of strings; of each candidate the best two, of equals the lower number."""
    sets = [grams(text) for text in canonical]
    rows = []
    for own in map(grams, candidates):
        counts = [(len(own & other), len(own | other)) for other in sets]
        pairs = [(-k / total, i, k, total) for i, (k, total) in enumerate(counts) if k and k / total >= floor]
        (score, index, shared, total), (second, runner_up, *_) = [*sorted(pairs), (0.0, -1, 0, 0), (0.0, -1, 0, 0)][:2]
        rows.append((index, -score, runner_up, -second, shared, total))
    return rows


def rows(found: Matches) -> list[Row]:
    columns = (found.index, found.score, found.runner_up, found.runner_up_score, found.shared, found.total)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_the_worked_example() -> None:
    found = CharacterIndex(["abcdefgh", "qqqqq"]).find(["xbcdefgh"])
    assert rows(found) == [(0, 0.6, -1, 0.0, 3, 5)]


@given(st.lists(texts, max_size=8), st.lists(texts, max_size=8), floors)
def test_it_is_the_naive_definition_for_every_pair(candidates: list[str], canonical: list[str], floor: float) -> None:
    found = CharacterIndex(canonical, floor).find(candidates)
    assert rows(found) == naive(candidates, canonical, floor)


@given(st.lists(texts, max_size=8), st.lists(texts, max_size=8), st.integers(1, 30))
def test_working_in_small_steps_changes_nothing(candidates: list[str], canonical: list[str], step: int) -> None:
    """Steps that are too large for any test to fill, made small enough for every text to cross them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_BLOCK", "_BATCH", "_WORK", "_TEXTS", "_PAIRS"):
            patch.setattr(characters, name, step)
        found = CharacterIndex(canonical, 0.3).find(candidates)
    assert rows(found) == naive(candidates, canonical, 0.3)


@given(st.lists(texts, max_size=8), st.lists(texts, max_size=8), st.integers(0, 8))
def test_batches_are_independent(candidates: list[str], canonical: list[str], cut: int) -> None:
    index = CharacterIndex(canonical, 0.3)
    parts = rows(index.find(candidates[:cut])) + rows(index.find(candidates[cut:]))
    assert parts == rows(index.find(candidates))


def test_a_pickled_index_finds_the_same() -> None:
    index = CharacterIndex(["abcdefgh", "abcdefgx", "0123456789"])
    candidates = ["abcdefgy", "012345678", "zzzzzz"]
    assert rows(pickle.loads(pickle.dumps(index)).find(candidates)) == rows(index.find(candidates))


@pytest.mark.parametrize("canonical", [[], [""], ["", "abcdef"]])
def test_nothing_to_compare_with(canonical: list[str]) -> None:
    index = CharacterIndex(canonical)
    assert rows(index.find([])) == []
    assert rows(index.find(["", "uvwxyz", "中"])) == [(-1, 0.0, -1, 0.0, 0, 0)] * 3


@pytest.mark.parametrize(("candidate", "score"), [("abcd", 1.0), ("abc", 0.0), ("abcde", 0.0), ("bcd", 0.0)])
def test_a_short_text_equals_only_itself(candidate: str, score: float) -> None:
    assert CharacterIndex(["abcd"], 0.1).find([candidate]).score.tolist() == [score]


def test_unknown_characters_count_in_the_size_of_a_candidate() -> None:
    """Two grams, abcde and bcdef, of all six; and grams that differ in unknown characters only are two, not one."""
    index = CharacterIndex(["abcdef"], 0.1)
    assert rows(index.find(["abcdef一二三四"])) == [(0, 2 / 6, -1, 0.0, 2, 6)]
    assert rows(index.find(["一二三四五abcdef六二三四五"])) == [(0, 2 / 12, -1, 0.0, 2, 12)]


def test_more_than_4096_different_characters() -> None:
    alphabet = "".join(map(chr, range(0x4E00, 0x4E00 + 9000)))
    canonical = [alphabet[start : start + 60] for start in range(0, 9000, 30)]
    candidates = [text[:40] + text[:20] for text in canonical[::10]]
    found = rows(CharacterIndex(canonical, 0.2).find(candidates))
    assert found == naive(candidates, canonical, 0.2)
    assert [row[0] for row in found] == list(range(0, 300, 10))


def test_of_equal_scores_the_lowest_number_comes_first() -> None:
    copies = ["other123", *["abcdefgh"] * 5, "abcdefg"]
    assert rows(CharacterIndex(copies).find(["abcdefgh"] * 3)) == [(1, 1.0, 2, 1.0, 4, 4)] * 3


def test_a_pair_exactly_at_the_floor_is_found_however_the_sizes_differ() -> None:
    """Four of eight grams, three times, and eight of sixteen: all 0.5, the largest text listed first."""
    canonical = ["abcdefghijklmnopqrst", "abcdefgh", "bcdefghi", "cdefghij"]
    assert rows(CharacterIndex(canonical).find(["abcdefghijkl"])) == [(0, 0.5, 1, 0.5, 8, 16)]


def test_many_near_copies_of_one_text_are_all_counted() -> None:
    """Sketches cannot tell them apart, so bounds alone decide nothing."""
    rng = np.random.default_rng(0)
    base = "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 120))
    near = [base[:place] + "9" + base[place + 1 :] for place in rng.integers(0, 120, 120).tolist()]
    assert rows(CharacterIndex(near[:70]).find(near[60:])) == naive(near[60:], near[:70], 0.5)


def test_a_text_of_300_000_characters() -> None:
    long = "".join(np.random.default_rng(0).choice(list("abcdefghijklmnopqrstuvwxyz"), 300_000))
    found = CharacterIndex(["short", long]).find([long[:250_000], "中" * 300_000])
    ours, theirs = (len(grams(text)) for text in (long[:250_000], long))
    assert rows(found) == [(1, ours / theirs, -1, 0.0, ours, theirs), (-1, 0.0, -1, 0.0, 0, 0)]


@pytest.mark.parametrize("floor", [0.0, -0.5, 1.5, float("nan")])
def test_an_impossible_floor_is_named(floor: float) -> None:
    with pytest.raises(UserError, match=re.escape(f"floor of {floor}")):
        CharacterIndex(["abc"], floor)


def test_real_text_is_scored_as_by_the_naive_definition() -> None:
    folder = SHARED / "canonical" / "gsm8k"
    if not folder.is_dir():
        pytest.skip("no ../shared/canonical here: real text is not compared")
    canonical, clean = (_squeezed(folder / f"{split}.jsonl.gz")[:200] for split in ("test", "train"))
    candidates = clean[:120] + [text.replace("e", "3", 9) for text in canonical[:40]] + canonical[160:]
    found = rows(CharacterIndex(canonical, 0.05).find(candidates))
    assert found == naive(candidates, canonical, 0.05)
    assert sum(row[2] >= 0 for row in found) > len(candidates) / 4


def _squeezed(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return ["".join(re.findall(r"[^\W_]+", json.loads(line)["question"].lower())) for line in lines]

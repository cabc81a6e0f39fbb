"""Containment: the worked example, the naive definition of SPEC, and real text."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.firewall.tokens import Overlap, overlaps, tokenize
from tests.conftest import SHARED

words = st.lists(st.sampled_from(["a", "b", "c", "d", "Ä", "x1", "."]), max_size=14).map(" ".join)


def naive_containments(synthetic: str, canonical_set: list[str], n: int) -> list[float]:
    """SPEC, "Check 1", with the share kept instead of the verdict."""

    def ngrams(text: str) -> set[tuple[str, ...]]:
        tokens = tokenize(text)
        return {tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)}

    own = ngrams(synthetic)
    return [len(own & ngrams(canonical)) / len(own) if own else 0.0 for canonical in canonical_set]


def test_the_worked_example() -> None:
    """12 - 4 tokens: two of the four five-grams stand in the canonical text."""
    (found,) = overlaps(["Tom has 3 red apples and 4 pears"], ["A bird.", "Once Tom has 3 red apples and then more"], 5)
    assert found == Overlap(1, 2, 4)
    assert found.containment == 0.5


@given(st.lists(words, max_size=6), st.lists(words, max_size=6), st.integers(1, 5))
def test_it_is_the_naive_definition_for_every_pair(candidates: list[str], canonical: list[str], n: int) -> None:
    for candidate, found in zip(candidates, overlaps(candidates, canonical, n), strict=True):
        shares = naive_containments(candidate, canonical, n)
        assert found.containment == max(shares, default=0.0)
        if found.index >= 0:
            assert found.index == shares.index(max(shares))


def test_verdicts_on_real_text_are_those_of_the_naive_definition() -> None:
    folder = SHARED / "canonical" / "gsm8k"
    if not folder.is_dir():
        pytest.skip("no ../shared/canonical here: real text is not compared")
    canonical, clean = (_questions(folder / f"{split}.jsonl.gz")[:400] for split in ("test", "train"))
    candidates = canonical[:100] + clean[:300] + [f"{a} {b}" for a, b in zip(canonical[:50], clean[:50], strict=True)]
    for candidate, found in zip(candidates, overlaps(candidates, canonical, 5), strict=True):
        assert (found.containment > 0.3) == (max(naive_containments(candidate, canonical, 5)) > 0.3)


def _questions(path: Path) -> list[str]:
    with gzip.open(path, "rt") as lines:
        return [json.loads(line)["question"] for line in lines]


@pytest.mark.parametrize("text", ["", "one", "one two three four", "\0\x01", "…—!?"])
def test_a_text_without_n_grams_shares_none(text: str) -> None:
    assert overlaps([text], ["one two three four five"], 5) == [Overlap(-1, 0, 0)]


def test_nothing_to_compare_with() -> None:
    assert overlaps([], ["a b"], 1) == []
    assert overlaps(["a b"], [], 1) == [Overlap(-1, 0, 2)]

"""Containment: the worked example, the naive definition of SPEC, and real text."""

import pickle
import re
import sys
import unicodedata
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.firewall import tokens
from pfe.firewall.matches import Matches
from pfe.firewall.tokens import NgramIndex, shared_ngrams, spans, tokenize
from tests.firewall.real import questions

words = st.lists(st.sampled_from(["a", "b", "c", "d", "Ä", "x1", "."]), max_size=14).map(" ".join)
texts = st.lists(st.one_of(words, st.text(max_size=30)), max_size=6)


def containments(candidates: list[str], canonical: list[str], n: int) -> Matches:
    index = NgramIndex(canonical, n)
    return index.containment(index.count(candidates))


def naive_ngrams(text: str, n: int) -> set[tuple[str, ...]]:
    """SPEC's n-grams; a text of fewer than n tokens is one, as long as it is."""
    tokens = re.findall(r"\w+", text.lower())
    return {tuple(tokens[i : i + n]) for i in range(max(len(tokens) - n + 1, 1))} - {()}


def naive_containments(synthetic: str, canonical_set: list[str], n: int) -> list[float]:
    """SPEC, "Check 1", with the share kept instead of the verdict."""
    own = naive_ngrams(synthetic, n)
    return [len(own & naive_ngrams(canonical, n)) / len(own) if own else 0.0 for canonical in canonical_set]


def test_the_worked_example() -> None:
    """12 - 4 tokens: two of the four five-grams stand in the canonical text."""
    found = containments(
        ["Tom has 3 red apples and 4 pears"], ["A bird.", "Once Tom has 3 red apples and then more"], 5
    )
    assert (found.index[0], found.shared[0], found.total[0], found.score[0]) == (1, 2, 4, 0.5)
    assert found.runner_up[0] == -1


@given(texts, texts, st.integers(1, 5))
def test_it_is_the_naive_definition_for_every_pair(candidates: list[str], canonical: list[str], n: int) -> None:
    found = containments(candidates, canonical, n)
    for row, candidate in enumerate(candidates):
        shares = naive_containments(candidate, canonical, n)
        assert found.score[row] == max(shares, default=0.0)
        if max(shares, default=0.0) > 0:
            best = shares.index(max(shares))
            assert found.index[row] == best
            others = [share for place, share in enumerate(shares) if place != best]
            assert found.runner_up_score[row] == max(others, default=0.0)
        else:
            assert found.index[row] == -1


@given(texts, texts, st.integers(1, 5), st.integers(1, 4))
def test_reverse_is_the_share_of_the_canonical_text(
    candidates: list[str], canonical: list[str], n: int, least: int
) -> None:
    index = NgramIndex(canonical, n)
    found = index.reverse(index.count(candidates), least)
    for row, candidate in enumerate(candidates):
        own = naive_ngrams(candidate, n)
        sizes = [naive_ngrams(text, n) for text in canonical]
        shares = [
            len(own & theirs) / len(theirs) if len(theirs) >= least or (theirs and theirs <= own) else 0.0
            for theirs in sizes
        ]
        assert found.score[row] == max(shares, default=0.0)


@given(st.text())
def test_many_texts_are_tokenized_as_one_is(text: str) -> None:
    found, places, lengths = tokens.tokenize_all([text, "and another"])
    assert [found[place].decode("utf-32-le", "surrogatepass") for place in places[: lengths[0]]] == tokenize(text)


def test_every_character_is_a_word_character_where_python_says_so() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    inside = np.zeros(len(everything), bool)
    for match in re.finditer(r"\w+", everything):
        inside[match.start() : match.end()] = True
    assert (tokens.word_characters() == inside).all()


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the count is that of Python 3.11's Unicode")
def test_the_word_characters_are_those_that_certificates_of_python_3_11_were_made_with() -> None:
    """A later Python has some thousand more; a certificate names its Unicode, and is made anew under another."""
    assert int(tokens.word_characters().sum()) == 133_548


def test_two_n_grams_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed is looked for that tells the canonical n-grams apart, and hits are confirmed by comparing tokens."""
    strong = tokens.Windows.hashes
    made: dict[int, np.ndarray[tuple[int], np.dtype[np.uint64]]] = {}

    def weak(windows: tokens.Windows, seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        made[seed] = strong(windows, seed) % np.uint64(3 if seed < 2 else 2**63)
        return made[seed]

    def misleading(windows: tokens.Windows, seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """Every n-gram has the hash of a canonical one, its own where it is one."""
        hashes = strong(windows, seed) % np.uint64(2**63)
        return np.where(np.isin(hashes, table), hashes, table[hashes % np.uint64(len(table))])

    canonical = ["the cat sat on the mat", "a dog ran in the park today", "one two three four five six"]
    candidates = ["the cat sat on the mat", "three four five six seven eight", "no one knows what to say"]
    before = containments(candidates, canonical, 3)
    monkeypatch.setattr(tokens.Windows, "hashes", weak)
    index = NgramIndex(canonical, 3)
    assert list(made) == [0, 1, 2]
    table = np.unique(made[2])
    monkeypatch.setattr(tokens.Windows, "hashes", misleading)
    after = index.containment(index.count(candidates))
    assert (after.score == before.score).all()
    assert (after.index == before.index).all()


def test_distinct_n_grams_are_counted_exactly_when_hashes_collide(monkeypatch: pytest.MonkeyPatch) -> None:
    index = NgramIndex(["x y z"], 2)
    monkeypatch.setattr(tokens.Windows, "hashes", lambda windows, seed: np.zeros(len(windows.places), np.uint64))
    assert index.count(["a b c a b d", "a b a b"]).sizes.tolist() == [4, 2]


@pytest.mark.slow
def test_verdicts_on_real_text_are_those_of_the_naive_definition() -> None:
    """2,000 x 2,000: half of the candidates are from the canonical set, some glued to clean text."""
    test, train = questions("test"), questions("train")
    canonical = (test + train)[:2000]
    candidates = train[:1500] + test[:400] + [f"{a} {b}" for a, b in zip(test[:100], train[5000:5100], strict=True)]
    found = containments(candidates, canonical, 5)
    grams = [naive_ngrams(text, 5) for text in canonical]
    for row, candidate in enumerate(candidates):
        own = naive_ngrams(candidate, 5)
        naive = max(len(own & theirs) / len(own) for theirs in grams)
        assert (10 * found.shared[row] > 3 * found.total[row]) == (naive > 0.3)
        assert found.score[row] == naive


@pytest.mark.parametrize("text", ["", "\0\x01", "…—!?", "\u200b"])
def test_a_text_without_words_shares_nothing(text: str) -> None:
    index = NgramIndex(["one two three four five", text], 5)
    counts = index.count([text])
    assert counts.sizes.tolist() == [0]
    assert index.containment(counts).index.tolist() == [-1]


def test_a_short_text_is_compared_as_a_whole() -> None:
    canonical = ["Who wrote Emma?", "one two three four five six"]
    found = containments(["who WROTE emma", "Who wrote", "three four five", "Who wrote Emma, then?"], canonical, 5)
    assert found.score.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_nothing_to_compare_with() -> None:
    assert len(containments([], ["a b"], 1).index) == 0
    assert containments(["a b"], [], 1).index.tolist() == [-1]


def test_batches_and_copies_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    canonical = [f"the {a} and the {b} went to town" for a in "abcdef" for b in "uvwxyz"]
    candidates = [text.replace("town", "sea") for text in canonical] * 3
    whole = containments(candidates, canonical, 3)
    monkeypatch.setattr(tokens, "BLOCK", 7)
    monkeypatch.setattr(tokens, "MOST_HITS", 5)
    index: NgramIndex = pickle.loads(pickle.dumps(NgramIndex(canonical, 3)))
    parts = index.containment(index.count(candidates))
    assert (parts.score == whole.score).all()
    assert (parts.index == whole.index).all()
    assert (parts.runner_up == whole.runner_up).all()


@given(st.text())
def test_spans_are_the_tokens_with_their_places(text: str) -> None:
    found = spans(text)
    assert [span.token for span in found] == tokenize(text)
    assert all(a.start < a.end and a.start <= b.start for a, b in pairwise(found))


def test_places_are_those_in_the_text_even_where_lower_case_is_longer() -> None:
    text = "İİİ İzmir kedisi"
    assert len(text.lower()) > len(text)
    places = {span.token: text[span.start : span.end] for span in spans(text)}
    assert places["zmir"] == "zmir"
    assert places["kedisi"] == "kedisi"


def test_matched_n_grams_come_with_their_offsets() -> None:
    candidate, canonical = "So Tom has 3 red apples.", "Yes: tom HAS 3 red pears"
    (found,) = shared_ngrams(candidate, canonical, 4)
    assert found.ngram == "tom has 3 red"
    assert candidate[found.start : found.end] == "Tom has 3 red"
    assert canonical[found.canonical_start : found.canonical_end] == "tom HAS 3 red"

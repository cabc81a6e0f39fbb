import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.embedding.encoder import Chunks, Encoder
from pfe.firewall import semantic
from pfe.firewall.semantic import MeaningIndex
from tests.firewall.real import questions

LONG = " ".join(f"Sentence number {i} tells of lake {i * 7} and of the boats that cross it." for i in range(60))


class Given:
    """Stands in for an encoder: vectors by text, drawn once."""

    def __init__(self, counts: list[int], seed: int) -> None:
        rng = np.random.default_rng(seed)
        vectors = rng.normal(size=(sum(counts), 6)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self.known = Chunks(vectors, np.array(counts, np.int64))

    def chunks(self, texts: list[str], mode: str) -> Chunks:
        own = self.known
        rows = [own.vectors[own.starts[i] : own.starts[i] + own.counts[i]] for i in map(int, texts)]
        return Chunks(np.concatenate([own.vectors[:0], *rows]), np.array([len(row) for row in rows], np.int64))


def naive(candidate: Chunks, row: int, canonical: Chunks, column: int) -> float:
    ours = candidate.vectors[candidate.owners == row].astype(float)
    theirs = canonical.vectors[canonical.owners == column].astype(float)
    return float((ours @ theirs.T).max())


counts = st.lists(st.integers(1, 4), max_size=7)


@given(counts, counts, st.integers(0, 2**31))
def test_it_is_the_naive_maximum_over_all_chunks(ours: list[int], theirs: list[int], seed: int) -> None:
    known = Given([*ours, *theirs], seed)
    canonical = [str(len(ours) + i) for i in range(len(theirs))]
    candidates = known.chunks([str(i) for i in range(len(ours))], "fast")
    index = MeaningIndex(canonical, known)  # type: ignore[arg-type]
    found = index.nearest(candidates)
    other = known.chunks(canonical, "fast")
    for row in range(len(ours)):
        scores = [naive(candidates, row, other, column) for column in range(len(theirs))]
        assert found.index[row] == (int(np.argmax(scores)) if scores else -1)
        assert found.score[row] == pytest.approx(max(scores, default=0.0), abs=1e-6)
        rest = sorted(scores)[:-1]
        assert found.runner_up_score[row] == pytest.approx(rest[-1] if rest else 0.0, abs=1e-6)


@given(counts.filter(bool), counts.filter(bool), st.integers(0, 2**31))
def test_the_cosines_of_some_pairs_are_those_of_all(ours: list[int], theirs: list[int], seed: int) -> None:
    known = Given([*ours, *theirs], seed)
    canonical = [str(len(ours) + i) for i in range(len(theirs))]
    texts = [str(i) for i in range(len(ours))]
    candidates, other = known.chunks(texts, "fast"), known.chunks(canonical, "fast")
    rows, columns = (axis.ravel() for axis in np.mgrid[: len(ours), : len(theirs)])
    index = MeaningIndex(canonical, known)  # type: ignore[arg-type]
    found = index.cosines(texts, candidates, rows, columns, 0.0)
    for row, column, cosine in zip(rows, columns, found, strict=True):
        assert cosine == pytest.approx(naive(candidates, row, other, column), abs=1e-6)


def test_small_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = Given([1, 3, 2, 1, 1, 4, 2, 1], 0)
    canonical, candidates = ["4", "5", "6", "7"], known.chunks(["0", "1", "2", "3"], "fast")
    index = MeaningIndex(canonical, known)  # type: ignore[arg-type]
    whole = index.nearest(candidates)
    monkeypatch.setattr(semantic, "ROWS", 1)
    monkeypatch.setattr(semantic, "PAIRS", 1)
    parts = index.nearest(candidates)
    assert (whole.index == parts.index).all()
    assert np.allclose(whole.score, parts.score, atol=1e-6)


@pytest.mark.slow
def test_verdicts_on_real_text_are_those_of_single_precision() -> None:
    """Fast arithmetic, with what is near the threshold looked at again, against all cosines in single precision."""
    canonical, candidates = questions("test")[:300], questions("test")[250:330] + questions("train")[:220]
    encoder = Encoder("all-MiniLM-L6-v2")
    index = MeaningIndex(canonical, encoder)
    naive = (encoder.encode(candidates) @ encoder.encode(canonical).T).max(axis=1)
    found = index.nearest(encoder.chunks(candidates, "fast"))
    for threshold in (0.55, 0.6, 0.65, 0.7, 0.85):
        scores = found.score.copy()
        near = np.flatnonzero(np.abs(scores - threshold) < semantic.MARGIN)
        if len(near):
            scores[near] = index.nearest_exactly([candidates[row] for row in near], threshold).score
        assert ((scores > threshold) == (naive > threshold)).all()
    assert np.abs(found.score - naive).max() < semantic.MARGIN


def test_the_end_of_a_long_text_is_read_too() -> None:
    index = MeaningIndex(["The cow jumped over the moon while the little dog laughed."], Encoder("all-MiniLM-L6-v2"))
    hidden = f"{LONG} The cow jumped over the moon while the little dog laughed."
    encoder = index.encoder
    assert (
        index.nearest(encoder.chunks([hidden], "fast")).score[0]
        > index.nearest(encoder.chunks([LONG], "fast")).score[0] + 0.1
    )


def test_no_canonical_text_no_neighbour() -> None:
    known = Given([1], 0)
    index = MeaningIndex([], known)  # type: ignore[arg-type]
    assert index.nearest(known.chunks(["0"], "fast")).index.tolist() == [-1]


def test_it_travels_to_other_processes() -> None:
    index = MeaningIndex(["A dog runs.", "Interest rates rose."], Encoder("all-MiniLM-L6-v2"))
    copy: MeaningIndex = pickle.loads(pickle.dumps(index))
    assert copy.nearest(copy.encoder.chunks(["A puppy is running."], "fast")).index.tolist() == [0]

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pfe.embedding import Encoder
from pfe.firewall.semantic import Nearest, nearest_vectors


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 2**31))
def test_it_is_the_naive_maximum(candidates: int, canonical: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ours, theirs = (rng.normal(size=(count, 8)).astype(np.float32) for count in (candidates, canonical))
    ours, theirs = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (ours, theirs))
    for row, found in zip(ours, nearest_vectors(ours, theirs), strict=True):
        naive = [float(row @ other) for other in theirs]
        assert found.index == (int(np.argmax(naive)) if naive else -1)
        assert np.isclose(found.cosine, max(naive, default=-1.0), atol=1e-6)


def test_no_canonical_text_no_neighbour() -> None:
    assert nearest_vectors(np.ones((1, 3), np.float32), np.zeros((0, 3), np.float32)) == [Nearest(-1, -1.0)]


def test_embeddings_are_unit_vectors_and_kept() -> None:
    encoder = Encoder("all-MiniLM-L6-v2")
    texts = ["A dog runs.", "A puppy is running.", "Interest rates rose."]
    vectors = encoder.encode(texts)
    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.6 > 0.2 > vectors[0] @ vectors[2]
    assert (Encoder("all-MiniLM-L6-v2").encode(texts[::-1]) == vectors[::-1]).all()

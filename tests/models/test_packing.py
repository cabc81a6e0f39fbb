"""Forests against their definition: every sequence keeps its tokens, and sees them and nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pfe.models.packing import common_lengths, forest, packs

SEQUENCES = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6).map(tuple), min_size=1, max_size=12)


@given(SEQUENCES)
def test_a_forest_holds_every_sequence_and_each_beginning_once(sequences: list[tuple[int, ...]]) -> None:
    laid = forest(sorted(sequences))
    beginnings = {sequence[:end] for sequence in sequences for end in range(1, len(sequence) + 1)}
    assert len(laid.tokens) == len(beginnings)
    for sequence, path in zip(sorted(sequences), laid.paths, strict=True):
        assert tuple(laid.tokens[path]) == sequence
        assert laid.depths[path].tolist() == list(range(len(sequence)))
        for place, node in enumerate(path):
            assert set(np.flatnonzero(laid.sees[node])) == set(path[: place + 1])


def test_the_example_of_the_module() -> None:
    laid = forest([(5, 7, 1), (5, 7, 2), (5, 8)])
    assert laid.tokens.tolist() == [5, 7, 1, 2, 8]
    assert laid.depths.tolist() == [0, 1, 2, 2, 1]
    assert [path.tolist() for path in laid.paths] == [[0, 1, 2], [0, 1, 3], [0, 4]]


@given(SEQUENCES, st.integers(1, 12), st.integers(1, 6))
def test_packs_hold_each_sequence_once_and_keep_to_their_limits(
    sequences: list[tuple[int, ...]], nodes: int, reads: int
) -> None:
    made = list(packs(sequences, [1] * len(sequences), nodes, reads))
    assert sorted(place for pack in made for place in pack) == list(range(len(sequences)))
    for pack in made:
        chosen = [sequences[place] for place in pack]
        assert chosen == sorted(chosen)
        assert len(pack) == 1 or (len(forest(chosen).tokens) <= nodes and len(pack) <= reads)


def test_common_beginnings_are_counted_from_one_to_the_next() -> None:
    assert common_lengths([(1, 2), (1, 2, 3), (1, 4)]) == [0, 2, 1]
    assert common_lengths([]) == []

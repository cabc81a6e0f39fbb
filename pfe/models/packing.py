"""Packing of many token sequences into one row, in which a common prefix appears, and is computed, only once.

Example: the sequences (5, 7, 1), (5, 7, 2) and (5, 8) become the nodes 5 7 1 2 8 at the depths
0 1 2 2 1, where 1 attends to 5 and 7 but 2 does not attend to 1.

In a causal model a token depends only on the tokens before it in its own sequence. So sequences with common prefixes
form a forest. One forward pass over its nodes, in which every node attends only to its ancestors and itself, gives the
same logits as a pass over each sequence (tree attention: Cai et al. 2024, arXiv:2401.10774).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Tokens = tuple[int, ...]
MOST_LOGITS = 2**26  # logits at once; a quarter of a GiB in float32


@dataclass(frozen=True)
class Forest:
    """Sequences laid out as a forest of n nodes.

    `tokens` and `depths` have shape (n,), with roots at depth 0. The attention mask `sees` has shape (n, n): row i is
    true at the ancestors of node i and at i. `paths` has, for each sequence, the nodes of its tokens.
    """

    tokens: NDArray[np.int64]
    depths: NDArray[np.int64]
    sees: NDArray[np.bool_]
    paths: tuple[NDArray[np.int64], ...]


def forest(sequences: Sequence[Tokens], most_shared: Sequence[int] | None = None) -> Forest:
    """Lay out sequences of at least one token each, which must be in ascending order (as `sorted` returns them).

    Args:
        most_shared: for each sequence, how many of its leading tokens may be shared with others (default: all).
    """
    paths: list[NDArray[np.int64]] = []
    tokens: list[int] = []
    shared = common_lengths(sequences)
    if most_shared is not None:
        shared = list(map(min, shared, most_shared))
    for sequence, length in zip(sequences, shared, strict=True):
        new = np.arange(len(tokens), len(tokens) + len(sequence) - length)
        paths.append(np.concatenate([paths[-1][:length], new]) if length else new)
        tokens += sequence[length:]
    depths = np.zeros(len(tokens), dtype=np.int64)
    sees = np.zeros((len(tokens), len(tokens)), dtype=bool)
    for path, length in zip(paths, shared, strict=True):
        new = path[length:]
        if len(new):
            depths[new] = np.arange(length, len(path))
            first, last = new[0], new[-1] + 1
            sees[first:last, path[:length]] = True
            sees[first:last, first:last] = np.tri(len(new), dtype=bool)
    return Forest(np.array(tokens, dtype=np.int64), depths, sees, tuple(paths))


def common_lengths(sequences: Sequence[Tokens]) -> list[int]:
    """Return how many leading tokens each sequence shares with the one before it; 0 for the first."""
    return [0, *(_common(a, b) for a, b in pairwise(sequences))][: len(sequences)]


def packs(sequences: Sequence[Tokens], reads: Sequence[int], most_nodes: int, most_reads: int) -> Iterator[list[int]]:
    """Yield the indices of sequences that share a row, in ascending order of the sequences; the fullest row first.

    A row has at most `most_nodes` nodes and `most_reads` places where logits are read, `reads[i]` of them by sequence
    i. A sequence that exceeds a limit by itself has its own row.
    """
    order = sorted(range(len(sequences)), key=sequences.__getitem__)
    full_packs: list[tuple[int, list[int]]] = []
    pack: list[int] = []
    nodes = read_count = 0
    for index, length in zip(order, common_lengths([sequences[i] for i in order]), strict=True):
        new = len(sequences[index]) - length
        if pack and (nodes + new > most_nodes or read_count + reads[index] > most_reads):
            full_packs.append((nodes, pack))
            pack, nodes, read_count, new = [], 0, 0, len(sequences[index])
        pack.append(index)
        nodes, read_count = nodes + new, read_count + reads[index]
    if pack:
        full_packs.append((nodes, pack))
    yield from (pack for _, pack in sorted(full_packs, key=lambda row: -row[0]))


def _common(a: Tokens, b: Tokens) -> int:
    shorter = min(len(a), len(b))
    if a[:shorter] == b[:shorter]:
        return shorter
    return next(place for place in range(shorter) if a[place] != b[place])

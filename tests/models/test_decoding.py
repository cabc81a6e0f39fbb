"""The end of an answer that repeats itself, and the same texts from a model that loops."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.models.decoding import Decoding, Writing, repeats

TOKENS = st.lists(st.integers(1, 500), min_size=1, max_size=60)


def _spell(tokens: Sequence[int]) -> str:
    return " ".join(map(str, tokens))


def _written(tokens: Sequence[int], opening: str = "", thinking: int = 0) -> Writing:
    writing = Writing(Decoding(_spell, _spell, {0}, 0.0, opening), (), 1000, bytes(8), thinking)
    for token in tokens:
        if writing.take(token):
            break
    return writing


@given(TOKENS, TOKENS)
def test_an_answer_that_only_repeats_a_piece_is_ended(before: list[int], piece: list[int]) -> None:
    writing = _written([*before, *piece * 900])
    assert writing.ending == "repeat"
    assert len(writing.tokens) <= len(before) + max(64, 3 * len(piece)) + 8


@given(st.lists(st.integers(1, 500), unique=True, min_size=1, max_size=400))
def test_an_answer_without_a_loop_goes_on(tokens: list[int]) -> None:
    assert _written(tokens).tokens == tokens


@pytest.mark.parametrize("piece", [[1], [1, 2], [*range(1, 30)], [*range(1, 65)]])
def test_a_piece_may_be_there_twice(piece: list[int]) -> None:
    assert not repeats([*range(100, 170), *piece * 2])


@pytest.mark.parametrize("tokens", [[7] * 63, [1, 2] * 31])
def test_a_short_piece_may_be_there_often(tokens: list[int]) -> None:
    assert not repeats(tokens)
    assert repeats(tokens + tokens)


def test_a_piece_of_more_tokens_is_not_looked_for() -> None:
    assert not repeats([*range(65)] * 9)


def test_a_thought_that_repeats_itself_is_ended() -> None:
    writing = _written([5, 6, 7] * 1000, "<think>", thinking=4000)
    assert writing.ending == "repeat"
    assert len(writing.tokens) < 80

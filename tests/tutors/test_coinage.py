from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pfe.tutors.invented_words import coined


@given(st.integers(0, 200), st.integers(0, 2**32))
def test_invented_names_are_different_words_and_none_that_is_taken(count: int, seed: int) -> None:
    first = coined(Random(seed), count)
    assert len(set(first)) == count
    assert all(name.isalpha() and name.islower() and 4 <= len(name) <= 14 for name in first)
    assert not set(first) & set(coined(Random(seed), count, taken=first))


def test_no_invented_name_is_an_english_word() -> None:
    assert not {"trade", "shite", "wizard", "take", "broken"} & set(coined(Random(1), 30_000))


def test_no_invented_name_has_a_part_that_sounds_indecent() -> None:
    assert not {
        name for name in coined(Random(1), 30_000) for part in ("penus", "nazi", "shit", "rape") if part in name
    }

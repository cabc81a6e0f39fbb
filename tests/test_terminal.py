from hypothesis import given
from hypothesis import strategies as st

from pfe.terminal import plain


@given(st.text())
def test_nothing_but_printable_characters_line_ends_and_tabs_is_left(text: str) -> None:
    assert all(character.isprintable() or character in "\n\t" for character in plain(text))


@given(st.text(st.characters(categories=("L", "N", "P", "S")) | st.sampled_from(" \n\t")))
def test_a_printable_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


def test_what_is_neutralised_can_still_be_read() -> None:
    assert plain("a\x1b[2J\u202eb\ud800") == "a\\x1b[2J\\u202eb\\ud800"

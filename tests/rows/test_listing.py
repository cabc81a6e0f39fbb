"""Mistakes at several places in one line."""

from pfe.rows.listing import KINDS, PLACES, listed


def test_mistakes_of_one_text_stand_together_in_the_order_of_the_first() -> None:
    mistakes = [(7, ": no method"), (8, ", column 'a': 'x' is not a number"), (9, ": no method")]
    assert listed(mistakes, "line") == "lines 7, 9: no method; line 8, column 'a': 'x' is not a number"
    assert listed([("a.csv:3", ": no text")]) == "a.csv:3: no text"
    assert listed([]) == ""


def test_of_many_the_first_are_shown_and_the_others_counted() -> None:
    alike = listed([(place, ": no method") for place in range(1, 1_000_002)], "row")
    assert alike == "rows 1, 2, 3, 4, 5 and 999,996 more: no method"
    told = listed([(place, f": mistake {place // 3}") for place in range(3 * (KINDS + 2))], "row")
    assert told.count("mistake") == KINDS
    assert told.endswith("; and 6 more")
    assert PLACES > 3

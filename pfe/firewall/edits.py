"""Character 5-gram Jaccard of two texts: how alike they are letter by letter, whatever their words and spaces.

Example: "abcdefgh" has the grams abcde, bcdef, cdefg, defgh and "xbcdefgh" has xbcde, bcdef, cdefg, defgh;
three of five distinct grams stand in both: Jaccard 0.6.
"""

GRAM = 5


def shared_and_total(first: str, second: str) -> tuple[int, int]:
    """|A∩B| and |A∪B| of the distinct 5-grams of two squeezed texts (`folding.squeezed`); a shorter text is its own."""
    ours, theirs = _grams(first), _grams(second)
    shared = len(ours & theirs)
    return shared, len(ours) + len(theirs) - shared


def _grams(text: str) -> set[str]:
    return {text[place : place + GRAM] for place in range(max(len(text) - GRAM + 1, 1))} - {""}

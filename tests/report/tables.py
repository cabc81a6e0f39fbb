"""Tables in Markdown as their cells, however wide the columns are."""

import re


def cells(text: str) -> str:
    """The text with one space beside every cell."""
    return re.sub(r" {2,}", " ", text)

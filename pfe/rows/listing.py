"""Mistakes at several places in one line, so that the user can fix all of them at once.

Example: `listed([(7, ": no method"), (9, ": no method"), (12, ": r2 'x' is no number")], "line")` is
"lines 7, 9: no method; line 12: r2 'x' is no number".
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice

KINDS, PLACES = 5, 5  # the most that are shown


def listed(mistakes: Iterable[tuple[object, str]], unit: str = "") -> str:
    """Return mistakes in one line, grouped by text: five texts with five places each, and the number of the others.

    Args:
        mistakes: a place, and the text that follows it, with its colon.
        unit: a word before the places, such as "line"; empty if they name it themselves.
    """
    places: dict[str, list[object]] = {}
    counts: Counter[str] = Counter()
    for place, text in mistakes:
        shown = places.setdefault(text, [])
        counts[text] += 1
        if len(shown) < PLACES:
            shown.append(place)
    parts = [f"{_places(shown, counts[text], unit)}{text}" for text, shown in islice(places.items(), KINDS)]
    if left := sum(islice((counts[text] for text in places), KINDS, None)):
        parts.append(f"and {left:,} more")
    return "; ".join(parts)


def _places(shown: list[object], count: int, unit: str) -> str:
    label = f"{unit}{'' if count == 1 else 's'} " if unit else ""
    more = f" and {count - len(shown):,} more" if count > len(shown) else ""
    return f"{label}{', '.join(map(str, shown))}{more}"

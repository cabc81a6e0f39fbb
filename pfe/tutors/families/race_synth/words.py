"""Names, days, times and tables for the passages.

Example: `clock(9 * 60 + 5)` is "9:05", `minutes("9:05")` is 545, and `spell(105)` is "1 hour and 45 minutes".
"""

from random import Random


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


GIRLS = _split("""
Alma Beth Carla Dora Elif Freya Gemma Hana Irina Jana Kira Lotte Mina Nora Orla Pia Rita Selma Tess Ulla Vera
Wanda Yara Zoe Amara Bella Chloe Daisy Esther Fiona
""")
BOYS = _split("""
Adam Boris Colin Dario Elias Finn Gregor Hugo Ivan Jack Karim Leo Milo Nils Otto Pablo Quentin Remy Simon Theo
Umar Victor Walter Xavi Yusuf Zack Aaron Bruno Cyril Dennis
""")
FAMILY_NAMES = _split("""
Abbott Barlow Carver Denham Ellwood Farrow Gillard Hartley Ingram Jessop Kerrigan Lorimer Marsden Norwood Oakes
Pendry Quill Rowntree Selby Thorne Underhill Varley Whitlock Yardley Ashdown Brennan Coldwell Draper
""")
TOWNS = _split("""
Alderbrook Birchford Coldharbour Dunmere Eastwick Fernhill Greyling Hollowell Kingsmead Larkby Millhaven
Netherby Oakley Pinewood Redcliff Saltmarsh Thornbury Westerley Windle Ashcombe Brackley Cranmoor
""")
WEEKDAYS = _split("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = _split("January February March April May June July August September October November December")


def pupil(rng: Random) -> tuple[str, str]:
    """A first name and its pronoun."""
    return (rng.choice(GIRLS), "she") if rng.random() < 0.5 else (rng.choice(BOYS), "he")


def pronouns(he: str, suffix: str = "") -> dict[str, str]:
    """The slots he, He, his, His, him, each with the suffix."""
    rows = {"he": ("he", "He", "his", "His", "him"), "she": ("she", "She", "her", "Her", "her")}
    return {name + suffix: word for name, word in zip(("he", "He", "his", "His", "him"), rows[he], strict=True)}


def clock(minute: int) -> str:
    """A time of day on the 24-hour clock, without a leading zero."""
    return f"{minute // 60}:{minute % 60:02d}"


def minutes(time: str) -> int:
    """Minutes since midnight; the inverse of `clock`.

    Raises:
        ValueError: the text is no time.
    """
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute)


def spell(minute: int) -> str:
    """A length of time in words, for one minute or more."""
    hours, rest = divmod(minute, 60)
    parts = [f"{hours} hour" + "s" * (hours > 1)] if hours else []
    parts += [f"{rest} minute" + "s" * (rest > 1)] if rest else []
    return " and ".join(parts)


def unspell(text: str) -> int:
    """Minutes; the inverse of `spell`."""
    total = 0
    for part in text.split(" and "):
        number, unit = part.split(" ")
        total += int(number) * (60 if unit.startswith("hour") else 1)
    return total


def table(text: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table written one a line with `|` between the cells."""
    return tuple(tuple(cell.strip() for cell in line.split("|")) for line in text.strip().splitlines())


def pairs(rows: tuple[tuple[str, ...], ...], key: int = 0, value: int = 1) -> dict[str, str]:
    """One column of a table by another."""
    return {row[key]: row[value] for row in rows}

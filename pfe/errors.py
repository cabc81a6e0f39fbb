"""Mistakes of the person at the keyboard, told in one line.

Example: `UserError("params.yaml: benchmark.race.scorer: unknown value 'chioce'; did you mean 'choice'?")`
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class UserError(Exception):
    """Something the user can mend: what was wrong, where, and what to do next, in one line."""


def sentences(error: object, most: int = 200) -> str:
    """Return what a library says of an error in one line: its first whole sentences, cut between words where even the
    first has more than `most` characters."""
    text = " ".join(str(error).split())
    if len(text) <= most:
        return text or type(error).__name__
    end = max(text.rfind(mark, 0, most) for mark in (". ", "! ", "? "))
    return text[: end + 1] if end > 0 else f"{text[:most].rsplit(' ', 1)[0]} …"


def nearest(name: str, allowed: Iterable[str]) -> str:
    """`"did you mean 'choice'?"` where a name is close, otherwise the list of what is allowed."""
    names = sorted(allowed)
    close = get_close_matches(name, names, n=1)
    return f"did you mean '{close[0]}'?" if close else f"allowed: {', '.join(names)}"


def nearest_file(path: Path) -> str:
    """`"did you mean 'm.jsonl'?"` where a path that is not there is close to one in its folder, otherwise nothing."""
    folder = path.parent
    close = get_close_matches(path.name, [place.name for place in folder.iterdir()], n=1) if folder.is_dir() else []
    return f"did you mean '{folder / close[0]}'?" if close else ""

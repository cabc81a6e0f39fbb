"""User errors, reported in one line.

Example: `UserError("params.yaml: benchmark.race.scorer: unknown value 'chioce'; did you mean 'choice'?")`
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class UserError(Exception):
    """An error that the user can fix: one line that says what is wrong, where, and what to do next."""


def sentences(error: object, most: int = 200) -> str:
    """Return a library's error message in one line: its first whole sentences, or the first one cut between words if it
    has more than `most` characters.
    """
    text = " ".join(str(error).split())
    if len(text) <= most:
        return text or type(error).__name__
    end = max(text.rfind(mark, 0, most) for mark in (". ", "! ", "? "))
    return text[: end + 1] if end > 0 else f"{text[:most].rsplit(' ', 1)[0]} …"


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Return `"did you mean 'choice'?"` if an allowed name is close, otherwise the list of allowed names."""
    names = sorted(allowed)
    close = get_close_matches(name, names, n=1)
    return f"did you mean '{close[0]}'?" if close else f"allowed: {', '.join(names)}"


def nearest_file(path: Path) -> str:
    """Return `"did you mean 'm.jsonl'?"` if a missing path is close to one in its folder, otherwise ""."""
    folder = path.parent
    close = get_close_matches(path.name, [place.name for place in folder.iterdir()], n=1) if folder.is_dir() else []
    return f"did you mean '{folder / close[0]}'?" if close else ""

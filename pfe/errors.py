"""Mistakes of the person at the keyboard, told in one line.

Example: `UserError("params.yaml: benchmark.race.scorer: unknown value 'chioce'; did you mean 'choice'?")`
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class UserError(Exception):
    """Something the user can mend: what was wrong, where, and what to do next, in one line."""


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

"""Data files that come with PFE: the configuration and our own problems.

Example: `resource("conf")` is `…/site-packages/pfe/resources/conf` if PFE was installed as a wheel, and the
checkout's `conf` otherwise.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """Return the path of a file or folder that comes with PFE: `conf`, or one below `data`.

    Raises:
        FileNotFoundError: PFE has no file or folder of that name.
    """
    for place in (PACKAGE / "resources" / name, PACKAGE.parent / name):
        if place.exists():
            return place
    raise FileNotFoundError(f"{name}: comes neither with the package {PACKAGE} nor with a checkout; install PFE again")

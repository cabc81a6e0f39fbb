"""What comes with PFE beside its code: the configuration and the problems of our own.

Example: `resource("conf")` is `…/site-packages/pfe/resources/conf` where PFE was installed as a wheel, and the
checkout's `conf` where it was not.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The place of a file or folder that comes with PFE: `conf`, or one below `data`.

    Raises:
        FileNotFoundError: nothing of that name does.
    """
    for place in (PACKAGE / "resources" / name, PACKAGE.parent / name):
        if place.exists():
            return place
    raise FileNotFoundError(f"{name}: comes neither with the package {PACKAGE} nor with a checkout; install PFE again")

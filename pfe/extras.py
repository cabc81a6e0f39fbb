"""Optional dependencies: the extra that installs each library, and the error message if one is missing.

Example: without datatrove, `need("firewall.engine=ray", "datatrove", "ray")` raises "firewall.engine=ray needs
datatrove and ray, not installed here; pip install 'pfe[cluster]'".
"""

import re
from functools import cache
from importlib import metadata
from importlib.util import find_spec

from pfe.errors import UserError

_REQUIREMENT = re.compile(r"([\w.-]+).*; extra == ['\"]([\w-]+)['\"]$")


def declared() -> list[str]:
    """Return the requirements of the installed package, one string each; empty in a checkout that is not installed."""
    try:
        return metadata.requires("pfe") or []
    except metadata.PackageNotFoundError:
        return []


@cache
def extras() -> dict[str, list[str]]:
    """Return the packages that each user-facing extra installs, with - as _; empty if PFE is not installed."""
    by_extra: dict[str, list[str]] = {}
    for requirement in declared():
        if (match := _REQUIREMENT.match(requirement)) and match[2] != "dev":
            by_extra.setdefault(match[2], []).append(match[1].replace("-", "_"))
    return by_extra


def need(part: str, *modules: str) -> None:
    """Check that the modules that a part of PFE needs are installed.

    Raises:
        UserError: one is not installed; the message says how to install it.
    """
    if missing := [module for module in modules if find_spec(module) is None]:
        how = remedy(missing[0]) or f"pip install {missing[0]}"  # a checkout that is not installed knows no extras
        raise UserError(f"{part} needs {' and '.join(missing)}, not installed here; {how}")


def remedy(module: str) -> str | None:
    """Return the command that installs a module: its own extra, or else the smallest that has it; None if none does."""
    bringing = {extra: modules for extra, modules in extras().items() if module in modules}
    extra = module if module in extras() else min(bringing, key=lambda name: len(bringing[name]), default=None)
    return extra and f"pip install 'pfe[{extra}]'"

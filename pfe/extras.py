"""Libraries that only a part of PFE needs: which extra brings each, and what to say where one is missing.

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
    """What the installed package requires, one line a project; nothing where a checkout is not installed."""
    try:
        return metadata.requires("pfe") or []
    except metadata.PackageNotFoundError:
        return []


@cache
def extras() -> dict[str, list[str]]:
    """The projects that each extra for users brings, - written _; none where PFE is not installed."""
    by_extra: dict[str, list[str]] = {}
    for requirement in declared():
        if (match := _REQUIREMENT.match(requirement)) and match[2] != "dev":
            by_extra.setdefault(match[2], []).append(match[1].replace("-", "_"))
    return by_extra


def need(part: str, *modules: str) -> None:
    """See that a part of PFE has the modules it needs.

    Raises:
        UserError: one is not installed; says how to get it.
    """
    if missing := [module for module in modules if find_spec(module) is None]:
        how = remedy(missing[0]) or f"pip install {missing[0]}"  # of a checkout no extras are known
        raise UserError(f"{part} needs {' and '.join(missing)}, not installed here; {how}")


def remedy(module: str) -> str | None:
    """How to install a module: the extra of its name, or the smallest that brings it; None where none does."""
    bringing = {extra: modules for extra, modules in extras().items() if module in modules}
    extra = module if module in extras() else min(bringing, key=lambda name: len(bringing[name]), default=None)
    return extra and f"pip install 'pfe[{extra}]'"

"""A method's regressor, from its entry in conf/method/: found, built, and told apart from other versions of it.

Example: `built(linear, seed=3)` is `LinearRegression()`; `version(linear)` is "scikit-learn 1.9.1".
"""

import hashlib
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pfe.config import Method
from pfe.errors import UserError

INSTALL = "pip install 'pfe[competition]'"


def built(method: Method, seed: int) -> Any:
    """The method's regressor, unfitted; whatever its package raises comes through.

    Raises:
        AttributeError: the module has no such class.
        ImportError: there is no such module, or it does not load.
        TypeError: the regressor takes no such setting.
    """
    module, _, name = method.regressor.rpartition(".")
    seeded = {method.seed: seed} if method.seed else {}
    return getattr(import_module(module), name)(**method.settings, **seeded)


def version(method: Method) -> str:
    """What tells one state of a regressor's code from another: its package's version, and its module's own content.

    The content counts because a regressor of one's own changes without a version. Nothing is imported.

    Raises:
        UserError: the package is not installed, or the import path is none.
    """
    package, *parts = method.regressor.split(".")
    spec = find_spec(package) if package and parts else None
    if spec is None:
        raise UserError(f"{method.label}: no package '{package}' to import {method.regressor} from; {INSTALL}")
    known = [f"{name} {metadata.version(name)}" for name in sorted(set(_distributions().get(package, ())))]
    for folder in spec.submodule_search_locations or ():
        file = Path(folder, *parts[:-1]).with_suffix(".py")
        if file.is_file():
            known.append(hashlib.sha256(file.read_bytes()).hexdigest())
    return ", ".join(known)


@cache
def _distributions() -> dict[str, list[str]]:
    """Distributions by the packages that they bring."""
    return dict(metadata.packages_distributions())

"""A method's regressor, from its entry in conf/method/: found, built, and told apart from other versions of it.

Example: `built(linear, seed=3)` is `LinearRegression()`; `version(linear)` is "scikit-learn 1.9.1".
"""

import hashlib
import sysconfig
from contextlib import suppress
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pfe.config import Method
from pfe.errors import UserError
from pfe.fingerprint import Project

INSTALL = "pip install 'pfe[competition]'"
_INSTALLED = {sysconfig.get_path(name) for name in ("purelib", "platlib")}


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
    """What tells one state of a regressor's code from another: its package's version, and its own code.

    Of a module that is not installed but lies somewhere, the modules beside it that it imports count as well: they
    change without a version. Nothing is imported.

    Raises:
        UserError: the package is not installed, or the import path is none.
    """
    module = method.regressor.rpartition(".")[0]
    package = module.partition(".")[0]
    spec = find_spec(package) if package else None
    if spec is None:
        package = package or method.regressor
        raise UserError(f"{method.label}: no package '{package}' to import {method.regressor} from; {INSTALL}")
    known = [f"{name} {metadata.version(name)}" for name in sorted(set(_distributions().get(package, ())))]
    for place in spec.submodule_search_locations or [str(spec.origin)]:
        known.append(_code(Project(Path(place).parent), module))
    return ", ".join(known)


def _code(project: Project, module: str) -> str:
    """Of a module that is installed its content, which a version covers; of another its fingerprint."""
    file = project.file(module)
    if file is None:
        return ""
    if str(project.root) not in _INSTALLED:
        with suppress(SyntaxError, ValueError):  # which are said when it is built
            return str(project.fingerprint(module, ["pfe.config", "pfe.problem"]))
    return hashlib.sha256(file.read_bytes()).hexdigest()


@cache
def _distributions() -> dict[str, list[str]]:
    """Distributions by the packages that they bring."""
    return dict(metadata.packages_distributions())

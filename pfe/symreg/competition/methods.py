"""Regressors from the entries in conf/method: construction, checks of the entry, and the version of the code.

Example: `build(linear, seed=3)` is `LinearRegression()`; `version(linear)` begins with "scikit-learn 1.9.1". For an
entry with `expression: equatoin` and a class that has `equation_`, `mistake` returns "expression: 'equatoin' is no
notation and no attribute of mine.Regressor; did you mean 'equation_'?".
"""

import hashlib
import inspect
import pkgutil
import re
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pfe.config import Method
from pfe.errors import UserError
from pfe.extras import remedy
from pfe.fingerprint import Project
from pfe.symreg.competition.notation import NOTATIONS

_INSTALLED = {sysconfig.get_path(name) for name in ("purelib", "platlib")}


def build(method: Method, seed: int) -> Any:
    """Return the method's regressor, unfitted; all errors of its package are passed on.

    Raises:
        AttributeError: the module has no such class.
        ImportError: the module does not exist or cannot be imported.
        TypeError: the regressor has no such setting.
    """
    module, _, name = method.regressor.rpartition(".")
    seeded = {method.seed: seed} if method.seed else {}
    return getattr(import_module(module), name)(**method.settings, **seeded)


def mistake(method: Method) -> str | None:
    """Return the first mistake of an entry that is visible without a run, or None; the regressor is imported and built.

    Raises:
        Exception: any error of the package during the import or the construction of its regressor.
    """
    module, _, name = method.regressor.rpartition(".")
    if problem := _no_module(module):
        return f"regressor: {problem}"
    regressor = getattr(import_module(module), name, None)
    if regressor is None:
        classes = [name for name, part in vars(import_module(module)).items() if inspect.isclass(part)]
        return f"regressor: no '{name}' in {module}{_hint(name, classes)}"
    if missing := [name for name in ("fit", "predict") if inspect.isclass(regressor) and not hasattr(regressor, name)]:
        return f"regressor: {method.regressor} has no {missing[0]}; a class as scikit-learn's regressors are is needed"
    return _wrong_argument(method, regressor) or _wrong_expression(method, build(method, 0))


def has_expression(method: Method, regressor: Any) -> bool | None:
    """Return whether a regressor will have its `expression` once it is fitted; None if this cannot be determined.

    An attribute may exist only after fitting, so the name is searched for in the code. None means that the code cannot
    be read, or that the class has `__getattr__`.
    """
    if method.expression in NOTATIONS or hasattr(regressor, method.expression):
        return True
    codes = [_source(kind) for kind in type(regressor).__mro__ if kind is not object]
    if any(method.expression in re.findall(r"\w+", code) for code in codes if code is not None):
        return True
    return None if None in codes or hasattr(type(regressor), "__getattr__") else False


def _wrong_argument(method: Method, regressor: Any) -> str | None:
    if method.seed is not None and method.seed in method.settings:
        return f"settings.{method.seed}: it is the argument that takes the seed; leave one of the two out"
    try:
        parameters = inspect.signature(regressor).parameters
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return None
    for name in method.settings:
        if name not in parameters:
            return f"settings.{name}: {method.regressor} takes no such setting{_hint(name, parameters)}"
    if method.seed is not None and method.seed not in parameters:
        hint = _hint(method.seed, parameters)
        return f"seed: {method.regressor} takes no '{method.seed}'{hint}; null where it takes none"
    return None


def _wrong_expression(method: Method, regressor: Any) -> str | None:
    if has_expression(method, regressor) is not False:
        return None
    codes = [_source(kind) or "" for kind in type(regressor).__mro__ if kind is not object]
    attributes = {name for code in codes for name in re.findall(r"\bself\.(\w+)", code)} | {*dir(regressor)}
    names = [*NOTATIONS, *(name for name in attributes if not name.startswith("__"))]
    hint = _hint(method.expression, names) or f"; notations: {', '.join(sorted(NOTATIONS))}"
    return f"expression: '{method.expression}' is no notation and no attribute of {method.regressor}{hint}"


def _source(kind: type) -> str | None:
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return None


def _no_module(path: str) -> str | None:
    """Return an error about the first missing part of a module's path, with the nearest name; None if all exist."""
    package, *parts = path.split(".")
    for part in parts:
        search_path = getattr(import_module(package), "__path__", ())
        if not search_path or find_spec(f"{package}.{part}") is None:
            modules = [module.name for module in pkgutil.iter_modules(search_path)]
            return f"no module '{part}' in {package}{_hint(part, modules)}"
        package = f"{package}.{part}"
    return None


def _hint(name: str, names: Iterable[str]) -> str:
    close = get_close_matches(name, sorted(names), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def version(method: Method) -> str:
    """Return a text that identifies a regressor's code: the version of its package, and a hash of its module.

    For a local module that is not installed, the hash covers the modules next to it that it imports, because these
    change without a new version. Nothing is imported.

    Raises:
        UserError: the package is not installed, or the import path is invalid.
    """
    module = method.regressor.rpartition(".")[0]
    package = module.partition(".")[0]
    spec = find_spec(package) if package else None
    if spec is None:
        package = package or method.regressor
        absent = f"no package '{package}' to import {method.regressor} from"
        raise UserError(f"{method.label}: {absent}; {how_to_install(package)}")
    versions = [f"{name} {metadata.version(name)}" for name in sorted(set(_distributions().get(package, ())))]
    for place in spec.submodule_search_locations or [str(spec.origin)]:
        versions.append(_code(Project(Path(place).parent), module))
    return ", ".join(versions)


def how_to_install(package: str) -> str:
    """Return the advice for a regressor's package that is missing."""
    return remedy(package) or f"install the package that brings '{package}' here"


def _code(project: Project, module: str) -> str:
    """Return the SHA-256 of an installed module's file, or a local module's fingerprint; "" if there is no file."""
    file = project.file(module)
    if file is None:
        return ""
    if str(project.root) not in _INSTALLED:
        with suppress(SyntaxError, ValueError):  # reported when the regressor is built
            return str(project.fingerprint(module, ["pfe.config", "pfe.problem"]))
    return hashlib.sha256(file.read_bytes()).hexdigest()


@cache
def _distributions() -> dict[str, list[str]]:
    """Return the distributions by the packages that they provide."""
    return dict(metadata.packages_distributions())

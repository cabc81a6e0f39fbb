"""A method's regressor, from its entry in conf/method/: built, searched for mistakes of the entry, told by its version.

Example: `build(linear, seed=3)` is `LinearRegression()`; `version(linear)` is "scikit-learn 1.9.1"; of an entry with
`expression: equatoin` over a class that has `equation_`, `mistake` says "expression: no notation and no attribute of
mine.Regressor; did you mean 'equation_'?".
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

from pfe.competition.notation import NOTATIONS
from pfe.config import Method
from pfe.errors import UserError
from pfe.extras import remedy
from pfe.fingerprint import Project

_INSTALLED = {sysconfig.get_path(name) for name in ("purelib", "platlib")}


def build(method: Method, seed: int) -> Any:
    """The method's regressor, unfitted; whatever its package raises comes through.

    Raises:
        AttributeError: the module has no such class.
        ImportError: there is no such module, or it does not load.
        TypeError: the regressor takes no such setting.
    """
    module, _, name = method.regressor.rpartition(".")
    seeded = {method.seed: seed} if method.seed else {}
    return getattr(import_module(module), name)(**method.settings, **seeded)


def mistake(method: Method) -> str | None:
    """The first mistake of an entry that is seen without running its method; it imports and builds the regressor.

    Raises:
        Exception: whatever the package raises while it is imported or its regressor built.
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
    """Whether an unfitted regressor will know its `expression`; None where its code cannot be read.

    An attribute may be there only once it is fitted, so that what counts is whether the name stands in the code.
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
    """What is wrong with a module's path: its first part that is not there, and the nearest that is."""
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
        absent = f"no package '{package}' to import {method.regressor} from"
        raise UserError(f"{method.label}: {absent}; {how_to_install(package)}")
    versions = [f"{name} {metadata.version(name)}" for name in sorted(set(_distributions().get(package, ())))]
    for place in spec.submodule_search_locations or [str(spec.origin)]:
        versions.append(_code(Project(Path(place).parent), module))
    return ", ".join(versions)


def how_to_install(package: str) -> str:
    """What to do where a regressor's package is missing."""
    return remedy(package) or f"install the package that brings '{package}' here"


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

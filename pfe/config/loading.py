"""Loading of params.yaml, completed by conf/, as a `Config`.

Example: `load().firewall.threshold` is 0.3; `-S +firewall.treshold=0.25` ends with
"params.yaml: firewall.treshold: unknown key; did you mean 'threshold'?"

Two kinds of values are in conf/ alone, so that `dvc exp show` has columns only for parameters that people change: those
in a benchmark's own file, and the defaults for benchmarks, models and tutors in defaults.yaml.
"""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from pfe.config.assignments import Assignments
from pfe.config.consistency import disagreements
from pfe.config.error_messages import GROUPS, NOTHING, messages
from pfe.config.records import Benchmark, Config, Model, Tutor
from pfe.errors import UserError, nearest
from pfe.resources import resource

T = TypeVar("T")
R = TypeVar("R", Benchmark, Model, Tutor)
CONF = Path("conf")
PARAMS = Path("params.yaml")
REWRITE = "run `pfe params` to write it anew"
# The records that have defaults in conf/defaults.yaml, by their key in params.yaml.
KINDS: Mapping[str, type] = {"benchmark": Benchmark, "models": Model, "tutor": Tutor}
# The libraries that SPEC prints ("Benchmark Specifications"), by the libraries that replace them by default.
SPEC_LIBRARIES = {name: f"spec_{name}" for name in ("arc.txt", "gsm1k.txt", "mbpp.txt")}


def load(path: Path = PARAMS) -> Config:
    """Read and check params.yaml, with the conf/ next to it.

    Raises:
        UserError: a file is missing or no YAML, or a key is unknown, missing or ill-typed.
    """
    conf = conf_folder(path.parent)
    values = read_yaml(path)
    if isinstance(values, Mapping) and isinstance(values.get("benchmark"), Mapping):
        changes = values["benchmark"].items()
        values = {**values, "benchmark": {name: _onto(stated(str(name), conf), change) for name, change in changes}}
        for name, benchmark in values["benchmark"].items():
            if not benchmark:
                raise UserError(f"{path}: benchmark.{name}: is described nowhere; write {conf}/benchmark/{name}.yaml")
    return parse(values, str(path), conf)


def parse(values: Any, where: str, conf: Path | None = None, assignments: Assignments = NOTHING) -> Config:
    """Check plain values against `Config`; `where` names their source in the message.

    Args:
        conf: the folder whose defaults.yaml completes them; `conf_folder` if it is None.
        given: the overrides that set some of them.

    Raises:
        UserError: names every offending parameter path, each with a remedy if one is known.
    """
    if not isinstance(values, Mapping):
        raise UserError(f"{where}: {'empty' if values is None else 'not a mapping of parameters'}; {REWRITE}")
    try:
        whole = with_defaults(values, conf or conf_folder())
        settings = _adapter().validate_json(json.dumps(whole, default=str))  # a date becomes its text
    except ValidationError as error:
        raise UserError(f"{where}: {'; '.join(messages(error.errors(), assignments))}") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise UserError(f"{where}: not plain values ({error}); {REWRITE}") from None
    if wrong := list(dict.fromkeys(disagreements(settings))):
        raise UserError(f"{where}: {'; '.join(wrong)}")
    return _with_libraries(settings)


def record(kind: type[R], /, **values: Any) -> R:
    """Build a benchmark, model or tutor that is in no file; missing values come from conf/defaults.yaml.

    Raises:
        pydantic.ValidationError: a value without a default is missing, or one is ill-typed.
    """
    (group,) = (group for group, one in KINDS.items() if one is kind)
    return TypeAdapter(kind).validate_json(json.dumps(_onto(_defaults(conf_folder())[group], values)))


def _with_libraries(settings: Config) -> Config:
    """Return the settings with the method libraries that `icr.library` names."""
    if settings.icr.library == "own":
        return settings
    benchmarks = {
        name: replace(one, library=SPEC_LIBRARIES.get(one.library or "", one.library))
        for name, one in settings.benchmark.items()
    }
    return replace(settings, benchmark=benchmarks)


def with_defaults(values: Mapping[str, Any], conf: Path) -> dict[str, Any]:
    """Return the values, with the missing keys of each benchmark, model and tutor filled in."""
    return dict(values) | {
        group: {name: _onto(defaults, entry) for name, entry in values[group].items()}
        for group, defaults in _defaults(conf).items()
        if isinstance(values.get(group), Mapping)
    }


def stated(name: str, conf: Path) -> dict[str, Any]:
    """Return the values in a benchmark's file in conf/; empty if it has no file."""
    path = conf / "benchmark" / f"{name}.yaml"
    values = read_yaml(path) if path.is_file() else None
    if not isinstance(values, Mapping):
        return {}
    known = {field.name for field in fields(Benchmark)}
    return {key: value for key, value in values.items() if key in known}


def conf_folder(place: Path = Path()) -> Path:
    """Return the conf/ of the experiment in the current folder, or else the one that comes with PFE."""
    groups = [example.partition("=")[0] for example in GROUPS.values()]
    return place / CONF if all((place / CONF / group).is_dir() for group in groups) else resource("conf")


def settings_files(settings: Config) -> Iterator[tuple[str, Any]]:
    """Yield the full values of `benchmark`, `tutor` and each of `models`, with the name of a file for each.

    A stage that depends on such a file reruns when conf/ or params.yaml changes its content.
    """
    plain = _adapter().dump_python(settings, mode="json")
    yield from ((name, plain[name]) for name in ("benchmark", "tutor"))
    yield from ((f"models/{name}", entry) for name, entry in plain["models"].items())


def chosen(name: str, among: Mapping[str, T], what: str) -> T:
    """Return `among[name]`, or raise a UserError that names the nearest; `what` is the noun for the thing."""
    if name not in among:
        raise UserError(f"unknown {what} '{name}'; {nearest(name, among)}")
    return among[name]


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML file.

    Raises:
        UserError: it is missing, or no YAML.
    """
    rewrite = f"; {REWRITE}" if path.name == PARAMS.name else ""
    try:
        return deepcopy(_parsed(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file here; run from the repository's root") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 ({error.reason} at byte {error.start:,}){rewrite}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise UserError(f"{path}: not YAML: {' '.join(str(error).split())}{rewrite}") from None


@lru_cache(maxsize=64)  # a run reads conf/ again for every benchmark, model and tutor; parsing takes milliseconds
def _parsed(text: str) -> Any:
    return yaml.safe_load(text)


def _defaults(conf: Path) -> dict[str, dict[str, Any]]:
    """Return the content of conf/defaults.yaml, by group of `KINDS`.

    Raises:
        UserError: it is missing, or no mapping of those groups.
    """
    path = conf / "defaults.yaml"
    values = read_yaml(path)
    groups = values if isinstance(values, dict) else {}
    if set(groups) != set(KINDS) or not all(isinstance(defaults, Mapping) for defaults in groups.values()):
        raise UserError(f"{path}: not a mapping of {', '.join(KINDS)}, each to the defaults of its keys")
    return groups


def _onto(base: Mapping[str, Any], entry: Any) -> Any:
    """Return an entry merged onto its defaults, nested mappings included."""
    if not isinstance(entry, Mapping):
        return entry
    inner = {key: base[key] for key in entry if isinstance(base.get(key), Mapping)}
    return {**base, **entry, **{key: _onto(inner[key], entry[key]) for key in inner}}


@cache
def _adapter() -> TypeAdapter[Config]:
    return TypeAdapter(Config)

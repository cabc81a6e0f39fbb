"""Composition of conf/ by Hydra into the text of params.yaml, with its errors reported in one line.

Example: `written(["seed=1"])` is params.yaml as `dvc exp run -S seed=1` would write it.
"""

import os.path
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.errors import HydraException, OverrideParseException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pfe.config import CONF, Config, conf_folder, parse
from pfe.config.error_messages import GROUPS, unknown_key
from pfe.config.loading import stated, with_defaults
from pfe.config.overrides import Overrides, defaults_of, groups_of, members_of, unreadable
from pfe.config.parameter_types import check_distinct
from pfe.embedding.encoder import PACKAGED
from pfe.errors import UserError, nearest
from pfe.firewall.gate import active, all_gates
from pfe.rows.shapes import check_shapes
from pfe.tutors.family import synthetic_sets

HUB_NAME = re.compile(r"\b[A-Za-z0-9_.-]+\b/\b[A-Za-z0-9_.-]+\b", re.ASCII)  # owner/name, as on the hub


def sources(*, _root_: DictConfig) -> DictConfig:
    """Return the files that the configuration names one by one, by name: those of benchmarks and of calibration.

    If a benchmark takes its few-shot examples from another split, that file lies next to its own: then DVC watches the
    folder of both.
    """
    found: dict[str, str] = {}
    for name, one in (_root_.get("benchmark") or {}).items():
        if isinstance(one, DictConfig) and (path := one.get("path")):
            found[str(name)] = str(Path(path).parent if one.get("shots_split") else path)
    for name, path in (_root_.get("calibration") or {}).items():
        if isinstance(path, str):
            found[f"calibration-{name}"] = path
    return OmegaConf.create(found)


OmegaConf.register_new_resolver("sources", sources, replace=True)


def composed(overrides: Sequence[str] = (), conf: Path = CONF) -> dict[str, Any]:
    """Return the values that `conf` composes to, as plain Python values.

    Raises:
        UserError: `conf` is no folder or does not compose, or the composed configuration is invalid.
    """
    values = OmegaConf.to_container(_composed(overrides, conf), resolve=True)
    assert isinstance(values, dict)
    return {str(key): value for key, value in values.items()}


def written(overrides: Sequence[str] = (), conf: Path = CONF) -> str:
    """Return params.yaml as `dvc exp run -S` writes it.

    Raises:
        UserError: as `composed` does.
    """
    config = _composed(overrides, conf)
    shorten(config, conf)
    OmegaConf.resolve(config)
    return OmegaConf.to_yaml(config)


def shorten(config: DictConfig, conf: Path = CONF) -> None:
    """Reduce every benchmark to what differs from its file in `conf`; `pfe.config.load` restores the rest."""
    config.sources = OmegaConf.to_container(config.sources, resolve=True)  # they come from the benchmarks
    chosen = OmegaConf.to_container(config.benchmark, resolve=True)
    sides = (chosen, {name: stated(str(name), conf) for name in config.benchmark})
    benchmarks, before = (with_defaults({"benchmark": side}, conf)["benchmark"] for side in sides)
    config.benchmark = {name: _changes(values, before[name]) for name, values in benchmarks.items()}


def _changes(values: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in before or before[key] != value}


def _composed(overrides: Sequence[str], conf: Path) -> DictConfig:
    if not conf.is_dir():
        raise UserError(f"{conf}: no such folder here; run from the repository's root")
    with composing(conf, overrides) as read, initialize_config_dir(str(conf.resolve()), version_base=None):
        config = compose("config", overrides=list(overrides))
    check(config, read, conf)
    return config


def settings_of(overrides: Sequence[str] = ()) -> Config:
    """Return the settings that `conf_folder` composes to, for a command that works in any folder.

    Raises:
        UserError: it does not compose, or the composed configuration is invalid.
    """
    conf = conf_folder()
    return parse(composed(overrides, conf), str(conf), conf)


def check(config: DictConfig, overrides: Overrides, conf: Path = CONF) -> None:
    """Check that a configuration composed from `conf` is valid; it is not changed.

    Raises:
        UserError: it is not; names every offending parameter path, or a chosen file that sets nothing under its name.
    """
    plain = OmegaConf.masked_copy(config, [str(key) for key in config if key != "hydra"])
    with _telling(conf, overrides.texts):
        values = OmegaConf.to_container(plain, resolve=True)
    if not isinstance(values, dict):
        raise UserError(f"{CONF}/config.yaml: not a mapping of parameters")
    for key, example in GROUPS.items():
        group = example.partition("=")[0]
        names = overrides.chosen(group)
        try:
            check_distinct(names)
        except ValueError as error:
            raise UserError(f"{group}: {error}") from None
        for name in names:
            if name not in (values.get(key) or {}) and not overrides.leave_out(f"{key}.{name}"):
                file, header = CONF / group / f"{name}.yaml", f"# @package {key}.{name}"
                raise UserError(f"{file}: gives no {key}.{name}; it must begin with the line `{header}`")
    check_names(parse(values, CONF.name, conf, overrides.assignments))


def check_names(settings: Config) -> None:
    """Raise UserError for a name that does not exist: a gate, a set, a model, a row shape, a path that DVC watches."""
    active(settings.firewall)
    sets = synthetic_sets()
    for name in settings.scale.targets:
        if name not in sets:
            raise UserError(f"scale.targets.{name}: no set has this name; {nearest(name, sets)}")
    check_shapes(settings.benchmark)
    for path, model_name in _embedding_models(settings):
        if model_name not in PACKAGED and not HUB_NAME.fullmatch(model_name) and not _is_folder(model_name):
            hub_name = f"sentence-transformers/{next(iter(PACKAGED)) if '/' in model_name else model_name}"
            raise UserError(
                f"{path}: '{model_name}' is no folder here, and no model that comes with PFE ({', '.join(PACKAGED)}); "
                f"give one of these, or a name on the hub with its owner, as in {hub_name}"
            )
    for name, model in settings.models.items():
        if not model.depends.strip():  # commands that run without DVC may leave it empty
            raise UserError(
                f"models.{name}.depends: {model.depends!r} names nothing; name a file or folder, whose change makes "
                "DVC ask the model again"
            )


def _is_folder(name: str) -> bool:
    """Return whether a name can be a model's folder: it exists and does not contain the current folder (as / does)."""
    return os.path.isdir(name) and not Path.cwd().is_relative_to(Path(name).resolve())


def _embedding_models(settings: Config) -> Iterator[tuple[str, str]]:
    """Yield the names of embedding models, with their parameter paths."""
    semantic = settings.firewall.semantic
    yield "firewall.semantic.model", semantic.model
    if semantic.multilingual is not None:
        yield "firewall.semantic.multilingual", semantic.multilingual
    for name, model in settings.models.items():
        if model.kind == "embedding" and model.path is not None:
            yield f"models.{name}.path", model.path


@contextmanager
def composing(conf: Path = CONF, overrides: Sequence[str] = ()) -> Iterator[Overrides]:
    """Yield the parsed overrides for `check`, and report errors of Hydra and of the files below `conf` in one line.

    Raises:
        UserError: in place of any of those errors.
    """
    with _telling(conf, overrides):
        yield Overrides.read(overrides, conf)


@contextmanager
def _telling(conf: Path, overrides: Sequence[str]) -> Iterator[None]:
    try:
        yield
    except OverrideParseException as error:
        raise UserError(f"cannot read the override '{error.override}'{unreadable(str(error.override))}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{_undecodable(conf)}: not UTF-8 ({error.reason}); save it as UTF-8") from None
    except RecursionError:
        raise UserError(f"{CONF}: nested too deeply, or without end") from None
    except yaml.YAMLError as error:
        raise UserError(_not_yaml(error, conf)) from None
    except TypeError:  # Hydra builds a file name from the choice of a group
        raise UserError(
            f"{CONF}: of a group members are chosen by their names, as in -S '{GROUPS['embedded']}'"
        ) from None
    except (HydraException, OmegaConfBaseException, OSError, ValueError) as error:
        raise UserError(f"{CONF}: {_worded(error, conf, overrides)}") from None


def _worded(error: Exception, conf: Path, overrides: Sequence[str]) -> str:
    """Return Hydra's message, reworded if it is one of those that users meet."""
    message = str(error) or str(error.__cause__)
    if key := re.search(r"(?:Could not override|Could not delete from config\.) '([\w./-]+)'", message):
        deeper = re.search(r"full_key: (\S+)", str(error.__cause__))
        return _unknown(deeper[1] if deeper else key[1], key[1], conf, overrides)
    if group := re.search(r"Could not delete '(\w+)'", message):
        return unknown_key(group[1], {"": groups_of(defaults_of(conf))})
    if there := re.search(r"An item is already at '(\S+)'", message):
        return f"{there[1]}: is there already; leave out the +, as in -S {there[1]}=…"
    if member := re.search(r"Could not (?:load|find) '(\w+)/([^']*)'", message):
        return f"unknown {member[1]} '{member[2]}'; {nearest(member[2], members_of(member[1], conf))}"
    if merged := re.search(r"Error merging override (([\w.]+)=.*)", message):
        hint = f"; choose as in -S '{GROUPS[merged[2]]}'" if merged[2] in GROUPS else ""
        return f"{merged[2]}: cannot be replaced by '{merged[1]}'{hint}"
    if place := re.search(r"^(.*?)\n\s*full_key: *(\S+)", message, re.DOTALL):
        return f"{place[2]}: {_line(place[1])}"
    return _line(message.split("\n\nConfig search path")[0])


def _unknown(path: str, key: str, conf: Path, overrides: Sequence[str]) -> str:
    """Return the message for a parameter path that does not exist, with a remedy if any; `key` is the override's."""
    goes_on = key if key.startswith(f"{path}.") else path
    free = {"firewall.gates": all_gates(), "scale.targets": synthetic_sets()}
    names = {"": groups_of(defaults_of(conf))} | {
        above: known for above, known in free.items()
        if not any(goes_on.startswith(f"{above}.{name}.") for name in known)  # below an existing one
    }  # fmt: skip
    group, _, inner = path.partition(".")
    holders = [member for member in members_of(group, conf) if inner in _keys(conf / group / f"{member}.yaml")]
    mappings = [text for text in overrides if path.startswith(f"{text.partition('=')[0]}.") and "={" in text]
    return unknown_key(path, names, holders, f"'+{mappings[0]}'" if mappings else f"+{goes_on}=…", goes_on)


def _keys(path: Path) -> set[str]:
    """Return the keys in a file; empty if it is damaged, which is reported when the file is chosen."""
    try:
        values = OmegaConf.load(path)
    except (yaml.YAMLError, OmegaConfBaseException, OSError, ValueError, RecursionError):
        return set()
    return {str(key) for key in values} if isinstance(values, DictConfig) else set()


def _not_yaml(error: yaml.YAMLError, conf: Path) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    path = Path(mark.name if mark else getattr(error, "name", None) or conf)
    shown = CONF / path.relative_to(conf.resolve()) if path.is_relative_to(conf.resolve()) else path
    line = f":{mark.line + 1}" if mark else ""
    return f"{shown}{line}: not YAML: {_line(getattr(error, 'problem', None) or str(error).split(chr(10))[0])}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _undecodable(conf: Path) -> Path:
    """Return the first file below `conf` that is not UTF-8."""
    for path in sorted(conf.rglob("*.yaml")):
        try:
            path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return CONF / path.relative_to(conf)
    return CONF

"""conf/, composed by Hydra into the text of params.yaml, and the mistakes in it told in one line.

Example: `written(["seed=1"])` is params.yaml as `dvc exp run -S seed=1` would write it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException, OverrideParseException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pfe.config import CONF, Config, conf_folder, parse
from pfe.config.loading import stated, with_defaults
from pfe.config.mistakes import GROUPS, unknown_key
from pfe.config.records import check_distinct
from pfe.errors import UserError, nearest
from pfe.firewall.gate import active, all_gates
from pfe.rows.shapes import check_shapes

# By the name of a group of which several are chosen, and by where they then stand, such a choice.
LISTS = {name: choice for key, choice in GROUPS.items() for name in (key, choice.partition("=")[0])}
KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*([./@:][A-Za-z0-9_-]+)*")
STRAY_COMMA = re.compile(r"(^|[\[({,])\s*,|,\s*($|[\])}])")


def sources(*, _root_: DictConfig) -> DictConfig:
    """The files that the configuration names one by one, by a name: those of benchmarks, and of calibration.

    Where shots come from another split, it lies beside the benchmark's own file: then its folder is watched.
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
    """What `conf` composes to, as plain values.

    Raises:
        UserError: `conf` is no folder, does not compose, or what it composes to is no valid configuration.
    """
    values = OmegaConf.to_container(_composed(overrides, conf), resolve=True)
    assert isinstance(values, dict)
    return {str(key): value for key, value in values.items()}


def written(overrides: Sequence[str] = (), conf: Path = CONF) -> str:
    """params.yaml as `dvc exp run -S` writes it.

    Raises:
        UserError: as of `composed`.
    """
    config = _composed(overrides, conf)
    shorten(config, conf)
    OmegaConf.resolve(config)
    return OmegaConf.to_yaml(config)


def shorten(config: DictConfig, conf: Path = CONF) -> None:
    """Leave of every benchmark what differs from its file in `conf`; `pfe.config.load` adds the rest again."""
    config.sources = OmegaConf.to_container(config.sources, resolve=True)  # they are taken from the benchmarks
    chosen = OmegaConf.to_container(config.benchmark, resolve=True)
    sides = (chosen, {name: stated(str(name), conf) for name in config.benchmark})
    benchmarks, before = (with_defaults({"benchmark": side}, conf)["benchmark"] for side in sides)
    config.benchmark = {name: _changes(values, before[name]) for name, values in benchmarks.items()}


def _changes(values: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in before or before[key] != value}


def _composed(overrides: Sequence[str], conf: Path) -> DictConfig:
    if not conf.is_dir():
        raise UserError(f"{conf}: no such folder here; run from the repository's root")
    with composing(conf, overrides), initialize_config_dir(str(conf.resolve()), version_base=None):
        config = compose("config", overrides=list(overrides))
    check(config, overrides, conf)
    return config


def settings_of(overrides: Sequence[str] = ()) -> Config:
    """What `conf_folder` composes to, for a command that works in any folder.

    Raises:
        UserError: it does not compose, or what it composes to is no valid configuration.
    """
    conf = conf_folder()
    return parse(composed(overrides, conf), str(conf), conf)


def check(config: DictConfig, overrides: Sequence[str], conf: Path = CONF) -> None:
    """Whether what Hydra composed of `conf` is a valid configuration; it stays as it is.

    Raises:
        UserError: naming every offending parameter path, or a chosen file that gives nothing of its name.
    """
    plain = OmegaConf.masked_copy(config, [str(key) for key in config if key != "hydra"])
    with composing(conf, overrides):
        values = OmegaConf.to_container(plain, resolve=True)
        parsed, defaults = _parsed(overrides), _defaults(conf)
        chosen = {key: _chosen(example.partition("=")[0], parsed, defaults) for key, example in GROUPS.items()}
    if not isinstance(values, dict):
        raise UserError(f"{CONF}/config.yaml: not a mapping of parameters")
    for key, members in chosen.items():
        group = GROUPS[key].partition("=")[0]
        try:
            check_distinct([path.stem for path in members])
        except ValueError as error:
            raise UserError(f"{group}: {error}") from None
        for path in members:
            if path.stem not in (values.get(key) or {}) and f"~{key}.{path.stem}" not in overrides:
                header = f"# @package {key}.{path.stem}"
                raise UserError(f"{path}: gives no {key}.{path.stem}; it must begin with the line `{header}`")
    check_names(parse(values, CONF.name, conf))


def _parsed(overrides: Sequence[str]) -> list[Override]:
    return OverridesParser.create().parse_overrides(list(overrides))


def _check_choice(override: Override, defaults: Mapping[str, Any]) -> None:
    """Raises UserError where a group is given no name of a member, or several of which an experiment has one."""
    key, value, group = override.get_key_element(), override.value(), override.key_or_group
    shown = str(override.input_line).partition("=")[2]
    if not group:
        raise UserError(f"cannot read the override '{override.input_line}'; it has the form KEY=VALUE")
    if override.is_delete() or override.is_sweep_override():
        return
    if _is_single(group, defaults):
        if isinstance(value, list):
            names = ",".join(map(str, value))
            raise UserError(f"{key}: one is chosen, as in -S {key}=NAME; {_sweep(key, names)} tries several")
        if not isinstance(value, (str, dict)):
            none = "; leave it out for none" if defaults[group] is None else ""
            raise UserError(f"{key}: {shown} is no name; choose one, as in -S {key}=NAME{none}")
    changes = isinstance(value, dict) and all(isinstance(change, dict) for change in value.values())
    if group in LISTS and not changes and not isinstance(value, (str, list)):
        none = "" if defaults.get(group, True) else f", and none as in -S '{group}=[]'"
        raise UserError(f"{key}: {shown} is no list of names; choose as in -S '{LISTS[group]}'{none}")


def _is_single(group: str, defaults: Mapping[str, Any]) -> bool:
    """Whether config.yaml chooses one member of a group, or none, and no list of them."""
    return group in defaults and not isinstance(defaults[group], list)


def _sweep(key: str, values: str) -> str:
    return f"`dvc exp run --queue -S {key}={values}`"


def check_names(settings: Config) -> None:
    """Raises UserError where what is named is not there: a gate, the shape of a benchmark's rows, what DVC watches."""
    active(settings.firewall)
    check_shapes(settings.benchmark)
    for name, model in settings.models.items():
        if not model.depends.strip():  # commands that have no DVC behind them may leave it empty
            raise UserError(
                f"models.{name}.depends: {model.depends!r} names nothing; name a file or folder, whose change makes "
                "DVC ask the model again"
            )


def _chosen(group: str, overrides: Iterable[Override], defaults: Mapping[str, Any]) -> list[Path]:
    """The files of a group that the overrides, or else the defaults of config.yaml, choose by a list."""
    chosen = defaults.get(group, [])
    for override in overrides:
        if override.key_or_group == group and not override.is_delete() and not isinstance(override.value(), dict):
            chosen = override.value()
    return [CONF / group / f"{name}.yaml" for name in (chosen if isinstance(chosen, list) else [chosen])]


def _defaults(conf: Path) -> dict[str, Any]:
    """What config.yaml chooses of every group."""
    values = OmegaConf.to_container(OmegaConf.load(conf / "config.yaml"))
    entries = values.get("defaults", []) if isinstance(values, dict) else []
    return {str(group): member for entry in entries if isinstance(entry, dict) for group, member in entry.items()}


@contextmanager
def composing(conf: Path = CONF, overrides: Sequence[str] = ()) -> Iterator[None]:
    """What Hydra raises, and what the files below `conf` make it raise, as one line; of `overrides` before it begins.

    Raises:
        UserError: in place of any of them.
    """
    try:
        parsed = _parsed(overrides)
        defaults = _defaults(conf) if parsed else {}
        for override in parsed:
            _check_choice(override, defaults)
        yield
    except OverrideParseException as error:
        raise UserError(f"cannot read the override '{error.override}'{_unreadable(str(error.override))}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{_undecodable(conf)}: not UTF-8 ({error.reason}); save it as UTF-8") from None
    except RecursionError:
        raise UserError(f"{CONF}: nested too deeply, or without end") from None
    except yaml.YAMLError as error:
        raise UserError(_not_yaml(error, conf)) from None
    except TypeError:  # Hydra joins what is chosen of a group to the name of a file
        raise UserError(
            f"{CONF}: of a group members are chosen by their names, as in -S '{GROUPS['embedded']}'"
        ) from None
    except (HydraException, OmegaConfBaseException, OSError, ValueError) as error:
        raise UserError(f"{CONF}: {_worded(error, conf)}") from None


def _unreadable(override: str) -> str:
    """Why Hydra's grammar has no place for an override, and what to write."""
    key, equals, value = override.partition("=")
    path = key.lstrip("+~")
    if not KEY.fullmatch(path):
        return f": '{path}' is no key; a key is letters from a to z, digits, _ and -, with dots between its parts"
    if not equals:
        return "; it has the form KEY=VALUE"
    if STRAY_COMMA.search(value):
        return ": beside a comma there is nothing; leave it out"
    return f": close its brackets, and put what has other signs than letters and digits in quotes: -S \"{key}='…'\""


def _worded(error: Exception, conf: Path) -> str:
    """Hydra's message in our words, where it is one of those that people meet."""
    message = str(error) or str(error.__cause__)
    groups = {path.name: path for path in conf.iterdir() if path.is_dir()} if conf.is_dir() else {}
    if key := re.search(r"(?:Could not override|Could not delete from config\.) '([\w./-]+)'", message):
        deeper = re.search(r"full_key: (\S+)", str(error.__cause__))
        return unknown_key(deeper[1] if deeper else key[1], {"": groups, "firewall.gates": all_gates()})
    if group := re.search(r"Could not delete '(\w+)'", message):
        return f"'{group[1]}' cannot be left out; choose another member, as in -S {group[1]}=NAME"
    if member := re.search(r"Could not (?:load|find) '(\w+)/([^']*)'", message):
        files = groups[member[1]].glob("*.yaml") if member[1] in groups else ()
        return f"unknown {member[1]} '{member[2]}'; {nearest(member[2], [one.stem for one in files if one.is_file()])}"
    if several := re.search(r"Ambiguous value for argument '(([\w.]+)=(.*))'", message):
        sweep = _sweep(several[2], several[3])
        if _is_single(several[2], _defaults(conf)):
            return f"'{several[1]}' chooses several of which an experiment has one; {sweep} tries each"
        return f"'{several[1]}' could be a list or a sweep; a list is '{several[2]}=[{several[3]}]', a sweep {sweep}"
    if merged := re.search(r"Error merging override (([\w.]+)=.*)", message):
        hint = f"; choose as in -S '{GROUPS[merged[2]]}'" if merged[2] in GROUPS else ""
        return f"{merged[2]}: cannot be replaced by '{merged[1]}'{hint}"
    if place := re.search(r"^(.*?)\n\s*full_key: *(\S+)", message, re.DOTALL):
        return f"{place[2]}: {_line(place[1])}"
    return _line(message.split("\n\nConfig search path")[0])


def _not_yaml(error: yaml.YAMLError, conf: Path) -> str:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    path = Path(mark.name if mark else getattr(error, "name", None) or conf)
    shown = CONF / path.relative_to(conf.resolve()) if path.is_relative_to(conf.resolve()) else path
    line = f":{mark.line + 1}" if mark else ""
    return f"{shown}{line}: not YAML: {_line(getattr(error, 'problem', None) or str(error).split(chr(10))[0])}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _undecodable(conf: Path) -> Path:
    """The first file below `conf` that is not UTF-8."""
    for path in sorted(conf.rglob("*.yaml")):
        try:
            path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return CONF / path.relative_to(conf)
    return CONF

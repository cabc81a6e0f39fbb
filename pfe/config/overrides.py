"""The overrides after -S, parsed by Hydra's grammar, with the choices in them checked before anything is composed.

Example: `Overrides.read(["student=[scratch]"], conf)` ends with "student: one is chosen, as in -S student=NAME; …".
"""

import re
import shlex
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, ValueType
from omegaconf import OmegaConf

from pfe.config.assignments import Assignment, Assignments
from pfe.config.error_messages import GROUPS, may_be_list
from pfe.config.parameter_types import NAME
from pfe.errors import UserError, nearest

# An example choice for each group with several members, by the group's name and by its key in the configuration.
LISTS = {name: choice for key, choice in GROUPS.items() for name in (key, choice.partition("=")[0])}
# Keys that the user cannot set, with the message for each.
NOT_SET = {
    "sources": "are the files that benchmark.*.path and calibration.* name, and not set themselves; set one of those",
    "hydra": "sets how Hydra itself runs and writes, which it does not do here; leave it out",
}
KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*([./@:][A-Za-z0-9_-]+)*")
STRAY_COMMA = re.compile(r"(^|[\[({,])\s*,|,\s*($|[\])}])")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
BRACKETED = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")


@dataclass(frozen=True)
class Overrides:
    """Overrides with valid choices: their `texts`, Hydra's parse of them, and the defaults of config.yaml."""

    texts: tuple[str, ...]
    parsed: tuple[Override, ...]
    defaults: Mapping[str, Any]

    @classmethod
    def read(cls, texts: Sequence[str], conf: Path) -> "Overrides":
        """Parse and check overrides against the config.yaml of `conf`.

        Raises:
            UserError: one chooses a member that cannot be chosen, or sets a key that cannot be set.
            HydraException: one is not in Hydra's grammar; `unreadable` says why.
        """
        defaults = defaults_of(conf)
        parsed = tuple(OverridesParser.create().parse_overrides(list(texts)))
        for override in parsed:
            _check(override, defaults, conf)
        return cls(tuple(texts), parsed, defaults)

    def chosen(self, group: str) -> list[str]:
        """Return the members of a group that the overrides choose, or else those of config.yaml."""
        chosen = self.defaults.get(group, [])
        for override in self.parsed:
            if override.key_or_group == group and not override.is_delete() and not isinstance(override.value(), dict):
                chosen = override.value()
        return list(map(str, chosen if isinstance(chosen, list) else [chosen]))

    @property
    def assignments(self) -> Assignments:
        """Return the values of the overrides, as they were written."""
        return Assignments(tuple(_assignment(one) for one in self.parsed if not one.is_delete()))

    def leave_out(self, path: str) -> bool:
        """Return whether an override removes a parameter."""
        return f"~{path}" in self.texts


def defaults_of(conf: Path) -> dict[str, Any]:
    """Return the default members of every group in config.yaml."""
    values = OmegaConf.to_container(OmegaConf.load(conf / "config.yaml"))
    entries = values.get("defaults", []) if isinstance(values, dict) else []
    return {str(group): member for entry in entries if isinstance(entry, dict) for group, member in entry.items()}


def groups_of(defaults: Mapping[str, Any]) -> set[str]:
    """Return the groups that config.yaml chooses from; for `rules@leaderboard` it is `rules`."""
    return {group.partition("@")[0] for group in defaults}


def members_of(group: str, conf: Path) -> list[str]:
    """Return the names of a group's members."""
    return sorted(path.stem for path in (conf / group).glob("*.yaml") if path.is_file())


def is_single(group: str, defaults: Mapping[str, Any]) -> bool:
    """Return whether config.yaml chooses at most one member of a group, and no list."""
    return group in defaults and not isinstance(defaults[group], list)


def sweep(key: str, values: str) -> str:
    """Return the command that tries each of several values."""
    return f"`dvc exp run --queue -S {shlex.quote(f'{key}={values}')}`"


def unreadable(override: str) -> str:
    """Return why Hydra's grammar rejects an override, and a remedy."""
    key, equals, value = override.partition("=")
    path = key.lstrip("+~")
    if not KEY.fullmatch(path):
        return f": '{path}' is no key; a key is letters from a to z, digits, _ and -, with dots between its parts"
    if not equals:
        return "; it has the form KEY=VALUE"
    if value.startswith("="):
        return f": one = is enough; write -S {key}={value.lstrip('=')}"
    if STRAY_COMMA.search(value):
        return ": beside a comma there is nothing; leave it out"
    if (digits := _ascii_digits(value)) != value:
        return f": digits are 0 to 9; write -S {key}={digits}"
    if _is_unclosed(value):
        return ": close its brackets and quotes, each by its own"
    return f": put what has other signs than letters and digits in quotes: -S \"{key}='…'\""


def _ascii_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)


def _is_unclosed(value: str) -> bool:
    bare = QUOTED.sub("", value)
    while (inner := BRACKETED.sub("", bare)) != bare:
        bare = inner
    return any(sign in "()[]{}'\"" for sign in bare)


def _assignment(override: Override) -> Assignment:
    key, _, text = str(override.input_line).partition("=")
    return Assignment(re.sub(r"[^+].*", "", key), key.lstrip("+"), text.strip(), override.value())


def _check(override: Override, defaults: Mapping[str, Any], conf: Path) -> None:
    """Raise UserError if an override chooses no valid member of a group, or several if only one can be chosen."""
    key, group = override.get_key_element(), override.key_or_group
    if not group:
        raise UserError(f"cannot read the override '{override.input_line}'; it has the form KEY=VALUE")
    root = re.split(r"[./]", group)[0]
    if root in NOT_SET:
        raise UserError(f"{root}: {NOT_SET[root]}")
    if override.is_delete():
        _check_left_out(key.lstrip("~"), group, defaults)
    elif override.is_sweep_override():
        _refuse_sweep(override, defaults, conf)
    else:
        _check_choice(override, defaults, conf)


def _check_left_out(key: str, group: str, defaults: Mapping[str, Any]) -> None:
    if group in LISTS:
        none = "" if defaults.get(group, True) else f", and none as in -S '{group}=[]'"
        raise UserError(f"'{key}' cannot be left out; choose as in -S '{LISTS[group]}'{none}")
    if is_single(key, defaults) and defaults[key] is not None:
        raise UserError(f"'{key}' cannot be left out; choose another member, as in -S {key}=NAME")


def _refuse_sweep(override: Override, defaults: Mapping[str, Any], conf: Path) -> None:
    """Raise UserError for a sweep, since an experiment has one value; DVC's queue can try each listed value."""
    group, values = override.key_or_group, str(override.input_line).partition("=")[2]
    key = override.get_key_element()
    if group in LISTS or group in groups_of(defaults):
        key = LISTS.get(group, key).partition("=")[0].lstrip("+")
    if override.value_type in (ValueType.GLOB_CHOICE_SWEEP, ValueType.INTERVAL_SWEEP):
        names = ",".join(members_of(key, conf)) or "…,…"
        raise UserError(f"{key}: DVC tries no {values}; write out what it is to try, as in {sweep(key, names)}")
    tries = sweep(key, values)
    is_listed = "(" not in values and (group in LISTS or ("[" not in values and may_be_list(key.lstrip("+"))))
    if is_single(key, defaults) or not is_listed:
        raise UserError(f"'{key}={values}' chooses several of which an experiment has one; {tries} tries each")
    names = re.sub(r"[\[\]]", "", values) if group in LISTS else values
    raise UserError(f"'{key}={values}' could be a list or a sweep; a list is '{key}=[{names}]', a sweep {tries}")


def _check_choice(override: Override, defaults: Mapping[str, Any], conf: Path) -> None:
    key, value, group = override.get_key_element(), override.value(), override.key_or_group
    shown = str(override.input_line).partition("=")[2]
    if value == "???" and group not in groups_of(defaults):
        instead = f"choose as in -S '{LISTS[group]}'" if group in LISTS else f"give one, as in -S {key}=…"
        raise UserError(f"{key}: ??? is no value; {instead}")
    plain = key.lstrip("+")
    if plain != key and is_single(plain, defaults) and isinstance(value, (str, list)):
        raise UserError(f"{plain}: is chosen without a +; leave it out, as in -S '{plain}={shown}'")
    if is_single(group, defaults):
        if isinstance(value, list):
            names = ",".join(map(str, value))
            raise UserError(f"{key}: one is chosen, as in -S {key}=NAME; {sweep(key, names)} tries several")
        if not isinstance(value, (str, dict)):
            none = "; leave it out for none" if defaults[group] is None else ""
            raise UserError(f"{key}: {shown} is no name; choose one, as in -S {key}=NAME{none}")
    changes = isinstance(value, dict) and all(isinstance(change, dict) for change in value.values())
    if group in LISTS and not changes and not isinstance(value, (str, list)):
        none = "" if defaults.get(group, True) else f", and none as in -S '{group}=[]'"
        raise UserError(f"{key}: {shown} is no list of names; choose as in -S '{LISTS[group]}'{none}")
    if isinstance(value, (str, list)):
        _check_names(override, [value] if isinstance(value, str) else value, defaults, conf)


def _check_names(override: Override, names: Sequence[Any], defaults: Mapping[str, Any], conf: Path) -> None:
    """Raise UserError for a path in place of a name, or a group that config.yaml chooses otherwise or not at all."""
    group = override.key_or_group
    if group in groups_of(defaults):
        for name in names:
            if isinstance(name, str) and not re.fullmatch(NAME, name):
                raise UserError(f"unknown {group} '{name}'; {nearest(name, members_of(group, conf))}")
    elif elsewhere := [choice for choice in defaults if choice.partition("@")[2] == group]:
        raise UserError(f"{group}: chosen as in -S {elsewhere[0]}=NAME")
    elif "." not in group and (conf / group).is_dir() and not (override.is_add() or override.is_force_add()):
        raise UserError(
            f"{group}: no parameter, and nothing is chosen of it; its files begin with the command that uses them"
        )

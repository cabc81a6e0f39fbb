"""What is wrong with a parameter, in the words of whoever wrote it.

Example: `unknown_key("firewall.treshold")` is "firewall.treshold: unknown key; did you mean 'threshold'?".
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from types import MappingProxyType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic_core import ErrorDetails

from pfe.config.records import FILE_NAME, LABEL, LINE, NAME, PROSE, Config
from pfe.errors import nearest

# What is chosen by a list, and such a list.
GROUPS = {
    "models": "model=[base,student]",
    "benchmark": "benchmark=[gsm1k,race]",
    "tutor": "tutor=[derive,verify]",
    "embedded": "embedded=[wide,deep]",
    "methods": "method=[linear,operon]",
}

# What a text is to be, by the pattern that it does not match.
TEXTS = {
    NAME: "not a name; a name is up to 64 letters, digits, _ and -, and begins with no -",
    LABEL: "not one line of up to 60 letters for a table; leave out |, ` and what is not to be seen",
    FILE_NAME: "not the name of a file; it is letters, digits, _ and -, and ends in .txt or .yaml",
    LINE: "not one line of text; write one, or null where it may be left out",
    PROSE: "not a text; write one, or null where it may be left out",
}

_SHOWN = 60  # letters of a value that are repeated; of a longer one its path says enough


def mistake(detail: ErrorDetails) -> str:
    loc, kind, message = detail["loc"], detail["type"], detail["msg"]
    path = ".".join(str(part) for part in loc if not str(part).startswith("["))  # pydantic's [key], and kinds
    if kind == "unexpected_keyword_argument":
        return unknown_key(path)
    if kind in ("missing", "missing_argument", "too_short") and path in GROUPS:
        return f"{path}: none chosen; name at least one, as in -S '{GROUPS[path]}'"
    if kind in ("dataclass_type", "mapping_type", "dict_type") and path in GROUPS:
        return f"{path}: not a mapping; choose as in -S '{GROUPS[path]}'"
    if kind in ("missing", "missing_argument"):
        return f"{path}: missing; set it in conf/ and run `pfe params`"
    if kind == "string_too_long" and path.endswith((".label", ".title")):
        return f"{path}: {TEXTS[LABEL]}"
    if kind == "literal_error" and isinstance(detail["input"], str):
        allowed = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        return f"{path}: unknown value '{detail['input']}'; {nearest(detail['input'], allowed)}"
    value = detail["input"]
    shown = repr(value) if isinstance(value, str) else json.dumps(value, default=str)
    if kind == "string_pattern_mismatch":
        repeated = f"{shown} is " if "[key]" not in loc and len(shown) <= _SHOWN else ""
        return f"{path}: {repeated}{TEXTS[detail['ctx']['pattern']]}"
    if message.startswith("Input ") and len(shown) <= _SHOWN:
        return f"{path}: {shown}{message.removeprefix('Input')}"
    return f"{path}: {message[0].lower()}{message[1:]}"


def unknown_key(path: str, names: Mapping[str, Iterable[str]] = MappingProxyType({})) -> str:
    """What to say of a parameter path that does not exist: its first wrong part, and the nearest right one.

    Args:
        path: parts with dots between them.
        names: by a path what else may stand below it; below "" where nothing follows.
    """
    kind: Any = Config
    parts = path.split(".")
    for place, part in enumerate(parts):
        above = ".".join(parts[:place])
        records = _records(kind)
        hints = {name: hint for record in records for name, hint in get_type_hints(record).items()}
        known = {*hints, *(names.get(above, ()) if above or len(parts) == 1 else ())}
        if known and part not in known:
            return f"{'.'.join(parts[: place + 1])}: unknown key; {nearest(part, known)}"
        last = place + 1 == len(parts)
        if last and (companions := _companions(part, records)):
            return (
                f"{path}: goes with {' and '.join(companions)}, which this one has not; choose another -S {above}=NAME"
            )
        if last and above in GROUPS:
            return f"{path}: not chosen; choose as in -S '{GROUPS[above]}'"
        free = get_origin(kind) is Mapping and not known
        if (above and part in names.get(above, ())) or (last and (free or (above and part in hints))):
            return f"{path}: not listed there; add it, as in -S +{path}=…"
        kind = hints[part] if part in hints else get_args(kind)[-1] if get_args(kind) else None
    return f"{path}: unknown key"


def _records(kind: Any) -> list[Any]:
    """The dataclasses that may stand in a place."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [one for one in kinds if is_dataclass(one)]


def _companions(name: str, records: Sequence[Any]) -> list[str]:
    """What else stands in those records alone that have a field, where others of the place have it not."""
    fields = [list(get_type_hints(record)) for record in records]
    others = {field for one in fields if name not in one for field in one}
    return [field for one in fields if name in one for field in one if others and field not in {name, *others}]

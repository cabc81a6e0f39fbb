"""Error messages about parameters, in terms of what the user wrote.

Example: `unknown_key("firewall.treshold")` is "firewall.treshold: unknown key; did you mean 'threshold'?".
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic_core import ErrorDetails

from pfe.config.assignments import Assignments
from pfe.config.parameter_types import DURATION, FILE_NAME, LABEL, LINE, NAME, PROSE, SHA256, Duration
from pfe.config.records import Config
from pfe.errors import nearest

# The keys that a list of members fills, with an example of such a list.
GROUPS = {
    "models": "model=[base,student]",
    "benchmark": "benchmark=[gsm1k,race]",
    "tutor": "tutor=[derive,verify]",
    "embedded": "embedded=[wide,deep]",
    "methods": "method=[linear,operon]",
}

# The error message for each pattern that a text does not match.
TEXTS = {
    NAME: "not a name; a name is up to 64 letters, digits, _ and -, and begins with no -",
    LABEL: "not one line of up to 60 letters for a table; leave out |, ` and what is not to be seen",
    FILE_NAME: "not the name of a file; it is letters, digits, _ and -, and ends in .txt or .yaml",
    LINE: "not one line of text; write one, or null where it may be left out",
    DURATION: "no time that Slurm reads; write hours:minutes:seconds, as in '24:00:00', minutes, or days-hours",
    SHA256: "no SHA-256; it is 64 digits from 0 to 9 and letters from a to f, or null where any will do",
    PROSE: "not a text; write one, or null where it may be left out",
}

NOTHING = Assignments()
_SHOWN = 60  # characters of a value that a message repeats; for a longer one the path is enough


def messages(details: Iterable[ErrorDetails], assignments: Assignments) -> list[str]:
    """Return the error messages about parameters, without duplicates; `given` are the overrides that set some."""
    return list(dict.fromkeys(_message(detail, assignments) for detail in details if not _is_of_another(detail)))


def _is_of_another(detail: ErrorDetails) -> bool:
    """Return whether a list is too short only because other errors already report some of its items."""
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


def _message(detail: ErrorDetails, assignments: Assignments) -> str:
    loc, kind, message = detail["loc"], detail["type"], detail["msg"]
    path = ".".join(str(part) for part in loc if not str(part).startswith("["))  # without pydantic's [key] and tags
    if kind == "unexpected_keyword_argument":
        return unknown_key(path)
    if kind in ("missing", "missing_argument", "too_short") and path in GROUPS:
        return f"{path}: none chosen; name at least one, as in -S '{GROUPS[path]}'"
    if kind in ("dataclass_type", "mapping_type", "dict_type") and path in GROUPS:
        return f"{path}: not a mapping; choose as in -S '{GROUPS[path]}'"
    if kind in ("missing", "missing_argument") and (whole := _whole(path.rpartition(".")[0], assignments)):
        return f"{path}: missing; {whole}"
    if kind in ("missing", "missing_argument") and (beside := assignments.beside(path)):
        return f"{path}: missing; give it {beside}"
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
    if kind == "string_type" and isinstance(value, (int, float)):
        return f"{path}: {_no_text(path, value, assignments)}"
    if words := _of_its_kind(path, kind, detail.get("ctx", {}), assignments):
        return f"{path}: {shown if len(shown) <= _SHOWN else 'it'} {words}"
    if message.startswith("Input ") and len(shown) <= _SHOWN:
        return f"{path}: {shown}{message.removeprefix('Input')}"
    return f"{path}: {message[0].lower()}{message[1:]}"


def _no_text(path: str, value: float, assignments: Assignments) -> str:
    """Return the message about a number in place of a text; it repeats the number only if it is known as written."""
    what = "true or false" if isinstance(value, bool) else "a number"
    if _is_time(path):
        example = assignments.instead(path, "'24:00:00'")
        return f"is read as {what}; write it in quotes as hours:minutes:seconds, as in {example}"
    written = assignments.text(path, value)
    quoted = assignments.instead(path, f"'{written}'")
    if written == "…" or len(written) > _SHOWN:
        return f"is read as {what}; put it in quotes, as in {quoted}"
    return f"{written} is no text; put it in quotes, as in {quoted}"


def _of_its_kind(path: str, kind: str, context: Mapping[str, Any], assignments: Assignments) -> str:
    """Return the message about a value of the wrong type, if pydantic's message does not say what to write; else ""."""
    record = _records(_kind(path))
    if kind in ("dataclass_type", "mapping_type", "dict_type") and record:
        key = next(iter(get_type_hints(record[0])))
        if not (one := assignments.itself(path)):
            return f"stands where its keys belong; write them there, as in {assignments.instead(path, f'{{{key}: …}}')}"
        return f"stands where its keys belong; set them one by one, as in -S {one.sign}{path}.{key}=…"
    if kind in ("tuple_type", "list_type"):
        return f"is no list; write one in brackets, as in {assignments.instead(path, _examples(path))}"
    if kind == "too_short":
        fewest = context["min_length"]
        return f"is too short; give at least {fewest}, as in {assignments.instead(path, _examples(path))}"
    if kind == "too_long":
        return f"is too long; give at most {context['max_length']}"
    return ""


def _examples(path: str) -> str:
    """Return an example list for a parameter, as far as its type tells."""
    inner = next((get_args(one) for one in get_args(_kind(path)) if get_origin(one) is Literal), ())
    return f"[{','.join(map(str, inner[:2])) or '…'}]"


def _kind(path: str) -> Any:
    """Return the type of a parameter; None if it has none."""
    kind: Any = Config
    for part in path.split("."):
        hints = {name: hint for record in _records(kind) for name, hint in get_type_hints(record).items()}
        kind = hints.get(part) or (get_args(kind)[-1] if get_origin(kind) is Mapping else None)
    return kind


def _is_time(path: str) -> bool:
    above, _, name = path.rpartition(".")
    return any(get_type_hints(one, include_extras=True).get(name) == Duration for one in _records(_kind(above)))


def may_be_list(path: str) -> bool:
    """Return whether a parameter can be a list, as far as its type tells."""
    kind = _kind(path)
    return kind in (None, Any) or any(get_origin(one) is tuple for one in (kind, *get_args(kind)))


def _whole(path: str, assignments: Assignments = NOTHING) -> str:
    """Return how to set a record that is null and so has no parts to set alone; "" for other parameters."""
    kind = _kind(path)
    records = _records(kind)
    if not records or NoneType not in get_args(kind):
        return ""
    keys = ", ".join(f"{name}: …" for name in get_type_hints(records[0]))
    one = assignments.itself(path)
    return f"give all of it, as in -S '{one.sign if one else ''}{path}={{{keys}}}'"


def unknown_key(
    path: str,
    names: Mapping[str, Iterable[str]] = MappingProxyType({}),
    holders: Sequence[str] = (),
    addition: str = "",
    goes_on: str = "",
) -> str:
    """Return the message about a parameter path that does not exist: its first wrong part, and the nearest valid one.

    Args:
        path: parts separated by dots.
        names: further keys that may follow a path; those of "" apply only to a path of one part.
        holders: the members of its group that have the key.
        addition: the override that adds it, if it may be added.
        goes_on: the path of the override, if it goes on below the part that does not exist.
    """
    if wrong := _misspelt(goes_on or path, names):
        return wrong
    kind: Any = Config
    parts = path.split(".")
    for place, part in enumerate(parts):
        above = ".".join(parts[:place])
        records = _records(kind)
        hints = _hints(kind)
        last = place + 1 == len(parts)
        if last and (companions := _companions(part, records)):
            others = " or ".join(f"-S {above}={name}" for name in holders) or f"-S {above}=NAME"
            return f"{path}: goes with {' and '.join(companions)}, which this one has not; choose another, {others}"
        if last and above in GROUPS:
            return f"{path}: not chosen; choose as in -S '{GROUPS[above]}'"
        free = get_origin(kind) is Mapping and not names.get(above)
        if (above and part in names.get(above, ())) or (last and (free or (above and part in hints))):
            if last and (whole := _whole(above)):
                return f"{path}: {above} is null there; {whole}"
            return f"{path}: not listed there; add it, as in -S {addition or f'+{path}=…'}"
        kind = _below(kind, part)
    return f"{path}: unknown key"


def _misspelt(path: str, names: Mapping[str, Iterable[str]]) -> str:
    """Return the message about the first part of a path that no record has; "" if every part may exist."""
    kind: Any = Config
    parts = path.split(".")
    for place, part in enumerate(parts):
        above = ".".join(parts[:place])
        known = {*_hints(kind), *(names.get(above, ()) if above or len(parts) == 1 else ())}
        if known and part not in known:
            return f"{'.'.join(parts[: place + 1])}: unknown key; {nearest(part, known)}"
        kind = _below(kind, part)
    return ""


def _hints(kind: Any) -> dict[str, Any]:
    """Return the keys that a place may have, with their types."""
    return {name: hint for record in _records(kind) for name, hint in get_type_hints(record).items()}


def _below(kind: Any, part: str) -> Any:
    hints = _hints(kind)
    return hints[part] if part in hints else get_args(kind)[-1] if get_args(kind) else None


def _records(kind: Any) -> list[Any]:
    """Return the dataclasses that a place may hold."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [one for one in kinds if is_dataclass(one)]


def _companions(name: str, records: Sequence[Any]) -> list[str]:
    """Return the other fields of the records that have a field, if other records of that place lack it."""
    fields = [list(get_type_hints(record)) for record in records]
    others = {field for one in fields if name not in one for field in one}
    return [field for one in fields if name in one for field in one if others and field not in {name, *others}]

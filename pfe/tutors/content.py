"""Content of families: the YAML files below `content/`, and the tables of words that they share.

Example: `content/gsm1k_synth/shared_dinner.yaml` begins with `engine: arithmetic` and holds what
`pfe.tutors.engines.arithmetic` asks for; `table("people")` is the rows of `tables/people.yaml`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import yaml
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pfe.errors import UserError, nearest
from pfe.tutors.place import Key, Place

T = TypeVar("T")
Filled = Annotated[T, Field(min_length=1)]  # a text, a list or a mapping that holds something
Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]
CONTENT = Path(__file__).parent / "content"
TABLES = Path(__file__).parent / "tables"


# The C library reads some 40 large files of tables in a second, the one in Python in ten.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as its version 1.2 has it: `on`, `no`, `12:30` and `2024-01-31` are texts; no key stands twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        made: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(made) < len(node.value):
            keys = [key.value for key, _ in node.value]
            twice = next((key for key, _ in reversed(node.value) if keys.count(key.value) > 1), node)
            raise yaml.constructor.ConstructorError(
                None, None, f"the key '{twice.value}' stands twice", twice.start_mark
            )
        return made


_PLAIN = {"bool": r"true|false", "int": r"-?(?:0|[1-9][0-9]*)", "float": r"-?[0-9]+\.[0-9]+", "null": r"null|~|"}
_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern in _PLAIN.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), None)


def content_files(set: str) -> list[Path]:
    """The families of a set that are written as content, by name."""
    return sorted((CONTENT / set).glob("*.yaml"))


def content_sets() -> list[str]:
    """The sets that have a folder of content."""
    return sorted(path.name for path in CONTENT.iterdir() if path.is_dir()) if CONTENT.is_dir() else []


def read_yaml(path: Path) -> Any:
    """What a YAML file holds.

    Raises:
        UserError: it is missing, or no YAML; names file and line.
    """
    try:
        return _loaded(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; take it from the repository again") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path}{_yaml_mistake(error)}; mend it there or just above") from None


@lru_cache(maxsize=1)
def _loaded(text: str) -> Any:
    """Kept while a family is made: which engine it is of is looked up first, and the engine reads the file again."""
    return yaml.load(text, _Loader)


def _yaml_mistake(error: yaml.YAMLError) -> str:
    """The line of what is no YAML, and what is wrong with it."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    line = f", line {mark.line + 1}" if mark else ""
    return f"{line}: not YAML: {problem or ' '.join(str(error).split())}"


def read_content(path: Path, kind: type[T], values: Any, *keys: Key) -> T:
    """What an engine is given of a family's file, as its record.

    Args:
        keys: where in the file the values stand, if they are not all of it.

    Raises:
        UserError: a key is unknown, missing or ill-typed; names every one, with file and line.
    """
    try:
        content: T = _adapter(kind).validate_python(values)  # type: ignore[arg-type]  # the types given have a hash
        return content
    except ValidationError as error:
        raise UserError("; ".join(_mistakes(Place(path, keys), kind, values, error.errors()))) from None


def check_keys(values: Mapping[str, Any], needed: Sequence[str], may: Sequence[str], place: Place) -> None:
    """That a mapping has the keys that it needs, and none that it may not have; each a text, a list or a number.

    Raises:
        UserError: it has not.
    """
    for key in values:
        if key not in (*needed, *may):
            raise UserError(f"{place / key}: unknown key; {nearest(key, [*needed, *may])}")
        if not values[key]:
            raise UserError(f"{place / key}: empty; write at least 1")
    for key in needed:
        if key not in values:
            raise UserError(f"{place / key}: missing; add `{key}:`")


def check_texts(values: Mapping[str, Any], keys: Iterable[str], place: Place) -> None:
    """That what stands under these keys, where they are there, is a text or a list of texts.

    Raises:
        UserError: it is not.
    """
    for key in keys:
        listed = values.get(key, "")
        if not all(isinstance(text, str) for text in (listed if isinstance(listed, list) else [listed])):
            raise UserError(f"{place / key}: found {listed!r:.60}; write a text, or a list of texts")


def _mistakes(place: Place, kind: Any, values: Any, details: Sequence[ErrorDetails]) -> Iterator[str]:
    """Every mistake with its place; of what may be of several types, what is wrong with the nearest."""
    by_keys = {_standing(values, detail): detail for detail in reversed(details)}
    in_order = list(reversed(by_keys.items()))
    # A key that is mistyped is both unknown and missing: what was written comes first.
    for keys, detail in sorted(in_order, key=lambda pair: pair[1]["type"].startswith("missing")):
        if any(len(other) > len(keys) and other[: len(keys)] == keys for other in by_keys):
            continue
        yield f"{Place(place.root, (*place.keys, *keys))}: {_mistake(kind, detail)}"


def _mistake(kind: Any, detail: ErrorDetails) -> str:
    loc = detail["loc"]
    match detail["type"]:
        case "unexpected_keyword_argument":
            return f"unknown key; {nearest(str(loc[-1]), _keys_of(kind, loc[:-1]))}"
        case "missing" | "missing_argument":
            return f"missing; add `{loc[-1]}:`"
        case "too_short" | "string_too_short":
            least, length = detail["ctx"]["min_length"], len(detail["input"])
            return f"{f'{length} are too few' if length else 'empty'}; write at least {least}"
    return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, found {detail['input']!r:.60}; mend it"


def _standing(values: Any, detail: ErrorDetails) -> tuple[Key, ...]:
    """The keys in the file of what a detail speaks of: without the names of types among which there was a choice."""
    keys: list[Key] = []
    for key in detail["loc"]:
        if (isinstance(values, dict) and key in values) or (isinstance(values, list) and isinstance(key, int)):
            values = values[key]  # type: ignore[index]
            keys.append(key)
    return (*keys, detail["loc"][-1]) if detail["type"] in ("missing", "missing_argument") else tuple(keys)


def _keys_of(kind: Any, loc: Iterable[Key]) -> list[str]:
    """The keys that the record at a place may have."""
    for key in loc:
        arguments = get_args(kind)
        if is_dataclass(kind):
            kind = get_type_hints(kind)[_aliases(kind).get(str(key), str(key))]
        elif get_origin(kind) in (Union, UnionType):
            kind = next(one for one in arguments if getattr(one, "__name__", "") == key)
        else:
            kind = arguments[1 if issubclass(get_origin(kind), Mapping) else 0]
    aliases = {name: alias for alias, name in _aliases(kind).items()}
    return [aliases.get(field.name, field.name) for field in fields(kind)]


def _aliases(kind: Any) -> Mapping[str, str]:
    """The names of a record's fields that are other words in the file, by these."""
    found = {field.name: getattr(field.default, "alias", None) for field in fields(kind)}
    return {alias: name for name, alias in found.items() if alias}


@contextmanager
def telling_mistakes(path: Path, what: str) -> Iterator[None]:
    """Tell what goes wrong within as a mistake in a family's file.

    An engine trusts what its file says; where that makes no sense, anything may happen.

    Args:
        what: is being made of it.
    """
    try:
        yield
    except UserError as error:
        told = str(error)
        raise UserError(told if str(path) in told else f"{path}: {told}") from error
    except _CONSEQUENCES as error:
        raise UserError(f"{path}: {what} cannot be made: {_reason(error)}; mend what the file says of it") from error


_CONSEQUENCES = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RecursionError, StopIteration, SyntaxError,
    TypeError, ValueError,
)  # fmt: skip


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"nothing in the family is called {error.args[0]!r}"
    return str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def table(name: str) -> Any:
    """A table of words that several families share: what `tables/<name>.yaml` holds.

    Raises:
        UserError: there is no such table, or it is no YAML.
    """
    path = TABLES / f"{name}.yaml"
    if not path.is_file():
        raise UserError(f"unknown table '{name}'; {nearest(name, [file.stem for file in TABLES.glob('*.yaml')])}")
    return read_yaml(path)


def engine_and_rest(path: Path) -> tuple[str, Mapping[str, Any]]:
    """The name of the engine of a family's file, and all else that it says.

    Raises:
        UserError: the file is no mapping, or names no engine.
    """
    values = read_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("engine"), str):
        raise UserError(f"{path}: name its engine in the first line, as in `engine: arithmetic`")
    return values["engine"], {key: value for key, value in values.items() if key != "engine"}

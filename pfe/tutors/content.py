"""Reading the content of families: the YAML files below `content/`, and the word tables that they share.

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
Filled = Annotated[T, Field(min_length=1)]  # a non-empty text, list or mapping
Weight = Annotated[float, Field(gt=0, allow_inf_nan=False)]
CONTENT = Path(__file__).parent / "content"
TABLES = Path(__file__).parent / "tables"


# The C loader reads some 40 large tables in one second, the Python loader in ten.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A YAML 1.2 loader: `on`, `no`, `12:30` and `2024-01-31` are texts; a duplicate key is an error."""

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
    """Return the content files of a set, one for each family, sorted by name."""
    return sorted((CONTENT / set).glob("*.yaml"))


def content_sets() -> list[str]:
    """Return the names of the sets that have a folder of content, sorted."""
    return sorted(path.name for path in CONTENT.iterdir() if path.is_dir()) if CONTENT.is_dir() else []


def read_yaml(path: Path) -> Any:
    """Return the parsed content of a YAML file.

    Raises:
        UserError: it is missing, not UTF-8 or not YAML; names the file and, for a YAML error, the line.
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
    """Parse YAML text. The last result is cached.

    Each family's file is parsed twice in a row: for the name of its engine, and by the engine.
    """
    return yaml.load(text, _Loader)


def _yaml_mistake(error: yaml.YAMLError) -> str:
    """Return the line of a YAML error, if it is known, and the error itself."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    line = f", line {mark.line + 1}" if mark else ""
    return f"{line}: not YAML: {problem or ' '.join(str(error).split())}"


def read_content(path: Path, kind: type[T], values: Any, *keys: Key) -> T:
    """Return the values in a family's file as a record of the type `kind`.

    Args:
        keys: the path to the values in the file, if they are not the whole file.

    Raises:
        UserError: a key is unknown, missing or ill-typed; names every such key, with file and line.
    """
    try:
        content: T = _adapter(kind).validate_python(values)  # type: ignore[arg-type]  # the types given have a hash
        return content
    except ValidationError as error:
        raise UserError("; ".join(_mistakes(Place(path, keys), kind, values, error.errors()))) from None


def check_keys(values: Mapping[str, Any], needed: Sequence[str], may: Sequence[str], place: Place) -> None:
    """Reject a mapping that lacks a needed key, has a key that is not in `needed` or `may`, or has an empty value.

    The values are texts, lists or numbers.

    Raises:
        UserError: it does.
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
    """Reject a value that is neither a text nor a list of texts, for those of `keys` that the mapping has.

    Raises:
        UserError: there is such a value.
    """
    for key in keys:
        listed = values.get(key, "")
        if not all(isinstance(text, str) for text in (listed if isinstance(listed, list) else [listed])):
            raise UserError(f"{place / key}: found {listed!r:.60}; write a text, or a list of texts")


def _mistakes(place: Place, kind: Any, values: Any, details: Sequence[ErrorDetails]) -> Iterator[str]:
    """Yield every mistake with its place, unknown keys before missing ones.

    If a value may be of several types, only the mistakes in the type that fits it best are yielded.
    """
    by_keys = {_standing(values, detail): detail for detail in reversed(details)}
    in_order = list(reversed(by_keys.items()))
    # A mistyped key is reported both as unknown and as missing: the key in the file comes first.
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
    """Return the keys in the file that lead to an error, without the names of types that a union adds to its path."""
    keys: list[Key] = []
    for key in detail["loc"]:
        if (isinstance(values, dict) and key in values) or (isinstance(values, list) and isinstance(key, int)):
            values = values[key]  # type: ignore[index]
            keys.append(key)
    return (*keys, detail["loc"][-1]) if detail["type"] in ("missing", "missing_argument") else tuple(keys)


def _keys_of(kind: Any, loc: Iterable[Key]) -> list[str]:
    """Return the keys that the record at a location may have."""
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
    """Return the names of a record's fields by alias, for fields that have an alias in the file."""
    found = {field.name: getattr(field.default, "alias", None) for field in fields(kind)}
    return {alias: name for name, alias in found.items() if alias}


@contextmanager
def telling_mistakes(path: Path, what: str) -> Iterator[None]:
    """Report an exception in the block as a mistake in a family's file.

    An engine trusts its file, so senseless content can raise almost any exception.

    Args:
        what: the thing that is being generated from the file, for the message.
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
    """Return a word table that several families share: the content of `tables/<name>.yaml`.

    Raises:
        UserError: there is no such table, or it is not YAML.
    """
    path = TABLES / f"{name}.yaml"
    if not path.is_file():
        raise UserError(f"unknown table '{name}'; {nearest(name, [file.stem for file in TABLES.glob('*.yaml')])}")
    return read_yaml(path)


def engine_and_rest(path: Path) -> tuple[str, Mapping[str, Any]]:
    """Return the engine's name in a family's file, and a mapping of all other keys.

    Raises:
        UserError: the file is not a mapping, or names no engine.
    """
    values = read_yaml(path)
    if not isinstance(values, dict) or not isinstance(values.get("engine"), str):
        raise UserError(f"{path}: name its engine in the first line, as in `engine: arithmetic`")
    return values["engine"], {key: value for key, value in values.items() if key != "engine"}

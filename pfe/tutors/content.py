"""Content of families: the YAML files below `content/`, and the tables of words that they share.

Example: `content/gsm1k_synth/shared_dinner.yaml` begins with `engine: arithmetic` and holds what
`pfe.tutors.engines.arithmetic` asks for; `table("people")` is the rows of `tables/people.yaml`.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from pfe.errors import UserError, nearest

T = TypeVar("T")
CONTENT = Path(__file__).parent / "content"
TABLES = Path(__file__).parent / "tables"


# The C library reads some 40 large files of tables in a second, the one in Python in ten.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as its version 1.2 has it: `on`, `no`, `12:30` and `2024-01-31` are texts."""


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
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; take it from the repository again") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path}: not YAML: {' '.join(str(error).split())}") from None


def read_content(path: Path, kind: type[T], values: Any) -> T:
    """What an engine is given of a family's file, as its record.

    Raises:
        UserError: a key is unknown, missing or ill-typed; names every one, with the file.
    """
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        mistakes = [
            f"{'.'.join(map(str, detail['loc'])) or 'the file'}: {detail['msg'].lower()}" for detail in error.errors()
        ]
        raise UserError(f"{path}: {'; '.join(dict.fromkeys(mistakes))}") from None


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

"""Checks the files that a stage reads against the hashes in dvc.lock.

Example: after a changed digit in data/predictions/base/gsm1k.parquet, `verify("score")` raises
"data/predictions/base: not what dvc.lock says evaluate@base wrote; run `dvc repro evaluate@base`, …".

DVC makes this check before it runs a stage; a stage that is run by hand needs its own.
Source of the hashes: dvc-data 3, `Tree.as_bytes` and `file_md5`, format "md5" of dvc.lock's schema 2.0.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from hashlib import file_digest, md5
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import yaml

from pfe.errors import UserError

T = TypeVar("T")
_WRONG = {
    "missing": "missing",
    "dataclass_type": "no mapping",
    "dict_type": "no mapping",
    "mapping_type": "no mapping",
    "list_type": "no list",
    "string_type": "no text",
}
IGNORED = ("__pycache__", "*.tmp")  # as in .dvcignore
_SHOWN = 3  # paths in one warning
# Where DVC's YAML 1.2 and PyYAML's 1.1 differ. Source: ruamel.yaml 0.18, `resolver.implicit_resolvers`.
_PATTERNS = {
    "bool": r"(?:true|True|TRUE|false|False|FALSE)$",
    "int": r"(?:[-+]?0b[01_]+|[-+]?0o?[0-7_]+|[-+]?[0-9][0-9_]*|[-+]?0x[0-9a-fA-F_]+)$",
    "float": r"""(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+
                 |[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$""",
}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # in C: a lock has thousands of lines
    """Reads YAML 1.2, as DVC writes it: 24:00:00 is a string, 1e-05 is a number, and duplicate keys are errors."""

    yaml_implicit_resolvers: ClassVar = {
        first: [
            (tag, re.compile(_PATTERNS.get(tag.rpartition(":")[2], pattern.pattern), re.X)) for tag, pattern in found
        ]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        counts = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
        if twice := [key for key, count in counts.items() if count > 1]:
            raise yaml.constructor.ConstructorError(None, None, f"'{twice[0]}' stands there twice", node.start_mark)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


@dataclass(frozen=True)
class Locked:
    """A file or folder that a stage read or wrote; `md5` is None if dvc.lock has a hash of another kind."""

    path: str
    md5: str | None = None


@dataclass(frozen=True)
class Stage:
    """The entry of a stage in dvc.lock, from its last run; `params` are values by dotted names, by file.

    Source: `dvc.schema.LOCKFILE_SCHEMA` of DVC 3.67; its other keys (sizes, remotes) are not needed here.
    """

    cmd: str | list[Any]
    deps: list[Locked] = field(default_factory=list)
    outs: list[Locked] = field(default_factory=list)
    params: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the stage's parameters from params.yaml."""
        return self.params.get("params.yaml", {})


@dataclass(frozen=True)
class _Lock:
    schema: Literal["2.0"]
    stages: dict[str, Stage] = field(default_factory=dict)


@dataclass(frozen=True)
class _Declared:
    """The entry of a stage in dvc.yaml, or `do` for those of a `foreach`; a path may be a mapping to its options."""

    deps: list[str] = field(default_factory=list)
    outs: list[str | dict[str, Any]] = field(default_factory=list)
    metrics: list[str | dict[str, Any]] = field(default_factory=list)
    plots: list[str | dict[str, Any]] = field(default_factory=list)
    do: "_Declared | None" = None

    @property
    def written(self) -> Iterator[Path]:
        """Yield the paths that the stage writes, cut at the part that differs between the stages of a `foreach`."""
        for out in (*self.outs, *self.metrics, *self.plots):
            for path in [out] if isinstance(out, str) else out:
                yield Path(path.partition("/${")[0])


@dataclass(frozen=True)
class _Pipeline:
    stages: dict[str, _Declared] = field(default_factory=dict)


@dataclass(frozen=True)
class Output:
    """A path that a stage wrote, by dvc.lock, with the MD5 of a file, or of a folder's list of files plus `.dir`."""

    stage: str
    path: Path
    md5: str


def verify(stage: str, key: str | None = None, root: Path = Path()) -> None:
    """Compare everything that a stage reads from other stages with dvc.lock; warn about what cannot be compared.

    Args:
        stage: its name in dvc.yaml.
        key: selects one of the stages of a `foreach`.
        root: the folder of dvc.yaml and dvc.lock.

    Raises:
        UserError: a file or folder differs from the lock.
    """
    locked = _locked(root)
    outputs = list(_outputs(locked))
    unverified = []
    for path in _dependencies(stage, key, locked, _declared(root)):
        covering = [output for output in outputs if path in (output.path, *output.path.parents)
                    or output.path in path.parents]  # fmt: skip
        for output in covering:
            if (root / output.path).exists() and hash_of(root / output.path) != output.md5:
                raise UserError(
                    f"{output.path}: not what dvc.lock says {output.stage} wrote; run `dvc repro {output.stage}` to "
                    f"make it again, or `dvc commit {output.stage}` if you made it yourself and stand by it"
                )
        unverified += _uncovered(path, covering, root)
    if unverified:
        shown = ", ".join(map(str, unverified[:_SHOWN]))
        more = f" and {len(unverified) - _SHOWN:,} more" if len(unverified) > _SHOWN else ""
        print(
            f"WARNING: not verified, for dvc.lock does not say what was written there: {shown}{more}", file=sys.stderr
        )


def parameters(stage: str, root: Path = Path()) -> Mapping[str, Any]:
    """Return the parameters of a stage's last run, after checking that all its inputs and outputs are unchanged.

    Args:
        root: the folder of dvc.lock.

    Raises:
        UserError: the stage was not run, or a file has changed since.
    """
    locked = _locked(root).get(stage)
    if locked is None:
        raise UserError(f"{root}: dvc.lock says of no run of {stage}; run `dvc repro {stage}` there")
    for entry in (*locked.deps, *locked.outs):
        path = root / entry.path
        if not path.exists() or hash_of(path) != entry.md5:
            raise UserError(f"{path}: not what dvc.lock says of the run of {stage}; run `dvc repro {stage}` in {root}")
    return locked.parameters


def stages_of(text: bytes, path: Path) -> Mapping[str, Stage]:
    """Parse a dvc.lock into its stages by name.

    Args:
        path: the path of the file, for the message.

    Raises:
        UserError: the file is damaged.
    """
    return _read(text, path, _Lock).stages


def hash_of(path: Path) -> str:
    """Return the hash of a file or folder, as dvc.lock writes it."""
    if not path.is_dir():
        return _file_md5(path)
    files = sorted(file for file in path.rglob("*") if file.is_file() and not _is_ignored(file.relative_to(path)))
    entries = [{"md5": _file_md5(file), "relpath": file.relative_to(path).as_posix()} for file in files]
    entries.sort(key=lambda entry: entry["relpath"])
    return md5(json.dumps(entries, sort_keys=True).encode(), usedforsecurity=False).hexdigest() + ".dir"


def _file_md5(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, lambda: md5(usedforsecurity=False)).hexdigest()


def _is_ignored(path: Path) -> bool:
    return any(fnmatch(part, pattern) for part in path.parts for pattern in IGNORED)


def _outputs(locked: Mapping[str, Stage]) -> Iterator[Output]:
    for name, stage in locked.items():
        for out in stage.outs:
            if out.md5 is not None:
                yield Output(name, Path(out.path), out.md5)


def _dependencies(
    stage: str, key: str | None, locked: Mapping[str, Stage], declared: Mapping[str, _Declared]
) -> list[Path]:
    """Return the paths that a stage reads and another stage writes."""
    outputs = [path for other in declared.values() for path in other.written]
    of_stage, of_run = declared.get(stage), locked.get(f"{stage}@{key}")
    dependencies = [*(of_stage.deps if of_stage else ()), *(dep.path for dep in (of_run.deps if of_run else ()))]
    paths = [Path(dep) for dep in dict.fromkeys(dependencies) if "${" not in dep]
    return [path for path in paths if any(path == out or path in out.parents or out in path.parents for out in outputs)]


def _uncovered(path: Path, covering: list[Output], root: Path) -> list[Path]:
    """Return the parts of a dependency that no output in the lock covers."""
    if any(output.path == path or output.path in path.parents for output in covering):
        return []
    covered = {output.path for output in covering}
    if not (root / path).is_dir():
        return [path]
    inner = [path / child.name for child in sorted((root / path).iterdir()) if not _is_ignored(Path(child.name))]
    return [child for child in inner if child not in covered and child.name != ".gitignore"]


def _locked(root: Path) -> Mapping[str, Stage]:
    """Return the stages of a folder's dvc.lock; empty if there is no such file."""
    path = root / "dvc.lock"
    try:
        return stages_of(path.read_bytes(), path)
    except FileNotFoundError:
        return {}


def _declared(root: Path) -> Mapping[str, _Declared]:
    """Return the stages of a folder's dvc.yaml, `do` for a `foreach`; empty if the file is missing or empty."""
    path = root / "dvc.yaml"
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return {}
    stages = _read(text, path, _Pipeline).stages if text.strip() else {}
    return {name: stage.do or stage for name, stage in stages.items()}


def _read(text: bytes, path: Path, kind: type[T]) -> T:
    """Parse one of DVC's files into a record.

    Raises:
        UserError: the file is damaged.
    """
    from pydantic import TypeAdapter, ValidationError

    values = None
    try:
        values = yaml.load(text.decode(), _Loader)
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        what = ": ".join(filter(None, [_place(first["loc"], values), _WRONG.get(first["type"], first["msg"])]))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f"line {mark.line + 1}: " if mark else ""
        what = f"{line}{error.problem or 'not YAML'}"
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: not UTF-8, or an invalid date
        what = "not YAML"
    raise UserError(f"{path}: damaged ({what}); take it from git again (`git checkout {path.name}`)")


def _place(loc: Sequence[int | str], values: Any) -> str:
    """Return the dotted path of an error in a file, without the type names that pydantic adds."""
    place: list[str] = []
    for part in loc:
        inside = isinstance(values, dict) or (isinstance(values, list) and isinstance(part, int))
        if not inside or "[" in str(part):
            break
        place.append(str(part))
        values = values.get(part) if isinstance(values, dict) else values[int(part)]
    return ".".join(place)

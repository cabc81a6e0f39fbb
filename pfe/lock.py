"""What a stage reads, held against what dvc.lock says was written there.

Example: after a changed digit in data/predictions/base/gsm1k.parquet, `verify("score")` raises
"data/predictions/base: not what dvc.lock says evaluate@base wrote; run `dvc repro evaluate@base`, …".

DVC compares before it runs a stage; a stage that is run by hand has nobody else who does.
Source of the hashes: dvc-data 3, `Tree.as_bytes` and `file_md5`, format "md5" of dvc.lock's schema 2.0.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from hashlib import file_digest, md5
from pathlib import Path
from typing import Any, ClassVar

import yaml

from pfe.errors import UserError

IGNORED = ("__pycache__", "*.tmp")  # as in .dvcignore
_BOOLEAN = re.compile("(?:true|True|TRUE|false|False|FALSE)$")


def _as_dvc_writes(tag: str, pattern: "re.Pattern[str]") -> "re.Pattern[str]":
    if tag.endswith(":bool"):
        return _BOOLEAN
    return re.compile(f"(?!.*:)(?:{pattern.pattern})", re.X) if tag.endswith((":int", ":float")) else pattern


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # in C: a lock has thousands of lines
    """Reads YAML 1.2, which DVC writes: 24:00:00 and on are texts there, and a number and true in YAML 1.1."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, _as_dvc_writes(tag, pattern)) for tag, pattern in resolvers]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


@dataclass(frozen=True)
class Output:
    """What a stage wrote at a path, by dvc.lock: a file's MD5, or that of a folder's list of files and `.dir`."""

    stage: str
    path: Path
    md5: str


def verify(stage: str, key: str | None = None, root: Path = Path()) -> None:
    """Compare everything that a stage reads of other stages with dvc.lock, and say what cannot be compared.

    Args:
        stage: its name in dvc.yaml.
        key: which of the stages of a `foreach` it is.
        root: the folder of dvc.yaml and dvc.lock.

    Raises:
        UserError: something is not what the lock says.
    """
    locked = _stages(root / "dvc.lock")
    outputs = list(_outputs(locked))
    for path in _dependencies(stage, key, locked, _stages(root / "dvc.yaml")):
        covering = [output for output in outputs if path in (output.path, *output.path.parents)
                    or output.path in path.parents]  # fmt: skip
        for output in covering:
            if (root / output.path).exists() and hash_of(root / output.path) != output.md5:
                raise UserError(
                    f"{output.path}: not what dvc.lock says {output.stage} wrote; run `dvc repro {output.stage}` to "
                    f"make it again, or `dvc commit {output.stage}` if you made it yourself and stand by it"
                )
        for uncovered in _uncovered(path, covering, root):
            print(
                f"WARNING: {uncovered}: not verified, for dvc.lock does not say what was written there", file=sys.stderr
            )


def parameters(stage: str, root: Path = Path()) -> Mapping[str, Any]:
    """The parameters that a stage was last run with, where all that it read and wrote still is as it was.

    Args:
        root: the folder of dvc.lock.

    Raises:
        UserError: it was not run, or a file has changed since.
    """
    locked = _stages(root / "dvc.lock").get(stage)
    if locked is None:
        raise UserError(f"{root}: dvc.lock says of no run of {stage}; run `dvc repro {stage}` there")
    for entry in (*locked.get("deps", ()), *locked.get("outs", ())):
        path = root / entry["path"]
        if not path.exists() or hash_of(path) != entry.get("md5"):
            raise UserError(f"{path}: not what dvc.lock says of the run of {stage}; run `dvc repro {stage}` in {root}")
    values: Mapping[str, Any] = locked.get("params", {}).get("params.yaml", {})
    return values


def stages_of(text: bytes, path: Path) -> Mapping[str, Any]:
    """The stages of a dvc.lock or dvc.yaml by name.

    Args:
        path: where it stands, for the message.

    Raises:
        UserError: it is damaged.
    """
    try:
        stages = yaml.load(text.decode(), _Loader)["stages"]
    except (yaml.YAMLError, UnicodeDecodeError, TypeError, KeyError):
        stages = None
    if not isinstance(stages, dict) or not all(isinstance(stage, dict) for stage in stages.values()):
        raise UserError(f"{path}: damaged; take it from git again (`git checkout {path.name}`)")
    return stages


def hash_of(path: Path) -> str:
    """The hash of a file or folder, as dvc.lock has it."""
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


def _outputs(locked: Mapping[str, Any]) -> Iterator[Output]:
    for name, stage in locked.items():
        for out in stage.get("outs", ()):
            if out.get("hash", "md5") == "md5" and "md5" in out:
                yield Output(name, Path(out["path"]), out["md5"])


def _dependencies(stage: str, key: str | None, locked: Mapping[str, Any], pipeline: Mapping[str, Any]) -> list[Path]:
    """What a stage reads that another stage writes."""
    declared = {name: entry.get("do", entry) for name, entry in pipeline.items()}
    outputs = [
        Path(str(next(iter(out)) if isinstance(out, dict) else out).partition("/${")[0])
        for entry in declared.values()
        for kind in ("outs", "metrics", "plots")
        for out in entry.get(kind, ())
    ]
    lock_entries = locked.get(f"{stage}@{key}", {}).get("deps", ())
    dependencies = [*declared.get(stage, {}).get("deps", ()), *(dep["path"] for dep in lock_entries)]
    paths = [Path(dep) for dep in dict.fromkeys(dependencies) if "${" not in dep]
    return [path for path in paths if any(path == out or path in out.parents or out in path.parents for out in outputs)]


def _uncovered(path: Path, covering: list[Output], root: Path) -> list[Path]:
    """The parts of a dependency that no output of the lock covers."""
    if any(output.path == path or output.path in path.parents for output in covering):
        return []
    covered = {output.path for output in covering}
    if not (root / path).is_dir():
        return [path]
    inner = [path / child.name for child in sorted((root / path).iterdir()) if not _is_ignored(Path(child.name))]
    return [child for child in inner if child not in covered and child.name != ".gitignore"]


def _stages(path: Path) -> Mapping[str, Any]:
    try:
        return stages_of(path.read_bytes(), path)
    except FileNotFoundError:
        return {}

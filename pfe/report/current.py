"""Detection of outdated outputs: files that an experiment inherited from an earlier run.

Example: after `dvc exp run train` the student is new, but metrics/pfe.json is that of the previous student. Its stage
`score` read predictions of `evaluate@student`, which read other weights than those that `train` wrote.

Source of the format: dvc.lock, schema 2.0.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pfe.lock import Stage

_GONE = object()


def parameters_of(text: bytes) -> Mapping[str, Any] | None:
    """Return the values of a params.yaml as DVC parses them (1e-05 is a number); None if it is invalid or empty."""
    from dvc.utils.serialize import YAMLError, parse_yaml

    try:
        values = parse_yaml(text.decode(), "params.yaml")
    except (YAMLError, ValueError, RecursionError):  # ValueError: invalid UTF-8, or an invalid date
        return None
    return values if values and isinstance(values, Mapping) else None


def outdated(stages: Mapping[str, Stage], parameters: Mapping[str, Any]) -> set[str]:
    """Return the paths written by stages that DVC would run again.

    A lock file may contain former stages, such as that of a tutor that is no longer chosen, whose parameters are gone.
    They are ignored: their outputs are not reported, and they make nothing outdated.

    Args:
        stages: of dvc.lock, by name.
        parameters: of the experiment, as in params.yaml.
    """
    stages = {name: stage for name, stage in stages.items() if _is_stage(name, stage, parameters)}
    writers = {out.path: (name, out.md5) for name, stage in stages.items() for out in stage.outs}
    known: dict[str, bool] = {}

    def is_old(name: str) -> bool:
        if name not in known:
            known[name] = False  # ends the recursion if the lock file has a cycle
            stage = stages[name]
            known[name] = _differs(stage, parameters) or any(
                is_old(writer) or (dependency.path == path and dependency.md5 != md5)
                for dependency in stage.deps
                for path, writer, md5 in _written(dependency.path, writers)
            )
        return known[name]

    return {path for path, (name, _) in writers.items() if is_old(name)}


def _written(path: str, writers: Mapping[str, tuple[str, str | None]]) -> Iterator[tuple[str, str, str | None]]:
    """Yield path, stage and hash of each output at a path, above it or below it."""
    here = PurePosixPath(path)
    for other, (name, md5) in writers.items():
        there = PurePosixPath(other)
        if here.is_relative_to(there) or there.is_relative_to(here):
            yield other, name, md5


def _is_stage(name: str, stage: Stage, parameters: Mapping[str, Any]) -> bool:
    """Return whether a stage is still in dvc.yaml.

    A stage of a `foreach`, such as `tutor@wide`, is if all of its parameters exist; any other stage always is.
    """
    return "@" not in name or all(_at(parameters, key) is not _GONE for key in stage.parameters)


def _differs(stage: Stage, parameters: Mapping[str, Any]) -> bool:
    return any(_at(parameters, key) != value for key, value in stage.parameters.items())


def _at(parameters: Mapping[str, Any], key: str) -> Any:
    """Return the value at a dotted path; `_GONE` if there is none."""
    value: Any = parameters
    for part in key.split("."):
        value = value.get(part, _GONE) if isinstance(value, Mapping) else _GONE
    return value

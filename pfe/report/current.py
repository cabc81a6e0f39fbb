"""Which outputs of an experiment are of it, and not of what was run before.

Example: after `dvc exp run train` the student is new and metrics/pfe.json is of the student before: its stage `score`
read predictions of `evaluate@student`, which read other weights than `train` wrote.

Source of the form: dvc.lock, schema 2.0.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from pfe.lock import Stage

_GONE = object()


def parameters_of(text: bytes) -> Mapping[str, Any] | None:
    """The values of a params.yaml as DVC reads them, to whom 1e-05 is a number; None where it is damaged or empty."""
    from dvc.utils.serialize import YAMLError, parse_yaml

    try:
        values = parse_yaml(text.decode(), "params.yaml")
    except (YAMLError, ValueError, RecursionError):  # a ValueError is of bytes that are no text, or of no date
        return None
    return values if values and isinstance(values, Mapping) else None


def outdated(stages: Mapping[str, Stage], parameters: Mapping[str, Any]) -> set[str]:
    """The paths that were written by stages that would run again.

    A lock keeps what is no stage any more: of a tutor that is not chosen now the parameters are gone. Nothing is of it,
    and nothing is old by it.

    Args:
        stages: of dvc.lock, by name.
        parameters: those of the experiment, as params.yaml has them.
    """
    stages = {name: stage for name, stage in stages.items() if _is_stage(name, stage, parameters)}
    writers = {out.path: (name, out.md5) for name, stage in stages.items() for out in stage.outs}
    known: dict[str, bool] = {}

    def is_old(name: str) -> bool:
        if name not in known:
            known[name] = False  # where a lock goes round in a circle
            stage = stages[name]
            known[name] = _differs(stage, parameters) or any(
                is_old(writer) or (dependency.path == path and dependency.md5 != md5)
                for dependency in stage.deps
                for path, writer, md5 in _written(dependency.path, writers)
            )
        return known[name]

    return {path for path, (name, _) in writers.items() if is_old(name)}


def _written(path: str, writers: Mapping[str, tuple[str, str | None]]) -> Iterator[tuple[str, str, str | None]]:
    """What was written at a path, above it and below it: where, by whom, and its hash."""
    here = PurePosixPath(path)
    for other, (name, md5) in writers.items():
        there = PurePosixPath(other)
        if here.is_relative_to(there) or there.is_relative_to(here):
            yield other, name, md5


def _is_stage(name: str, stage: Stage, parameters: Mapping[str, Any]) -> bool:
    """Of the stages that stand in dvc.yaml for each of several, such as `tutor@wide`, whether it is one of them now."""
    return "@" not in name or all(_at(parameters, key) is not _GONE for key in stage.parameters)


def _differs(stage: Stage, parameters: Mapping[str, Any]) -> bool:
    return any(_at(parameters, key) != value for key, value in stage.parameters.items())


def _at(parameters: Mapping[str, Any], key: str) -> Any:
    """The value at a path; `_GONE` where there is none."""
    value: Any = parameters
    for part in key.split("."):
        value = value.get(part, _GONE) if isinstance(value, Mapping) else _GONE
    return value

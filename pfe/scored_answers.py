"""A model's answers, with the problems and settings they belong to, from a `pfe eval` folder or the current experiment.

Example: `ScoredAnswers.find("pfe-eval-mine").files` has the Parquet file of its scored answers to each benchmark;
`problems("arc_easy")` are the problems of those answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pfe import config
from pfe.canonical.seal import read_sealed, read_shots
from pfe.canonical.sources import POOL, load_shots, problems_of
from pfe.config import Config
from pfe.errors import UserError, nearest
from pfe.icr.retrieval import BASE, Entry
from pfe.problem import Problem
from pfe.tutors.base import base

SCORES = Path("data/scores")


@dataclass(frozen=True)
class ScoredAnswers:
    """A model's answers: `place` is their folder or the model's name, `files` hold scored answers by benchmark."""

    place: str
    files: Mapping[str, Path]

    @classmethod
    def find(cls, place: str, names: Sequence[str] = ()) -> "ScoredAnswers":
        """Find the answers at a place, to the named benchmarks or to all.

        Raises:
            UserError: there are no answers, or none to a named benchmark.
        """
        if not has_answers(place):
            models = [path.name for path in SCORES.iterdir() if path.is_dir()] if SCORES.is_dir() else []
            hint = nearest(place, models) if models else "give a folder that `pfe eval` wrote"
            raise UserError(f"{place}: no answers there, nor in {SCORES / place}; {hint}")
        folder = next(path for path in _folders(place) if path.is_dir())
        files = {path.stem: path for path in sorted(folder.glob("*.parquet")) if _has_rows(path)}
        if not files:
            raise UserError(f"{place}: no answers in {folder}; examine the model on a benchmark that it can answer")
        for name in names:
            if name not in files:
                raise UserError(f"{place} has no answers on '{name}'; {nearest(name, files)}")
        return cls(place, {name: files[name] for name in names or files})

    @property
    def is_folder(self) -> bool:
        """Return whether the place is a folder that `pfe eval` wrote, and not a model of the current experiment."""
        return _folders(self.place)[0].is_dir()

    @property
    def scores(self) -> Path:
        """Return the path of the model's `ModelScore`."""
        return Path(self.place) / "scores.json" if self.is_folder else SCORES / f"{self.place}.json"

    @property
    def params(self) -> Path:
        """Return the path of the parameters that the model was asked with."""
        return Path(self.place) / config.PARAMS if self.is_folder else config.PARAMS

    @cached_property
    def settings(self) -> Config:
        """Return the settings that the model was asked with."""
        return config.load(self.params)

    @property
    def model(self) -> str:
        """Return the model's name in the settings."""
        return next(iter(self.settings.models)) if self.is_folder else self.place

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the knowledge base that the arm `retrieved` searched; empty if the model was not asked in that arm."""
        if "retrieved" not in self.settings.evaluate.arms:
            return []
        return base() if self.is_folder else Entry.read(BASE)

    def problems(self, name: str) -> list[Problem]:
        """Return all problems of a benchmark."""
        return problems_of(name, self.settings) if self.is_folder else read_sealed(name)

    def asked(self, name: str) -> tuple[list[Problem], list[Problem]]:
        """Return all problems of a benchmark, and the pool of its few-shot examples (the same if there is no other)."""
        problems = self.problems(name)
        return problems, self._pool(name) or problems

    def _pool(self, name: str) -> list[Problem]:
        if not self.is_folder:
            return read_shots(name)
        return load_shots(name, self.settings.benchmark[name], self.settings.canonical, POOL)


def has_answers(place: str) -> bool:
    """Return whether there are answers at a place, a folder or a model of the experiment."""
    return any(path.is_dir() for path in _folders(place))


def _has_rows(path: Path) -> bool:
    """Return whether a file holds answers; it is empty if the model cannot be asked the benchmark."""
    try:
        return bool(pq.read_metadata(path).num_rows)
    except (pa.ArrowInvalid, OSError):
        return True  # the reader of the file reports what is wrong with it


def _folders(place: str) -> tuple[Path, Path]:
    return Path(place) / "answers", SCORES / place

"""Evaluation of one model outside an experiment: its entry, the settings, its answers and their scores.

Example: `examine(settings_of_model(entry_of("smollm2"), "sample", ["arc_easy"], []))` gives an `Examination` with the
scored answers to ARC-Easy and their `ModelScore`.
"""

import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter

from pfe import config
from pfe.canonical.sources import POOL, hub_errors_with, load_shots, problems_of
from pfe.config import Config, conf_folder
from pfe.errors import UserError
from pfe.evaluation.runner import examinations, summary
from pfe.files import write_record, write_text
from pfe.models.load import examinee, kind_of
from pfe.models.packaged import packaged
from pfe.params import composed
from pfe.problem import ScoredPrediction
from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.model import ModelScore, score_model
from pfe.scores.scored import score_answers
from pfe.tutors.base import base

SOURCES = ("sample", "hub")
FILES = (".yaml", ".yml")  # suffixes of the file of a model's entry


@dataclass(frozen=True)
class Examination:
    """The results of a model, by name, under these settings: its scores, and its scored answers by benchmark."""

    name: str
    settings: Config
    score: ModelScore
    answers: Mapping[str, Sequence[ScoredPrediction]]

    @property
    def label(self) -> str:
        """Return the model's label in tables."""
        return self.settings.models[self.name].label

    @property
    def titles(self) -> dict[str, str]:
        """Return the titles of the benchmarks that the model answered, by name."""
        return {name: self.settings.titles[name] for name in self.score.benchmarks}

    def write(self, folder: Path) -> None:
        """Write answers, scores and settings into a folder, in the layout that `pfe compare` and `pfe show` read."""
        for name, rows in self.answers.items():
            ScoredPrediction.write(rows, folder / f"answers/{name}.parquet")
        write_record(folder / "scores.json", self.score)
        write_text(folder / "params.yaml", settings_text(self.settings))


def entry_of(model: str, **entries: Any) -> dict[str, Any]:
    """Return the entry of a model: from its file, or from a path, a name on the hub, or the name that a server uses.

    The `limit` in a file (problems per benchmark in an experiment) is ignored here.

    Args:
        model: a path, a name, or a file like those in conf/model.
        entries: keys of conf/model, which override those of the file.

    Raises:
        UserError: the file is missing or holds no entry, or the kind has no server although `base_url` is given.
    """
    given = {key: value for key, value in entries.items() if value is not None}
    if given.get("kind") == "auto":
        del given["kind"]
    if Path(model).suffix in FILES:
        given = {"label": label_of(model)} | _file(Path(model)) | given | {"limit": None}
    elif model.endswith(".gguf") and not Path(model).is_file() and not given.get("base_url"):
        raise UserError(f"{model}: no such file; mend the path")
    else:
        given = {"label": label_of(model), "path": model, "dtype": "auto"} | given
    if given.get("base_url") and given.setdefault("kind", "openai") != "openai":
        raise UserError(
            f"{model}: kind {given['kind']} has no server; leave out kind (--kind), or base_url (--base-url)"
        )
    return {"depends": "", "kind": kind_of(str(given.get("path") or ""))} | given


def settings_of_model(
    entry: Mapping[str, Any], canonical: str, benchmarks: Sequence[str], overrides: Sequence[str], name: str = ""
) -> Config:
    """Compose the settings of one evaluation: those of `conf_folder`, one model, the available benchmarks.

    Args:
        entry: the model's, as in conf/model.
        canonical: a source by name, or a folder of benchmarks.
        benchmarks: by name; empty for all that the source has.
        name: the model's; derived from its path if it is empty.

    Raises:
        UserError: a name or value is invalid, or the folder has no benchmark.
    """
    conf = conf_folder()
    folder = None if canonical in SOURCES else Path(canonical)
    if folder and not folder.is_dir():
        raise UserError(f"--canonical: no folder {folder}; give sample, hub, or a folder of benchmarks")
    names = list(benchmarks) or (_benchmarks_in(folder) if folder else [])
    chosen = [f"benchmark=[{','.join(names)}]"] if names else []
    selection = [f"canonical={'files' if folder else canonical}", *chosen]
    values = composed([*selection, *overrides], conf)
    values["models"] = {name or name_of(str(entry.get("path") or "model")): dict(entry)}
    for part in (values["canonical"], *values["benchmark"].values()):  # files that come with conf/ lie next to it
        if part.get("path") and (conf.parent / part["path"]).exists():
            part["path"] = str(conf.parent / part["path"])
    if folder:
        values["canonical"]["path"] = canonical
        values["benchmark"] |= {name: values["benchmark"][name] | {"path": None} for name in names}
    return config.parse(values, "the settings", conf)


def examine(settings: Config) -> Examination:
    """Ask the only model of the settings and score its answers; print one line per benchmark to stderr.

    Raises:
        UserError: the model or the problems cannot be loaded, or the model cannot answer.
    """
    (name,) = settings.models
    with hub_errors_with("--canonical FOLDER"):
        problems = {benchmark: problems_of(benchmark, settings) for benchmark in settings.benchmark}
        with_shots = settings.benchmark if "reference" in settings.evaluate.arms else {}
        solved = {key: load_shots(key, entry, settings.canonical, POOL) for key, entry in with_shots.items()}
    entries = base() if "retrieved" in settings.evaluate.arms else []
    candidate = examinee(name, settings.models[name], settings.seed)
    answers: dict[str, list[ScoredPrediction]] = {}
    scores: dict[str, BenchmarkScore] = {}
    start = time.monotonic()
    for benchmark, predictions in examinations(candidate, name, settings, problems, solved, entries):
        print(f"{benchmark:<14} {summary(predictions, time.monotonic() - start)}", file=sys.stderr)
        answers[benchmark], score = score_answers(name, benchmark, predictions, problems[benchmark], settings)
        if score:
            scores[benchmark] = score
        start = time.monotonic()
    return Examination(name, settings, score_model(scores, settings.not_averaged), answers)


def benchmark_names() -> list[str]:
    """Return the names of the benchmarks in conf/."""
    return sorted(path.stem for path in (conf_folder() / "benchmark").glob("*.yaml"))


def settings_text(settings: Config) -> str:
    """Return all settings as the text of a params.yaml."""
    text: str = yaml.safe_dump(TypeAdapter(Config).dump_python(settings, mode="json"))
    return text


def label_of(model: str) -> str:
    """Return a model's label in tables: that of its package, or the last part of its path; at most 60 characters."""
    known = packaged(model)
    name = known.label if known else _last_part(model)
    return re.sub(r"[|`\x00-\x1f\x7f]+", " ", name).strip()[:60] or "model"


def name_of(model: str) -> str:
    """Return a model's name, from the last part of its path: at most 64 letters, digits, _ and -."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", _last_part(model)).strip("-")[:64] or "model"


def _last_part(model: str) -> str:
    name = Path(model).name
    return next((name.removesuffix(end) for end in (".gguf", *FILES) if name.endswith(end)), name)


def _file(path: Path) -> dict[str, Any]:
    """Return the entry that a file holds.

    Raises:
        UserError: the file does not exist, or holds no entry.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file; give the file of a model, like those in conf/model")
    values = config.read_yaml(path)
    if not isinstance(values, Mapping):
        raise UserError(f"{path}: no model's entry; write it as conf/model/qwen_instruct.yaml is written")
    return {str(key): value for key, value in values.items()}


def _benchmarks_in(folder: Path) -> list[str]:
    """Return the benchmarks in conf/ that a folder has, as a subfolder or as a sealed Parquet file.

    Raises:
        UserError: it has none.
    """
    allowed = benchmark_names()
    names = [name for name in allowed if (folder / name).is_dir() or (folder / f"{name}.parquet").is_file()]
    if not names:
        raise UserError(f"{folder}: holds no benchmark, as a folder or sealed; its name would be {', '.join(allowed)}")
    return names

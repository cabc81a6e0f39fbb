"""The inputs of the benchmarks: the canonical texts, SPEC's 39,000 synthetic problems, and known paraphrases.

Example: `Data.create(folder, 39_000).kind` is "real" if ../shared/canonical exists, otherwise "sample"

Generating takes half a minute, so it is done once per run; the measuring processes read the files.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from bench.process import ROOT, call

SHARED = ROOT.parent / "shared"
ORIGINALS = SHARED / "canonical/gsm8k/test.jsonl.gz"
CLEAN = SHARED / "canonical/gsm8k/train.jsonl.gz"
PARAPHRASES = SHARED / "contamination/rephrase_gsm8k.jsonl"


@dataclass(frozen=True)
class Data:
    """A folder of inputs, and a summary of its content.

    `folder` contains canonical.pickle and synthetic.pickle (texts), and a workspace in which the stage
    `firewall` runs (params.yaml, data/canonical, data/candidates).
    """

    folder: Path
    kind: str
    canonical: int
    synthetic: int

    @classmethod
    def create(cls, folder: Path, candidates: int) -> "Data":
        """Write the inputs into `folder`, in a separate process."""
        return cls(folder, **call("bench.data", "write", str(folder), str(candidates)).result)

    @property
    def pairs(self) -> str:
        """Return the size of a comparison, in words."""
        return f"{self.synthetic:,} × {self.canonical:,}"


@cache
def settings(*overrides: str) -> Any:
    """Return the composed configuration at SPEC's sizes, with a student of random weights; composing takes seconds."""
    from pfe import config, params

    return config.parse(params.composed(["scale=full", "student=scratch", *overrides]), "conf")


def write(folder: str, candidates: str) -> dict[str, Any]:
    """Generate, load and write everything; `candidates` is the total of synthetic problems, in SPEC's proportions."""
    from pfe.canonical.seal import write_sealed
    from pfe.canonical.sources import load
    from pfe.config import Canonical
    from pfe.problem import Problem
    from pfe.tutors import generate

    configuration, workspace = settings(), Path(folder)
    real = (SHARED / "canonical").is_dir()
    source = Canonical("files", str(SHARED / "canonical")) if real else configuration.canonical
    benchmarks = {name: load(name, benchmark, source) for name, benchmark in configuration.benchmark.items()}
    write_sealed(benchmarks, configuration.benchmark, source, workspace / "data/canonical")
    share = int(candidates) / sum(configuration.scale.targets.values())
    synthetic = {
        name: generate.candidates(
            name,
            max(1, round(share * target)),
            configuration.seed,
            configuration.corpus.library_bound,
            configuration.corpus.lookup,
        )
        for name, target in configuration.scale.targets.items()
    }
    for name, problems in synthetic.items():
        Problem.write(problems, workspace / f"data/candidates/{name}.parquet")
    texts = {"canonical": _texts(benchmarks.values()), "synthetic": _texts(synthetic.values())}
    for name, side in texts.items():
        (workspace / f"{name}.pickle").write_bytes(pickle.dumps(side))
    return {"kind": "real" if real else "sample", **{name: len(side) for name, side in texts.items()}}


def texts(folder: str, name: str) -> list[str]:
    """Return all texts of one side, "canonical" or "synthetic"."""
    content: list[str] = pickle.loads((Path(folder) / f"{name}.pickle").read_bytes())
    return content


def canonical(folder: str) -> list[Any]:
    """Return all canonical problems."""
    from pfe.canonical.seal import read_sealed, sealed_names

    sealed = Path(folder) / "data/canonical"
    return [problem for name in sealed_names(sealed) for problem in read_sealed(name, sealed)]


def rows(path: Path) -> list[Any]:
    """Return the problems of a JSON-lines file, read like a user's file, without the prefix "Question: "."""
    from pfe.problem import Problem
    from pfe.rows import files

    problems = [row.problem for row in files.problems(path) if isinstance(row.problem, Problem)]
    return [replace(problem, question=problem.question.removeprefix("Question: ").strip()) for problem in problems]


def _texts(sets: Any) -> Sequence[str]:
    return [problem.text for problems in sets for problem in problems]

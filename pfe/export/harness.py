"""The functions that exported tasks call inside lm-evaluation-harness: loading of rows, and PFE's scorers.

Example: `Harness(Path("tasks")).process_results(doc, [(-7.2, False), (-6.9, False)])` is {"acc": 0.0, "acc_norm": 1.0}.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pfe.config import PARAMS, Config, load
from pfe.errors import UserError
from pfe.export.docs import Doc
from pfe.export.figures import metrics
from pfe.problem import Prediction, Problem
from pfe.scores.scored import score_predictions

ROWS, PROBLEMS = "rows", "problems"


class Harness:
    """The folder of exported tasks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._problems: dict[str, dict[str, Problem]] = {}

    @cached_property
    def settings(self) -> Config:
        """The settings that were exported with the tasks."""
        return load(self._folder / PARAMS)

    def dataset(self, part: str, **_: Any) -> Any:
        """Return the rows of a part as its only split, `test`."""
        import datasets

        return {"test": datasets.Dataset.from_parquet(str(self._folder / ROWS / f"{part}.parquet"))}

    def process_results(self, doc: Doc, results: Sequence[Any]) -> dict[str, float]:
        """Return the metrics of one answer.

        `results` holds the log-likelihood of each choice and whether it is greedy, or the generated text.
        """
        written = isinstance(results[0], str)
        scores = () if written else tuple(float(score) for score, _ in results)
        return self.score(doc, output=results[0] if written else "", scores=scores)

    def score(self, doc: Doc, output: str, scores: tuple[float, ...]) -> dict[str, float]:
        """Return the metrics of one answer by name.

        Raises:
            UserError: the answer is a program, and this system cannot run programs.
        """
        name = doc["benchmark"]
        benchmark, problem = self.settings.benchmark[name], self.problems(name)[doc["id"]]
        answer = Prediction(
            problem_id=problem.id, benchmark=name, model="", arm="canonical", order=0, output=output, scores=scores,
            tokens_in=0, tokens_out=0, stop="choice" if scores else "end",
        )  # fmt: skip
        scored = score_predictions([answer], [problem], benchmark, self.settings.evaluate.unsafe_code)
        if not scored:
            raise UserError(f"{name}: programs cannot be run on this system; leave its tasks out")
        return metrics(scored[0])

    def problems(self, name: str) -> Mapping[str, Problem]:
        """Return the problems of a benchmark by id."""
        if name not in self._problems:
            problems = Problem.read(self._folder / PROBLEMS / f"{name}.parquet")
            self._problems[name] = {problem.id: problem for problem in problems}
        return self._problems[name]


def library_prefix(doc: Doc) -> list[str]:
    """Return the contexts of a sentence with a blank, each with the library in front."""
    return [doc["library"] + context for context in doc["contexts"]]

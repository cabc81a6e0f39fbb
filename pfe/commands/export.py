"""Export benchmarks and answers to other tools, in their formats.

    pfe export lm-eval sample --benchmark arc_easy,gsm1k --out tasks    # tasks of lm-evaluation-harness, both arms
    pfe export inspect-task hub --benchmark race --out task             # a task of Inspect
    pfe export inspect pfe-eval-mine --out logs                         # answers as logs, for `inspect view`
    pfe export samples pfe-eval-mine --out samples                      # answers as lm_eval --log_samples writes them
    pfe export parquet pfe-eval-mine pfe-eval-theirs --out answers      # answers with a data card, for the hub
    pfe export wandb student --project pfe                              # figures, tables and curves
    pfe export mlflow student --project pfe

Tasks are exported from sample, hub, a folder of benchmarks, or the problems of a run. Everything else is exported from
runs: folders that `pfe eval` wrote, or models of the current experiment after `dvc repro score`. `pfe publish` writes
the corpus. docs/exports.md shows how to open each format.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pfe.config import Config
    from pfe.export.run import Run
    from pfe.models.request import Option
    from pfe.problem import Problem, ScoredPrediction

FILES = ("lm-eval", "inspect-task", "inspect", "samples", "parquet")
TRACKERS = ("wandb", "mlflow")
NOBODY = {"kind": "chance", "label": "nobody", "depends": "", "path": "nobody"}  # no model is asked


def main(
    format: Annotated[str, typer.Argument(help=", ".join((*FILES, *TRACKERS)))],
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="runs of models, or a source of problems")],
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="a new folder, for formats that are files")] = None,
    benchmark: Annotated[str | None, typer.Option(help="comma-separated benchmark names (default: all)")] = None,
    project: Annotated[
        str | None, typer.Option(help="project of wandb, or experiment of mlflow (default: pfe)")
    ] = None,
) -> None:
    """Write the files, or log the runs."""
    from pfe.commands.eval import check_allowed, listed
    from pfe.errors import UserError
    from pfe.examination import benchmark_names
    from pfe.extras import need
    from pfe.files import new_folder

    check_allowed("FORMAT", format, (*FILES, *TRACKERS))
    names = listed("--benchmark", benchmark, benchmark_names()) if benchmark else []
    if format in TRACKERS:
        if out is not None:
            raise UserError(f"--out: {format} keeps runs where it is configured to; leave this out")
        _track(format, sources, names, project or "pfe")
        return
    if out is None:
        raise UserError(f"{format} is written to files; say where: --out FOLDER, a new one")
    if project is not None:
        raise UserError(f"--project: only {' and '.join(TRACKERS)} have projects; leave this out")
    if format.startswith("inspect"):
        need(f"pfe export {format}", "inspect_ai")
    with new_folder(out, "--out") as folder:
        said = WRITERS[format](sources, names, folder)
    print(f"{out}: {said}")


def _lm_eval(sources: list[str], names: list[str], folder: Path) -> str:
    """Write the tasks, their rows and their scorers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from pfe.export.docs import parts
    from pfe.export.harness import ROWS
    from pfe.export.lm_eval import ARMS, UTILS, as_yaml, groups, task
    from pfe.files import write_text

    settings, problems = _written_problems(sources, names, folder)
    by_benchmark = {name: parts(name, settings.benchmark[name], some) for name, some in problems.items()}
    (folder / ROWS).mkdir()
    for part in [part for pieces in by_benchmark.values() for part in pieces]:
        pq.write_table(pa.Table.from_pylist(list(map(dict, part.docs))), folder / ROWS / f"{part.name}.parquet")
        for arm in ARMS:
            config = task(part, arm, settings.benchmark[part.benchmark])
            write_text(folder / f"{config['task']}.yaml", as_yaml(config))
    for group in groups(by_benchmark, settings.not_averaged):
        write_text(folder / f"{group['group']}.yaml", as_yaml(group))
    write_text(folder / "utils.py", UTILS)
    return f"tasks of {len(problems)} benchmarks, {sum(map(len, problems.values())):,} problems"


def _inspect_task(sources: list[str], names: list[str], folder: Path) -> str:
    """Write the task, its problems and its scorers."""
    from pfe.export.inspect_task import TASK
    from pfe.files import write_text

    _, problems = _written_problems(sources, names, folder)
    write_text(folder / "pfe_task.py", TASK)
    return f"a task of {len(problems)} benchmarks, {sum(map(len, problems.values())):,} problems"


def _written_problems(sources: list[str], names: list[str], folder: Path) -> "tuple[Config, dict[str, list[Problem]]]":
    """Return settings and problems of the only source, and write the problems to a folder for the scorers."""
    from pfe.config import PARAMS
    from pfe.errors import UserError
    from pfe.examination import settings_text
    from pfe.export.harness import PROBLEMS
    from pfe.files import write_text
    from pfe.problem import Problem

    if len(sources) > 1:
        raise UserError(f"{' '.join(sources)}: tasks are made of one source of problems; give one")
    settings, problems = _problems(sources[0], names)
    write_text(folder / PARAMS, settings_text(settings))
    (folder / PROBLEMS).mkdir()
    for name, some in problems.items():
        Problem.write(some, folder / PROBLEMS / f"{name}.parquet")
    return settings, problems


def _problems(source: str, names: list[str]) -> "tuple[Config, dict[str, list[Problem]]]":
    """Return settings, and problems by benchmark: those that a run asked, or all of a source."""
    from pfe.canonical.sources import hub_errors_with, problems_of
    from pfe.evaluation.runner import draw
    from pfe.examination import SOURCES, settings_of_model
    from pfe.scored_answers import ScoredAnswers

    if source in SOURCES or (Path(source).is_dir() and not (Path(source) / "answers").is_dir()):
        settings = settings_of_model(NOBODY, source, names, [])
        with hub_errors_with("SOURCE as FOLDER"):
            return settings, {name: problems_of(name, settings) for name in settings.benchmark}
    examined = ScoredAnswers.find(source, names)
    settings = examined.settings
    return settings, {
        name: draw(examined.problems(name), settings.limit_of(examined.model), settings.seed) for name in examined.files
    }


def _runs(sources: list[str], names: list[str]) -> "Iterator[Run]":
    """Return the runs, each with the named benchmarks."""
    from dataclasses import replace
    from datetime import UTC, datetime

    from pfe.errors import UserError
    from pfe.export.run import Run
    from pfe.files import read_record
    from pfe.problem import ScoredPrediction
    from pfe.scored_answers import ScoredAnswers
    from pfe.scores.model import Averages, ModelScore

    seen: dict[str, str] = {}
    for source in sources:
        examined = ScoredAnswers.find(source, names)
        answers = {name: ScoredPrediction.read(path) for name, path in examined.files.items()}
        remedy = "run `dvc repro score`" if not examined.is_folder else "examine the model again: `pfe eval`"
        score = read_record(examined.scores, ModelScore, remedy)
        model = next(iter(answers.values()))[0].model
        if model in seen:
            raise UserError(f"{seen[model]} and {source} are both of a model named {model}; export them one by one")
        seen[model] = source
        kept = {name: by for name, by in score.benchmarks.items() if name in answers}
        averages = score.averages if len(kept) == len(score.benchmarks) else Averages()
        times = {name: path.stat().st_mtime for name, path in examined.files.items()}
        dates = {name: datetime.fromtimestamp(time, UTC).isoformat() for name, time in times.items()}
        yield Run(examined, model, answers, replace(score, benchmarks=kept, averages=averages), dates)


def _prompts(run: "Run", name: str) -> "tuple[dict[str, Problem], Callable[[ScoredPrediction], Sequence[Option]]]":
    """Return a benchmark's problems by id, and the function that rebuilds an answer's prompt."""
    from pfe.evaluation.reconstruction import prompt_of

    examined = run.examined
    every, shots = examined.asked(name)
    problems = {problem.id: problem for problem in every}
    return problems, lambda row: prompt_of(row, problems[row.problem_id], examined.settings, shots, examined.entries)


def _samples(sources: list[str], names: list[str], folder: Path) -> str:
    """Write one file per model, task and arm."""
    import json

    from pfe.export.samples import tasks
    from pfe.files import write_text

    count = 0
    for run in _runs(sources, names):
        for name, rows in run.answers.items():
            problems, prompt = _prompts(run, name)
            date = run.dates[name].partition("+")[0].replace(":", "-")
            for task, samples in tasks(name, run.settings.benchmark[name], problems, rows, prompt):
                text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in samples)
                write_text(folder / run.model / f"samples_{task}_{date}.jsonl", text)
                count += len(samples)
    return f"{count:,} samples"


def _inspect(sources: list[str], names: list[str], folder: Path) -> str:
    """Write one log per model, benchmark and arm."""
    from inspect_ai.log import write_eval_log

    from pfe.export.inspect_log import log
    from pfe.export.lm_eval import task_name

    count = 0
    for run in _runs(sources, names):
        for name, rows in run.answers.items():
            problems, prompt = _prompts(run, name)
            for arm in dict.fromkeys(row.arm for row in rows):
                in_arm = [row for row in rows if row.arm == arm]
                written = log(run, name, arm, in_arm, problems, prompt, run.dates[name])
                write_eval_log(written, folder / f"{run.model}_{task_name(name, arm)}.eval")
                count += 1
    return f"{count:,} logs; `inspect view` shows them"


def _parquet(sources: list[str], names: list[str], folder: Path) -> str:
    """Write one file per model and benchmark, and the data card."""
    import pyarrow.parquet as pq

    from pfe.export.parquet import card, table
    from pfe.files import write_text

    runs, count = list(_runs(sources, names)), 0
    for run in runs:
        (folder / "answers" / run.model).mkdir(parents=True)
        for name, rows in run.answers.items():
            problems = {problem.id: problem for problem in run.examined.problems(name)}
            pq.write_table(
                table(rows, problems, run.settings.benchmark[name]), folder / f"answers/{run.model}/{name}.parquet"
            )
            count += len(rows)
    write_text(folder / "README.md", card(runs))
    return f"{count:,} answers of {', '.join(run.model for run in runs)}"


def _track(format: str, sources: list[str], names: list[str], project: str) -> None:
    """Log the runs with a tracker, and print where each is."""
    from importlib import import_module

    from pfe.errors import UserError
    from pfe.extras import need

    need(f"pfe export {format}", format)
    runs = list(_runs(sources, names))
    tracker = import_module(f"pfe.export.{format}")
    for run in runs:
        try:
            place = tracker.track(run, project)
        except tracker.ERRORS as error:
            raise UserError(f"{format}: {' '.join(str(error).split()).rstrip('.')}; {tracker.HERE}") from None
        print(f"{run.label}: {place}")


WRITERS = {
    "lm-eval": _lm_eval, "inspect-task": _inspect_task, "inspect": _inspect, "samples": _samples, "parquet": _parquet,
}  # fmt: skip

"""An Inspect task for each benchmark, asked and scored in the same way as PFE does with model servers.

Example: `examination(Path("task"), "arc_easy", "icr")`; on the command line
    inspect eval task/pfe_task.py@pfe -T benchmark=arc_easy -T arm=icr --model openai/gpt-4o

Models in Inspect generate text and return no log-likelihoods, so choices are asked for by letter. A library that is
longer than a model's window is not shortened here.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate

from pfe.config import PARAMS, Benchmark, load
from pfe.errors import UserError, nearest
from pfe.evaluation.prompts import request_for
from pfe.export.harness import PROBLEMS
from pfe.export.lm_eval import ARMS, VERSION, task_name
from pfe.icr.contexts import library_of
from pfe.icr.prefix import Prefix
from pfe.models.request import chat_stops, cut_answer, letter_request, letter_tokens
from pfe.problem import Prediction, Problem, ScoredPrediction
from pfe.scores.scored import score_predictions

TASK = '''"""PFE's benchmarks as a task of Inspect.

    inspect eval pfe_task.py@pfe -T benchmark=arc_easy -T arm=icr --model openai/gpt-4o
"""

from pathlib import Path

from inspect_ai import Task, task

from pfe.export.inspect_task import examination


@task
def pfe(benchmark: str, arm: str = "icr") -> Task:
    return examination(Path(__file__).parent, benchmark, arm)
'''


def examination(folder: Path, name: str, arm: str) -> Task:
    """Return the task of one benchmark in one arm, canonical or icr, from an exported folder.

    Raises:
        UserError: the folder has no such benchmark or arm.
    """
    settings = load(folder / PARAMS)
    files = {path.stem: path for path in (folder / PROBLEMS).glob("*.parquet")}
    if name not in files:
        raise UserError(f"benchmark={name}: not in {folder}; {nearest(name, files)}")
    if arm not in ARMS:
        raise UserError(f"arm={arm}: a task has the arms {' and '.join(ARMS)}")
    benchmark, problems = settings.benchmark[name], Problem.read(files[name])
    chooses = not any(benchmark.writes(problem) for problem in problems)
    return Task(
        name=task_name(name, arm),
        dataset=MemoryDataset([_sample(problem, benchmark, arm) for problem in problems], name=name),
        solver=generate(),
        scorer=pfe_scorer(name, arm, benchmark, {problem.id: problem for problem in problems}),
        config=GenerateConfig(
            temperature=0.0,
            max_tokens=letter_tokens(benchmark.max_tokens) if chooses else benchmark.max_tokens,
            stop_seqs=None if chooses else list(chat_stops(benchmark.stop)) or None,
        ),
        metadata={"benchmark": name, "arm": arm},
        version=int(VERSION),
    )


def _sample(problem: Problem, benchmark: Benchmark, arm: str) -> Sample:
    prefix = library_of(problem, benchmark.library) if arm == "icr" else Prefix()
    request = request_for(problem, benchmark, prefix)
    return Sample(
        id=problem.id,
        input=prefix.text + (letter_request(request) if request.options else request).prompt,
        target=[problem.answer, *problem.aliases],
        metadata={"arm": arm, "group": problem.group or problem.id},
    )


@scorer(metrics=[accuracy(), stderr(cluster="group")], name="pfe")
def pfe_scorer(name: str, arm: str, benchmark: Benchmark, problems: dict[str, Problem]) -> Scorer:
    """Return an Inspect scorer that calls the benchmark's own scorer."""

    async def score(state: TaskState, target: Target) -> Score:
        problem, output = problems[str(state.sample_id)], state.output
        written = benchmark.writes(problem)
        answer = Prediction(
            problem_id=problem.id, benchmark=name, model=str(state.model), arm=arm, order=0,
            output=cut_answer(output.completion, chat_stops(benchmark.stop)) if written else output.completion,
            tokens_in=0, tokens_out=0, stop="length" if output.stop_reason == "max_tokens" else "end", way="chat",
        )  # fmt: skip
        # Programs run for seconds in separate processes, so they must not block other samples.
        judge: Callable[[], list[ScoredPrediction]] = partial(score_predictions, [answer], [problem], benchmark)
        scored = await anyio.to_thread.run_sync(judge)
        if not scored:
            raise UserError(f"{name}: programs cannot be run on this system")
        return Score(value=CORRECT if scored[0].correct else INCORRECT, answer=scored[0].extracted)

    return score

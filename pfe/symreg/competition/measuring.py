"""Conversion of runs to the table that is judged: a question about each model, and a record from its answer.

Example: a run on irrelevant_features/hard whose simplified model uses x1, x2 and one of ten unwanted columns has the
property 0.9. A run on exact_formula/easy whose model is 2 + the truth has the property 1.
"""

from collections.abc import Iterable, Mapping, Sequence

from pfe.symreg.competition.dataset import DataSet
from pfe.symreg.competition.record import MeasuredRun, Run
from pfe.symreg.expressions.measure import Measurement, Question


def questions(runs: Iterable[Run], datasets: Mapping[str, DataSet]) -> list[Question]:
    """Return a question about the model of each successful run, in the order of the runs."""
    ranges = {name: _ranges(dataset) for name, dataset in datasets.items() if dataset.property == "exact_formula"}
    return [
        Question(
            model=run.model,
            columns=datasets[run.dataset].columns,
            truth=datasets[run.dataset].truth if run.dataset in ranges else None,
            ranges=ranges.get(run.dataset, ()),
        )
        for run in runs
        if run.status == "ok"
    ]


def measured_runs(
    runs: Sequence[Run], datasets: Mapping[str, DataSet], answers: Iterable[Measurement]
) -> list[MeasuredRun]:
    """Return every run with the answer to its question; `answers` are those to `questions(runs, datasets)`."""
    remaining = iter(answers)
    return [_measured_run(run, datasets[run.dataset], next(remaining) if run.status == "ok" else None) for run in runs]


def _ranges(dataset: DataSet) -> tuple[tuple[float, float], ...]:
    """Return the lowest and highest value of every column in the first draw.

    All repetitions share these ranges, so that equal models are measured once.
    """
    x = dataset.draw(0).train.x
    return tuple(zip(x.min(axis=0).tolist(), x.max(axis=0).tolist(), strict=True))


def _measured_run(run: Run, dataset: DataSet, answer: Measurement | None) -> MeasuredRun:
    has_count = answer is not None and answer.parsed is not None
    return MeasuredRun(
        track=run.track,
        method=run.method,
        dataset=run.dataset,
        repetition=run.repetition,
        status=run.status if answer is None or has_count else "unparsed",
        r2=run.r2,
        model=run.model,
        parsed=answer.parsed if answer else None,
        simplified=answer.simplified if answer else None,
        simplification=answer.status if answer else None,
        equivalent=answer.equivalent if answer else None,
        property=_property(run, dataset, answer) if answer and has_count else None,
        counted=answer.counted if answer else None,
        reason=run.reason if answer is None else "" if has_count else answer.reason,
    )


def _property(run: Run, dataset: DataSet, answer: Measurement) -> float | None:
    match dataset.property:
        case "exact_formula":
            return float(answer.equivalent in ("symbolic", "numerical"))
        case "irrelevant_features" | "local_optima":
            return 1 - len(set(answer.features) & set(dataset.unwanted)) / len(dataset.unwanted)
        case "extrapolation" | "noise":
            return run.property_r2
        case None:
            return None

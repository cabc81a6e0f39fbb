"""What becomes of a run when its model is measured."""

from dataclasses import replace

import numpy as np
import pytest

from pfe.symreg.competition.catalog import catalog
from pfe.symreg.competition.dataset import DataSet, Draw, LabelledPoints
from pfe.symreg.competition.measuring import measured_runs, questions
from pfe.symreg.competition.record import MeasuredRun, Run
from pfe.symreg.expressions.measure import Measurement, StepLimits, measure
from tests.conftest import SHARED

LIMITS = StepLimits(seconds=20)
RUN = Run("synthetic", "operon", "f", 0, "ok", 0.9, None, "x1", 1.0, "")
X = np.linspace([1, 1, 1], [2, 3, 4], 50)
SET = DataSet("f", ("x1", "x2", "x3"), lambda repetition: Draw(LabelledPoints(X, X[:, 0]), LabelledPoints(X, X[:, 0])))
EXACT = replace(SET, property="exact_formula", truth="x1 * x2 + 1")
SELECTION = replace(SET, property="irrelevant_features", unwanted=("x2", "x3"))


def judged(dataset: DataSet, *models: str) -> list[MeasuredRun]:
    runs = [replace(RUN, repetition=at, model=model) for at, model in enumerate(models)]
    asked = questions(runs, {"f": dataset})
    return measured_runs(runs, {"f": dataset}, measure(asked, LIMITS, None, workers=1))


def test_the_truth_up_to_an_offset_or_a_factor_is_found_again_and_nothing_else() -> None:
    found = judged(EXACT, "x1 * x2 - 7", "3 * x1 * x2 + 3", "x1 * x2 + x1", "2.5")
    assert [run.property for run in found] == [1, 1, 0, 0]
    assert [run.equivalent for run in found] == ["symbolic", "symbolic", "no", "no"]


def test_unwanted_columns_count_only_where_they_remain_after_simplifying() -> None:
    found = judged(SELECTION, "x1 + x2", "x1 + x2 + x3", "x1 + x2 - x2", "x1")
    assert [run.property for run in found] == [0.5, 0, 1, 1]


@pytest.mark.parametrize("kind", ["extrapolation", "noise"])
def test_a_property_that_is_an_r2_is_that_of_the_probe(kind: str) -> None:
    runs = [replace(RUN, property_r2=0.25)]
    dataset = replace(SET, property=kind)  # type: ignore[arg-type]
    answer = Measurement(1, 1, "simplified", ("x1",), None, "")
    assert measured_runs(runs, {"f": dataset}, [answer])[0].property == 0.25


def test_a_failed_run_is_not_measured_and_stays_failed() -> None:
    runs = [replace(RUN, status="timeout", model="", r2=None), RUN]
    assert [question.model for question in questions(runs, {"f": EXACT})] == ["x1"]
    failed, good = measured_runs(runs, {"f": EXACT}, [Measurement(1, 1, "simplified", ("x1",), "no", "")])
    assert (failed.status, failed.parsed, failed.property) == ("timeout", None, None)
    assert (good.status, good.parsed, good.property) == ("ok", 1, 0)


def test_a_model_that_cannot_be_read_makes_its_run_a_failed_one() -> None:
    (run,) = judged(SELECTION, "__import__('os').system('true')")
    assert (run.status, run.parsed, run.property) == ("unparsed", None, None)


def test_equal_models_on_all_draws_of_a_data_set_are_one_question() -> None:
    dataset = catalog(0, None)["made/exact_formula/easy"]
    runs = [replace(RUN, dataset=dataset.name, repetition=at) for at in range(10)]
    assert len(set(questions(runs, {dataset.name: dataset}))) == 1


REAL = [
    f"synthetic2022/{family}_{difficulty}"
    for family, difficulties in {
        "exact_formula": ("easier", "easy", "medium", "hard"),
        "featureselection": ("easy", "medium", "hard"),
        "localopt": ("easy", "medium", "hard"),
    }.items()
    for difficulty in difficulties
]


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "srbench").exists(), reason="needs the real data sets beside the repository")
def test_the_true_model_of_every_real_set_has_all_of_its_property_where_that_is_a_share() -> None:
    datasets = {name: dataset for name, dataset in catalog(0, SHARED / "srbench").items() if name in REAL}
    assert set(datasets) == set(REAL)
    runs = [replace(RUN, dataset=name, model=dataset.truth or "") for name, dataset in datasets.items()]
    answers = measure(questions(runs, datasets), LIMITS, None, workers=2)
    assert {run.dataset: run.property for run in measured_runs(runs, datasets, answers)} == dict.fromkeys(datasets, 1)

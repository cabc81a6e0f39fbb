"""Any models, benchmarks and arms are scored, reported and ranked; nothing is required by its name."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.config import CHANCE
from pfe.files import read_record, write_record
from pfe.judging.judge import judge
from pfe.judging.language_models import model_runs
from pfe.problem import ScoredPrediction
from pfe.report.details import ARMS
from pfe.report.leaderboard import page as leaderboard
from pfe.report.page import ReportData, alarm_lines, page, tables
from pfe.report.verdict import ranking
from pfe.scores.benchmark import score_benchmark
from pfe.scores.metrics import metrics
from pfe.scores.model import ModelScore, score_model
from pfe.screening.record import Counts, Libraries, Summary
from pfe.training.record import Training
from pfe.tutors.agreement import Agreement
from tests.judging.tables import preset
from tests.report.test_firewall import claim, measured
from tests.scores.made import predictions

MODELS = ("base", "student", "minilm", "chance", "mine", "gpt-4o")
BENCHMARKS = ("race", "gsm1k", "mine")
RULES = replace(preset("pfe"), resamples=5)
marks = st.lists(st.booleans(), min_size=3, max_size=8)


@st.composite
def runs(draw: st.DrawFn) -> dict[str, dict[str, list[ScoredPrediction]]]:
    """Predictions by model and benchmark; one that only chooses has none where text is wanted."""
    models = draw(st.lists(st.sampled_from(MODELS), min_size=1, max_size=3, unique=True))
    benchmarks = draw(st.lists(st.sampled_from(BENCHMARKS), min_size=1, max_size=2, unique=True))
    arms = draw(st.lists(st.sampled_from(ARMS), min_size=1, unique=True))
    made: dict[str, dict[str, list[ScoredPrediction]]] = {}
    for model in models:
        made[model] = {}
        for name in benchmarks:
            n = draw(marks)
            own = predictions({arm: draw(st.permutations(n)) for arm in arms}, benchmark=name)
            examined = not (model == "minilm" and name == "gsm1k")
            made[model][name] = [replace(row, model=model) for row in own] if examined else []
    return made


def scored(made: dict[str, dict[str, list[ScoredPrediction]]]) -> dict[str, ModelScore]:
    return {
        model: score_model(
            {name: score for name, own in by.items() if (score := score_benchmark(own, 0, resamples=20))}
        )
        for model, by in made.items()
    }


@pytest.mark.slow
@settings(max_examples=20)
@given(made=runs(), data=st.data())
def test_any_choice_of_models_benchmarks_and_arms_is_reported_and_ranked(
    made: dict[str, dict[str, list[ScoredPrediction]]], data: st.DataObject
) -> None:
    scores = scored(made)
    labels = {name: f"The {name}" for name in made}
    counts = Counts(target=9, candidates=9, passed=9, accepted=9, short=0, rejected={"token_overlap": 0})
    experiment = ReportData(
        scores=scores,
        screened=Summary(counts, {"race_synth": counts}, Libraries(0, 0)),
        measured=measured(),
        claim=claim(),
        agreements={"race_synth": Agreement(0, 0, None, 0, None, 0, 0, (), {})},
        training=Training(loss=3.0, first_loss=8.0, lessons=8, steps=10, parameters=1000, chosen_step=10),
        quality={},
        benchmarks={name: name.title() for by in made.values() for name in by},
        models=labels,
        untrained=data.draw(st.lists(st.sampled_from(sorted(made)), unique=True)),
    )
    text = page(experiment)
    assert tables(scores, experiment.benchmarks, labels) in text
    assert all(line in text for line in alarm_lines(experiment))

    rules = replace(RULES, baseline=data.draw(st.sampled_from([CHANCE, *made])))
    verdict = judge(model_runs(scores, rules.baseline), rules)
    known = {CHANCE: "Chance"} | labels
    assert ranking(verdict, rules, known, {}) in leaderboard(verdict, rules, known)
    assert not verdict.candidates[rules.baseline].qualified


@pytest.mark.slow
@settings(max_examples=20)
@given(made=runs())
def test_a_written_score_is_read_as_the_same_and_shown_with_one_decimal(
    made: dict[str, dict[str, list[ScoredPrediction]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    scores = scored(made)
    path = tmp_path_factory.mktemp("scores") / "score.json"
    for model in scores.values():
        write_record(path, model)
        assert read_record(path, ModelScore) == model
    shown = metrics(scores)
    for name in ("canonical", "icr", "lift"):
        assert shown[name].keys() == scores.keys()
        for label, points in shown[name].items():
            for benchmark, value in points.items():
                score = scores[label].benchmarks[benchmark]
                exact = score.lift if name == "lift" else score.arms[name]
                assert exact
                assert abs(value - exact.value) <= 0.05 + 1e-9
                assert value == round(value, 1)


@pytest.mark.slow
@given(made=runs())
@settings(max_examples=5)
def test_chance_is_the_same_whether_or_not_it_was_examined(made: dict[str, dict[str, list[ScoredPrediction]]]) -> None:
    scores = scored(made)
    without = {model: score for model, score in scores.items() if model != CHANCE}
    margins = [
        {name: one.margin for name, one in judge(model_runs(examined, CHANCE), RULES).candidates.items()}
        for examined in (scores, without)
    ]
    assert margins[0] == margins[1]

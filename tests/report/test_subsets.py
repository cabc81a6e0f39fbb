"""Any models, benchmarks and arms are scored, reported and ranked; nothing is required by its name."""

import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pfe.config import CHANCE
from pfe.judging.judge import judge
from pfe.judging.language_models import model_runs
from pfe.problem import ScoredPrediction
from pfe.report.details import ARMS
from pfe.report.leaderboard import page as leaderboard
from pfe.report.page import Metrics, alarm_lines, page, tables
from pfe.report.verdict import ranking
from pfe.scores.benchmark import score_benchmark
from pfe.scores.metrics import files
from pfe.scores.model import adjusted
from tests.judging.tables import preset
from tests.report.test_firewall import calibration, certificate
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


def metrics(made: dict[str, dict[str, list[ScoredPrediction]]]) -> Metrics:
    scores = {
        model: adjusted({name: score for name, own in by.items() if (score := score_benchmark(own, 0, resamples=20))})
        for model, by in made.items()
    }
    counts = {"target": 9, "candidates": 9, "accepted": 9, "short": 0, "passed": 9, "rejected": {"token_overlap": 0}}
    return Metrics(
        **json.loads(json.dumps(files(scores))),
        firewall={"sets": {"race_synth": counts}, "total": counts},
        firewall_calibration=calibration(),
        certificate=certificate(),
        answer_keys={"race_synth": {"agreement": None, "problems": 0}},
        train={"parameters": 1000, "steps": 10, "lessons": 8, "first_loss": 8.0, "loss": 3.0},
    )


@settings(max_examples=20)
@given(made=runs(), data=st.data())
def test_any_choice_of_models_benchmarks_and_arms_is_reported_and_ranked(
    made: dict[str, dict[str, list[ScoredPrediction]]], data: st.DataObject
) -> None:
    found = metrics(made)
    titles = {name: name.title() for by in made.values() for name in by}
    labels = {name: f"The {name}" for name in made}
    untrained = data.draw(st.lists(st.sampled_from(sorted(made)), unique=True))
    text = page(found, titles, labels, untrained)
    assert tables(found, titles, labels) in text
    assert all(line in text for line in alarm_lines(found, labels, untrained))

    rules = replace(RULES, baseline=data.draw(st.sampled_from([CHANCE, *made])))
    by_file = {name: getattr(found, name) for name in ("canonical", "icr", "lift", "pfe")}
    verdict = judge(model_runs(by_file, rules.baseline), rules)
    known = {CHANCE: "Chance"} | labels
    assert ranking(verdict, rules, known, {}) in leaderboard(verdict, rules, known)
    json.dumps(verdict.as_json(), allow_nan=False)
    assert not verdict.candidates[rules.baseline].qualified


@given(made=runs())
@settings(max_examples=5)
def test_chance_is_the_same_whether_or_not_it_was_examined(made: dict[str, dict[str, list[ScoredPrediction]]]) -> None:
    by_file = {name: getattr(metrics(made), name) for name in ("canonical", "icr", "lift", "pfe")}
    without = {name: {model: own for model, own in by.items() if model != CHANCE} for name, by in by_file.items()}
    margins = [
        {name: one.margin for name, one in judge(model_runs(found, CHANCE), RULES).candidates.items()}
        for found in (by_file, without)
    ]
    assert margins[0] == margins[1]

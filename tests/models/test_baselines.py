from collections import Counter
from dataclasses import replace

import pytest

from pfe.config import Arm, Config
from pfe.errors import UserError
from pfe.evaluation.prompts import request_for
from pfe.evaluation.runner import draw, examine
from pfe.icr.prefix import Prefix
from pfe.models.chance import Chance
from pfe.models.load import examinee
from pfe.models.similarity import sentences
from pfe.problem import Problem
from pfe.scores.scored import score_predictions
from tests.conftest import SHARED


def many(count: int) -> list[Problem]:
    choices = ("north", "south", "east", "west")
    return [Problem(f"a/{i}", "a", "science", "Where?", "north", choices=choices) for i in range(count)]


def bare(settings: Config, *arms: Arm) -> Config:
    """The settings with these arms only."""
    return replace(settings, evaluate=replace(settings.evaluate, arms=arms))


def test_chance_spreads_over_the_choices_and_is_the_same_in_both_arms(settings: Config) -> None:
    found = examine(Chance(0), "chance", "arc_easy", bare(settings, "canonical", "icr"), many(800), [])
    canonical, icr = ([p.scores for p in found if p.arm == arm] for arm in ("canonical", "icr"))
    assert canonical == icr
    chosen = Counter(scores.index(max(scores)) for scores in canonical)
    assert all(150 < chosen[place] < 250 for place in range(4))


def test_chance_depends_on_the_seed(settings: Config) -> None:
    asked = [request_for(problem, settings.benchmark["arc_easy"], Prefix()) for problem in many(20)]
    outputs = [[answer.scores for answer in Chance(seed).answer(asked)] for seed in (0, 0, 1)]
    assert outputs[0] == outputs[1] != outputs[2]


def test_chance_writes_nothing(settings: Config) -> None:
    problem = Problem("g/1", "gsm1k", "math", "1 + 1?", "2")
    (found,) = examine(Chance(0), "chance", "gsm1k", bare(settings, "canonical"), [problem], [])
    assert (found.output, found.scores) == ("", ())


def test_similarity_chooses_by_meaning_and_leaves_generation_alone(settings: Config, arc_problem: Problem) -> None:
    similarity = examinee("minilm", settings.models["minilm"], 0)
    (found,) = examine(similarity, "minilm", "arc_easy", bare(settings, "canonical"), [arc_problem], [])
    assert arc_problem.choices[found.scores.index(max(found.scores))] == "barometer"
    assert examine(similarity, "minilm", "gsm1k", bare(settings, "canonical"), [arc_problem], []) == []


def test_a_library_can_bridge_question_and_choice(settings: Config) -> None:
    problem = Problem("a/1", "a", "science", "What does a zorbl eat?", "moss", choices=("granite", "moss", "sleet"))
    similarity = examinee("minilm", settings.models["minilm"], 0)
    prefixes = (Prefix(), Prefix("- A zorbl eats moss every day.\n"))
    asked = [request_for(problem, settings.benchmark["arc_easy"], prefix) for prefix in prefixes]
    before, after = (answer.scores for answer in similarity.answer(asked))
    assert after[1] - max(after[0], after[2]) > before[1] - max(before[0], before[2])


def test_sentences_are_the_lines_that_say_something() -> None:
    text = (
        "[SCIENCE FACT LIBRARY]\n\nCATEGORY: Energy\n- Heat flows from hot to cold\nQ: Why does a ball roll farther?\n"
    )
    assert sentences(text) == ["Heat flows from hot to cold", "Why does a ball roll farther?"]


def test_a_limit_draws_the_same_problems_and_a_smaller_one_a_subset() -> None:
    problems = many(50)
    ten, five = draw(problems, 10, seed=0), draw(problems, 5, seed=0)
    assert len(ten) == 10
    assert set(five) < set(ten)
    assert ten == draw(problems, 10, seed=0) != draw(problems, 10, seed=1)
    assert draw(problems, None, seed=0) == draw(problems, 50, seed=0) == problems


def test_a_model_without_a_path_is_told(settings: Config) -> None:
    with pytest.raises(UserError, match=r"models\.mine\.path is null"):
        examinee("mine", replace(settings.models["student"], path=None), seed=0)


@pytest.mark.slow
def test_minilm_is_clearly_above_chance_on_real_arc_easy(settings: Config) -> None:
    """Question-choice cosine alone gave 53 % on the first 600 problems; chance is 25 %."""
    if not (SHARED / "canonical").is_dir():
        pytest.skip("no ../shared/canonical here: minilm is not tried on real ARC-Easy")
    from pfe.canonical.sources import load
    from pfe.config import Canonical

    benchmark = settings.benchmark["arc_easy"]
    problems = load("arc_easy", benchmark, Canonical("files", str(SHARED / "canonical")))[:200]
    minilm = examinee("minilm", settings.models["minilm"], seed=0)
    found = examine(minilm, "minilm", "arc_easy", bare(settings, "canonical"), problems, [])
    right = [row.correct for row in score_predictions(found, problems, benchmark)]
    assert sum(right) / len(right) > 0.4

"""Activities whose endings are steps: what is due, why the others are not, and that the endings alone tell nothing."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from pfe.errors import UserError
from pfe.tutors.engines.script import Engine, Script
from pfe.tutors.family import Facts, families_of
from tests.each import each_family, problems_of

STEPS = "\n".join(f"      - does thing {number}" for number in range(8))
ACTIVITY = f"""engine: script
activities:
  things:
    label: Doing things
    scene: "{{who:C}} is busy."
    steps:
{STEPS}
"""


def activities(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


each_activity_family = each_family(activities, "hellaswag_synth")


def drawn(family: Engine, count: int) -> list[tuple[Script, Facts]]:
    """Facts of a family: activity, step that is due, endings."""
    facts = [family.facts(Random(f"{family.name}{seed}")) for seed in range(count)]
    return [(family.scripts[one["activity"]], one) for one in facts]


def places(script: Script, facts: Facts) -> list[int]:
    """Which steps of the activity the endings begin with; those of other activities begin with none."""
    found = []
    for ending in facts["options"]:
        at = [place for place in range(len(script.actors)) if _tells(script, place, ending, facts["slots"])]
        assert len(at) <= 1, (ending, at)
        found += at
    return sorted(found)


def _tells(script: Script, at: int, ending: str, slots: Mapping[str, str]) -> bool:
    return any(_is(script, at, steps, ending, slots) for steps in (1, script.together(at)))


def _is(script: Script, at: int, steps: int, ending: str, slots: Mapping[str, str]) -> bool:
    return any(end == len(ending) for told in script.ending(at, steps) for end, _ in told.match(ending, 0, {**slots}))


def test_there_are_activities_of_many_kinds() -> None:
    scripts = [script for family in activities("hellaswag_synth") for script in family.scripts.values()]
    assert len(scripts) >= 90
    assert len({script.activity.scene for script in scripts}) == len(scripts)


@each_activity_family
def test_every_ending_is_a_step_that_is_possible_in_itself_and_no_right_one_is_called_wrong(family: Engine) -> None:
    """No ending has an impossible tail, and neither the step after the next nor the last one going on is wrong."""
    for script, facts in drawn(family, 5):
        own = places(script, facts)
        assert all(later - earlier >= 2 for earlier, later in pairwise(own))
        assert facts["due"] in own


@each_activity_family
def test_endings_are_lent_by_other_activities_and_some_are_always_the_activitys_own(family: Engine) -> None:
    lent = Counter(4 - len(places(script, facts)) for script, facts in drawn(family, 12))
    assert {1, 2} <= set(lent)


def test_of_the_activitys_own_endings_each_is_right_equally_often() -> None:
    ranks = {count: Counter[int]() for count in (2, 3, 4)}
    for script, facts in (one for family in activities("hellaswag_synth") for one in drawn(family, 40)):
        own = places(script, facts)
        ranks[len(own)][own.index(facts["due"])] += 1
    for count, right in ranks.items():
        assert set(right) == {*range(count)}
        assert max(right.values()) <= 1.6 * right.total() / count


@each_activity_family
def test_the_solution_says_of_each_wrong_ending_what_is_wrong(family: Engine) -> None:
    for problem in problems_of(family):
        for ending in problem.choices:
            assert (f'"{ending}" ' in problem.solution) == (ending != problem.answer), problem.id


@each_activity_family
def test_no_sentence_is_broken(family: Engine) -> None:
    for problem in problems_of(family):
        for text in (problem.context, problem.question, *problem.choices):
            assert "  " not in text
            assert " ." not in text
            assert not set("<>{}|") & set(text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((STEPS, STEPS[: STEPS.index("thing 6") - 13]), "things.steps: 6 steps; write at least 7"),
        (("{who:C} is busy", "A cat sleeps"), "things.scene: the scene names nobody"),
        (("label: Doing things", "label: Doing things\n    other: the guest"), "name the second person"),
        (("label: Doing things", "title: Doing things"), r"mine\.yaml, line \d+: activities\.things\.label: missing"),
    ],
)
def test_a_mistake_in_an_activity_is_told_with_its_place(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(ACTIVITY)
    assert Engine("mine_synth", path).make(0, 0).answer
    path.write_text(ACTIVITY.replace(*change))
    with pytest.raises(UserError, match=words):
        Engine("mine_synth", path)

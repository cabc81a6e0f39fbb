"""Families of the engines `composer` and `bound_composer`: structures that vary, stories that read, their files."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from pfe.errors import UserError
from pfe.tutors.engines import bound_composer, composer
from pfe.tutors.family import families_of
from pfe.tutors.generate import candidates

MARBLES: dict[str, Any] = {
    "engine": "composer",
    "scene": "people(1, 'first_names')\nthings = pick('stickers', 'marbles')",
    "openings": [{"to": "count", "draws": "n = between(9, 60)", "text": ["{name} has {n:d} {things}."], "value": "n"}],
    "operations": [
        {
            "from": "count", "to": "count", "draws": "k = between(2, it - 1)",
            "text": ["{He} gives {k:d} of them away."], "steps": ["{= it-k} are left."], "check": "x + k == it",
        },
        {
            "from": "count", "to": "count", "draws": "b = between(2, 9)",
            "text": ["{He} finds {b:d} more."], "steps": ["Now there are {= it+b}."], "check": "x - b == it",
        },
    ],
    "questions": [{"from": "count", "text": ["How many {things} does {name} have?"]}],
    "steps": [1, 1],
}  # fmt: skip
PRICED: dict[str, Any] = {
    "engine": "bound_composer",
    "scene": "people(1)\nthing = pick('kite', 'ball', 'drum', 'hat', 'mug')",
    "openings": [
        {
            "to": "bill", "draws": "n = between(2, 9)\np = between(2, 40)", "text": ["{name} buys {n thing}."],
            "steps": ["It costs {$ = n*p}."], "check": "x / n == p",
            "library": [
                {
                    "text": ["{thing:A} costs ${p:d}."], "about": ["thing"],
                    "other": "thing = pick('kite', 'ball', 'drum', 'hat', 'mug')\np = between(2, 40)",
                }
            ],
        }
    ],
    "questions": [{"from": "bill", "text": ["How much is it?"]}],
    "steps": [1],
}  # fmt: skip


def composed(tmp_path: Path, **changes: Any) -> composer.Engine:
    path = tmp_path / "marbles.yaml"
    path.write_text(yaml.safe_dump(MARBLES | changes))
    return composer.Engine("gsm1k_synth", path)


def sequence(solution: str) -> str:
    return "".join(re.findall(r"(?<=[\d)])[-+*/]", " ".join(re.findall("<<(.*?)=", solution))))


def test_structures_are_many_and_short_ones_are_common() -> None:
    plain = candidates("gsm1k_synth", 700, seed=3, library_bound=0)
    steps = [problem.solution.count("<<") for problem in plain]
    assert len({sequence(problem.solution) for problem in plain}) > 150
    assert 2.9 < sum(steps) / len(steps) < 3.7
    assert 0.25 < sum(count <= 2 for count in steps) / len(steps) < 0.42
    assert max(steps) >= 7


def test_a_story_takes_no_operation_twice_and_as_many_calculations_as_are_asked(tmp_path: Path) -> None:
    family = composed(tmp_path, steps=[0, 1])
    for index in range(30):
        problem = family.make(0, index)
        assert problem.solution.count("<<") == 2
        assert len(re.findall("away|more", problem.question)) == 2


def test_a_story_told_backwards_is_undone_from_its_end(tmp_path: Path) -> None:
    family = composed(tmp_path, backwards=True, steps=[1])
    for index in range(30):
        problem = family.make(0, index)
        numbers = list(map(int, re.findall(r"\d+", problem.question)))
        there, changed = numbers[-1], numbers[-2]
        gone = "away" in problem.question
        assert int(problem.answer) == (there - changed if gone else there + changed)
        assert family.answer(problem, "read").answer == problem.answer


def test_sentences_that_were_joined_are_read(tmp_path: Path) -> None:
    family = composed(tmp_path, steps=[0, 1])
    problems = [family.make(0, index) for index in range(60)]
    joined = [problem for problem in problems if re.search(", and (he|she) ", problem.question)]
    assert 10 < len(joined) < 60
    assert all(family.answer(problem, "read").answer == problem.answer for problem in joined)


def test_an_equation_that_the_steps_do_not_meet_is_found(tmp_path: Path) -> None:
    wrong = MARBLES["operations"][0] | {"check": "x - k == it"}
    family = composed(tmp_path, operations=[wrong], steps=[1])
    problem = family.make(0, 0)
    assert family.answer(problem, "verify").answer != problem.answer


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"openings": [{"to": "count", "text": ["{name}"], "steps": ["{= 1+1}"]}]}, "openings.1: `steps` and `check`"),
        (
            {"operations": [{"form": "count", "text": []}]},
            r"marbles\.yaml, line \d+: operations\.1\.form: .*'from'",
        ),
        ({"questions": [{"from": "count", "text": ["{name"]}]}, "questions.1.text"),
        ({"questions": [{"from": "money", "text": ["How much?"]}]}, "nothing leads `to` 'money'"),
        ({"scene": "people(1)\nthings = pik(2)"}, "scene: .*'pik'; did you mean 'pick'"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        composed(tmp_path, **changes).make(0, 0)


@pytest.mark.slow
def test_a_number_that_the_library_tells_is_not_in_the_question(tmp_path: Path) -> None:
    path = tmp_path / "priced.yaml"
    path.write_text(yaml.safe_dump(PRICED))
    family = bound_composer.Engine("gsm1k_synth", path)
    for index in range(20):
        problem = family.make(0, index)
        (place,) = problem.needed
        count, price = re.findall(r"\d+", problem.question), re.findall(r"\d+", problem.library[place])
        assert int(count[0]) * int(price[0]) == int(problem.answer)
        assert problem.library[place] in problem.solution
        assert len({entry.split(" costs ")[0] for entry in problem.library}) == len(problem.library)


def test_a_family_that_never_needs_its_library_is_told(tmp_path: Path) -> None:
    path = tmp_path / "priced.yaml"
    path.write_text(yaml.safe_dump(MARBLES))
    with pytest.raises(UserError, match="add `library`"):
        bound_composer.Engine("gsm1k_synth", path).make(0, 0)


@pytest.mark.slow
def test_bound_families_of_math_have_one_up_to_four_hops_and_differ() -> None:
    bound = [family for family in families_of("gsm1k_synth").values() if family.library_bound]
    hops = Counter(len(family.make(0, index).needed) for family in bound for index in range(40))
    assert {1, 2, 3} <= hops.keys()
    assert max(hops) >= 4

"""Families of the engine `arithmetic`: their files, and that every number of a solution comes from somewhere."""

import re
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from pfe.errors import UserError
from pfe.tutors.engines.arithmetic import Engine
from pfe.tutors.family import remake

QUEUE = {
    "engine": "arithmetic",
    "largest": 90,
    "draws": "people(1)\ntotal = between(12, 90)\nbehind = between(2, total - 2)",
    "text": ["{name} stands in a queue of {total:d}.", "{behind:d} stand behind {him}.", "Which place is {his}?"],
    "steps": ["Up to {name} there are {= total-behind} people."],
    "check": "x - 1 + 1 + behind == total",
}
# What these ids have always made: question, answer and solution.
MADE = {
    "coupon_change/s0/2": "c2203d723698c316",
    "overtime_pay/s0/5": "ca988fa8b3489dd0",
    "ticket_sales/s0/7": "0812a11129e8fb65",
    "shared_dinner/s0/1": "b093c14ec0ea3cc2",
    "fractions_left/s0/3": "368fb87422368d6a",
    "comparison_chain/s0/4": "b2c7f9a9fb6f6fd6",
    "timetable/s0/6": "9d86912e1b4f9bc4",
    "training_plan/s0/8": "37f9a0a8ffd24f2e",
    "fuel_cost/s0/9": "fb9fdbe79c196a9b",
}


def family(tmp_path: Path, **changes: object) -> Engine:
    path = tmp_path / "queue.yaml"
    path.write_text(yaml.safe_dump(QUEUE | changes))
    return Engine("gsm1k_synth", path)


def digest(id: str) -> str:
    problem = remake(f"gsm1k_synth/{id}")
    return sha256(f"{problem.question}\n{problem.answer}\n{problem.solution}".encode()).hexdigest()[:16]


def test_an_id_makes_the_same_problem_as_ever() -> None:
    assert {id: digest(id) for id in MADE} == MADE


@pytest.mark.parametrize("name", ["saving_goal", "cut_lengths", "recipe_cartons"])
def test_every_number_that_a_solution_calculates_with_comes_from_somewhere(name: str) -> None:
    """From the text, from a line before, or it is one more."""
    for index in range(100):
        problem = remake(f"gsm1k_synth/{name}/s0/{index}")
        known = {*re.findall(r"\d+", problem.question), "1"}
        for expression, value in re.findall("<<(.*?)=(.*?)>>", problem.solution):
            assert set(re.findall(r"\d+", expression)) <= known, problem
            known.add(value)


def test_a_file_makes_problems(tmp_path: Path) -> None:
    queue = family(tmp_path)
    problem = queue.make(0, 1)
    total, behind = map(int, re.findall(r"\d+", problem.question))
    assert problem.answer == str(total - behind)
    assert f"{total} - {behind} = <<{total}-{behind}={total - behind}>>" in problem.solution
    assert [queue.answer(problem, route).answer for route in ("read", "eliminate")] == [problem.answer] * 2


def test_what_is_required_of_the_draws_holds(tmp_path: Path) -> None:
    queue = family(tmp_path, draws=QUEUE["draws"] + "\nrequire(total % 7 == 0)")  # type: ignore[operator]
    assert all(queue.make(0, index).question.split("queue of ")[1].split(".")[0] for index in range(5))
    assert all(int(re.findall(r"\d+", queue.make(0, index).question)[0]) % 7 == 0 for index in range(50))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"steps": ["{= total-}"]}, r"queue\.yaml, line 10: steps.1: .*no formula"),
        ({"draws": "total = betwen(2, 9)"}, r"queue\.yaml, line 2: draws: .*'betwen'; did you mean 'between'"),
        ({"draws": "total = open(2).read"}, r"queue\.yaml, line 2: draws: .*Attribute is no part of a formula"),
        ({"draws": "import os"}, r"queue\.yaml, line 2: draws: 'import os': expected `name = formula`"),
        ({"steps": ["{= up(total)}"]}, r"queue\.yaml, line 10: steps.1: .*not up"),
        ({"steps": [{"when": "total"}]}, r"queue\.yaml, line 10: steps.1: expected a text, or if, then and else"),
        ({"tests": []}, r"queue\.yaml, line 11: tests: unknown key; did you mean 'text'"),
        ({"check": 5}, r"queue\.yaml, line 1: check: .*string"),
        ({"text": ["{name"]}, r"queue\.yaml, line 12: text.1: .*stands alone"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_file_and_key(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        _ = family(tmp_path, **changes).wording


def test_draws_that_nothing_can_meet_are_told(tmp_path: Path) -> None:
    impossible = family(tmp_path, draws=f"{QUEUE['draws']}\nrequire(total > 9999)")
    with pytest.raises(UserError, match="nothing drawn meets what is required"):
        impossible.make(0, 0)

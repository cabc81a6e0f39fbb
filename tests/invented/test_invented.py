"""The benchmark `invented`: at chance without its libraries, decided by them, and the same from its seed."""

from collections import Counter
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pfe.canonical.canary import GUID
from pfe.errors import UserError
from pfe.invented.family import InventedFamily
from pfe.invented.making import invent, invented_families, write_lines
from pfe.problem import SKILLS, Problem
from pfe.rows.files import entries, split
from pfe.rows.published import PUBLISHED
from pfe.scorers import score
from pfe.tutors.family import ROUTES
from tests.conftest import ROOT
from tests.each import each

SEALED = ROOT / "data/invented/test.jsonl.gz"


@cache
def sealed() -> list[Problem]:
    rows = [dict(entry.columns) for shard in split([SEALED]) for entry in entries(shard)]
    assert all(GUID in row["canary"] for row in rows)
    return [of_row(row) for row in rows]


def of_row(row: dict[str, Any]) -> Problem:
    return Problem(**PUBLISHED["problem"](row) | {"id": row["id"]})


def answered(problem: Problem, library: tuple[str, ...]) -> str | None:
    """What a plain reader of wordings answers behind a library."""
    family = invented_families()[problem.family]
    try:
        return family.solve(family.read(replace(problem, library=library)))
    except ValueError:
        return None


def test_there_are_a_thousand_of_five_tiers_chosen_and_written() -> None:
    problems = sealed()
    assert Counter(problem.skill for problem in problems) == dict.fromkeys(SKILLS, 200)
    assert len({problem.id for problem in problems}) == len({problem.question for problem in problems}) == 1000
    assert 350 <= sum(bool(problem.choices) for problem in problems) <= 650


def test_all_sealed_problems_are_those_of_their_seed() -> None:
    assert invent(0, 1000) == sealed()


@each(invented_families)
def test_another_seed_makes_another_problem(family: InventedFamily) -> None:
    assert family.make(1, 0) != family.make(0, 0)


@each(lambda: {problem.id: problem for problem in sealed()[::4]})
def test_a_plain_reader_answers_behind_the_right_library_and_behind_no_other(problem: Problem) -> None:
    assert answered(problem, problem.library) == problem.answer
    changed, irrelevant, bare, _ = problem.variants
    assert answered(problem, changed.library) == changed.answer != problem.answer == changed.otherwise
    assert answered(problem, irrelevant.library) is answered(problem, bare.library) is None


@each(invented_families)
def test_every_route_arrives_at_the_answer(family: InventedFamily) -> None:
    for index in range(10):
        problem = family.make(3, index)
        keys = [family.answer(problem, route) for route in ROUTES]
        assert all(score("mixed", problem, key.answer).correct for key in keys)


@each(invented_families)
def test_nothing_that_is_needed_can_be_left_out(family: InventedFamily) -> None:
    for index in range(10):
        problem = family.make(3, index)
        for place in problem.needed:
            assert answered(problem, problem.library[:place] + problem.library[place + 1 :]) != problem.answer


@each(invented_families)
def test_a_library_against_the_world_has_an_answer_that_is_not_the_worlds(family: InventedFamily) -> None:
    for index in range(10):
        problem = family.make(3, index)
        contradicted = problem.variant("contradicted")
        assert contradicted
        assert contradicted.answer != contradicted.otherwise
        assert not problem.choices or {contradicted.answer, contradicted.otherwise} <= set(problem.choices)
        assert set(contradicted.library) != set(problem.library)
        others = [text for place, text in enumerate(problem.library) if place not in problem.needed]
        assert len(set(others) - set(contradicted.library)) <= 3, "only what speaks of the same thing differs"


def test_the_choices_give_nothing_away() -> None:
    """Neither the value that is right most often elsewhere, nor place, length or middle; three sigma above chance."""
    chosen = [problem for problem in sealed() if problem.choices]
    right, offered = Counter(p.answer for p in chosen), Counter(choice for p in chosen for choice in p.choices)

    def elsewhere(problem: Problem, choice: str) -> float:
        return (right[choice] - (choice == problem.answer) + 0.25) / (offered[choice] - 1 + 1)

    guesses = {
        "elsewhere": [max(p.choices, key=partial(elsewhere, p)) for p in chosen],
        "longest": [max(p.choices, key=len) for p in chosen],
        "first": [p.choices[0] for p in chosen],
        "middle": [sorted(p.choices)[1] for p in chosen],
        "in the question": [max(p.choices, key=p.question.count) for p in chosen],
    }
    limit = 0.25 + 3 * (0.25 * 0.75 / len(chosen)) ** 0.5
    for name, guess in guesses.items():
        share = sum(text == problem.answer for text, problem in zip(guess, chosen, strict=True)) / len(chosen)
        assert share <= limit, name


def test_what_is_written_cannot_be_guessed() -> None:
    written = [problem for problem in sealed() if not problem.choices]
    assert Counter(problem.answer for problem in written).most_common(1)[0][1] <= len(written) / 25


def test_problems_are_written_whole_to_the_same_bytes(tmp_path: Path) -> None:
    problems = invent(1, 5)
    for name in ("a.jsonl", "b.jsonl.gz"):
        write_lines(problems, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        write_lines(problems, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first
        rows = [dict(entry.columns) for shard in split([tmp_path / name]) for entry in entries(shard)]
        assert [of_row(row) for row in rows] == problems
    with pytest.raises(UserError, match=r"problems are written as \.jsonl"):
        write_lines(problems, tmp_path / "c.parquet")
    with pytest.raises(UserError, match="cannot be shared among 5 skills"):
        invent(0, 7)

"""The base of the arm `retrieved`: what of it the tutors make, and that what it shows is right."""

from pathlib import Path
from textwrap import dedent

import pytest

from pfe.icr import entries
from pfe.icr.entries import written
from pfe.icr.retrieval import Entry
from pfe.problem import Problem
from pfe.tutors import base as module
from pfe.tutors.base import DRAWS, SEED, base, solved
from pfe.tutors.facts import facts
from pfe.tutors.family import remake


@pytest.fixture(scope="module")
def made() -> list[Entry]:
    """A base with few solved problems."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DRAWS", dict.fromkeys(DRAWS, 30))
        return base()


def problems(made: list[Entry], set: str) -> list[tuple[Entry, Problem]]:
    own = [entry for entry in made if entry.source.startswith(f"{set}/")]
    assert len(own) > 20
    return [(entry, remake(entry.source)) for entry in own]


def test_it_holds_what_is_written_the_facts_of_arc_and_solved_problems(made: list[Entry]) -> None:
    assert [entry for entry in made if entry.written] == written()
    others = {entry.source.partition("/")[0] for entry in made if not entry.written}
    assert others == {"arc_synth", *DRAWS}
    told = [entry for entry in made if entry.source.startswith("arc_synth/")]
    assert {entry.domain for entry in told} == {"science"}
    assert 0.8 * len(facts()) < len(told) <= len(facts())
    assert all(entry.text == entry.key and entry.text.endswith((".", "?")) for entry in told)


def test_solved_problems_are_found_by_their_question_and_made_again_from_their_source(made: list[Entry]) -> None:
    for set in DRAWS:
        for entry, problem in problems(made, set):
            assert entry == solved(problem)
            assert entry.key == problem.question
            assert entry.text.splitlines()[0].endswith(problem.question.splitlines()[0])
            assert not problem.library
            assert f"/s{SEED}/" in problem.id


def test_a_solved_word_problem_ends_in_its_answer_without_marks_of_a_calculator(made: list[Entry]) -> None:
    for entry, problem in problems(made, "gsm1k_synth"):
        assert problem.answer in entry.text.rpartition("→")[2].replace(",", "")
        assert "<<" not in entry.text
        assert "####" not in entry.text


def test_a_solved_program_passes_the_test_it_shows(made: list[Entry]) -> None:
    for entry, _ in problems(made, "mbpp_synth"):
        before, _, program = entry.text.partition("\nSolution:\n")
        exec(f"{dedent(program)}\n{before.rpartition('Test: ')[2]}", {})


def test_what_is_withheld_is_not_in_it(made: list[Entry], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    withheld = (entries.FOLDER / "withheld.ids").read_text().splitlines()
    assert withheld == sorted(set(withheld))
    assert not {entry.source for entry in made} & set(withheld)
    fact = next(entry for entry in made if entry.source.startswith("arc_synth/"))
    (tmp_path / "withheld.ids").write_text(f"{fact.source}\n")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setattr(module, "DRAWS", {})
    assert fact not in base()

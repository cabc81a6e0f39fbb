from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from pfe.errors import UserError
from pfe.report.problem import readable
from pfe.tutors import families
from pfe.tutors.family import BoundFamily, families_of, family_of, remake, unfill, unfill_any
from pfe.tutors.generate import candidates


def test_candidates_are_distinct_and_take_the_families_in_turn() -> None:
    problems = candidates("winogrande_synth", 400, seed=0, library_bound=0.4)
    assert len({problem.text for problem in problems}) == len(problems) == 400
    counts = Counter(problem.family for problem in problems)
    families = families_of("winogrande_synth")
    assert sum(counts[name] for name, family in families.items() if family.library_bound) == pytest.approx(160, abs=6)
    for name, family in families.items():
        alike = [other.weight for other in families.values() if other.library_bound == family.library_bound]
        share = (160 if family.library_bound else 240) * family.weight / sum(alike)
        world = family.asked if isinstance(family, BoundFamily) else 1
        assert abs(counts[name] - share) <= 2 + world, name


def test_problems_about_one_world_are_candidates_together() -> None:
    problems = candidates("winogrande_synth", 200, seed=0, library_bound=0.4)
    worlds = [(group, len(list(alike))) for group, alike in groupby(problems, key=lambda problem: problem.group)]
    assert len({group for group, _ in worlds}) == len(worlds)
    for group, count in worlds[:-1]:
        family = family_of(group)
        assert count == (family.asked if isinstance(family, BoundFamily) else count)


def test_the_same_seed_gives_the_same_candidates() -> None:
    assert candidates("winogrande_synth", 30, seed=1, library_bound=0.4) == candidates(
        "winogrande_synth", 30, seed=1, library_bound=0.4
    )
    assert candidates("winogrande_synth", 30, seed=1, library_bound=0.4) != candidates(
        "winogrande_synth", 30, seed=2, library_bound=0.4
    )


@pytest.mark.parametrize("lookup", [0.0, 0.25, 0.7, 1.0])
def test_one_entry_answers_the_share_of_library_bound_problems_that_is_asked_for(lookup: float) -> None:
    problems = candidates("hellaswag_synth", 200, seed=0, library_bound=0.5, lookup=lookup)
    bound = [problem for problem in problems if problem.library_bound]
    assert abs(len(bound) - 100) <= 6
    assert abs(sum(problem.skill == "lookup" for problem in bound) / len(bound) - lookup) < 0.06


def test_a_set_without_look_ups_is_as_its_weights_say() -> None:
    assert not any(problem.skill == "lookup" for problem in candidates("gsm1k_synth", 60, 0, 1.0))
    made = candidates("gsm1k_synth", 60, seed=0, library_bound=0.4, lookup=0.9)
    assert made == candidates("gsm1k_synth", 60, seed=0, library_bound=0.4)


@pytest.mark.parametrize(
    ("id", "words"),
    [
        (
            "winogrand_synth/size_and_fit/s0/1",
            "unknown synthetic set 'winogrand_synth'; did you mean 'winogrande_synth'",
        ),
        (
            "winogrande_synth/size_and_fat/s0/1",
            "unknown family 'size_and_fat' of winogrande_synth; did you mean 'size_and_fit'",
        ),
        ("gsm1k/1", "not of the form"),
    ],
)
def test_an_id_that_is_none_is_told(id: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        remake(id)


def test_a_problem_is_shown_from_its_id() -> None:
    (problem,) = candidates("winogrande_synth", 1, seed=0, library_bound=0.4)
    text = readable(remake(problem.id))
    assert all(part in text for part in (problem.id, problem.question, *problem.choices, problem.solution))


def test_a_template_is_turned_round() -> None:
    template = "{name} has {n:d} pens. {name} buys {m:d} more."
    facts = {"name": "Ann Lee", "n": 3, "m": -14}
    assert unfill(template, template.format(**facts)) == facts
    assert unfill_any(["Once {x}.", template], template.format(**facts)) == facts


@pytest.mark.parametrize("text", ["Ann has 3 pens. Bea buys 4 more.", "Ann has three pens. Ann buys 4 more.", ""])
def test_a_text_of_another_template_does_not_fit(text: str) -> None:
    with pytest.raises(ValueError, match="fit"):
        unfill("{name} has {n:d} pens. {name} buys {m:d} more.", text)
    with pytest.raises(ValueError, match="no template fits"):
        unfill_any(["{name} has {n:d} pens. {name} buys {m:d} more."], text)


def test_a_set_and_its_families_are_found_by_being_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "made_synth"
    package.mkdir()
    (package / "__init__.py").write_text('"""A set of our own."""\n')
    (package / "sizes.py").write_text(_family("OtherSize", "other_size"))
    monkeypatch.setattr(families, "__path__", [*families.__path__, str(tmp_path)])
    assert list(families_of("made_synth")) == ["other_size"]
    problems = candidates("made_synth", 4, seed=0, library_bound=0.4)
    assert all(remake(problem.id) == problem for problem in problems)
    assert {problem.set for problem in problems} == {"made_synth"}
    assert {problem.set for problem in candidates("winogrande_synth", 4, seed=0, library_bound=0.4)} == {
        "winogrande_synth"
    }


def test_two_families_of_one_name_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "twice_synth"
    package.mkdir()
    (package / "__init__.py").write_text('"""A set of our own."""\n')
    (package / "one.py").write_text(_family("One", "size"))
    (package / "two.py").write_text(_family("Two", "size"))
    monkeypatch.setattr(families, "__path__", [*families.__path__, str(tmp_path)])
    with pytest.raises(UserError, match=r"two\.py: the name 'size' of Two is taken; give another"):
        families_of("twice_synth")


def _family(kind: str, name: str) -> str:
    """A module with one family."""
    return f"""
from pfe.tutors.content import CONTENT
from pfe.tutors.engines.coreference import Engine

class {kind}(Engine):
    name = "{name}"

    def __init__(self) -> None:
        super().__init__(self.set, CONTENT / "winogrande_synth/size_and_fit.yaml")
        self.name = "{name}"
"""

"""The synthetic function calls: nothing held out, all the rest used, and far from the benchmark's wording."""

import json
from pathlib import Path

import pytest

from pfe.firewall.tokens import NgramIndex
from pfe.icr.calls import faults, kind, parse
from pfe.icr.functions import catalogue, toolboxes
from pfe.tutors.families.fncall_synth.request import Asking
from pfe.tutors.family import families_of

FAMILIES = [family for family in families_of("fncall_synth").values() if isinstance(family, Asking)]
PROBLEMS = [family.make(seed=0, index=index) for family in FAMILIES for index in range(60)]
CANONICAL = [
    json.loads(line)["request"]
    for line in (Path(__file__).parents[2] / "data/fncall/test.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_no_held_out_function_occurs() -> None:
    held_out = [name for name, function in catalogue().items() if function.held_out]
    assert len(held_out) == 15
    for problem in PROBLEMS:
        for text in (*problem.functions, problem.answer, problem.solution, problem.question):
            assert not any(name in text for name in held_out), problem.id


def test_every_other_function_is_called_somewhere() -> None:
    calls = [one for problem in PROBLEMS for call in parse(problem.answer) for one in (call, *call.inner())]
    assert {call.name for call in calls} == {name for name, function in catalogue().items() if not function.held_out}
    assert {kind(parse(problem.answer)) for problem in PROBLEMS} == {"single", "several", "nested"}


def test_calls_fit_the_five_functions_on_offer() -> None:
    for problem in PROBLEMS:
        assert problem.functions in toolboxes().values()
        for call in parse(problem.answer):
            assert faults(call) == []
            assert {call.name, *(inner.name for inner in call.inner())} <= set(problem.functions)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_plausible_wrong_calls_are_on_offer_and_refused(family: Asking) -> None:
    for index in range(30):
        problem = family.make(seed=2, index=index)
        candidates = list(family.candidates(problem))
        assert len(candidates) >= 6
        assert [answer for answer in candidates if family.check(family.read(problem), answer)] == [problem.answer]


def test_wording_keeps_away_from_the_benchmark() -> None:
    index = NgramIndex(CANONICAL, 5)
    assert index.containment(index.count([problem.text for problem in PROBLEMS])).score.max() <= 0.3

"""Data sets of reasoning-gym as tutors, and its variations of GSM8K's test problems as a positive control."""

from dataclasses import replace
from importlib.util import find_spec

import pytest

from pfe import config
from pfe.config import Config, Firewall, Tutor, record
from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.gym import Gym
from pfe.tutors.keys import agreement, answerer, keyed_problems
from pfe.tutors.writing.writers import writer
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(find_spec("reasoning_gym") is None, reason="reasoning-gym is not installed")


def tutor(dataset: str | None, **writes: int) -> Tutor:
    return record(Tutor, kind="reasoning_gym", dataset=dataset, writes=writes)


def test_a_data_set_writes_problems_that_its_judge_confirms(settings: Config) -> None:
    legs = tutor("leg_counting", gsm1k_synth=12)
    work = writer("legs", legs, 0).write("gsm1k_synth", 12, 0)
    assert writer("legs", legs, 0).write("gsm1k_synth", 12, 0) == work
    assert len({problem.question for problem in work.problems}) == 12
    assert {(problem.tutor, problem.family, problem.domain) for problem in work.problems} == {
        ("legs", "leg_counting", "math")
    }
    wrong = replace(work.problems[0], answer=str(int(work.problems[0].answer) + 1))
    other = replace(work.problems[1], question=work.problems[2].question)
    tutors = {name: answerer(name, one) for name, one in {**settings.tutor, "legs": legs}.items()}
    results = keyed_problems([*work.problems, wrong, other], tutors)
    assert [result.is_used(settings.answer_keys) for result in results] == [True] * 12 + [False] * 2
    assert {vote.tutor for result in results for vote in result.votes} == {"legs"}
    known = agreement(results[:12], list(tutors), settings.answer_keys)
    assert known.words == "checked by construction, 100.0 % of 12"
    assert [key.text for key in results[0].keys] == [f"#### {work.problems[0].answer}"]


def test_seeds_share_no_problem() -> None:
    """reasoning-gym's own problem i of seed s is its problem i - 1 of seed s + 1."""
    texts = [
        {p.question for p in Gym("legs", "leg_counting").write("gsm1k_synth", 20, seed).problems} for seed in (0, 1)
    ]
    assert not texts[0] & texts[1]


def test_an_answer_that_is_none_of_the_domain_is_refused_and_the_writing_ends() -> None:
    work = Gym("times", "time_intervals").write("gsm1k_synth", 5, 0)
    assert not work.problems
    assert "is none of the domain math" in work.refusals[0].reason


def test_a_text_that_is_the_answer_to_the_letter_is_a_problem_of_form() -> None:
    work = Gym("backward", "spell_backward").write("format_synth", 3, 0)
    assert len(work.problems) == 3


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (tutor("leg_countin"), r"tutor\.mine\.dataset: unknown data set 'leg_countin'; did you mean 'leg_counting'"),
        (tutor(None), r"tutor\.mine\.dataset is null"),
    ],
)
def test_an_unknown_data_set_is_told(entry: Tutor, told: str) -> None:
    with pytest.raises(UserError, match=told):
        answerer("mine", entry)


def test_a_set_of_choices_is_none_for_it() -> None:
    with pytest.raises(UserError, match=r"tutor\.legs\.writes: arc_synth holds problems of the domain science"):
        Gym("legs", "leg_counting").write("arc_synth", 1, 0)


OTHERS = ("leg_counting", "chain_sum", "basic_arithmetic", "simple_equations", "lcm")


@pytest.mark.slow
def test_the_gates_find_variations_of_sealed_problems_that_somebody_else_generates(
    strict: Firewall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`gsm_symbolic` is made of GSM8K's test problems: a positive control; what other data sets write is none."""
    # Here, as they take a second and only this test needs them.
    from reasoning_gym import create_dataset

    from pfe.embedding.encoder import Encoder
    from pfe.firewall.firewall import screen
    from pfe.firewall.reference import Reference
    from pfe.params import composed
    from tests.firewall.real import problems

    monkeypatch.chdir(ROOT)
    spec = config.parse(composed(["firewall=spec"]), "conf").firewall
    reference = Reference(problems("test"), Encoder("all-MiniLM-L6-v2"), strict.n)
    entries = create_dataset("gsm_symbolic", seed=1, size=400)
    symbolic = [
        Problem(f"control/{place}", "control", "math", entries[place]["question"], str(entries[place]["answer"]))
        for place in range(400)
    ]
    by_spec, by_all = (
        sum(not verdict.safe for verdict in screen(symbolic, reference, gates).verdicts) for gates in (spec, strict)
    )
    print(f"rejected of 400: {by_spec} by SPEC's checks, {by_all} by all gates")
    assert by_spec in range(140, 180)
    assert by_all in range(372, 395)
    clean = [problem for name in OTHERS for problem in Gym(name, name).write("gsm1k_synth", 60, 0).problems]
    assert len(clean) == 300
    assert all(verdict.safe for verdict in screen(clean, reference, strict).verdicts)

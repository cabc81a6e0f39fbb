"""The combined firewall on real embeddings, against the naive definition of SPEC."""

from dataclasses import replace
from itertools import pairwise

import pytest

from pfe.config import Config
from pfe.embedding import Encoder
from pfe.firewall.controls import KINDS, controls
from pfe.firewall.firewall import screen
from pfe.firewall.outcome import screen_all
from pfe.problem import Problem

BAKER = "A baker sells 12 rolls in the morning and 8 in the afternoon. How many rolls does she sell in all?"
PARAPHRASE = (
    "In the morning, 12 rolls are sold by a baker, and 8 more in the afternoon. How many rolls is that in total?"
)
OTHER = "A train leaves at noon and travels for 3 hours at 80 km an hour. How far does it get before it stops?"
RENUMBERED = "Twelve kites fly over the hill and 8 more join them from the beach. How many kites are up there now?"


def math(id: str, question: str, answer: str, solution: str = "") -> Problem:
    return Problem(id, id.partition("/")[0], "math", question, answer, solution=solution)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder("all-MiniLM-L6-v2")


@pytest.fixture
def canonical() -> list[Problem]:
    return [math("gsm1k/1", BAKER, "20"), math("gsm1k/2", "Ben walks his dog for ten minutes. How long?", "10")]


def test_each_check_gives_its_own_reason(settings: Config, canonical: list[Problem], encoder: Encoder) -> None:
    candidates = [
        math("s/1", BAKER + " Show your work.", "20"),
        math("s/2", PARAPHRASE, "20"),
        math("s/3", RENUMBERED, "20", "12 + 8 = <<12+8=20>>20"),
        math("s/4", OTHER, "240"),
    ]
    verdicts = screen(candidates, canonical, settings.firewall, encoder)
    assert [v.reason for v in verdicts] == ["token_overlap", "semantic_similarity", "math_structure", "passed"]
    assert [v.canonical_id for v in verdicts[:3]] == ["gsm1k/1"] * 3
    assert all(v.score > v.threshold for v in verdicts[:2])


def test_a_lower_threshold_never_lets_more_through(
    settings: Config, canonical: list[Problem], encoder: Encoder
) -> None:
    candidates = [math(f"s/{i}", BAKER[i * 8 :] + OTHER, "1") for i in range(8)]
    passed = []
    for threshold in (0.0, 0.1, 0.3, 0.6, 1.0):
        stricter = replace(settings.firewall, threshold=threshold)
        passed.append(
            {p.id for p, v in zip(candidates, screen(candidates, canonical, stricter, encoder), strict=True) if v.safe}
        )
    assert all(fewer <= more for fewer, more in pairwise(passed))
    assert passed[0] < passed[-1]


def test_structure_can_be_turned_off(settings: Config, canonical: list[Problem], encoder: Encoder) -> None:
    without = replace(settings.firewall, structure=False)
    (verdict,) = screen([math("s/3", RENUMBERED, "20")], canonical, without, encoder)
    assert verdict.safe


def test_every_candidate_is_accepted_rejected_or_surplus(
    settings: Config, canonical: list[Problem], encoder: Encoder
) -> None:
    sets = {
        "a_synth": [math("a_synth/1", BAKER, "20"), math("a_synth/2", OTHER, "240"), math("a_synth/3", "Why?", "1")]
    }
    screening = screen_all(sets, {"a_synth": 1}, canonical, settings.firewall, encoder, seed=0)
    (outcome,) = screening.outcomes
    assert [p.id for p in outcome.accepted] == ["a_synth/2"]
    assert [p.id for p, _ in outcome.rejected] == ["a_synth/1"]
    assert outcome.metrics()["passed"] == 2
    assert outcome.short == 0


def test_a_set_short_of_its_target_says_so(settings: Config, canonical: list[Problem], encoder: Encoder) -> None:
    screening = screen_all(
        {"a_synth": [math("a_synth/1", OTHER, "240")]}, {"a_synth": 5}, canonical, settings.firewall, encoder, 0
    )
    assert screening.metrics()["sets"]["a_synth"]["short"] == 4
    assert screening.metrics()["total"]["short"] == 4


def test_verbatim_controls_are_always_caught(settings: Config, canonical: list[Problem], encoder: Encoder) -> None:
    screening = screen_all({}, {}, canonical, settings.firewall, encoder, seed=0)
    assert screening.metrics()["controls"]["verbatim"] == {"caught": 100.0, "n": 2}
    assert set(screening.metrics()["controls"]) == set(KINDS)


def test_controls_change_what_they_say(canonical: list[Problem]) -> None:
    made = controls(canonical, per_kind=2, seed=0)
    assert {p.question for p in made["verbatim"]} == {p.question for p in canonical}
    (renumbered,) = made["numbers"]
    assert renumbered.question != BAKER
    assert renumbered.question.replace("A baker", "") != BAKER
    half = made["words_50"][0].question.split()
    original = next(p for p in canonical if p.id == made["words_50"][0].id).question.split()
    assert len(half) == len(original)
    assert 0 < sum(a != b for a, b in zip(half, original, strict=True)) <= round(len(original) / 2)


def test_the_certificate_names_the_nearest_that_was_accepted(
    settings: Config, canonical: list[Problem], encoder: Encoder
) -> None:
    screening = screen_all(
        {"a_synth": [math("a_synth/1", OTHER, "240")]}, {"a_synth": 1}, canonical, settings.firewall, encoder, 0
    )
    certificate = screening.certificate(settings.firewall, encoder.weights_sha256, len(canonical))
    assert certificate["highest_accepted"]["cosine"] <= settings.firewall.semantic.threshold
    assert certificate["highest_accepted"]["containment"] <= settings.firewall.threshold
    assert certificate["accepted_problems"] == 1

from dataclasses import replace
from pathlib import Path

import pytest

from pfe.config import Config
from pfe.embedding.encoder import Encoder
from pfe.firewall.firewall import screen
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from pfe.screening.certificate import certificate, differences, hashes
from pfe.screening.outcome import Outcome, summary
from pfe.screening.record import Counts, Libraries

BAKER = "A baker sells 12 rolls in the morning and 8 in the afternoon. How many rolls does she sell in all?"
OTHER = "A train leaves at noon and travels for 3 hours at 80 km an hour. How far does it get before it stops?"
CANDIDATES = (
    Problem("a_synth/1", "a_synth", "math", BAKER, "20"),
    Problem("a_synth/2", "a_synth", "math", OTHER, "240"),
    Problem("a_synth/3", "a_synth", "math", "Why does it rain?", "1"),
)


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference([Problem("gsm1k/1", "gsm1k", "math", BAKER, "20")], Encoder("all-MiniLM-L6-v2"), 5)


@pytest.fixture
def outcome(reference: Reference, settings: Config) -> Outcome:
    return Outcome("a_synth", 1, CANDIDATES, screen(CANDIDATES, reference, settings.firewall).verdicts)


def test_every_candidate_is_accepted_rejected_or_surplus(outcome: Outcome) -> None:
    assert [p.id for p in outcome.accepted] == ["a_synth/2"]
    assert outcome.short == 0
    counts = summary([outcome], Libraries(0, 0))
    assert counts.total == counts.sets["a_synth"] == Counts(1, 3, 2, 1, 0, counts.total.rejected)
    assert sum(counts.total.rejected.values()) == 1


def test_a_set_short_of_its_target_says_so(outcome: Outcome) -> None:
    assert replace(outcome, target=5).counts.short == 3


def test_the_certificate_names_the_nearest_that_was_let_through(
    outcome: Outcome, reference: Reference, settings: Config, tmp_path: Path
) -> None:
    (tmp_path / "a.parquet").write_bytes(b"1")
    made = certificate([outcome], settings.firewall, reference, {"candidates": tmp_path})
    assert made["counts"] == {"canonical": 1, "candidates": 3, "accepted": 1}
    for gate, threshold in made["thresholds"].items():
        highest = made["highest_accepted"][gate]
        assert highest["score"] <= threshold
        assert highest["problem_id"] == "a_synth/2"
    assert made["files"] == {"candidates": {"a.parquet": hashes(tmp_path)["a.parquet"]}}
    assert differences(made, made, []) == []


def test_any_difference_is_told(outcome: Outcome, reference: Reference, settings: Config, tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"1")
    made = certificate([outcome], settings.firewall, reference, {"candidates": tmp_path})
    (tmp_path / "a.parquet").write_bytes(b"2")
    changed = certificate([outcome], replace(settings.firewall, threshold=0.4), reference, {"candidates": tmp_path})
    told = differences(made, changed, [])
    assert any(line.startswith("files.candidates.a.parquet: the certificate says") for line in told)
    assert any(line.startswith("parameters.threshold: the certificate says 0.3, the data say 0.4") for line in told)
    forged = made | {"counts": made["counts"] | {"accepted": 900}}
    assert differences(forged, made, []) == ["counts.accepted: the certificate says 900, the data say 1"]
    shortened = {key: value for key, value in made.items() if key != "embedding"}
    assert len(differences(shortened, made, [])) == 1

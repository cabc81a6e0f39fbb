"""Calibration on problems whose contamination is known because the test made it."""

import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from pfe.calibration.recall import (
    canonical_samples,
    clean_samples,
    halves,
    known_samples,
    published,
    rejection_shares,
    roc,
    siblings,
)
from pfe.canonical.sources import load
from pfe.config import Calibration, Canonical, Config, Firewall
from pfe.embedding.encoder import Encoder
from pfe.firewall.gate import active
from pfe.problem import Problem
from pfe.screening.sealed import reference_of
from pfe.tutors.generate import candidates
from tests.conftest import ROOT, SHARED

SETS = ("gsm1k_synth", "arc_synth", "race_synth")


@pytest.fixture(scope="module")
def canonical() -> list[Problem]:
    """Problems of our own families, for lack of others: those of one family are much alike."""
    return [
        replace(problem, set=name, group=problem.family, family="")
        for name in SETS
        for problem in candidates(name, 24, seed=0, library_bound=0.4)
    ]


def test_halves_share_no_group(canonical: list[Problem]) -> None:
    first, second = halves(canonical, seed=0, n=5)
    assert sorted(p.id for p in [*first, *second]) == sorted(p.id for p in canonical)
    assert not {(p.set, p.group) for p in first} & {(p.set, p.group) for p in second}
    assert {p.set for p in first} == {p.set for p in second} == set(SETS)
    assert (first, second) == halves(canonical, seed=0, n=5)
    assert first != halves(canonical, seed=1, n=5)[0]


PLAIN = Problem("m/1", "m", "science", "Which one?", "a kite", choices=("a kite", "a drum"))
ENDINGS = ("closes the gate behind her.", "paints the fence in a bright green.")


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ({"group": "twins"}, {"group": "twins"}, True),
        ({"family": "beasts"}, {"family": "beasts"}, True),
        ({"context": "It rains on the old mill today."}, {"context": "It rains on the old mill today."}, True),
        ({"choices": ENDINGS}, {"choices": ENDINGS[::-1]}, True),
        ({"choices": ENDINGS}, {"choices": ("waits.", "paints the fence in a bright green.")}, False),
        ({"choices": ("no", "yes")}, {"choices": ("no", "yes")}, False),
        ({}, {}, False),
    ],
)
def test_siblings_share_a_group_a_family_a_passage_or_long_choices(
    one: dict[str, object], other: dict[str, object], together: bool
) -> None:
    pair = [replace(PLAIN, id="m/1", **one), replace(PLAIN, id="m/2", **other)]  # type: ignore[arg-type]
    assert siblings(pair, n=5) == ([pair] if together else [pair[:1], pair[1:]])


def test_siblings_of_siblings_are_siblings() -> None:
    first = replace(PLAIN, id="m/1", group="twins")
    second = replace(PLAIN, id="m/2", group="twins", choices=ENDINGS)
    third, alone = replace(PLAIN, id="m/3", choices=ENDINGS), replace(PLAIN, id="m/4")
    assert siblings([first, third, alone, second], n=5) == [[first, third, second], [alone]]


@pytest.fixture(scope="module")
def sample(settings: Config) -> list[Problem]:
    """The problems that the default experiment is calibrated on."""
    source = Canonical("sample", str(ROOT / "data/sample"))
    return [problem for name, benchmark in settings.benchmark.items() for problem in load(name, benchmark, source)]


def words(text: str | tuple[str, ...]) -> list[str]:
    return (text if isinstance(text, str) else " ".join(text)).split()


def test_no_long_text_of_a_benchmark_stands_in_both_halves(
    sample: list[Problem], strict: Firewall, settings: Config
) -> None:
    first, second = halves(sample, settings.seed, strict.n)
    for name in settings.benchmark:
        ours, theirs = ([problem for problem in half if problem.set == name] for half in (first, second))
        for part in ("group", "family", "context", "choices"):
            shared = {getattr(problem, part) for problem in ours} & {getattr(problem, part) for problem in theirs}
            long = {text for text in shared if part in ("group", "family") or len(words(text)) >= strict.n}
            assert long - {""} == set(), (name, part)


def test_clean_text_is_of_every_benchmark_but_those_of_templates(sample: list[Problem], settings: Config) -> None:
    assert set(published(sample)) == set(settings.benchmark) - {"invented"}


@pytest.mark.slow
def test_the_committed_false_positives_are_those_of_the_sample(
    sample: list[Problem], strict: Firewall, settings: Config
) -> None:
    first, second = halves(sample, settings.seed, strict.n)
    shares = rejection_shares(clean_samples(second, reference_of(first, strict, "exact"), strict), strict)
    committed = json.loads((ROOT / "metrics/firewall.json").read_text())
    assert committed["false_alarms"] == round(shares.false_positives or 0.0, 1)


@pytest.mark.gate
def test_the_figures_say_what_each_gate_caught(canonical: list[Problem], strict: Firewall) -> None:
    samples = canonical_samples(canonical, strict, per_kind=6, seed=0)
    shares = rejection_shares(samples, strict)
    verbatim, hidden = shares.attacks["verbatim"], shares.attacks["homoglyphs"]
    assert verbatim.rejected.value == verbatim.spec == verbatim.gates["token_overlap"] == 100.0
    assert verbatim.rejected.n == 6
    assert hidden.rejected.value == 100.0
    assert hidden.gates["token_overlap"] < 50.0 < hidden.gates["disguise"]
    held_out = Counter(problem.set for problem in halves(canonical, 0, strict.n)[1])
    assert {name: clean.rejected.n for name, clean in shares.clean.items()} == held_out
    assert list(verbatim.gates) == [gate.name for gate, _ in active(strict)]
    weaker = replace(strict, gates={"same_answer": 0.75})
    again = rejection_shares(canonical_samples(canonical, weaker, per_kind=6, seed=0), weaker)
    assert again.attacks["homoglyphs"].rejected.value < 100.0, "a lost gate shows as lost recall"


@pytest.mark.slow
def test_a_higher_threshold_never_finds_more(canonical: list[Problem], strict: Firewall) -> None:
    samples = canonical_samples(canonical, strict, per_kind=3, seed=0)
    points = roc(samples, strict)
    for gate in {point.gate for point in points}:
        own = [point for point in points if point.gate == gate]
        assert len(own) == 101
        for shares in ([point.recall or 0.0 for point in own], [point.false_positives or 0.0 for point in own]):
            assert shares == sorted(shares, reverse=True)
            assert all(0 <= share <= 100 for share in shares)
        assert own[-1].recall == own[-1].false_positives == 0, "nothing is above what a gate gives at most"


@pytest.mark.slow
def test_the_same_input_gives_the_same_bytes(
    canonical: list[Problem], strict: Firewall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was embedded before and beside it, whatever is kept, however many threads there are."""
    few = [problem for problem in canonical if problem.set == "arc_synth"][:8]
    made = set()
    threads = torch.get_num_threads()
    for run, cached in enumerate(([], [few[3].text, few[0].text])):
        monkeypatch.setenv("PFE_CACHE_DIR", str(tmp_path / str(run)))
        torch.set_num_threads(1 + run)
        Encoder(strict.semantic.model).chunks(cached, "exact")
        samples = canonical_samples(few, strict, per_kind=1, seed=0)
        made.add(repr([rejection_shares(samples, strict), roc(samples, strict)]))
    torch.set_num_threads(threads)
    assert len(made) == 1


@pytest.mark.slow
def test_the_threshold_of_one_gate_does_not_move_the_curve_of_another(
    canonical: list[Problem], strict: Firewall
) -> None:
    other = replace(strict, threshold=0.7, gates={**strict.gates, "same_answer": 0.9, "clauses": 0.8, "program": 0.9})
    one, two = (roc(canonical_samples(canonical[::4], rules, per_kind=3, seed=0), rules) for rules in (strict, other))
    assert one == two


@pytest.mark.slow
def test_what_one_gate_alone_catches_is_what_is_lost_without_it(strict: Firewall, settings: Config) -> None:
    source = Canonical("sample", str(ROOT / "data/sample"))
    choices = load("arc_easy", settings.benchmark["arc_easy"], source)[:16]
    with_it = rejection_shares(canonical_samples(choices, strict, per_kind=4, seed=0), strict).attacks
    without = replace(strict, gates={**strict.gates, "edits": None})
    left = rejection_shares(canonical_samples(choices, without, per_kind=4, seed=0), without).attacks
    for name, own in with_it.items():
        assert left[name].rejected.value == pytest.approx(own.rejected.value - own.alone["edits"])
    assert any(own.alone["edits"] > 0 for own in with_it.values())


@pytest.mark.slow
def test_nothing_of_a_problem_is_in_the_figures(canonical: list[Problem], strict: Firewall) -> None:
    shown = repr(rejection_shares(canonical_samples(canonical, strict, per_kind=3, seed=0), strict))
    assert not any(problem.id in shown or problem.question[:30] in shown for problem in canonical)


@pytest.mark.slow
def test_paraphrases_are_rejected_and_other_problems_are_not(strict: Firewall, tmp_path: Path) -> None:
    """At least 99 % of 1,319 paraphrases of GSM8K's test set, at most 1 % of 1,000 problems of its training set."""
    folder = SHARED / "canonical/gsm8k"
    if not folder.is_dir():
        pytest.skip("no ../shared here: the firewall is not calibrated on known paraphrases")
    clean = gzip.decompress((folder / "train.jsonl.gz").read_bytes()).splitlines(keepends=True)
    (tmp_path / "train.jsonl").write_bytes(b"".join(Random(0).sample(clean, 1000)))
    known = Calibration(
        1,
        str(folder / "test.jsonl.gz"),
        str(SHARED / "contamination/rephrase_gsm8k.jsonl"),
        str(tmp_path / "train.jsonl"),
    )
    shares = rejection_shares(known_samples(known, strict), strict)
    caught, flagged = shares.attacks["paraphrases"].rejected, shares.clean["known_clean"].rejected
    print(f"paraphrases rejected {caught}, clean flagged {flagged}")
    assert (caught.n, flagged.n) == (1319, 1000)
    assert caught.value >= 99.0
    assert flagged.value <= 1.0


def test_without_files_nothing_known_is_measured(strict: Firewall) -> None:
    assert known_samples(Calibration(5, None, None, None), strict) == []

"""Problems from a canonical problem's template: the gate `skeleton`, and the variants that measure it."""

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
import yaml

from bench.process import ROOT
from bench.templates import Variants
from pfe.calibration.attack import Donors
from pfe.canonical.sources import load
from pfe.config import Canonical, Config, Firewall
from pfe.embedding.encoder import Encoder
from pfe.firewall.batch import Batch
from pfe.firewall.firewall import screen
from pfe.firewall.folding import lower_words, masked
from pfe.firewall.gate import active, all_gates
from pfe.firewall.gates.skeleton import FLOOR
from pfe.firewall.reference import Reference
from pfe.firewall.skeleton import KEPT, STEP, skeleton, windows
from pfe.problem import Problem
from pfe.screening.explain import explanation
from tests.firewall.real import problems

SHOP = (
    "Rosa buys 6 books at the shop and hands 2 of them to her sister. Each of the books costs $4, and every week she "
    "sells half of those that are left. If she has 12 books more than her brother, how many books do they have "
    "together after 3 weeks?"
)
PIER = (
    "Oleg picks 81 brass kettles at the depot and mails 19 of them to his aunt. Each of the kettles costs $77, and "
    "every month he loses half of those that are left. If he has 340 kettles more than his tailor, how many kettles do "
    "they have together after 8 months?"
)
CLAUSES = ("A service charge of $5 is added at the end.", "Before that, 14 more are lost along the way.")
OTHER = "A train leaves at noon and travels for 3 hours at 80 km an hour. How far does it get before it stops?"
MBPP = ("Write a function to find the sum of the numbers in a list.", "Write a function to find the shape of a box.")


def math(id: str, question: str) -> Problem:
    return Problem(id, id.partition("/")[0], "math", question, "7")


@pytest.fixture(scope="module")
def reference() -> Reference:
    code = Problem("mbpp/1", "mbpp", "code", MBPP[0], "def f(x): return sum(x)", tests=("assert f([1]) == 1",))
    return Reference([math("gsm1k/1", SHOP), math("gsm1k/2", OTHER), code], Encoder("all-MiniLM-L6-v2"), 5)


@pytest.fixture
def threshold(strict: Firewall) -> float:
    return next(limit for gate, limit in active(strict) if gate.name == "skeleton")


def scores(texts: Sequence[str], reference: Reference) -> list[float]:
    batch = Batch([math(f"s/{place}", text) for place, text in enumerate(texts)], reference)
    values: list[float] = all_gates()["skeleton"].measure(batch).score.tolist()
    return values


def test_a_skeleton_has_no_name_number_or_noun() -> None:
    ordinary = lower_words([SHOP, PIER]) | KEPT.keys()
    ours, theirs = (skeleton(masked(text, ordinary)) for text in (SHOP, PIER))
    assert ours == theirs
    assert ours.startswith("name x num x")
    assert re.search("Rosa|book|6|sister", ours) is None


def test_a_template_is_found_with_other_names_numbers_and_nouns(reference: Reference, strict: Firewall) -> None:
    found = screen([math("s/1", PIER)], reference, strict)
    rejecting = {f.gate: f.canonical_id for f in found.findings if f.margin > 0}
    assert rejecting == {"skeleton": "gsm1k/1"}, "the only gate that finds it"


@pytest.mark.parametrize("places", [(1,), (2,), (1, 2), (2, 2)])
def test_added_clauses_do_not_hide_a_template(places: Sequence[int], reference: Reference, threshold: float) -> None:
    sentences = re.split(r"(?<=[.]) ", PIER)
    for place, clause in zip(places, CLAUSES, strict=False):
        sentences.insert(place, clause)
    assert scores([" ".join(sentences)], reference)[0] > threshold


@pytest.mark.parametrize(
    "text",
    [
        OTHER.replace("train", "tram") + " She has 4 of them, and each of the others costs $3.",
        "A farmer has 30 hens. Each hen lays 5 eggs a week. How many eggs do they lay together in 3 weeks?",
        "Tom has 12 books more than Ann. If Ann has 6 books, how many books do they have together?",
        MBPP[1],
        "x x x x x x x",
        "?!",
    ],
)  # fmt: skip
def test_text_that_only_has_common_words_in_common_is_no_match(
    text: str, reference: Reference, threshold: float
) -> None:
    batch = Batch([math("s/1", text)], reference)
    matches = all_gates()["skeleton"].measure(batch)
    assert matches.score[0] <= threshold or matches.index[0] == 1


def test_a_long_text_does_not_match_because_it_has_every_part_somewhere(reference: Reference) -> None:
    """The problem's own sentences, each in a window of its own."""
    filler = " ".join(["Nobody on the hill knows why the wind that came over the sea is so cold tonight."] * STEP)
    scattered = filler.join(re.split(r"(?<=[.,]) ", SHOP))
    whole = f"{filler} {PIER} {filler}"
    apart, together = scores([scattered, whole], reference)
    assert together > (2 * FLOOR + 1) / 3 > apart


@pytest.mark.parametrize("length", [0, 1, STEP, STEP + 1, 2 * STEP, 2 * STEP + 1, 5 * STEP + 3])
def test_windows_overlap_and_cover_the_text(length: int) -> None:
    words = [f"w{place}" for place in range(length)]
    parts = [part.split() for part in windows(" ".join(words))]
    assert list(dict.fromkeys(word for part in parts for word in part)) == words
    assert all(len(part) <= 2 * STEP for part in parts)
    assert all(first[STEP:] == second[:STEP] for first, second in pairwise(parts) if second[STEP:])


def test_only_math_problems_have_skeletons(reference: Reference) -> None:
    batch = Batch([Problem("s/1", "s", "code", MBPP[0], "def g(x): return 1")], reference)
    assert all_gates()["skeleton"].measure(batch).index.tolist() == [-1]


def test_an_empty_reference_matches_nothing() -> None:
    assert scores([SHOP], Reference([], Encoder("all-MiniLM-L6-v2"), 5)) == [0.0]


def test_the_explanation_shows_the_words_that_both_skeletons_have(reference: Reference, strict: Firewall) -> None:
    (finding,) = (f for f in screen([math("s/1", PIER)], reference, strict).findings if f.gate == "skeleton")
    text = explanation([(finding, SHOP)], 5, color=False)
    assert 'both have "name x num x' in text
    assert "if they has num x more than" in text
    assert "gsm1k/1" in text


def test_every_canonical_problem_matches_itself_and_hardly_any_other(
    settings: Config, strict: Firewall, threshold: float
) -> None:
    canonical = load("gsm1k", settings.benchmark["gsm1k"], Canonical("sample", str(ROOT / "data/sample")))
    itself, others = matches_within(canonical, strict, threshold)
    assert itself == len(canonical)
    assert others == 0


@pytest.mark.slow
def test_few_problems_of_gsm8k_have_the_skeleton_of_another(strict: Firewall, threshold: float) -> None:
    canonical = problems("test")
    itself, others = matches_within(canonical, strict, threshold)
    print(f"{others} of {len(canonical)} have the skeleton of another")
    assert itself == len(canonical) == 1319
    assert others <= 13


def matches_within(canonical: Sequence[Problem], strict: Firewall, threshold: float) -> tuple[int, int]:
    """Return how many problems match themselves, and how many match another of the same set."""
    reference = Reference(canonical, Encoder("all-MiniLM-L6-v2"), strict.n)
    matches = all_gates()["skeleton"].measure(Batch(canonical, reference))
    own = matches.index == np.arange(len(canonical))
    others = np.where(own, matches.runner_up_score, matches.score)
    return int((own & (matches.score > threshold)).sum()), int((others > threshold).sum())


def test_the_variants_change_every_name_number_and_listed_noun() -> None:
    donors = Donors(("Ben walks his dog for ten minutes. It rains today. How long?",))
    problem = math("t/1", "Tom has 3 dogs and 4 boxes of apples. He gives 2 apples to his sister. How many has Tom?")
    changed = [Variants("held_out", donors).variant(problem, clauses, "seed") for clauses in (0, 1, 2)]
    sentences = [len(re.findall("[.?]", variant.question)) for variant in changed if variant]
    assert sentences == [3, 4, 5]
    assert changed[0] is not None
    assert re.findall("Tom|dog|box|apple|sister", changed[0].question) == []
    numbers = zip(*(re.findall(r"\d+", one.question) for one in (problem, changed[0])), strict=True)
    assert all(ours != theirs for ours, theirs in numbers)
    assert Variants("held_out", donors).variant(problem, 2, "seed") == changed[2]


def test_the_words_of_the_figures_are_not_those_of_the_development() -> None:
    """Nor those of the attacks and of the nouns that are replaced."""
    words = yaml.safe_load((ROOT / "bench/templates.yaml").read_text(encoding="utf-8"))
    attacks = yaml.safe_load((ROOT / "pfe/calibration/swapping.yaml").read_text(encoding="utf-8"))["names"]
    clauses = yaml.safe_load((ROOT / "pfe/calibration/attacks/clauses.yaml").read_text(encoding="utf-8"))
    development, held_out = (_listed(words[part]) for part in ("development", "held_out"))
    assert not held_out & (development | set(attacks.split()) | set(clauses))
    assert not held_out & _listed(words["nouns"])


def _listed(words: dict[str, str | list[str]]) -> set[str]:
    return {word for part in words.values() for word in (part if isinstance(part, list) else re.split(r"[\s/]+", part))}

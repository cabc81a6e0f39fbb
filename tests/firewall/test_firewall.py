"""The combined firewall on real embeddings, against the naive definition of SPEC."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pfe.calibration.attack import attack
from pfe.canonical.sources import load
from pfe.config import Canonical, Config, Firewall
from pfe.embedding.encoder import Encoder
from pfe.firewall import gates
from pfe.firewall.firewall import Evidence, decide, measure, reasons, screen
from pfe.firewall.gate import active, all_gates
from pfe.firewall.matches import Matches
from pfe.firewall.reference import Reference
from pfe.firewall.structure import structure
from pfe.problem import Problem
from tests.conftest import ROOT
from tests.firewall.real import problems

BAKER = "A baker sells 12 rolls in the morning and 8 in the afternoon. How many rolls does she sell in all?"
PARAPHRASE = (
    "In the morning, 12 rolls are sold by a baker, and 8 more in the afternoon. How many rolls is that in total?"
)
RENUMBERED = "Twelve kites fly over the hill and 8 more join them from the beach. How many kites are up there now?"
RETOLD = (
    "A pastry cook sold 12 rolls before lunch, and 8 more went over the counter of her 3rd shop on Sunday. "
    "What is the total?"
)
CLONE = "Pavel Berg sells 31 rolls in the morning and 47 in the afternoon. How many rolls does she sell in all?"
OTHER = "A train leaves at noon and travels for 3 hours at 80 km an hour. How far does it get before it stops?"
SPANISH = "Una panadera vende 12 panes por la mañana y 8 por la tarde. ¿Cuántos panes vende en total?"
HIDDEN = (
    f"{OTHER} {OTHER.replace('train', 'tram')} {BAKER} Kites fly well in spring winds, and nobody knows why that is so."
)
HOMOGLYPHS = BAKER.replace("a", "а").replace("o", "о").replace("e", "е").replace("i", "і")
FRAGILE = """from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches


def measure(batch):
    if any("poison" in text for text in batch.texts):
        raise ValueError("poisoned")
    return Matches.none(len(batch))


GATE = Gate(__name__, "a gate that breaks", measure)
"""
DOUBLE = "def double(n):\n    return 2 * n"


def math(id: str, question: str, answer: str, solution: str = "") -> Problem:
    return Problem(id, id.partition("/")[0], "math", question, answer, solution=solution)


def code(id: str, question: str, program: str, *tests: str) -> Problem:
    return Problem(id, id.partition("/")[0], "code", question, program, tests=tests)


CANONICAL = [
    math("gsm1k/1", BAKER, "20"),
    math("gsm1k/2", "Ben walks his dog for ten minutes. How long?", "10"),
    code("mbpp/1", "Write a function that doubles.", DOUBLE, "assert double(4) == 8", "assert double(-3) == -6"),
]


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference(CANONICAL, Encoder("all-MiniLM-L6-v2"), 5)


@pytest.fixture
def spec(strict: Firewall) -> Firewall:
    """As conf/firewall/spec.yaml has it."""
    return replace(strict, gates={})


def reasons_of(candidates: list[Problem], reference: Reference, settings: Firewall) -> list[str]:
    return [verdict.reason for verdict in screen(candidates, reference, settings).verdicts]


def test_each_of_spec_s_checks_gives_its_own_reason(reference: Reference, spec: Firewall) -> None:
    candidates = [
        math("s/1", BAKER + " Show your work.", "20"),
        math("s/2", PARAPHRASE, "20"),
        math("s/3", RENUMBERED, "20", "12 + 8 = <<12+8=20>>20"),
        code("s/4", "Give back twice as much.", DOUBLE, "assert double( 4 ) == 8", "assert double(-3) == 0"),
        math("s/5", OTHER, "240"),
    ]
    screened = screen(candidates, reference, spec)
    assert [v.reason for v in screened.verdicts] == [
        "token_overlap", "semantic_similarity", "math_structure", "code_structure", "passed",
    ]  # fmt: skip
    found = {f.problem_id: f for f in screened.findings if f.gate == f.verdict}
    assert [found[f"s/{i}"].canonical_id for i in (1, 2, 3, 4)] == ["gsm1k/1", "gsm1k/1", "gsm1k/1", "mbpp/1"]
    assert all(f.margin > 0 and f.score > f.threshold for f in found.values())
    assert found["s/3"].detail == "on numbers and answer: one of the two shows no operations"


def test_each_gate_beyond_spec_catches_what_spec_lets_through(
    reference: Reference, spec: Firewall, strict: Firewall
) -> None:
    candidates = {
        "disguise": math("s/1", HOMOGLYPHS, "21"),
        "dilution": math("s/2", HIDDEN, "21"),
        "same_answer": math("s/3", RETOLD, "20"),
        "clauses": math("s/4", CLONE, "78"),
        "behaviour": code(
            "s/5", "Give twice.", "def twice(k):\n    return k + k", "assert twice(4) == 8", "assert twice(9) == 18"
        ),
        "language": math("s/6", SPANISH, "21"),
    }
    found = screen(list(candidates.values()), reference, strict)
    for (gate, problem), verdict in zip(candidates.items(), found.verdicts, strict=True):
        failed = [f.gate for f in found.findings if f.problem_id == problem.id and f.margin > 0]
        assert gate in failed, (gate, verdict)
    assert reasons_of([p for name, p in candidates.items() if name != "clauses"], reference, spec) == ["passed"] * 5


def test_edits_in_every_third_word_are_found_beside_what_is_near_in_meaning(
    reference: Reference, strict: Firewall
) -> None:
    edited = "A bakker sells 12 rools in the mornong and 8 in the aftermoon. Hov many rolls doos she sell in alll?"
    found = screen([math("s/1", edited, "21")], reference, strict)
    (finding,) = (f for f in found.findings if f.gate == "edits")
    assert finding.margin > 0
    assert finding.canonical_id == "gsm1k/1"


SHED = math(
    "gsm1k/5",
    "Rosa stacks firewood beside her shed. Every evening she carries 6 logs from the yard to the stack, and on Sunday "
    "her brother Karl brings a cart with another 40 logs. How many logs lie on the stack after 2 weeks?",
    "164",
    "In two weeks Rosa carries 6 * 14 = <<6*14=84>>84 logs. Karl's cart comes twice, which adds 2 * 40 = <<2*40=80>>80 "
    "logs. So 84 + 80 = <<84+80=164>>164 logs lie on the stack beside the shed.",
)
CLAMP = code(
    "mbpp/2",
    "Write a function that keeps every reading of a list between two limits and drops what is missing.",
    "def clamp_readings(readings, low, high):\n    kept = []\n    for reading in readings:\n"
    "        if reading is None:\n            continue\n        kept.append(max(low, min(high, reading)))\n"
    "    return kept",
    "assert clamp_readings([1, None, 9], 2, 5) == [2, 5]", "assert clamp_readings([3, 4], 0, 9) == [3, 4]",
)  # fmt: skip
ASKED = "Which colour has the door of the lighthouse, and who painted it last?"


@pytest.fixture(scope="module")
def longer() -> Reference:
    return Reference([*CANONICAL, SHED, CLAMP], Encoder("all-MiniLM-L6-v2"), 5)


def gates_of(candidate: Problem, reference: Reference, settings: Firewall) -> dict[str, str]:
    """The gates that reject a candidate, with the problem that each names."""
    found = screen([candidate], reference, settings)
    return {f.gate: f.canonical_id for f in found.findings if f.margin > 0}


@pytest.mark.parametrize("field", ["answer", "solution", "setup", "tests", "context", "aliases"])
@pytest.mark.parametrize("copied", [SHED.solution, SHED.question, CLAMP.answer, "\n".join(CLAMP.tests)])
def test_what_is_copied_is_found_in_whatever_part_it_stands(
    field: str, copied: str, longer: Reference, strict: Firewall
) -> None:
    own = Problem("s/1", "s", "reading", ASKED, "nobody knows")
    moved = replace(own, **{field: (copied,) if field in ("tests", "aliases") else copied})  # type: ignore[arg-type]
    assert gates_of(own, longer, strict) == {}
    theirs = SHED.id if copied in (SHED.solution, SHED.question) else CLAMP.id
    assert theirs in gates_of(moved, longer, strict).values()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["markup", "reprinted_answer"])
def test_mark_up_and_layout_hide_no_sample_problem(kind: str, settings: Config, strict: Firewall) -> None:
    canonical = load("gsm1k", settings.benchmark["gsm1k"], Canonical("sample", str(ROOT / "data/sample")))
    reference = Reference(canonical, Encoder("all-MiniLM-L6-v2"), 5)
    attacked = [changed for _, changed in attack(kind, canonical, [OTHER, BAKER], 60, seed=3)]
    gate = "disguise" if kind == "markup" else "answers"
    (threshold,) = (limit for one, limit in active(strict) if one.name == gate)
    assert len(attacked) > 40
    measured = measure(attacked, reference, strict).matches[gate]
    assert [c.id for c, score in zip(attacked, measured.score, strict=True) if score <= threshold] == []


@pytest.mark.parametrize(
    "answer", ["18", "yes", "20", "164", "def f(x): return x", "In all there are 20 rolls.", "return kept"]
)
def test_a_short_answer_is_no_copy(answer: str, longer: Reference, strict: Firewall) -> None:
    for field in ("answer", "solution"):
        own = replace(Problem("s/1", "s", "reading", ASKED, "nobody"), **{field: answer})  # type: ignore[arg-type]
        assert gates_of(own, longer, strict) == {}, field


def test_further_conditions_do_not_hide_a_problem(longer: Reference, strict: Firewall) -> None:
    """Names, numbers and a few words are others, two conditions are new."""
    added = math(
        "s/1",
        "Ingrid stacks bricks beside her shed. Every evening she carries 9 bricks from the yard to the stack, and on "
        "Monday her cousin Pavel brings a cart with another 75 bricks. Every fourth brick that she carries is broken "
        "and has to go back. In the second week rain keeps her inside on 3 evenings. How many bricks lie on the stack "
        "after 5 weeks?", "311",
    )  # fmt: skip
    assert gates_of(added, longer, strict)["skeleton"] == SHED.id


def test_the_same_program_is_found_without_tests_and_under_another_task(longer: Reference, strict: Firewall) -> None:
    """Renamed, commented and with a docstring; as a program of its own and inside a text."""
    program = (
        'def trim(values, least, most):\n    """Cut."""\n    result = []  # the new ones\n    for v in values:\n'
        "        if v is None:\n            continue\n        result.append(max(least, min(most, v)))\n"
        "    return result"
    )  # fmt: skip
    for candidate in (
        code("s/1", ASKED, program),
        Problem("s/2", "s", "reading", f"{ASKED}\n```python\n{program}\n```", ""),
        Problem("s/3", "s", "reading", ASKED, "", solution=f"Sure.\n\n{program}"),
    ):
        assert gates_of(candidate, longer, strict)["program"] == CLAMP.id
    other = code("s/4", ASKED, "def trim(values):\n    return [v for v in values if v is not None]")
    assert gates_of(other, longer, strict) == {}


def test_a_program_without_tests_is_judged_by_what_it_does_and_how_near_it_is(
    longer: Reference, strict: Firewall
) -> None:
    program = "def limited(data, a, b):\n    return [b if x > b else a if x < a else x for x in data if x is not None]"
    near = code(
        "s/1", "Return the readings that are there, none below the lower limit or above the upper one.", program
    )
    assert gates_of(near, longer, strict)["behaviour"] == CLAMP.id
    far = code("s/2", "Give twice as much.", "def f(values, *rest):\n    return 8 if values == 4 else -6")
    assert "behaviour" not in gates_of(far, longer, strict), "two tests are passed by chance"


def test_typing_errors_under_look_alike_letters_are_found(longer: Reference, strict: Firewall) -> None:
    """The model reads nothing of it, so what is nearest in meaning is looked up without the disguise."""
    typed = SHED.question.replace("stacks", "stakcs").replace("carries", "carris").replace("another", "anohter")
    typed = typed.replace("beside", "besise").replace("Every", "Evrey").replace("weeks", "weekz").replace("lie", "lei")
    hidden = typed.translate(str.maketrans("aeiopcyx", "аеіорсух"))
    assert gates_of(math("s/1", hidden, "1"), longer, strict)["edits"] == SHED.id


def test_without_the_gates_there_are_spec_s_checks_only(spec: Firewall) -> None:
    assert [gate.name for gate, _ in active(spec)] == [
        "token_overlap", "semantic_similarity", "math_structure", "code_structure",
    ]  # fmt: skip


def test_a_lower_threshold_never_lets_more_through(reference: Reference, strict: Firewall) -> None:
    candidates = [math(f"s/{i}", BAKER[i * 8 :] + OTHER, "1") for i in range(8)]
    passed = []
    for threshold in (0.0, 0.1, 0.3, 0.6, 1.0):
        stricter = replace(strict, threshold=threshold, gates={**strict.gates, "disguise": None, "dilution": False})
        verdicts = screen(candidates, reference, stricter).verdicts
        passed.append({verdict.problem_id for verdict in verdicts if verdict.safe})
    assert all(fewer <= more for fewer, more in pairwise(passed))
    assert passed[0] < passed[-1]


@pytest.mark.parametrize(
    ("shared", "total", "threshold", "fails"),
    [(3, 10, 0.3, False), (31, 100, 0.3, True), (30_000_001, 100_000_000, 0.3, True), (0, 0, 0.0, False)],
)  # fmt: skip
def test_shares_are_compared_as_integers(shared: int, total: int, threshold: float, fails: bool) -> None:
    """0.3 is no binary number: 3 of 10 is not above it, though 3 / 10 > 0.3 - 1e-17."""
    found = Matches.none(1)
    found.shared[0], found.total[0], found.score[0] = shared, total, shared / max(total, 1)
    assert all_gates()["token_overlap"].fails(found, threshold).tolist() == [fails]
    assert fails == (shared > Fraction(str(threshold)) * total and total > 0)


def test_findings_say_what_is_shared_and_where(reference: Reference, strict: Firewall) -> None:
    question = "So: a baker sells 12 rolls in the morning and 9 at night."
    (finding,) = (
        f for f in screen([math("s/1", question, "1")], reference, strict).findings if f.gate == "token_overlap"
    )
    assert finding.shared == len(finding.ngrams) == 5
    assert finding.total == 9
    assert finding.runner_up_id == ""
    for ngram, start, end, there, then in zip(
        finding.ngrams, finding.starts, finding.ends, finding.canonical_starts, finding.canonical_ends, strict=True
    ):
        assert re.findall(r"\w+", question[start:end].lower()) == ngram.split()
        assert re.findall(r"\w+", BAKER[there:then].lower()) == ngram.split()


def test_near_misses_are_kept_though_they_pass(reference: Reference, spec: Firewall) -> None:
    near = replace(spec, threshold=0.6, semantic=replace(spec.semantic, threshold=0.99))
    screened = screen([math("s/1", "So: a baker sells 12 rolls in the morning and 9 at night.", "1")], reference, near)
    assert screened.verdicts[0].safe
    assert [(f.gate, f.verdict, f.margin < 0) for f in screened.findings] == [("token_overlap", "passed", True)]


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (math("s/1", "", "1"), "its text has no word"),
        (math("s/1", "\0\x01\x02…", "1"), "its text has no word"),
        (math("s/1", OTHER, ""), "a math problem needs its answer"),
        (code("s/1", "Write a function.", "2 * n)"), "a code problem needs its tests, or a program in Python"),
        (math("s/1", "word " * 400_001, "1"), "2,000,005 characters, more than 2,000,000"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_rejected(problem: Problem, why: str, reference: Reference, strict: Firewall) -> None:
    fine = math("s/2", OTHER, "240")
    screened = screen([problem, fine], reference, strict)
    assert [verdict.reason for verdict in screened.verdicts] == ["error", "passed"]
    assert why in screened.verdicts[0].detail
    assert [f.detail for f in screened.findings if f.gate == "error"] == [screened.verdicts[0].detail]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["one", "one " * 250_000, "ѐ" * 300, "نص عربي with English mixed in", "👩‍👩‍👧 " * 50, "x" * 1_000_000],
    ids=["one word", "1 MB of words", "one script", "mixed scripts", "emoji", "1 MB word"],
)  # fmt: skip
def test_odd_texts_get_a_verdict(text: str, reference: Reference, strict: Firewall) -> None:
    (verdict,) = screen([math("s/1", text, "1")], reference, strict).verdicts
    assert verdict.reason in ("passed", *reasons())
    assert "Error" not in verdict.detail


def test_a_short_candidate_is_compared_as_a_whole(reference: Reference, strict: Firewall) -> None:
    short = Reference([math("gsm1k/9", "Count the pears.", "4")], reference.encoder, 5)
    assert reasons_of([math("s/1", "count THE pears", "5")], short, strict) == ["token_overlap"]


def test_a_gate_that_breaks_on_one_candidate_rejects_that_one(
    reference: Reference, strict: Firewall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fragile.py").write_text(FRAGILE)
    monkeypatch.setattr(gates, "__path__", [*gates.__path__, str(tmp_path)])
    all_gates.cache_clear()
    candidates = [math(f"s/{i}", f"{OTHER} Add {i * 17} km.", str(i)) for i in range(9)]
    candidates[4] = math("s/4", OTHER + " poison", "4")
    verdicts = screen(candidates, reference, replace(strict, gates={**strict.gates, "fragile": 0.5})).verdicts
    all_gates.cache_clear()
    assert Counter(v.reason for v in verdicts) == {"passed": 8, "error": 1}
    assert verdicts[4].detail == "fragile: ValueError: poisoned"


def test_what_one_gate_cannot_judge_and_another_rejects_is_that_others(reference: Reference, strict: Firewall) -> None:
    broken = "def double(n):\n    return 2 * n\nimport no_such_module"
    copied = code("s/1", "Write a function that doubles.", broken, "assert double(5) == 10")
    (verdict,) = screen([copied], reference, strict).verdicts
    assert verdict.reason == "token_overlap"
    assert "no_such_module" in verdict.detail


def test_duplicates_get_the_same_verdict(reference: Reference, strict: Firewall) -> None:
    twice = [math("s/1", BAKER, "20"), math("s/2", OTHER, "240"), math("s/1", BAKER, "20"), math("s/2", OTHER, "240")]
    found = screen(twice, reference, strict).verdicts
    assert found[:2] == found[2:]


def test_evidence_decides_the_same_after_it_was_kept(reference: Reference, strict: Firewall, tmp_path: Path) -> None:
    candidates = [math("s/1", PARAPHRASE, "20"), math("s/2", "", "1"), math("s/3", CLONE, "78")]
    evidence = measure(candidates, reference, strict)
    evidence.write(tmp_path / "evidence.npz")
    again = decide(candidates, Evidence.read(tmp_path / "evidence.npz"), reference, strict)
    assert again == decide(candidates, evidence, reference, strict)


def test_a_cosine_about_the_threshold_is_computed_again(
    reference: Reference, spec: Firewall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fast cosine is shifted by less than the margin: the verdict is that of single precision."""
    candidates = [math("s/1", PARAPHRASE, "21")]
    encoder = reference.encoder
    exact = float(encoder.chunks([PARAPHRASE], "exact").vectors[0] @ encoder.chunks([BAKER], "exact").vectors[0])
    for limit, shift in ((exact + 0.001, 0.002), (exact - 0.001, -0.002)):
        settings = replace(spec, semantic=replace(spec.semantic, threshold=limit))
        evidence = measure(candidates, reference, settings)
        evidence.matches["semantic_similarity"].score[:] = exact + shift
        verdict = decide(candidates, evidence, reference, settings).verdicts[0]
        assert verdict.safe == (exact <= limit)
        assert verdict.scores[1] == pytest.approx(exact, abs=1e-6)


def test_another_language_is_judged_by_a_model_that_reads_it(reference: Reference, strict: Firewall) -> None:
    """MiniLM stands in for a multilingual model: it knows the words that Spanish and English share."""
    name = "all-MiniLM-L6-v2"
    bilingual = Reference(CANONICAL, reference.encoder, 5, Encoder(name))
    semantic = replace(strict.semantic, multilingual=name)
    low = replace(strict, semantic=semantic, gates={**strict.gates, "translation": 0.2})
    candidates = [math("s/1", SPANISH, "21"), math("s/2", OTHER, "240")]
    found = screen(candidates, bilingual, low)
    assert "translation" in {f.gate for f in found.findings if f.problem_id == "s/1"}
    assert "translation" not in {f.gate for f in found.findings if f.problem_id == "s/2"}


def naive_reason(
    candidate: Problem, canonical: list[Problem], cosines: np.ndarray[tuple[int], np.dtype[np.float32]]
) -> str:
    """SPEC's combined firewall as it is written, pair by pair; embeddings are given."""
    own, problem = ngrams(candidate.text), structure(candidate)
    if any(len(own & ngrams(other.text)) / len(own) > 0.3 for other in canonical):
        return "token_overlap"
    if any(cosine > 0.85 for cosine in cosines):
        return "semantic_similarity"
    for other in map(structure, canonical):
        assert problem is not None
        assert other is not None
        shown = problem.operations is not None and other.operations is not None
        if problem.always == other.always and (not shown or problem.operations == other.operations):
            return "math_structure"
    return "passed"


@cache
def ngrams(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return frozenset(tuple(words[i : i + 5]) for i in range(len(words) - 4))


@pytest.mark.slow
def test_at_spec_s_parameters_verdicts_on_real_text_are_spec_s(spec: Firewall) -> None:
    """As many candidates as canonical problems of GSM8K; every tenth candidate is one, or stands beside one."""
    size = 300
    test, train = problems("test"), problems("train")
    canonical = (test + train[-1000:])[:size]
    beside = zip(canonical[: size // 20], train[5000:], strict=False)
    mixed = [replace(p, question=f"{p.question} {q.question}") for p, q in beside]
    candidates = [*canonical[-size // 20 :], *mixed, *train[: size - 2 * (size // 20)]]
    encoder = Encoder("all-MiniLM-L6-v2")
    verdicts = screen(candidates, Reference(canonical, encoder, 5), spec).verdicts
    cosines = encoder.encode([p.text for p in candidates]) @ encoder.encode([p.text for p in canonical]).T
    naive = [naive_reason(problem, canonical, row) for problem, row in zip(candidates, cosines, strict=True)]
    assert [verdict.reason for verdict in verdicts] == naive
    assert {"token_overlap", "passed"} <= set(naive)

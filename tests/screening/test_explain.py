"""What is shown of a candidate and the canonical problem it is near to."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pfe.firewall.firewall import Finding, finding_text
from pfe.problem import Problem
from pfe.screening.explain import explanation, marked_texts, side_by_side

CANDIDATE = "So: a baker sells 12 rolls in the morning and nine at night."
CANONICAL = "Yesterday a baker sells 12 rolls in the morning.\nHow many?"
BAKER = Problem("gsm1k/17", "gsm1k", "math", CANONICAL, "12", solution="She sells 12.")


def finding(**fields: object) -> Finding:
    given = {
        "problem_id": "s/1", "set": "s", "verdict": "token_overlap", "gate": "token_overlap", "score": 0.5,
        "threshold": 0.3, "margin": 0.2, "canonical_id": "gsm1k/17", "shared": 4, "total": 8,
        "runner_up_id": "gsm1k/4", "runner_up_score": 0.05, "detail": "", "ngrams": (), "starts": (), "ends": (),
        "canonical_starts": (), "canonical_ends": (), "text": CANDIDATE,
    }  # fmt: skip
    return Finding(**(given | fields))  # type: ignore[arg-type]


def test_both_texts_stand_side_by_side_with_what_they_share_marked() -> None:
    told = explanation([(finding(), BAKER.text)], 5, color=False)
    assert told.splitlines() == [
        "s/1: rejected: token_overlap",
        "",
        "  candidate   So: ⟦a baker sells 12 rolls in the morning⟧ and nine at night.",
        "",
        "token_overlap 0.500 > 0.3, 4 of 8 n-grams in gsm1k/17; runner-up gsm1k/4: 0.050",
        "  canonical   Yesterday ⟦a baker sells 12 rolls in the morning⟧.",
        "              How many?",
    ]


def test_a_gate_that_compares_more_than_the_text_shows_more() -> None:
    one = finding(gate="same_answer", text=f"{CANDIDATE}\n12")
    assert explanation([(one, finding_text(BAKER, one.gate))], 5, color=False).splitlines()[-4:] == [
        "  canonical   Yesterday ⟦a baker sells 12 rolls in the morning⟧.",
        "              How many?",
        "              12",
        "              She sells 12.",
    ]


def test_each_passage_is_printed_once_under_all_gates_that_it_matched() -> None:
    library = "A loaf is baked for forty minutes at night."
    whole = f"{CANDIDATE}\n12\n{library}"
    other = "All of the rolls and nine at night are gone."
    findings = [
        (finding(), BAKER.text),
        (finding(gate="edits", text=whole), finding_text(BAKER, "edits")),
        (finding(gate="disguise"), BAKER.text),
        (finding(gate="clauses", canonical_id="gsm1k/4", text=whole), other),
        (finding(gate="dilution", canonical_id="gsm1k/9", text=library), "A loaf is baked for forty minutes."),
        (finding(gate="language", canonical_id="", detail="Finnish", text=whole), ""),
    ]
    told = explanation(findings, 3, color=False)
    assert told.splitlines()[2:] == [
        "  candidate   So: ⟦a baker sells 12 rolls in the morning⟧ ⟦and nine at night⟧.",
        "              12",
        "              ⟦A loaf is baked for forty minutes⟧ at night.",
        "",
        "token_overlap 0.500 > 0.3, 4 of 8 n-grams in gsm1k/17; runner-up gsm1k/4: 0.050",
        "edits 0.500 > 0.3, 4 of 8 n-grams in gsm1k/17; runner-up gsm1k/4: 0.050",
        "disguise 0.500 > 0.3, 4 of 8 n-grams in gsm1k/17; runner-up gsm1k/4: 0.050",
        "  canonical   Yesterday ⟦a baker sells 12 rolls in the morning⟧.",
        "              How many?",
        "              12",
        "              She sells 12.",
        "",
        "clauses 0.500 > 0.3, 4 of 8 n-grams in gsm1k/4; runner-up gsm1k/4: 0.050",
        "  canonical   All of the rolls ⟦and nine at night⟧ are gone.",
        "",
        "dilution 0.500 > 0.3, 4 of 8 n-grams in gsm1k/9; runner-up gsm1k/4: 0.050",
        "  canonical   ⟦A loaf is baked for forty minutes⟧.",
        "",
        "language 0.500 > 0.3, 4 of 8 n-grams; runner-up gsm1k/4: 0.050 (Finnish)",
    ]


def test_a_candidate_without_text_is_explained_by_its_detail_alone() -> None:
    one = finding(verdict="error", gate="error", canonical_id="", runner_up_id="", total=0, text="", detail="no JSON")
    assert explanation([(one, "")], 5, color=False).splitlines() == [
        "s/1: rejected: error", "", "error 0.500 > 0.3 (no JSON)",
    ]  # fmt: skip


HOSTILE = "\x1b[2J\x1b]0;title\x07 a baker sells 12 rolls in the morning\r\x9b31m \u202e \u200b \x85 \x08"


def test_nothing_that_is_shown_steers_the_terminal() -> None:
    hostile = finding(problem_id=HOSTILE, canonical_id="x", runner_up_id=HOSTILE, detail=HOSTILE, text=HOSTILE)
    problem = Problem("x", "s", "math", HOSTILE, HOSTILE)
    for gate in ("token_overlap", "edits"):
        told = explanation([(replace(hostile, gate=gate), finding_text(problem, gate))], 5, color=False)
        assert all(letter.isprintable() or letter == "\n" for letter in told)
        assert "2J\\x1b]0;title\\x07 a baker sells 12 rolls in the morning\\r" in told
    for colored in (
        explanation([(hostile, HOSTILE)], 5, color=True),
        side_by_side(HOSTILE, HOSTILE, 5, 100, color=True),
    ):
        ours = colored.replace("\x1b[1;31m", "").replace("\x1b[0m", "")
        assert all(letter.isprintable() or letter == "\n" for letter in ours)


def test_two_columns_hold_both_texts_and_mark_what_they_share() -> None:
    lines = side_by_side(CANDIDATE, CANONICAL, 5, 60, color=False).splitlines()
    assert lines == [
        "So: ⟦a baker sells 12 rolls   Yesterday ⟦a baker sells 12",
        "in the morning⟧ and nine at   rolls in the morning⟧.",
        "night.                        How many?",
    ]


def test_of_long_texts_the_part_about_what_they_share_is_shown() -> None:
    before, after = "Nothing of note. " * 500, " And so on." * 500
    text = side_by_side(before + CANDIDATE + after, CANONICAL + after, 5, 160, color=False)
    assert len(text) < 1500
    assert "12 rolls" in text.partition("⟦")[2]
    assert text.count("…") == 3


def test_a_near_miss_says_that_it_passed() -> None:
    told = explanation([(finding(verdict="passed", score=0.28, margin=-0.02), "")], 5, color=False)
    assert told.splitlines()[0] == "s/1: passed, narrowly"
    assert told.splitlines()[-1].startswith("token_overlap 0.280 ≤ 0.3")


def test_where_no_long_n_gram_is_shared_shorter_ones_are_marked() -> None:
    ours, theirs = marked_texts("Kim eats two red plums", "Two red plums and a pear", 5)
    assert ours == "Kim eats ⟦two red plums⟧"
    assert theirs == "⟦Two red plums⟧ and a pear"


@given(st.text(alphabet="ab c."), st.text(alphabet="ab c."), st.integers(1, 4))
def test_without_the_marks_the_texts_are_what_they_were(candidate: str, canonical: str, n: int) -> None:
    for text, told in zip((candidate, canonical), marked_texts(candidate, canonical, n), strict=True):
        assert told.replace("⟦", "").replace("⟧", "") == text
        assert told.count("⟦") == told.count("⟧")

from hypothesis import given
from hypothesis import strategies as st

from pfe.firewall.explain import explained, marked
from pfe.firewall.firewall import Finding

CANDIDATE = "So: a baker sells 12 rolls in the morning and nine at night."
CANONICAL = "Yesterday a baker sells 12 rolls in the morning.\nHow many?"


def finding(**fields: object) -> Finding:
    given = {
        "problem_id": "s/1", "set": "s", "verdict": "token_overlap", "gate": "token_overlap", "score": 0.5,
        "threshold": 0.3, "margin": 0.2, "canonical_id": "gsm1k/17", "shared": 4, "total": 8,
        "runner_up_id": "gsm1k/4", "runner_up_score": 0.05, "detail": "", "ngrams": (), "starts": (), "ends": (),
        "canonical_starts": (), "canonical_ends": (), "text": CANDIDATE,
    }  # fmt: skip
    return Finding(**(given | fields))  # type: ignore[arg-type]


def test_both_texts_stand_side_by_side_with_what_they_share_marked() -> None:
    told = explained([finding()], {"gsm1k/17": CANONICAL}, 5, color=False)
    assert told.splitlines() == [
        "s/1: rejected: token_overlap",
        "",
        "token_overlap 0.500 > 0.3, 4 of 8 n-grams in gsm1k/17; runner-up gsm1k/4: 0.050",
        "  candidate   So: ⟦a baker sells 12 rolls in the morning⟧ and nine at night.",
        "  canonical   Yesterday ⟦a baker sells 12 rolls in the morning⟧.",
        "              How many?",
    ]


def test_a_near_miss_says_that_it_passed() -> None:
    told = explained([finding(verdict="passed", score=0.28, margin=-0.02)], {}, 5, color=False)
    assert told.startswith("s/1: passed, narrowly\n\ntoken_overlap 0.280 ≤ 0.3")


def test_where_no_long_n_gram_is_shared_shorter_ones_are_marked() -> None:
    ours, theirs = marked("Kim eats two red plums", "Two red plums and a pear", 5)
    assert ours == "Kim eats ⟦two red plums⟧"
    assert theirs == "⟦Two red plums⟧ and a pear"


@given(st.text(alphabet="ab c."), st.text(alphabet="ab c."), st.integers(1, 4))
def test_without_the_marks_the_texts_are_what_they_were(candidate: str, canonical: str, n: int) -> None:
    for text, shown in zip((candidate, canonical), marked(candidate, canonical, n), strict=True):
        assert shown.replace("⟦", "").replace("⟧", "") == text
        assert shown.count("⟦") == shown.count("⟧")

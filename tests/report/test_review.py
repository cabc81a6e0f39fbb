"""What `pfe compare` prints: bounded, the same figures for everyone, and a plot."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pfe.report.corpus_change import Change, Corpus, corpus_change
from pfe.report.forest import svg
from pfe.report.review import IDS, Review, figures, page, terminal
from pfe.scores.comparison import ModelComparison, compare_benchmark, compare_model
from tests.scores.made import predictions, two_arms


def compared(before: Sequence[int], after: Sequence[int]) -> ModelComparison:
    rows = [predictions(two_arms(*table)) for table in (before, after)]
    return compare_model({"arc_easy": compare_benchmark(rows[0], rows[1], "0")})


@pytest.fixture(scope="module")
def better() -> Review:
    return Review(
        "commit 1234567 (a <b>bold</b> subject)", "the workspace", "change",
        models={"student": compared((0, 0, 0, 40), (30, 0, 0, 10))}, same=["base"], alone={"new": "the workspace"},
        parameters=[Change("firewall.threshold", 0.3, 0.25)],
        corpus=corpus_change(
            Corpus({"arc_synth": ["a", "b"]}, {"dilution": 1}, {"recall": 98.0}),
            Corpus({"arc_synth": ["a", "c"]}, {"dilution": 5, "edits": 1}, {"recall": 99.0}),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("form", [terminal, page])
def test_it_says_what_changed_and_names_some_of_the_flipped_problems(
    better: Review, form: Callable[[Review], str]
) -> None:
    text = form(better)
    assert "the workspace against commit 1234567" in text
    assert "firewall.threshold 0.3 → 0.25" in text
    assert "a significant change in 2 of 3 tests" in text
    assert "+75.0 [" in text
    assert "+30 −0 / +30 −0" in text
    assert f"and {30 - IDS} more" in text
    assert text.count("arc_easy/") == 2 * IDS
    assert "byte for byte: base." in text
    assert "new: only the workspace has it." in text
    assert "1 of 2 accepted problems are others" in text
    assert "1 → 5" in text
    assert "0 → 1" in text
    assert "98.0 → 99.0" in text


def test_a_figure_of_answers_that_were_not_read_is_marked_and_the_reason_stands_below() -> None:
    canonical, icr = predictions({"canonical": [False] * 40}), predictions({"icr": [False] * 40})
    unread = [replace(row, extracted="", output="eggs", stop="length" if n < 12 else "end")
              for n, row in enumerate(icr[:30])]  # fmt: skip
    rows = [*canonical, *unread, *icr[30:]], predictions(two_arms(kept=30, wrong=10))
    review = Review("a", "b", "difference", {"m": compare_model({"gsm1k": compare_benchmark(*rows, "0")})})
    for text in (terminal(review), page(review)):
        row = next(line for line in text.splitlines() if line.strip("| ").startswith("gsm1k"))
        assert row.count(" ?") == 2
        assert row.count(" *") == 1
        assert "gsm1k, a, ICR: 12 of 40 were cut at the limit of tokens, 30 of 40 were not read" in text
    assert figures(review)["models"]["m"]["benchmarks"]["gsm1k"]["icr"]["doubted"] is True
    assert json.loads(json.dumps(figures(review)))["models"]["m"]["benchmarks"]["gsm1k"]["doubts"] == [
        {"icr": [{"case": "truncated", "count": 12, "n": 40}, {"case": "unread", "count": 30, "n": 40}]},
        {},
    ]


@pytest.mark.slow
def test_where_nothing_changed_by_more_than_chance_it_says_so() -> None:
    review = Review(
        "a",
        "b",
        "change",
        {"student": compared((5, 3, 2, 30), (6, 2, 3, 29))},
        corpus=corpus_change(Corpus(), Corpus()),
    )
    for text in (terminal(review), page(review)):
        assert "no significant change in 3 tests" in text
        assert "Firewall and corpus: no change." in text
        assert "*" not in text.split("Points, second")[0].replace("**student**", "")


def test_a_screen_of_120_characters_holds_its_table(better: Review) -> None:
    assert max(map(len, terminal(better).split("\n\n")[3].splitlines())) <= 120


def test_for_programs_every_flipped_problem_is_named(better: Review) -> None:
    values = json.loads(json.dumps(figures(better)))
    one = values["models"]["student"]["benchmarks"]["arc_easy"]
    assert len(one["flipped"]["icr"]["gained"]) == 30
    assert one["canonical"]["value"] == 75
    assert one["canonical"]["significant"] is True
    assert {"benchmark": "arc_easy", "figure": "icr"} in values["models"]["student"]["significant"]
    assert values["corpus"]["sets"] == [{"name": "arc_synth", "before": 2, "after": 2, "others": 1}]
    assert values["parameters"] == [{"name": "firewall.threshold", "before": 0.3, "after": 0.25}]


def test_asked_behind_another_library_is_said() -> None:
    rows = predictions(two_arms(3, 4, 1, 12))
    others = [row.__class__(**{**vars(row), "library_sha256": "x"}) if row.arm == "icr" else row for row in rows]
    review = Review("a", "b", "change", {"student": compare_model({"arc_easy": compare_benchmark(rows, others, "0")})})
    assert "with another template or library: arc_easy, ICR (20)." in terminal(review)


def test_the_plot_is_linked_where_there_is_one_and_is_the_same_for_the_same_figures(better: Review) -> None:
    assert "![Change by model and benchmark](report/plots/review.svg)" in page(better, "report/plots/review.svg")
    assert "![" not in page(better)
    assert "![" not in page(Review("a", "b", "change", {}), "report/plots/review.svg")
    drawn = svg(better.models)
    assert drawn == svg(better.models)
    assert all(word in drawn for word in ("student: lift", "arc_easy", "mean"))
    assert "no model has other answers" in svg({})

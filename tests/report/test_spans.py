"""Spans in the report, on the terminal and on the page."""

from dataclasses import replace

from pfe.api import Result
from pfe.config import Config
from pfe.examination import Examination
from pfe.report.html.charts import spans as chart
from pfe.report.spans import curves, span_text, spans, statements
from pfe.scores.benchmark import BenchmarkScore, score_benchmark
from pfe.scores.model import ModelScore, score_model
from tests.scores.test_spans import rows, span

TITLES = {"invented": "Invented", "race": "RACE"}


def score() -> BenchmarkScore:
    made = [
        *rows({4: 20, 16: 20, 64: 20}, 20, "lookup"),
        *rows({4: 20, 16: 19, 64: 6}, 20, "hops"),
        *rows({4: 5, 16: 6, 64: 4}, 20, "abstention"),
        *rows({4: 10}, 20, "calls", choices=0),
    ]
    found = score_benchmark(made, 0, resamples=50)
    assert found
    return found


def table(text: str) -> list[list[str]]:
    """The cells of a table in Markdown, without its rule."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def without(found: BenchmarkScore) -> BenchmarkScore:
    return replace(found, spans=None)


def test_the_report_has_a_line_a_skill_with_accuracies_and_span() -> None:
    text = spans({"invented": score(), "race": without(score())}, TITLES)
    assert text.startswith("Invented:\n\n| skill")
    assert "RACE" not in text
    by_size, by_names = (table(part) for part in text.split("\n\nPFE-Span: "))
    assert [line[0] for line in by_size] == ["skill", "single-hop retrieval", "hops", "abstention", "calls"]
    assert [line[-1] for line in by_size[1:]] == [">64 [>64, >64]", "33 [20, 51]", "<4 [<4, <4]", "–"]
    assert by_size[2][1:4] == ["25.0", "100.0 [83.9, 100.0]", "95.0 [76.4, 99.1]"]
    assert "PFE-Span: 20 statements [17, 24] (geometric mean over 3 skills, n = 180)" in text
    assert [line[:2] for line in by_names[3:5]] == [["hops", "plain"], ["hops", "confusable"]]


def test_the_terminal_has_a_curve_a_skill() -> None:
    lines = curves({"invented": score()}, TITLES).splitlines()
    hops = "hops                     4 ██ 100 %     16 ██  95 %     64 ▃▃  30 %   chance 25 %   span 33 [20, 51]"
    assert lines[2] == hops
    assert lines[4] == "calls                    4 ▅▅  50 %   span –"
    assert lines[5].startswith("PFE-Span: 20 statements")
    assert max(map(len, lines)) <= 130
    assert curves({"invented": without(score())}, TITLES) == ""
    assert spans({}, TITLES) == ""


def test_the_outcome_of_an_evaluation_prints_the_curves_below_the_table(settings: Config) -> None:
    """As `pfe eval` prints it."""
    printed = str(Result(Examination("student", settings, score_model({"invented": score()}), {})))
    assert printed.startswith(f"Benchmark: {settings.titles['invented']}\n")
    assert f"\n\nSpans: {settings.titles['invented']}, accuracy by statements in the library\n" in printed
    old = str(Result(Examination("student", settings, score_model({"invented": without(score())}), {})))
    assert "Spans" not in old


def test_one_size_alone_gives_no_span_and_says_so() -> None:
    found = score_benchmark(rows({16: 5}, 10), 0, resamples=50)
    assert found
    assert "PFE-Span: none, for no skill was asked with libraries of two sizes." in spans({"invented": found}, TITLES)


def test_a_span_or_limit_beyond_the_ladder_says_so() -> None:
    assert span_text(span({4: 20, 16: 12, 64: 9}, 20)).endswith("44]")
    assert span_text(span({4: 3, 16: 2, 64: 2}, 3)).endswith(">64]")
    assert span_text(None) == "–"
    assert [statements(value) for value in (4.04, 9.96, 405.3, 4096)] == ["4.0", "10", "405", "4,096"]


def test_the_page_has_a_curve_a_skill_where_there_are_rungs() -> None:
    labels = {"m": "Model"}
    spec = chart({"m": score_model({"invented": score()})}, TITLES, labels)
    assert spec
    (values,) = spec["datasets"].values()
    assert {row["skill"] for row in values} == {"single-hop retrieval", "hops", "abstention", "calls"}
    assert [row["span"] for row in values if row["skill"] == "hops"] == ["33 [20, 51]"] * 3
    empty: ModelScore = score_model({"invented": without(score())})
    assert chart({"m": empty}, TITLES, labels) is None

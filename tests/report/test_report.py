"""SPEC's reporting format, and the page made of metrics files."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from pfe.config import Config, NewStudent
from pfe.problem import ScoredPrediction
from pfe.report.cells import decimal, with_interval
from pfe.report.details import audits
from pfe.report.experiments import Experiment
from pfe.report.html.charts import forest
from pfe.report.html.render import points, share
from pfe.report.html.results import results
from pfe.report.page import ReportData, alarm_lines, page, samples, tables, untrained
from pfe.report.skills import against_world, skills
from pfe.report.student import student_verdict
from pfe.report.table import TableLine, benchmark_line, table
from pfe.report.verdict import number
from pfe.scores.benchmark import BenchmarkScore, Drawn, score_benchmark
from pfe.scores.model import Average, Averages, ModelScore, Standing, score_model
from pfe.scores.paired import RelativeLift
from pfe.scores.progress import with_standing
from pfe.screening.record import Counts, Libraries, Summary
from pfe.training.record import Training
from pfe.tutors.agreement import Agreement
from tests.report.tables import cells
from tests.report.test_firewall import claim, measured
from tests.scores.made import predictions, two_arms


@dataclass(frozen=True)
class Figure:
    """Any figure with its interval."""

    value: float
    low: float
    high: float


CONTENT = Figure(10.2, 7.9, 12.4)
SPEC_LINES = [
    TableLine(
        label, Figure(*canonical), Figure(*icr), Figure(*lift), RelativeLift(relative, 0, 0, unstable), p, content, 1250
    )
    for label, canonical, icr, lift, relative, unstable, p, content in [
        ("Ours (trained)", (72.3, 69.8, 74.7), (86.1, 84.1, 87.9), (13.8, 11.2, 16.4), 49.8, False, 2e-9, CONTENT),
        ("Ours (base)", (8.2, 6.8, 9.8), (31.4, 28.9, 34.0), (23.2, 20.5, 25.9), 25.3, False, 0.0124, None),
        ("GPT-4o (tutor)", (95.2, 93.9, 96.3), (96.8, 95.7, 97.6), (1.6, -0.4, 2.8), 33.3, True, 0.21, None),
        ("Llama-3-8B", (58.1, 55.3, 60.8), (71.3, 68.7, 73.7), (13.2, 10.0, 16.4), 31.5, False, 1.0, None),
    ]
]
TITLES = {"race": "RACE", "gsm1k": "GSM1K"}
STUDENT = {"student": "Ours (trained)"}
MODELS = {"base": "Ours (base)", "student": "Ours (trained)", "minilm": "MiniLM (similarity)"}


def test_the_example_table_of_the_specification() -> None:
    lines = table("Benchmark: GSM1K", SPEC_LINES).splitlines()
    assert lines[0] == "Benchmark: GSM1K"
    assert set(lines[1]) == set(lines[3]) == set(lines[-1]) == {"─"}
    assert lines[2].split()[:5] == ["Model", "Canonical", "ICR", "Lift", "Rel.Lift"]
    assert lines[4].startswith(
        "Ours (trained)        72.3% [69.8, 74.7]   86.1% [84.1, 87.9]  +13.8% [+11.2, +16.4]    49.8%"
    )
    assert lines[7].startswith(
        "Llama-3-8B            58.1% [55.3, 60.8]   71.3% [68.7, 73.7]  +13.2% [+10.0, +16.4]    31.5%"
    )
    assert {len(line) for line in lines[1:]} == {len(lines[1])}
    assert len(lines[1]) <= 130


def test_holm_p_content_lift_and_an_unstable_relative_lift_are_told() -> None:
    trained, base, tutor, llama = table("T", SPEC_LINES).splitlines()[4:8]
    assert trained.endswith("49.8%  <.001 +10.2% [+7.9, +12.4]    1250")
    assert base.split()[-3:] == [".012", "–", "1250"]
    assert "[-0.4, +2.8]     ~33.3%   .210" in tutor
    assert "1.000" in llama


def test_a_figure_that_does_not_exist_is_a_dash() -> None:
    assert table("T", [TableLine("MiniLM")]).splitlines()[4].split() == ["MiniLM", *"–––––––"]


def test_a_difference_that_rounds_to_nothing_has_one_sign() -> None:
    assert " +0.0% [+0.0, +0.0] " in table("T", [TableLine("x", lift=Figure(-0.01, -0.04, 0.04))])


@pytest.mark.parametrize("sign", ["", "+"])
@pytest.mark.parametrize("places", [0, 1, 3])
@pytest.mark.parametrize("value", [-0.0, -1e-9, -0.0004, 0.0])
def test_nothing_has_a_minus_in_any_cell(value: float, places: int, sign: str) -> None:
    zero = decimal(0.0, sign, places)
    figure = Figure(value, value, value)
    assert with_interval(figure, sign, places) == f"{zero} [{zero}, {zero}]"
    lines = [TableLine("x", figure, figure, figure, RelativeLift(value, value, value, False))]
    assert "-0" not in table("T", lines)
    assert "-0" not in number(value, places)
    assert "−0" not in f"{points(figure)} {share(figure)}".replace("-", "−")
    plotted = Experiment("x", False, (), {"pfe": {"student": {"canonical": value, "icr": value, "lift": value}}})
    assert not [cell for cell in plotted.figures("student") if cell.startswith("-")]


def test_what_three_problems_leave_open_fits_its_columns() -> None:
    score = score_benchmark(predictions({**two_arms(kept=3), "placebo": [True] * 3}), 0)
    assert score
    head, line = (row for row in table("RACE", [benchmark_line("x", score)]).splitlines() if row[0] not in "R─")
    assert "+0.0% [-100, +100]" in line
    assert [head.index(" n"), len(head)] == [line.index(" 3", len(line) - 2), len(line)]


def test_a_long_label_widens_the_table() -> None:
    lines = table("T", [*SPEC_LINES, TableLine("a model with quite a long label")]).splitlines()
    assert {len(line) for line in lines[1:]} == {len(lines[1])}


def rows(model: str, benchmark: str, table: tuple[int, int, int, int], placebo: int) -> list[ScoredPrediction]:
    """One model on one benchmark; `placebo` is how many problems that arm solves."""
    arms = two_arms(*table)
    n = sum(table)
    made = predictions({**arms, "placebo": [True] * placebo + [False] * (n - placebo)}, benchmark=benchmark)
    return [replace(row, model=model) for row in made]


def experiment(
    student: tuple[int, int, int, int] = (20, 16, 0, 4), base: tuple[int, int, int, int] = (8, 2, 2, 28)
) -> ReportData:
    """Two models on RACE and GSM1K, and one that was examined nowhere."""
    made: dict[str, dict[str, list[ScoredPrediction]]] = {
        model: {name: rows(model, name, cells, placebo=10) for name in TITLES}
        for model, cells in (("base", base), ("student", student))
    }
    return scored({**made, "minilm": {}}, MODELS)


def scored(made: dict[str, dict[str, list[ScoredPrediction]]], models: dict[str, str]) -> ReportData:
    counts = Counts(target=9, candidates=12, passed=8, accepted=8, short=1, rejected={"token_overlap": 4})
    scores = {
        model: score_model({name: score for name, own in by.items() if (score := score_benchmark(own, 0))})
        for model, by in made.items()
    }
    return ReportData(
        scores=with_standing(scores, lambda model, name: made[model][name], 0, is_screened=True),
        screened=Summary(counts, {"race_synth": counts}, Libraries(0, 0)),
        measured=measured(),
        claim=claim(),
        agreements={"race_synth": Agreement(8, 8, 100.0, 0, None, 8, 0, (), {"derive": 100.0})},
        training=Training(loss=3.0, first_loss=8.0, lessons=8, steps=10, parameters=1000, chosen_step=10),
        quality={},
        benchmarks=TITLES,
        models=models,
    )


def test_models_that_the_content_helps_are_named_below_the_table_and_marked_on_the_page() -> None:
    arms = {**two_arms(30, 30, 0, 40), "placebo": [True] * 30 + [False] * 70}
    one, two = (score_benchmark(predictions(arms, benchmark=name), 0) for name in ("race", "gsm1k"))
    assert one
    assert two
    titles, labels = {"race": "RACE", "gsm1k": "GSM1K"}, {"x": "X", "y": "Y"}
    hurt = replace(one, lift=None)
    scores = {"x": score_model({"race": one, "gsm1k": two}), "y": score_model({"race": hurt, "gsm1k": two})}
    text = tables(scores, titles, labels)
    assert text.count("The library's content helps: X.") == 1
    assert text.count("The library's content helps: X, Y.") == 2
    cells = [[cell.text for cell in row] for row in results(scores, titles, labels).content["lines"]]
    assert {(row[0], row[1]): row[7].endswith(" *") for row in cells} == {
        ("RACE", "X"): True, ("RACE", "Y"): False, ("GSM1K", "X"): True, ("GSM1K", "Y"): True,
    }  # fmt: skip


def test_the_cost_of_a_library_against_the_world_stands_with_the_share_that_follows_the_world() -> None:
    arms = {"contradicted": [True] * 2 + [False] * 6, "agreeing": [True] * 8}
    rows = [replace(row, skill="lookup") for row in predictions(arms, benchmark="invented")]
    rows = [replace(row, otherwise=not row.correct) if row.arm == "contradicted" else row for row in rows]
    score = score_benchmark(rows, 0)
    assert score
    text = skills({"invented": score}, {"invented": "Invented"})
    assert "75.0 [40.9, 92.9] % of the answers are the world's (n = 8)" in text
    assert "contradicted − agreeing -75.0 [" in text
    assert "points (n = 8)." in text
    shown = results({"x": ModelScore({"invented": score}, Averages())}, {"invented": "Invented"}, {"x": "X"})
    assert shown.content["against_world"] == [("X, Invented", text.rsplit("\n\n", 1)[1])]
    assert against_world(replace(score, arms={}, against_world=None)) == ""


def test_every_arm_that_was_asked_stands_with_its_accuracy_under_the_table() -> None:
    arms = ("canonical", "icr", "placebo", "format", "shuffled", "reference")
    score = score_benchmark(predictions({arm: [True] * n + [False] * (6 - n) for n, arm in enumerate(arms)}), 0)
    assert score
    shown = tables({"x": ModelScore({"race": score}, Averages())}, {"race": "RACE"}, {"x": "X"}).splitlines()
    head = next(place for place, line in enumerate(shown) if line.startswith("Other arms"))
    assert shown[head].split()[2:] == ["Placebo", "Format", "Shuffled", "Reference"]
    assert [cell for cell in shown[head + 1].split() if cell.endswith("%")] == ["33.3%", "50.0%", "66.7%", "83.3%"]
    only_two = score_benchmark(predictions({arm: [True] for arm in arms[:2]}), 0)
    assert only_two
    assert "Other arms" not in tables({"x": ModelScore({"race": only_two}, Averages())}, {"race": "RACE"}, {"x": "X"})


@pytest.mark.slow
def test_a_benchmark_that_was_asked_in_part_says_of_how_many_under_its_table_and_before_all() -> None:
    data = experiment()
    asked = {
        model: replace(score, benchmarks={
            name: replace(own, drawn=Drawn.create(40, 1200 if name == "race" else 40))
            for name, own in score.benchmarks.items()
        })
        for model, score in data.scores.items()
    }  # fmt: skip
    said = "Sampled with a fixed seed, equally for every model and arm: RACE 40 of 1,200."
    shown = page(replace(data, scores=asked))
    assert shown.count(said) == 2
    assert said in shown.splitlines()[:5]
    assert "Samples" not in next(line for line in shown.splitlines() if line.startswith("Verdict"))
    assert "Samples" not in page(data)


def test_a_model_that_was_asked_fewer_is_named_with_how_many() -> None:
    score = experiment().scores["student"]

    def drawn(**limits: int) -> ModelScore:
        return replace(score, benchmarks={
            name: replace(own, drawn=Drawn.create(limits.get(name), 1200)) for name, own in score.benchmarks.items()
        })  # fmt: skip

    first, second = list(score.benchmarks)[:2]
    titles, labels = {first: "First", second: "Second"}, {"a": "A", "b": "B"}
    assert samples({"a": drawn(), "b": drawn()}, titles, labels) == ""
    assert samples({"a": drawn(**{first: 40}), "b": drawn(**{first: 9, second: 5})}, titles, labels) == (
        "Sampled with a fixed seed, equally for every model and arm: First 40 of 1,200.\n"
        "B was evaluated on fewer, sampled with a fixed seed: First 9, Second 5 of 1,200."
    )


FIGURE = re.compile(r"([+-]?\d+\.\d)%? \[([+-]?\d+\.\d), ([+-]?\d+\.\d)\]")


@pytest.mark.slow
@pytest.mark.parametrize("controls", [["placebo"], ["format"], ["placebo", "format"]])
def test_one_quantity_has_one_interval_wherever_it_stands(controls: list[str]) -> None:
    rng = np.random.default_rng(0)
    arms = ["canonical", "icr", *controls, "shuffled"]
    made = {
        model: {
            name: [
                replace(row, model=model)
                for row in predictions(
                    {arm: (rng.random(60) < (3 + place) / 9).tolist() for place, arm in enumerate(arms)},
                    cluster_size=2,
                    benchmark=name,
                )
            ]
            for name in TITLES
        }
        for model in ("base", "student")
    }
    data = scored(made, {model: MODELS[model] for model in made})
    text = page(data)
    for label in data.models.values():
        outcomes = text.split("## What the lifts are made of")[1].split(f"### {label}\n\n")[1]
        for title in TITLES.values():
            *_, lift, content = FIGURE.findall(line_of(text.split(f"Benchmark: {title}")[1], label))
            said = cells_of(outcomes, title)
            plotted = series_of(forest(data.scores, TITLES, data.models), label, title)
            assert plotted["lift (ICR − canonical)"] == lift
            assert [plotted[f"ICR − {arm}"] for arm in controls] == [said[f"ICR − {arm}"] for arm in controls]
            assert len(controls) == 2 or said[f"ICR − {controls[0]}"] == content
    *_, lift, _ = FIGURE.findall(line_of(text.split("PFE: averages")[1], MODELS["student"]))
    assert FIGURE.findall(line_of(text, "Verdict"))[0] == lift


def line_of(text: str, label: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(label))


def cells_of(table: str, title: str) -> dict[str, tuple[str, ...]]:
    """The figures in the first table of a text's row of that title, by their heads."""
    head, _, *rows = ([cell.strip() for cell in line.split("|")] for line in table.splitlines())
    row = next(row for row in rows if title in row)
    return {name: found[0] for name, cell in zip(head, row, strict=True) if (found := FIGURE.findall(cell))}


def series_of(spec: Mapping[str, Any], label: str, title: str) -> dict[str, tuple[str, ...]]:
    """What a plot draws of a model on a benchmark, by series, as a table has it."""
    rows = [row for rows in spec["datasets"].values() for row in rows if row.get("model") == label]
    return {
        row["series"]: tuple(decimal(row[key], "+") for key in ("value", "low", "high"))
        for row in rows
        if row["benchmark"] == title
    }


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ({"stop": "none"}, "no text came as the answer, which counts as incorrect: icr 2 of 20; see what it sends"),
        ({"stop": "too_long"}, "not asked, or without its beginning, for the window is too short: icr 2 of 20; give"),
        (
            {"stop": "cut", "extracted": "a"},
            "not asked, or without its beginning, for the window is too short: icr 2 of 20; give",
        ),
        ({"stop": "end", "output": "<think>18"}, "cut while thinking, which counts as incorrect: icr 2 of 20; allow"),
        ({"stop": "end", "output": "eggs"}, "no answer could be read, which counts as incorrect: icr 2 of 20; read"),
        (
            {"stop": "length", "output": "so 18", "extracted": "18"},
            "cut at the limit of tokens: icr 2 of 20; allow more: -S ++benchmark.race.max_tokens=NUMBER",
        ),
        (
            {"stop": "end", "output": "18", "extracted": "18", "dropped": 3},
            "asked with a shortened library or none, for the window is too short: icr 2 of 20; give it a longer",
        ),
    ],
)
def test_what_says_little_of_the_model_is_a_warning_right_under_the_table(ending: dict[str, Any], said: str) -> None:
    rows = predictions({"canonical": [True] * 20, "icr": [True] * 20})
    doubtful = (
        ("canonical", "arc_easy/1"),
        ("icr", "arc_easy/1"),
        ("icr", "arc_easy/2"),
    )  # a share of 5 % in one arm, which is small, and of 10 % in the other
    changes = {"correct": False, "extracted": "", "output": "", **ending}
    rows = [replace(row, **changes) if (row.arm, row.problem_id) in doubtful else row for row in rows]
    score = score_benchmark(rows, 0)
    assert score
    examined = {"x": ModelScore({"race": score}, Averages())}, {"race": "RACE", "boolq": "BoolQ"}, {"x": "X"}
    shown = tables(*examined)
    (line,) = (line for line in shown.splitlines() if "WARNING" in line)
    assert line.startswith(f"WARNING: X on RACE: {said}")
    assert results(*examined).content["warnings"] == [line]
    assert f"─\n{line}\n\nBenchmark: BoolQ" in shown


def average(value: float) -> Average:
    return Average(value, benchmarks=2, n=80, low=value - 1, high=value + 1)


def against_twin(lift: float, canonical: float) -> dict[str, ModelScore]:
    """A student whose figures have an interval of a point on either side."""
    averages = Averages(average(30), average(30 + lift), average(lift))
    standing = Standing(average(canonical), average(canonical + lift), average(-2), is_screened=True)
    return {"student": ModelScore({}, averages, standing)}


VERDICTS = [(12, 10, "strong"), (6, 10, "moderate"), (2, 10, "weak"), (12, -10, "weak"), (0.5, 10, "weak")]


def test_only_guesses_and_random_weights_must_not_be_above_chance(settings: Config, scratch: NewStudent) -> None:
    assert untrained(settings.models, settings.student) == ["chance"]
    assert untrained(settings.models, scratch) == ["base", "chance"]


@pytest.mark.parametrize(("lift", "canonical", "word"), VERDICTS)
def test_the_verdict_stands_with_its_figures(lift: float, canonical: float, word: str) -> None:
    text = student_verdict(against_twin(lift, canonical))
    assert f"**{word}**" in text
    assert f"PFE-Lift {lift:+.1f} [{lift - 1:+.1f}, {lift + 1:+.1f}] points" in text
    assert f"{canonical:+.1f} [{canonical - 1:+.1f}, {canonical + 1:+.1f}] canonical" in text
    assert "2 benchmarks and 80 problems" in text


@pytest.mark.parametrize(("lift", "canonical", "word"), VERDICTS)
def test_report_and_page_have_one_verdict(lift: float, canonical: float, word: str) -> None:
    scores = against_twin(lift, canonical)
    shown = results(scores, {}, STUDENT).content
    assert f"<strong>{word}</strong>" in shown["student_verdict"]
    of_none = lift - 1 <= 0
    assert ("includes 0" in shown["verdict"]) == of_none
    assert ("the CI includes 0" in shown["student_verdict"]) == of_none
    assert results({"student": ModelScore({}, Averages())}, {}, STUDENT).content["student_verdict"] is None


DIFFERENCE = re.compile(r"[+−-]\d+\.\d+(?! (?:points )?\[\])")


@pytest.mark.slow
def test_every_difference_in_the_report_s_sentences_has_its_interval() -> None:
    made = replace(experiment(base=(8, 14, 0, 18)), untrained=["base"])
    prose = re.sub(r"```.*?```|^\|.*?$", "", page(made), flags=re.DOTALL | re.MULTILINE)
    bare = re.sub(r"\[[^\]]*\]", "[]", prose)
    assert re.search(r"against itself before training \+\d+\.\d \[\] canonical, \+\d+\.\d \[\] ICR", bare)
    assert re.search(r"lift of \+\d+\.\d points \[\]", bare), "an alarm"
    assert DIFFERENCE.findall(bare) == []


def test_no_student_no_verdict() -> None:
    assert student_verdict({}).startswith("Verdict: none")


def test_every_model_has_a_line_in_every_table_and_in_the_averages() -> None:
    parts = tables(experiment().scores, TITLES, MODELS).split("\n\n")
    assert [part.splitlines()[0] for part in parts] == [
        "Benchmark: RACE",
        "Benchmark: GSM1K",
        "PFE: averages over benchmarks",
    ]
    for part in parts:
        base, student, minilm = part.splitlines()[4:7]
        assert base.startswith("Ours (base)           25.0% [")
        assert student.startswith("Ours (trained)        50.0% [")
        assert " +40.0% [" in student
        assert minilm.split()[-1] == "–"
    assert "80.0%  <.001 +65.0% [" in parts[0]
    assert parts[2].splitlines()[5].split()[-1] == "80"


@pytest.mark.slow
def test_the_page_names_what_is_short_and_what_the_firewall_catches() -> None:
    text = cells(page(experiment()))
    assert "Benchmark: RACE" in text
    assert "| race_synth | 12 | 4 | 8 (1 short) | 9 | checked by construction, 100.0 % of 8 |" in text
    assert text.index("## The corpus behind the student") < text.index("## What the firewall catches")
    assert "| verbatim | 40 | 100.0 % [91.2, 100.0] |" in text
    assert "loss 8.00 → 3.00 nats per token" in text


@pytest.mark.slow
def test_the_page_says_what_the_answer_keys_rest_on() -> None:
    text = cells(page(experiment()))
    assert "| target | answer keys |" in text
    assert "checked by construction, 100.0 % of 8" in text
    assert "tutors agree" not in text


@pytest.mark.slow
def test_the_table_of_averages_ends_its_fence() -> None:
    """`make repro` prints from the title to the fence."""
    text = cells(page(experiment()))
    after = text.split("\nPFE: averages over benchmarks\n")[1]
    table, _, claimed = after.split("\n```\n")[0].rpartition("\n")
    assert table.count("\n") == 6
    assert claimed == "The library's content helps: Ours (trained)."


@pytest.mark.slow
def test_the_page_shows_what_each_lift_is_made_of() -> None:
    text = cells(page(experiment()))
    part = text.split("## What the lifts are made of")[1].split("\n## ")[0]
    head = "| benchmark | n (clusters) | kept / fixed / broken / wrong | recovery, % | breakage, % | relative lift, % |"
    assert part.count(f"{head} smallest lift | ICR − placebo |") == 2
    assert "| RACE | 40 (40) | 20 / 16 / 0 / 4 | 80.0 [58.4, 91.9] | 0.0 [0.0, 16.1] | 80.0 [" in part
    assert "MiniLM" not in part


def test_the_smallest_lift_is_told_in_a_sentence() -> None:
    made = experiment()
    lifts = [made.scores[model].benchmarks["race"].lift for model in ("base", "student")]
    low, high = sorted(lift.detectable for lift in lifts if lift and lift.detectable)
    assert f"RACE {low:.1f}–{high:.1f} points (n = 40); GSM1K" in page(made)


@pytest.mark.slow
def test_the_page_counts_how_answers_ended_arm_by_arm() -> None:
    own = rows("student", "race", (2, 2, 1, 5), placebo=3)
    cut = [replace(row, stop="length", extracted="") for row in own if row.arm == "icr" and not row.correct]
    short = [replace(row, dropped=1) for row in own if row.arm == "placebo"]
    others = [row for row in own if row.arm == "canonical" or (row.arm == "icr" and row.correct)]
    marked = [*cut, *short, *others]
    text = cells(page(scored({"student": {"race": marked}}, STUDENT)))
    part = text.split("## How the answers ended")[1]
    assert "In each cell: canonical / icr / placebo." in part
    assert "| RACE | 0 | 0 | 0 / 6 / 0 | 0 / 6 / 0 | 0 | 0 / 0 / 10 | 0 | 10 / 10 / 10 | 2 / 2 / 2 |" in part
    assert "GSM1K" not in part.split("## The corpus")[0]


@pytest.mark.slow
def test_a_second_reading_has_a_column_where_there_is_one() -> None:
    own = [replace(row, correct_norm=row.arm == "icr") for row in rows("student", "race", (2, 2, 1, 5), placebo=3)]
    text = cells(page(scored({"student": {"race": own}}, STUDENT)))
    assert "| tokens in | tokens out | acc_norm, % |" in text
    assert "| 2 / 2 / 2 | 0.0 / 100.0 / 0.0 |" in text
    assert "strict, %" not in text


@pytest.mark.slow
def test_orders_have_a_column_where_there_are_several() -> None:
    own = rows("student", "race", (2, 2, 1, 5), placebo=3)
    more = [replace(row, order=1, correct=True) for row in own if row.arm == "icr"]
    text = cells(page(scored({"student": {"race": [*own, *more]}}, STUDENT)))
    assert "| ICR − placebo | ICR over orders |" in text
    assert "| 40.0–100.0 % (sd 42.4, 2) |" in text


@pytest.mark.slow
def test_a_model_that_knows_nothing_and_gains_is_an_alarm_at_the_top() -> None:
    made = replace(experiment(base=(8, 14, 0, 18)), untrained=["base"])
    lines = alarm_lines(made)
    assert lines
    assert lines[0].startswith("ALARM: Ours (base) knows nothing, but ")
    text = page(made)
    assert text.index("**ALARM: Ours (base) knows nothing, but race: a lift of +35.0 points") < text.index("Verdict")
    assert alarm_lines(replace(made, untrained=())) == []


@pytest.mark.slow
def test_a_model_that_knows_nothing_and_shows_it_is_no_alarm() -> None:
    made = replace(experiment(), untrained=["base"])
    assert alarm_lines(made) == []
    assert "ALARM" not in page(made)


def test_programs_that_ran_without_isolation_are_an_alarm() -> None:
    own = [replace(row, unsafe=row.arm == "icr") for row in rows("student", "race", (2, 2, 1, 5), placebo=3)]
    assert alarm_lines(scored({"student": {"race": own}}, STUDENT)) == [
        "ALARM: 10 programs of Ours (trained) ran without isolation; their results can be forged"
    ]


def audited(n: int, count: int, difference: float | None) -> BenchmarkScore:
    """A benchmark with the arm ICR, of whose answers some were audited."""
    score = score_benchmark(predictions({"icr": [True]}), 0)
    assert score
    answers = replace(score.answers["icr"], n=n, audited=count, difference=difference)
    return replace(score, answers={"icr": answers})


def test_the_audit_is_told_by_model() -> None:
    benchmarks = {
        "base": {"race": audited(2_000, 12, 1e-4)},
        "student": {"race": audited(900, 5, 1e-4), "gsm1k": audited(300, 3, 1e-3)},
        "minilm": {"race": audited(900, 0, None)},
    }
    scores = {model: ModelScore(by, Averages()) for model, by in benchmarks.items()}
    assert audits(scores, MODELS) == (
        "Computed again, each sequence whole and alone: Ours (base) 12 of 2,000 answers, within 1e-04 nats; "
        "Ours (trained) 8 of 1,200 answers, within 1e-03 nats."
    )
    assert audits({"base": ModelScore({}, Averages())}, {"base": "Ours (base)"}).endswith("alone: none.")

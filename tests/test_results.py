"""The results of docs/results.md: the pages keep to metrics/results.json, and nothing is asked twice."""

import shutil
from pathlib import Path

import pytest

from bench import results
from bench.process import ROOT
from bench.results import PAGES, TABLES, Examinee, examine, read_figures, with_tables


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_tables_of_the_pages_are_those_of_the_committed_figures(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<!-- results: " in text
    assert with_tables(text, read_figures()) == text, "run `python -m bench.results --tables`"


def test_every_table_stands_on_a_page() -> None:
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert all(f"<!-- results: {name} -->" in texts for name in TABLES)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of its own, where chance alone is asked."""
    monkeypatch.setattr(results, "ANSWERS", tmp_path / "answers")
    monkeypatch.setattr(results, "FIGURES", tmp_path / "results.json")
    monkeypatch.setattr(results, "MODELS", {"chance": Examinee("chance", ("canonical",))})
    return tmp_path


def test_what_is_held_is_not_asked_again_and_a_larger_sample_is(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    canonical = ROOT / "data/sample"
    examine(canonical, ["arc_easy"], 3)
    held = read_figures()["figures"]["chance"]["arc_easy"]
    assert (held["limit"], held["of"], held["arms"]["canonical"]["n"]) == (3, 50, 3)
    assert len(held["commit"]) == 40
    shutil.rmtree(place / "answers")
    capsys.readouterr()
    examine(canonical, ["arc_easy"], 2)
    assert not (place / "answers").exists()
    examine(canonical, ["arc_easy", "boolq"], None)
    figures = read_figures()["figures"]["chance"]
    assert {name: (one["limit"], one["arms"]["canonical"]["n"]) for name, one in figures.items()} == {
        "arc_easy": (None, 50), "boolq": (1000, 50)
    }  # fmt: skip


def test_a_table_stands_between_its_marks_and_the_rest_of_the_page_stays() -> None:
    page = "before\n<!-- results: models -->\nold\n<!-- /results -->\nafter\n"
    arms = {"canonical": {"accuracy": 52.04}, "icr": {"accuracy": 41.0}}
    figures = {"labels": {"smollm2": "SmolLM2"}, "figures": {"smollm2": {"arc_easy": {"arms": arms}}}}
    made = with_tables(page, figures)
    assert made.startswith("before\n<!-- results: models -->\n| Benchmark")
    assert made.endswith("\n<!-- /results -->\nafter\n")
    assert "old" not in made
    assert "52.0 / 41.0" in made
    assert with_tables(made, figures) == made

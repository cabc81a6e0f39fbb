"""Answers as Parquet: `datasets` opens them by their card, and no text stands there that may not be passed on."""

from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml

from pfe.problem import ScoredPrediction
from tests.export.conftest import BENCHMARKS, status

TEXTS = ("question", "context", "options")


@pytest.fixture(scope="module")
def published(examined: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "answers"
    assert status("export", "parquet", str(examined), "--out", str(folder)) == 0
    return folder


def rows(folder: Path, name: str, cache: Path) -> list[dict[str, Any]]:
    opened: Any = datasets.load_dataset(str(folder), name, split="test", cache_dir=str(cache), trust_remote_code=False)
    return list(opened)


@pytest.mark.parametrize("name", [name for name in BENCHMARKS if name != "race"])
def test_every_answer_is_there_with_its_problem(name: str, published: Path, examined: Path, tmp_path: Path) -> None:
    answers = ScoredPrediction.read(examined / f"answers/{name}.parquet")
    for row, answer in zip(rows(published, name, tmp_path), answers, strict=True):
        texts = {text: row.pop(text) for text in TEXTS}
        assert ScoredPrediction.of(row | {"gold": answer.gold}) == answer
        assert texts["question"]
        assert answer.extracted == row["gold"] or not answer.correct or not answer.scores


def test_of_a_benchmark_for_research_alone_no_text_is_passed_on(
    published: Path, examined: Path, tmp_path: Path
) -> None:
    answers = ScoredPrediction.read(examined / "answers/race.parquet")
    assert all(answer.extracted for answer in answers)
    for row, answer in zip(rows(published, "race", tmp_path), answers, strict=True):
        assert [row[text] for text in TEXTS] == [None] * 3
        assert (row["output"], row["extracted"], row["gold"]) == ("", "", "")
        assert (row["scores"], row["correct"]) == (list(answer.scores), answer.correct)


def test_the_card_says_what_is_there_and_what_is_left_out(published: Path) -> None:
    card = (published / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(card.split("---")[1])
    assert {config["config_name"] for config in head["configs"]} == set(BENCHMARKS)
    cells = [" ".join(line.replace("|", " ").split()) for line in card.splitlines()]
    assert "race ehovy/race not shared left out, outputs too" in cells
    assert "arc_easy allenai/ai2_arc cc-by-sa-4.0 here" in cells

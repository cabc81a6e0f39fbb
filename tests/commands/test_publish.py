"""A corpus published: Parquet that opens again, a card that says what it is, and nothing that is not certified."""

import json
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml

from pfe.commands.publish import main
from pfe.errors import UserError
from pfe.problem import UNKNOWN, Problem, Variant
from pfe.screening.certificate import hashes
from pfe.training.rows import CorpusRow

BOUND = Problem(
    "s/f/s0/0", "s", "science", "What do kralos eat?", "moss", library=("Kralos eat moss.",), needed=(0,),
    skill="lookup", variants=(Variant("bare", (), UNKNOWN),),
)  # fmt: skip
ROW = CorpusRow("s", "icr", "[LIBRARY] …", (), True, ("s/f/s0/0",), ("derive",), ("What?",), (" moss",))


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What `dvc repro` leaves of a corpus of one problem."""
    monkeypatch.chdir(tmp_path)
    Problem.write([BOUND], tmp_path / "data/synthetic/s.parquet")
    datasets.Dataset.from_list([vars(ROW)]).save_to_disk(tmp_path / "data/corpus")
    nearest = {"score": 0.2857, "problem_id": "s/f/s0/0", "canonical_id": "arc_easy/1"}
    certificate = {
        "counts": {"canonical": 35_424, "candidates": 2, "accepted": 1},
        "gates": {"token_overlap": "containment"},
        "thresholds": {"token_overlap": 0.3},
        "highest_accepted": {"token_overlap": nearest},
        "files": {"synthetic": hashes(tmp_path / "data/synthetic")},
    }
    (tmp_path / "data/certificate.json").write_text(json.dumps(certificate))
    return tmp_path


def test_what_is_published_opens_by_its_card(experiment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(Path("published"), "Kralo lore")
    assert capsys.readouterr().out == "published: 1 rows of the corpus, 1 problems of 1 sets\n"
    opened: Any = datasets.load_dataset(
        "published", "corpus", split="train", cache_dir="cache", trust_remote_code=False
    )
    assert opened[0]["completions"] == [" moss"]
    problems: Any = datasets.load_dataset("published", "s", split="train", cache_dir="cache", trust_remote_code=False)
    assert Problem.of(problems[0]) == BOUND
    card = Path("published/README.md").read_text()
    head = yaml.safe_load(card.split("---")[1])
    assert head["license"] == "cc-by-4.0"
    assert [config["config_name"] for config in head["configs"]] == ["corpus", "s"]
    for words in ("# Kralo lore", "35,424 problems", "| token_overlap | 0.286 | 0.3 |"):
        assert words in " ".join(card.split())
    assert json.loads(Path("published/certificate.json").read_text())["thresholds"] == {"token_overlap": 0.3}


def test_problems_that_are_not_certified_are_not_published(experiment: Path) -> None:
    Problem.write([BOUND, BOUND], Path("data/synthetic/t.parquet"))
    with pytest.raises(UserError, match=r"t\.parquet: not as .*certificate\.json has it; run `dvc repro firewall`"):
        main(Path("published"))
    Path("data/synthetic/t.parquet").unlink()
    Problem.write([BOUND, BOUND], Path("data/synthetic/s.parquet"))
    with pytest.raises(UserError, match=r"s\.parquet: not as"):
        main(Path("published"))
    Path("data/synthetic/s.parquet").unlink()
    with pytest.raises(UserError, match=r"s\.parquet: not as"):
        main(Path("published"))
    assert not Path("published").exists()


def test_nothing_is_replaced(experiment: Path) -> None:
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("keep")
    with pytest.raises(UserError, match="is there already"):
        main(Path("mine"))
    assert Path("mine/notes.txt").read_text() == "keep"

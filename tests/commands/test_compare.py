"""`pfe compare` of revisions: a real repository of git and DVC, with answers in its cache and nowhere else."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
import yaml

from pfe.__main__ import main
from pfe.calibration.record import RejectionShares
from pfe.config import load
from pfe.files import write_json, write_record
from pfe.problem import Problem, ScoredPrediction
from pfe.revisions import Revision
from pfe.screening.record import Counts, Libraries, Summary
from tests.conftest import ROOT
from tests.pipeline.conftest import runner
from tests.scores.made import predictions, two_arms

SEAL = "data/canonical/SEAL.json"
OUTPUTS = ("data/scores", "data/synthetic", "data/firewall.json", "data/calibration.json", "data/canonical")
METRICS = ("canonical", "icr", "lift", "pfe", "firewall", "corpus", "train")
ROWS = 120

pytestmark = pytest.mark.gate


@dataclass(frozen=True)
class State:
    """What one revision of the made experiment holds."""

    threshold: float = 0.3
    student: Sequence[bool] = ()
    seed: int = 0
    accepted: Sequence[str] = ("a", "b", "c")
    rejected: int = 1

    def write(self, folder: Path) -> None:
        for path in OUTPUTS:
            target = folder / path
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        chosen = yaml.safe_load((ROOT / "params.yaml").read_text())
        chosen["seed"], chosen["firewall"]["threshold"] = self.seed, self.threshold
        (folder / "params.yaml").write_text(yaml.safe_dump(chosen))
        rows = predictions({"canonical": self.student, "icr": self.student}, benchmark="gsm1k")
        (folder / "data").mkdir(exist_ok=True)
        same = predictions(two_arms(3, 1, 1, 5), benchmark="gsm1k")
        ScoredPrediction.write(rows, folder / "data/scores/student/gsm1k.parquet")
        ScoredPrediction.write([replace(row, model="base") for row in same], folder / "data/scores/base/gsm1k.parquet")
        problems = [Problem(id, "arc_synth", "science", "Why?", "so") for id in self.accepted]
        Problem.write(problems, folder / "data/synthetic/arc_synth.parquet")
        counts = Counts(9, 9, 3, len(self.accepted), 0, {"dilution": self.rejected, "edits": 0})
        write_record(folder / "data/firewall.json", Summary(counts, {"arc_synth": counts}, Libraries(9, 0)))
        write_record(folder / "data/calibration.json", RejectionShares({}, {}))
        write_json(folder / SEAL, {"gsm1k": {"sha256": "0"}})
        write_json(folder / "metrics/firewall.json", {"accepted": len(self.accepted)})
        write_json(folder / "metrics/corpus.json", {"arc_synth": {"auc": self.threshold}})
        write_json(folder / "metrics/train.json", {"loss": 2 + self.threshold})
        value = 100 * sum(self.student) / ROWS
        scores = {"student": {"gsm1k": value}, "base": {"gsm1k": 40.0}}
        for name in ("canonical", "icr", "lift"):
            write_json(folder / f"metrics/{name}.json", scores)
        averages = {model: dict.fromkeys(("canonical", "icr", "lift"), by["gsm1k"]) for model, by in scores.items()}
        write_json(folder / "metrics/pfe.json", averages)


def marks(seed: int, share: float = 0.4) -> list[bool]:
    rng = Random(seed)
    return [rng.random() < share for _ in range(ROWS)]


FIRST = State(student=marks(0))
SEED = State(student=marks(1), seed=1)
STRICTER = State(student=marks(2, 0.9), threshold=0.25, accepted=("a", "b", "d"), rejected=9)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commits `first` and `stricter`, and from the first the experiment `another-seed`."""
    folder = tmp_path_factory.mktemp("made")
    run = runner(folder)
    FIRST.write(folder)
    metrics = [f"metrics/{name}.json" for name in METRICS]
    (folder / "dvc.yaml").write_text(yaml.safe_dump({"params": ["params.yaml"], "metrics": metrics}))
    shutil.copytree(ROOT / "conf/benchmark", folder / "conf/benchmark")
    for command in (["git", "init", "-qb", "main"], ["dvc", "init", "-q"], ["dvc", "add", "-q", *OUTPUTS],
                    ["git", "add", "-A"], ["git", "commit", "-qm", "first"], ["git", "tag", "first"]):  # fmt: skip
        run(*command)
    SEED.write(folder)
    for command in (["dvc", "add", "-q", *OUTPUTS], ["dvc", "exp", "save", "-q", "--name", "another-seed"]):
        run(*command)
    STRICTER.write(folder)
    for command in (["dvc", "add", "-q", *OUTPUTS], ["git", "add", "-A"], ["git", "commit", "-qm", "stricter"],
                    ["git", "branch", "base"]):  # fmt: skip
        run(*command)
    return folder


Compare = Callable[..., tuple[object, str, str]]


@pytest.fixture
def compare(made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Compare:
    """Run `pfe compare` in the made experiment."""
    monkeypatch.chdir(made)

    def run(*words: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as ended:
            main("compare", *words)
        return (ended.value.code or 0, *capsys.readouterr())

    return run


def test_a_commit_is_compared_with_the_workspace_and_both_are_named(compare: Compare) -> None:
    status, printed, _ = compare("first")
    assert status == 0
    assert printed.startswith("the workspace against commit ")
    assert "(first)" in printed.splitlines()[0]
    assert "Parameters: firewall.threshold 0.3 → 0.25." in printed
    assert "student: a significant change in" in printed
    assert "byte for byte: base." in printed
    assert "1 of 3 accepted problems are others" in printed
    assert "dilution" in printed
    assert "1 → 9" in printed
    assert "train: loss" in printed
    assert "Not there" not in printed
    assert compare("first", "HEAD")[1].splitlines()[2:] == printed.splitlines()[2:]


def test_another_seed_of_the_same_kind_is_no_significant_change(compare: Compare) -> None:
    _, printed, _ = compare("first", "another-seed")
    assert printed.startswith("experiment another-seed against commit ")
    assert "Parameters: seed 0 → 1." in printed
    assert "student: no significant change in 3 tests" in printed
    assert "Firewall and corpus: no change." in printed
    assert "right now gsm1k/" in printed


def test_as_markdown_with_a_plot_and_as_json_it_is_the_same(compare: Compare, tmp_path: Path) -> None:
    plot = tmp_path / "review.svg"
    _, page, _ = compare("first", "HEAD", "--format", "markdown", "--plot", str(plot))
    assert page.startswith("## What changed\n")
    assert f"]({plot})" in page
    assert plot.read_text().lstrip().startswith("<?xml")
    values = json.loads(compare("first", "HEAD", "--format", "json")[1])
    benchmark = values["models"]["student"]["benchmarks"]["gsm1k"]
    both = list(zip(FIRST.student, STRICTER.student, strict=True))
    assert benchmark["canonical"]["value"] == pytest.approx(100 * sum(now - then for then, now in both) / ROWS)
    assert len(benchmark["flipped"]["canonical"]["gained"]) == both.count((False, True))
    assert values["corpus"]["gates"] == [{"name": "dilution", "before": 1, "after": 9}]


def test_a_name_with_answers_is_a_model_and_a_full_reference_the_branch_of_that_name(compare: Compare) -> None:
    assert compare("base", "student")[1].startswith("model student against model base")
    assert compare("first", "refs/heads/base")[1].startswith("commit ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("frist",), "pfe: frist: unknown Git revision 'frist'; `git log --oneline` lists revisions, `dvc exp list`"),
        (("student",), "pfe: student is one model; name another: `pfe compare student OTHER`"),
        (("student", "first"), "pfe: first: no answers there, nor in data/scores/first; allowed: base, student"),
        (("first", "HEAD", "--model", "studnet"), "'studnet' was examined at neither; did you mean 'student'?"),
        (("base", "student", "--model", "base"), "--model: base and student are models themselves; leave it out"),
        (("first", "--plot", "plot.png"), "--plot plot.png: the plot is SVG; give a name that ends in .svg"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_to_do(compare: Compare, words: tuple[str, ...], told: str) -> None:
    status, _, errors = compare(*words)
    assert status == 2
    assert told in errors
    assert errors.count("\n") == 1


@pytest.fixture
def clone(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh clone of the made experiment: what git holds, and an empty cache."""
    runner(tmp_path)("git", "clone", "-q", str(made), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    return tmp_path / "clone"


def compared(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what `pfe compare` prints in this folder, once it succeeds."""
    with pytest.raises(SystemExit) as ended:
        main("compare", *words)
    printed = capsys.readouterr()
    assert not ended.value.code, printed.err
    return printed.out


def test_a_fresh_clone_compares_what_git_holds_and_names_what_is_missing(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, side, remedy in (
        (("first", "HEAD"), "commit ", "` && dvc repro"),
        (("first",), "the workspace", "run `dvc pull` if a remote has it, else `dvc repro`"),
    ):
        printed = compared(capsys, *words)
        assert "Parameters: firewall.threshold 0.3 → 0.25." in printed
        gaps = [line for line in printed.splitlines() if line.startswith("Not there, so not compared, of ")]
        assert len(gaps) == 2
        for gap in gaps:
            assert sorted(gap.partition(": ")[2].partition(";")[0].split(", ")) == sorted([*OUTPUTS[:-1], SEAL])
        assert f"of {side}" in gaps[1]
        assert remedy.strip("`") in gaps[1]
        then, now = (100 * sum(state.student) / ROWS for state in (FIRST, STRICTER))
        row = next(line for line in printed.splitlines() if line.split()[:2] == ["student", "gsm1k"])
        assert row.count(f"{then} → {now}") == 3
        assert "No change of scores in metrics/, whose answers a side lacks: base." in printed
        assert "Firewall and corpus, whose accepted problems a side lacks:" in printed
        assert "quality: arc_synth.auc" in printed
        assert "train: loss" in printed
        assert "byte for byte" not in printed
        assert "the accepted problems are the same" not in printed


def test_answers_that_are_there_are_compared_though_others_are_missing(
    clone: Path, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(made / "data/scores", clone / "data/scores")
    values = json.loads(compared(capsys, "HEAD", "--format", "json"))
    assert [gap["side"] for gap in values["not_there"]] == ["commit " + sha(clone), "the workspace"]
    assert ["data/scores" in gap["paths"] for gap in values["not_there"]] == [True, False]
    shutil.copytree(made / ".dvc/cache", clone / ".dvc/cache")
    shutil.rmtree(clone / "data/scores/base")
    values = json.loads(compared(capsys, "first", "--format", "json"))
    assert list(values["models"]) == ["student"]
    assert list(values["one_side_only"]) == ["base"]
    assert "data/synthetic" in values["not_there"][0]["paths"]
    assert values["corpus"]["accepted"] is None


def test_benchmarks_that_no_mean_counts_are_known_without_a_cache(clone: Path) -> None:
    expected = load(ROOT / "params.yaml").not_averaged
    assert expected
    assert [Revision.find(name).not_averaged for name in ("first", "")] == [expected, expected]


def sha(folder: Path) -> str:
    return runner(folder)("git", "rev-parse", "--short=7", "HEAD").stdout.strip()


def test_an_unknown_model_is_named_in_a_fresh_clone_too(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main("compare", "first", "HEAD", "--model", "studnet")
    assert ended.value.code == 2
    assert "'studnet' was examined at neither; did you mean 'student'?" in capsys.readouterr().err
    assert "base" not in compared(capsys, "first", "HEAD", "--model", "student").partition("Not there")[2]


def test_outside_a_repository_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main("compare", "HEAD")
    assert ended.value.code == 2
    assert "HEAD" in capsys.readouterr().err


def test_a_library_that_changed_is_said_and_no_mistake(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                       capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    folder = shutil.copytree(made, tmp_path / "copy", symlinks=True)
    path = folder / "data/scores/student/gsm1k.parquet"
    rows = [replace(row, library_sha256="other") if row.arm == "icr" else row for row in ScoredPrediction.read(path)]
    path.unlink()
    ScoredPrediction.write(rows, path)
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit):
        main("compare", "HEAD")
    assert f"with another template or library: gsm1k, ICR ({ROWS})." in capsys.readouterr().out

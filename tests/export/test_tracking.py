"""Runs logged by the loggers of W&B and MLflow themselves, without a network, and read back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pfe.files import read_record
from pfe.scores.model import ModelScore
from tests.export.conftest import BENCHMARKS, status

LOSSES = "step\tloss\n0\t2.5\n10\t1.25\n"


@pytest.fixture
def student(examined: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An experiment whose student is the model that was examined, with the curve of its training."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text((examined / "params.yaml").read_text())
    scores = tmp_path / "data/scores"
    scores.mkdir(parents=True)
    (scores / "student").symlink_to(examined / "answers")
    (scores / "student.json").write_text((examined / "scores.json").read_text())
    curve = tmp_path / "data/training/plots/metrics/train/loss.tsv"
    curve.parent.mkdir(parents=True)
    curve.write_text(LOSSES)
    return examined


def test_mlflow_has_the_figures_with_their_intervals_the_answers_and_the_curves(
    student: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed: pip install 'pfe[mlflow]'")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "runs").as_uri())
    assert status("export", "mlflow", "student", "--project", "lifts") == 0
    shown = capsys.readouterr().out
    client = mlflow.MlflowClient()
    (run,) = client.search_runs([client.get_experiment_by_name("lifts").experiment_id])
    assert run.info.run_id in shown
    assert run.info.run_name == run.data.params["label"] == "llama"
    score = read_record(student / "scores.json", ModelScore)
    for name in BENCHMARKS:
        lift = score.benchmarks[name].lift
        assert lift
        metrics = [run.data.metrics[f"{name}/lift{part}"] for part in ("", ".low", ".high", ".n")]
        assert metrics == [lift.value, lift.low, lift.high, lift.n]
    assert score.averages.icr
    assert run.data.metrics["pfe/icr"] == score.averages.icr.value
    loss = client.get_metric_history(run.info.run_id, "training/train/loss")
    assert [(point.step, point.value) for point in loss] == [(0, 2.5), (10, 1.25)]
    answers = mlflow.load_table("answers/race.json", run_ids=[run.info.run_id])
    assert len(answers) == 6
    assert set(answers["extracted"]) == {""}
    mlflow.set_tracking_uri(None)


def records(log: bytes) -> Iterator[bytes]:
    """The records of an offline run: a log in LevelDB's format behind 7 bytes of its own."""
    block, header, place, parts = 32_768, 7, 7, []
    while place + header <= len(log):
        if block - place % block < header:
            place += block - place % block
            continue
        size, kind = int.from_bytes(log[place + 4 : place + 6], "little"), log[place + 6]
        parts.append(log[place + header : place + header + size])
        place += header + size
        if kind in (1, 4):  # whole, or the last part
            yield b"".join(parts)
            parts = []


@pytest.mark.slow
def test_wandb_has_the_figures_the_tables_and_the_curves(
    student: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wandb = pytest.importorskip("wandb", reason="wandb is not installed: pip install 'pfe[wandb]'")
    from wandb.proto import wandb_internal_pb2

    for name, value in {"MODE": "offline", "DIR": str(tmp_path), "SILENT": "true", "CACHE_DIR": str(tmp_path),
                        "CONFIG_DIR": str(tmp_path), "DATA_DIR": str(tmp_path)}.items():  # fmt: skip
        monkeypatch.setenv(f"WANDB_{name}", value)
    assert status("export", "wandb", "student") == 0
    assert "llama: " in capsys.readouterr().out
    wandb.teardown()  # its service writes the end of the file as it ends
    (path,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    history: dict[str, str] = {}
    summary: dict[str, str] = {}
    for data in records(path.read_bytes()):
        record = vars(wandb_internal_pb2)["Record"].FromString(data)
        history |= {(item.key or "/".join(item.nested_key)): item.value_json for item in record.history.item}
        summary |= {(item.key or "/".join(item.nested_key)): item.value_json for item in record.summary.update}
    score = read_record(student / "scores.json", ModelScore)
    lift = score.benchmarks["gsm1k"].lift
    assert lift
    assert json.loads(summary["gsm1k/lift"]) == lift.value
    assert json.loads(summary["gsm1k/lift.n"]) == lift.n
    tables = {file.name.rsplit("_", 2)[0]: file for file in path.parent.glob("files/media/table/**/*.table.json")}
    assert set(tables) == {"figures", *BENCHMARKS}
    race = json.loads(tables["race"].read_text())
    assert {row[race["columns"].index("extracted")] for row in race["data"]} == {""}
    assert json.loads(history["training/train/loss"]) == 1.25


@pytest.mark.parametrize(
    ("tracker", "variables", "instead"),
    [
        ("wandb", {"WANDB_MODE": "online", "WANDB_BASE_URL": "http://127.0.0.1:9"}, "WANDB_MODE=offline"),
        ("mlflow", {"MLFLOW_TRACKING_URI": "nonsense://x"}, "MLFLOW_TRACKING_URI=sqlite:///mlflow.db"),
    ],
)
def test_what_a_tracker_complains_of_is_one_line_with_what_needs_no_server(
    tracker: str, variables: dict[str, str], instead: str, examined: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    logger = pytest.importorskip(tracker)
    monkeypatch.chdir(tmp_path)
    nobody = {"WANDB_SILENT": "true", "NETRC": str(tmp_path / "none"), "HOME": str(tmp_path)}  # who has no key
    for name, value in (variables | nobody).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    assert status("export", tracker, str(examined)) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("pfe: ")]
    assert line.startswith(f"pfe: {tracker}: ")
    assert line.endswith(f"; {instead} keeps the run in this folder")
    if tracker == "mlflow":
        logger.set_tracking_uri(None)

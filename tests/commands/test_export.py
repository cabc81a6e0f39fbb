"""`pfe export`: mistakes are one line, and nothing half-written is left; what is not installed is named."""

from pathlib import Path

import pytest

from pfe import extras
from pfe.commands.export import main
from pfe.errors import UserError
from pfe.problem import ScoredPrediction
from tests.scores.made import predictions


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lmeval", ["sample"], Path("out")), "FORMAT: unknown value 'lmeval'; did you mean 'lm-eval'"),
        (("lm-eval", ["sample"]), "lm-eval is written to files; say where: --out FOLDER"),
        (("lm-eval", ["sample", "hub"], Path("out")), "sample hub: tasks are made of one source of problems"),
        (("lm-eval", ["nowhere"], Path("out")), "nowhere: no answers there"),
        (("lm-eval", ["sample"], Path("out"), "arc_esy"), "--benchmark: unknown value 'arc_esy'; did you mean 'arc_e"),
        (("samples", ["nowhere"], Path("out")), "nowhere: no answers there, nor in data/scores/nowhere"),
        (("parquet", ["nowhere"], Path("out"), None, "mine"), "--project: only wandb and mlflow have projects"),
        (("wandb", ["nowhere"], Path("out")), "--out: wandb keeps runs where it is configured to; leave this out"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_written(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=said.replace("(", r"\(")):
        main(*words)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("answers", "scores", "remedy"),
    [
        ("run/answers", "run/scores.json", "examine the model again: `pfe eval`"),
        ("data/scores/run", "data/scores/run.json", "run `dvc repro score`"),
    ],
)
@pytest.mark.parametrize("content", [None, "{}"])
def test_scores_that_are_gone_or_damaged_are_told_with_what_makes_them(
    answers: str, scores: str, remedy: str, content: str | None
) -> None:
    Path(answers).mkdir(parents=True)
    ScoredPrediction.write(predictions({"icr": [True, False]}), Path(answers) / "arc_easy.parquet")
    if content is not None:
        Path(scores).write_text(content)
    with pytest.raises(UserError, match=rf"{scores}: .*; {remedy}$"):
        main("parquet", ["run"], Path("out"))


@pytest.mark.parametrize(
    ("format", "module", "extra"),
    [("inspect", "inspect_ai", "inspect"), ("wandb", "wandb", "wandb"), ("mlflow", "mlflow", "mlflow")],
)
def test_a_tool_that_is_not_installed_is_named_with_how_to_get_it(
    format: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    monkeypatch.setattr(extras, "extras", lambda: {extra: [module]})
    with pytest.raises(UserError, match=rf"pfe export {format} needs {module}, .*; pip install 'pfe\[{extra}\]'"):
        main(format, ["run"], Path("out") if format == "inspect" else None)

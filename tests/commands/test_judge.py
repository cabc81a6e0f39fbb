"""`pfe judge` on somebody's table of runs: the ranking under the rules that are named, mistakes in one line."""

from pathlib import Path

import pandas as pd
import pytest

from pfe.__main__ import main

METHODS = {"linear": 0.5, "mine": 0.9, "theirs": 0.7}


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """Three methods on two data sets in two tracks; we are in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return pd.DataFrame(
        [
            {"track": track, "method": method, "dataset": dataset, "repetition": 0, "status": "ok", "r2": r2,
             "components": 5, "property": r2}
            for track in ("qualification", "synthetic") for dataset in ("a", "b") for method, r2 in METHODS.items()
        ]
    )  # fmt: skip


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main("judge", *words)
    return ended.value.code


@pytest.mark.parametrize("name", ["runs.csv", "runs.parquet"])
def test_a_table_is_judged_and_the_best_method_is_first(
    name: str, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv(name, index=False) if name.endswith("csv") else runs.to_parquet(name)
    assert status(name, "-S", "resamples=5") == 0
    ranking, _, rest = capsys.readouterr().out.partition("\n\n")
    assert [line.split()[1] for line in ranking.splitlines()[2:]] == ["mine", "theirs"]
    assert "Against linear" in rest


def test_the_baseline_and_the_rules_are_those_that_are_named(
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv("runs.csv", index=False)
    assert status("runs.csv", "--baseline", "theirs", "-S", "resamples=5") == 0
    ranking, _, rest = capsys.readouterr().out.partition("\n\n")
    assert [line.split()[1] for line in ranking.splitlines()[2:]] == ["mine"]
    assert "Against theirs" in rest
    assert status("runs.csv", "--rules", "srbench2023", "-S", "resamples=5") == 0
    assert "Nobody had to qualify by these rules." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["runs.csv", "--rules", "srbench2024"], "unknown rules 'srbench2024'; did you mean 'srbench2023'?"),
        (["runs.csv", "-S", "ties=densee"], "rules.ties: unknown value 'densee'; did you mean 'dense'?"),
        (["runs.csv", "--baseline", "nobody"], "nobody"),
        (["few.csv"], "pfe: few.csv: the table of runs has no column dataset; it has method"),
        (["empty.csv"], "pfe: empty.csv: no table (No columns to parse from file); save it again as csv"),
        (["runs.xlsx"], "pfe: runs.xlsx: not a table by its name; allowed: .csv, .parquet"),
        (["nowhere.csv"], "pfe: nowhere.csv: No such file"),
    ],
)
def test_a_mistake_is_one_line_with_status_2(
    words: list[str], said: str, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv("runs.csv", index=False)
    Path("few.csv").write_text("method\nmine\n")
    Path("empty.csv").write_text("")
    assert status(*words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1

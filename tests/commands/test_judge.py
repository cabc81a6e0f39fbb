"""`pfe judge` on somebody's table of runs: the ranking under the rules that are named, mistakes in one line."""

import json
from pathlib import Path

import pandas as pd
import pytest

from pfe.__main__ import main

KEYS = ["track", "method", "dataset", "repetition"]
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
        (
            ["few.csv"],
            "pfe: few.csv: the table of runs has no column dataset; nor repetition; nor status; nor r2, for the aspect "
            "accuracy of the rules; nor components (nor simplified), for the aspect simplicity of the rules; nor "
            "property, for the aspect property of the rules; it has method; add them, or rename the "
            "ones that are meant\n",
        ),
        (["empty.csv"], "pfe: empty.csv: no run in it"),
        (["header.csv"], "pfe: header.csv: no run in it"),
        (["runs.xlsx"], "pfe: runs.xlsx: no data file by its name"),
        (["nowhere.csv"], "pfe: nowhere.csv: no such file or folder"),
        (["."], "pfe: .: a folder; give the file"),
    ],
)
def test_a_mistake_is_one_line_with_status_2(
    words: list[str], said: str, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv("runs.csv", index=False)
    Path("few.csv").write_text("method\nmine\n")
    Path("header.csv").write_text("method,dataset,repetition,status,r2,components\n")
    Path("runs.xlsx").write_bytes(b"")
    Path("empty.csv").write_text("")
    assert status(*words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("rules", ["srbench2022", "srbench2023"])
@pytest.mark.parametrize("words", [["--baseline", "liner"], ["-S", "baseline=liner"], ["-S", "rules.baseline=liner"]])
def test_a_baseline_that_is_not_in_the_table_is_a_mistake_under_all_rules(
    words: list[str], rules: str, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv("runs.csv", index=False)
    assert status("runs.csv", "--rules", rules, *words) == 2
    assert "runs.csv: no run of the baseline 'liner'; did you mean 'linear'?" in capsys.readouterr().err


def test_the_baseline_of_the_rules_that_the_table_lacks_is_told_with_what_lets_all_compete(
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs[runs["method"] != "linear"].to_csv("runs.csv", index=False)
    assert status("runs.csv", "--rules", "srbench2023") == 2
    assert "no run of the baseline 'linear'" in (said := capsys.readouterr().err)
    assert "--baseline none where all compete" in said
    assert status("runs.csv", "--rules", "srbench2023", "--baseline", "none", "-S", "resamples=5") == 0
    assert status("runs.csv", "--baseline", "none") == 2  # there the others qualify against one


def test_a_method_of_the_table_may_be_the_baseline_by_any_option(
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv("runs.csv", index=False)
    assert status("runs.csv", "-S", "baseline=theirs", "-S", "resamples=5") == 0
    assert "Against theirs" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "OK"}, "unknown status 'OK'; did you mean 'ok'?"),
        ({"status": "done"}, "unknown status 'done'; allowed: crashed, mistranslated, nan, ok, timeout, unparsed"),
        ({"track": "synthetc"}, "unknown track 'synthetc'; did you mean 'synthetic'?"),
        ({"method": None}, "no method"),
        ({"repetition": "first"}, "repetition 'first' is no whole number"),
        ({"repetition": "0.5"}, "repetition '0.5' is no whole number"),
        ({"r2": "1.01"}, "r2 '1.01' is above 1"),
        ({"r2": "0,9"}, "r2 '0,9' is no number"),
        ({"r2": "nan"}, "r2 'nan' in a run whose status is ok"),
        ({"r2": "-inf"}, "r2 '-inf' in a run whose status is ok"),
        ({"r2": None}, "r2 '' in a run whose status is ok"),
        ({"components": "-3"}, "components '-3' is no count"),
        ({"components": "-3", "status": "crashed"}, "components '-3' is no count"),
        ({"components": "2.5"}, "components '2.5' is no count"),
        ({"components": "0"}, "components '0' in a run whose status is ok"),
        ({"components": None}, "components '' in a run whose status is ok"),
        ({"property": "inf"}, "property 'inf' in a run whose status is ok"),
        ({"property": None}, "property '' though others have it there"),
        ({"method": "mine"}, "a second row of method mine, data set b, repetition 0 in the track synthetic, as in"),
    ],
)
@pytest.mark.parametrize(("name", "place"), [("runs.csv", "line 14"), ("runs.parquet", "row 11")])
def test_a_value_that_no_run_has_is_told_with_its_row(
    name: str, place: str, change: dict[str, str | None], said: str,
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    table = runs.astype(str).assign(note="of two\nlines")
    table.loc[1:, "note"] = ""
    table.loc[11, list(change)] = list(change.values())
    table.to_csv(name, index=False) if name.endswith("csv") else table.to_parquet(name)
    assert status(name) == 2
    assert f"pfe: {name}, {place}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"method": ["mine"]}, None),
        ({"dataset": {"a": 1}}, None),
        ({"r2": [0.5, 0.7]}, "r2 '[0.5, 0.7]' is no number"),
        ({"r2": True}, "r2 'True' is no number"),
        ({"components": 10**400}, "components '1000"),
        ({"repetition": 1e300}, "repetition '1e+300' is no whole number"),
        ({"repetition": True}, "repetition 'True' is no whole number"),
        ({"status": ["ok"]}, "unknown status '['ok']'"),
    ],
)
def test_a_value_of_any_kind_is_judged_as_its_text_or_told(
    change: dict[str, object], said: str | None, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row | (change if at == 11 else {}) for at, row in enumerate(runs.to_dict("records"))]
    Path("runs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    if said is None:
        assert status("runs.jsonl", "-S", "resamples=5") == 0
    else:
        assert status("runs.jsonl") == 2
        assert f"runs.jsonl, line 12: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "unit", "first"), [("runs.csv", "line", 2), ("runs.parquet", "row", 0)])
def test_all_cells_that_cannot_be_read_are_told_at_once_and_alike_ones_together(
    name: str, unit: str, first: int, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    table = runs.astype(str)
    table.loc[[1, 2], "status"] = "OK"
    table.loc[3, ["method", "repetition"]] = "", "first"
    table.loc[4, "r2"] = "0,9"
    table.loc[7, KEYS] = table.loc[6, KEYS]
    table.loc[8, "components"] = "-3"
    table.to_csv(name, index=False) if name.endswith("csv") else table.to_parquet(name)
    assert status(name) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pfe: {name}, {unit}s {first + 1}, {first + 2}: unknown status 'OK'; did you mean 'ok'?; ")
    for row, said in (
        (3, "no method; every row needs one"),
        (3, "repetition 'first' is no whole number"),
        (4, "r2 '0,9' is no number"),
        (7, "a second row of method linear, data set a, repetition 0 in the track synthetic, as in"),
    ):
        assert f"; {unit} {first + row}: {said}" in error
    assert error.endswith("; and 1 more\n")
    assert error.count("\n") == 1
    table.loc[:, "status"] = "done"
    table.to_csv(name, index=False) if name.endswith("csv") else table.to_parquet(name)
    assert status(name) == 2
    error = capsys.readouterr().err
    places = ", ".join(str(first + row) for row in range(5))
    assert f"{unit}s {places} and 7 more: unknown status 'done'; allowed: " in error


def test_all_lines_that_are_no_rows_are_told_at_once(runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.dumps(row) for row in runs.to_dict("records")]
    lines[2], lines[5] = "{", "nothing"
    Path("runs.jsonl").write_text("\n".join(lines))
    assert status("runs.jsonl") == 2
    error = capsys.readouterr().err
    assert error.startswith("pfe: runs.jsonl, line 3: ")
    assert "; line 6: " in error
    assert error.count("mend that row") == 2


def test_a_run_that_failed_needs_no_numbers_and_a_data_set_no_property(
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    table = runs.astype(str)
    table.loc[10, ["status", "r2", "components", "property"]] = ["timeout", "", "NA", ""]
    table.loc[table["dataset"] == "a", "property"] = ""
    table.to_csv("runs.csv", index=False)
    assert status("runs.csv", "-S", "resamples=5") == 0
    assert "higher for better" in capsys.readouterr().out


def test_a_table_of_the_first_columns_alone_is_told_how_it_is_judged(
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = ["method", "dataset", "repetition", "status", "r2", "components"]
    runs[runs["track"] == "synthetic"][columns].to_csv("runs.csv", index=False)
    assert status("runs.csv") == 2
    said = capsys.readouterr().err
    assert "no column property" in said
    remedy = said.partition("-S '")[2].partition("'")[0]
    assert status("runs.csv", "-S", remedy, "-S", "resamples=5") == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranking", "said"),
    [
        ("r: [mine, thiers]", "r.thiers: no method here; did you mean 'theirs'?"),
        ("r: [mne, thiers]", "r.mne: no method here; did you mean 'mine'?; r.thiers: no method here; did you mean"),
        ("q: [mine, theirs]", "q: no real-world data set here; allowed: r; no data set r; add it, or"),
        ("", "no data set in it"),
    ],
)
@pytest.mark.parametrize("r2", [0.5, 0.1])  # of who then qualifies, or does not
def test_an_expert_names_methods_and_data_sets_of_the_table(
    ranking: str, said: str, r2: float, runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    real = runs[runs["track"] == "synthetic"].assign(track="real_world", dataset="r").drop_duplicates("method")
    runs = pd.concat([runs, real])
    runs.loc[(runs["track"] == "qualification") & (runs["method"] != "linear"), "r2"] = r2
    runs.to_csv("runs.csv", index=False)
    Path("expert.yaml").write_text(ranking)
    assert status("runs.csv", "--expert", "expert.yaml", "-S", "resamples=5") == 2
    assert said in capsys.readouterr().err


def test_an_expert_of_a_table_without_the_real_world_is_a_mistake(
    runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.to_csv("runs.csv", index=False)
    Path("expert.yaml").write_text("a: [mine, theirs]")
    assert status("runs.csv", "--expert", "expert.yaml") == 2
    assert "no run of the track real_world" in capsys.readouterr().err


def test_an_expert_s_ranking_is_printed(runs: pd.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    real = runs[runs["track"] == "synthetic"].assign(track="real_world", dataset="r").drop_duplicates("method")
    pd.concat([runs, real]).to_csv("runs.csv", index=False)
    Path("expert.yaml").write_text("r: [theirs, mine]")
    assert status("runs.csv", "--expert", "expert.yaml", "-S", "resamples=5") == 0
    rows = capsys.readouterr().out.partition("Real-world track")[2].splitlines()
    assert [row.split()[3] for row in rows if row.startswith("|   ")] == ["Method", "theirs", "mine"]

"""`pfe eval` in an empty folder: the table, the answers and the scores; and `pfe compare` of what it wrote."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pfe.__main__ import main
from pfe.canonical.seal import write_sealed
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.problem import ScoredPrediction
from tests.conftest import ROOT
from tests.models.scripted import Script, chat, text_reply

REGION = 2048  # bytes
TWO = ("--benchmark", "arc_easy,gsm1k", "--limit", "3", "-S", "benchmark.gsm1k.max_tokens=4")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which we are."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(*words)
    return ended.value.code


def test_a_model_is_examined_on_the_sample_and_its_answers_and_scores_are_written(
    folder: Path, model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = model_folder("gpt2")
    assert status("eval", path, *TWO) == 0
    shown = capsys.readouterr().out
    name = Path(path).name
    assert "Benchmark: ARC-Easy" in shown
    assert "Benchmark: GSM1K" in shown
    assert "PFE: averages over benchmarks" in shown
    assert f"pfe-eval-{name} holds the answers and the scores." in shown
    out = folder / f"pfe-eval-{name}"
    rows = ScoredPrediction.read(out / "answers/arc_easy.parquet")
    assert {(row.arm, row.model) for row in rows} == {(arm, name) for arm in ("canonical", "icr", "placebo")}
    assert len({row.problem_id for row in rows}) == 3
    assert set(json.loads((out / "scores.json").read_text())["benchmarks"]) == {"arc_easy", "gsm1k"}
    assert status("eval", path, *TWO, "--out", "again") == 0
    assert (folder / "again/scores.json").read_bytes() == (out / "scores.json").read_bytes()


@pytest.mark.slow
def test_whatever_is_damaged_in_the_cache_the_scores_are_the_same_bytes(
    folder: Path, model_folder: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One bit is flipped in every region of the files, in one region after another."""
    place = folder / "cache"
    monkeypatch.setenv("PFE_CACHE_DIR", str(place))
    words = ("eval", model_folder("gpt2"), "--benchmark", "arc_easy,gsm1k", "--limit", "2", *TWO[4:])
    assert status(*words, "--out", "first") == 0
    scores = (folder / "first/scores.json").read_bytes()
    for path in place.glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = {path: path.read_bytes() for path in place.glob("*.sqlite")}
    regions = [(path, start) for path, content in whole.items() for start in range(0, len(content), REGION)]
    assert len(regions) > 10
    for number, (path, start) in enumerate(regions):
        shutil.rmtree(place)
        place.mkdir()
        for other, content in whole.items():
            damaged = bytearray(content)
            if other == path:
                damaged[start + (997 * number) % min(REGION, len(content) - start)] ^= 1 << number % 8
            other.write_bytes(damaged)
        assert status(*words, "--out", f"out-{number}") == 0
        assert (folder / f"out-{number}/scores.json").read_bytes() == scores, (path.name, start)


@pytest.mark.slow
def test_an_earlier_result_is_never_replaced(
    folder: Path, model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = model_folder("gpt2")
    few = ("--benchmark", "arc_easy", "--limit", "2")
    assert status("eval", path, *few) == 0
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    capsys.readouterr()
    place = f"pfe-eval-{Path(path).name}"
    for out in ((), ("--out", place)):
        assert status("eval", "./nowhere/" + Path(path).name, *few, *out) == 2  # said before the model is looked for
        line = f"{place}: is there already (answers, params.yaml, scores.json), and is not replaced"
        assert capsys.readouterr().err == f"pfe: {line}; give another place: --out OTHER\n"
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.mark.slow
def test_a_folder_of_benchmarks_and_a_sealed_one_are_examined_alike_and_wholly(
    folder: Path, model_folder: Callable[[str], str], settings: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, chosen = folder / "mine", {name: settings.benchmark[name] for name in ("boolq", "race")}
    for name in chosen:
        shutil.copytree(ROOT / "data/sample" / name, mine / name)
    problems = {name: load(name, one, Canonical("files", str(mine))) for name, one in chosen.items()}
    write_sealed(problems, settings.benchmark, Canonical("files", str(mine)), folder / "sealed")
    path = model_folder("gpt2")
    for source in ("mine", "sealed"):
        assert status("eval", path, "--canonical", source, "--out", f"out-{source}", "--limit", "3") == 0
    names = {file.name for file in (folder / "out-mine/answers").iterdir()}
    assert names == {"boolq.parquet", "race.parquet"}
    for name in names:
        files = [folder / f"out-{source}/answers/{name}" for source in ("mine", "sealed")]
        assert ScoredPrediction.read(files[0]) == ScoredPrediction.read(files[1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--benchmark", "arc_esy"], "pfe: --benchmark: unknown value 'arc_esy'; did you mean 'arc_easy'?"),
        (["--benchmark", ""], "pfe: an empty value behind '--benchmark'; give one, or leave it out"),
        (["--benchmark=", "--limit", "3"], "pfe: an empty value behind '--benchmark'; give one, or leave it out"),
        (["--benchmark", "boolq,boolq"], "pfe: --benchmark: 'boolq' stands there twice; give it once"),
        (["--arms", "canonical,ircr"], "pfe: --arms: unknown value 'ircr'; did you mean 'icr'?"),
        (["--arms", " "], "pfe: an empty value behind '--arms'; give one"),
        (["--arms", "icr,"], "pfe: --arms icr,: a name is empty; give names with commas between"),
        (["--out", ""], "pfe: an empty value behind '--out'; give one"),
        (["--limit", "0"], "pfe: Invalid value for '--limit': "),
        (["--limit", "-1"], "pfe: Invalid value for '--limit': "),
        (["--seed", "-1"], "pfe: Invalid value for '--seed': "),
        (["--limit", "2", "-S", "evaluate.limit=3"], "pfe: --limit and -S evaluate.limit=3 say the same thing twice"),
        (["--seed", "0", "-S", "seed=1"], "pfe: --seed and -S seed=1 say the same thing twice; give one of them"),
        (["--canonical", "hub", "-S", "canonical=files"], "pfe: --canonical and -S canonical=files say the same"),
        (["-S", "model=[base]"], "pfe: -S model=[base]: the model is what PATH and the options say of it"),
        (["--canonical", "full"], "full: holds no benchmark, as a folder or sealed; its name would be arc_"),
        (["--canonical", "nowhere"], "--canonical: no folder nowhere; give sample, hub, or a folder of benchmarks"),
        (["--canonical", "nowhere", "--benchmark", "race"], "--canonical: no folder nowhere; give sample, hub, or"),
        (["--kind", "huggingfac"], "pfe: --kind: unknown value 'huggingfac'; did you mean 'huggingface'?"),
        (
            ["--kind", "vllm", "--base-url", "http://localhost:1/v1"],
            "./nowhere: kind vllm has no server; leave out kind",
        ),
        (["--dtype", "float16"], "pfe: --dtype: unknown value 'float16'; did you mean '"),
        (["--chat-template", "true"], "pfe: --chat-template: unknown value 'true'; allowed: auto, off, on"),
        (["--thinking", "auto"], "pfe: --thinking: unknown value 'auto'; allowed: off, on"),
        (["--system", "@nowhere"], "pfe: --system @nowhere: No such file or directory; give the text itself"),
        (["--out", "full"], "full: is there already (mine.txt), and is not replaced; give another place: --out OTHER"),
        (["--benchmark", "arc_easy"], "cannot load the model './nowhere' (there is no such folder)"),
    ],
)
def test_a_mistake_is_one_line_with_status_2_and_nothing_is_written(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "full").mkdir()
    (folder / "full/mine.txt").write_text("mine")
    assert status("eval", "./nowhere", *words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert [path.name for path in folder.rglob("*")] == ["full", "mine.txt"]


@pytest.mark.slow
def test_a_server_that_sends_no_text_is_no_model_with_nothing_right(
    folder: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    script.says = chat(lambda _: text_reply(None))
    words = ("--base-url", script.url, "--benchmark", "gsm1k", "--limit", "2")
    assert status("eval", "m", *words, "--arms", "canonical,icr,format") == 0
    shown = capsys.readouterr().out
    said = (
        "WARNING: m on GSM1K: no text came as the answer, which counts as incorrect: canonical 2 of 2, format 2 of 2, "
    )
    assert said in shown
    assert "Other arms           Format" in shown


def test_options_and_a_model_file_say_how_a_model_is_asked(
    folder: Path, model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = model_folder("gpt2")
    (folder / "system.txt").write_text("You answer with care.")
    (folder / "mine.yaml").write_text(
        f"kind: huggingface\nlabel: My own\npath: {path}\nchat_template: false\nlimit: 1\n"
    )
    few = ("--benchmark", "arc_easy", "--limit", "2", "--arms", "canonical")
    assert status("eval", "mine.yaml", *few) == 0
    shown = capsys.readouterr().out
    assert "My own " in shown
    assert "averages over benchmarks" not in shown  # of one
    answers = ScoredPrediction.read(folder / "pfe-eval-mine/answers/arc_easy.parquet")
    assert [row.chat_before for row in answers] == ["", ""]  # two, whatever the file says of experiments
    for words, said in (
        (("--chat-template", "on"), "chat_template: true, but its tokenizer has no chat template"),
        (("--system", "@system.txt"), "system is given, but the model is asked as plain text (chat_template: false)"),
        (("--thinking", "on", "--max-thinking-tokens", "9"), "thinking is true, but the model is asked as plain text"),
    ):
        assert status("eval", "mine.yaml", *few, *words, "--out", "other") == 2
        assert said in capsys.readouterr().err


def test_a_model_file_needs_a_path_alone_and_a_file_that_is_not_there_is_named(
    folder: Path, model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    few = ("--benchmark", "arc_easy", "--limit", "1", "--arms", "canonical")
    (folder / "mine.yaml").write_text(f"path: {model_folder('gpt2')}\n")
    assert status("eval", "mine.yaml", *few) == 0
    assert "\nmine  " in capsys.readouterr().out
    assert status("eval", "./missing.gguf", *few) == 2
    assert capsys.readouterr().err == "pfe: ./missing.gguf: no such file; mend the path\n"


def test_chance_is_a_model_without_weights(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("eval", "guess", "--kind", "chance", "--benchmark", "arc_easy", "--limit", "5") == 0
    assert "guess  " in capsys.readouterr().out
    assert (folder / "pfe-eval-guess/scores.json").is_file()


def test_without_a_network_the_hint_is_an_option_of_this_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("datasets.load_dataset", lambda *_, **__: Path("nowhere").read_bytes())
    for words in (
        ("eval", "./m", "--canonical", "hub", "--benchmark", "race"),
        ("check", "a.csv", "--against", "race"),
    ):
        (folder / "a.csv").write_text("question\nWhat is a baker?\n")
        assert status(*words) == 2
        error = capsys.readouterr().err
        option = "--canonical" if words[0] == "eval" else "--against"
        assert f"; check the network and your access, or use {option} FOLDER" in error
        assert "-S" not in error


@pytest.mark.slow
def test_two_models_are_compared_on_the_problems_that_both_answered(
    folder: Path, model_folder: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, limit in (("gpt2", "6"), ("qwen2", "4")):
        few = ("--benchmark", "arc_easy", "--limit", limit)
        assert status("eval", model_folder(name), "--out", name, *few) == 0
    capsys.readouterr()
    assert status("compare", "gpt2", "qwen2") == 0
    first, _, verdict, _, head, _, row, after, *_ = capsys.readouterr().out.splitlines()
    assert first == "folder qwen2 against folder gpt2"
    assert verdict == "qwen2 less gpt2: no significant difference in 1 test"
    assert head.split()[:5] == ["benchmark", "canonical", "ICR", "lift", "n"]
    assert row.split()[0] == "arc_easy"
    assert not after.startswith("mean")  # which would count the figures of one benchmark twice among the tests
    assert " 4 " in row
    assert status("compare", "gpt2", "nowhere") == 2
    assert "pfe: nowhere: no answers there" in capsys.readouterr().err
    assert status("compare", "gpt2") == 2
    assert "gpt2 is one model; name another" in capsys.readouterr().err

"""The printed commands of PFE and DVC that do something which no other does run, on a copy of the smallest experiment.

A command runs in its nearest local form, on files of the names that it gives. A command that needs a server, a hub or a
cluster is recognized by what it names, and does not run. A command with a placeholder or a file that is not here may
end with one line that names it. test_commands.py checks every command.
"""

import itertools
import json
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from pfe.files import read_record
from pfe.scores.model import ModelScore
from tests import guide
from tests.conftest import ROOT
from tests.pipeline.commands import Command, commands, own_model
from tests.pipeline.conftest import SMALLEST, Run, runner

# What stands for a network, a GPU, data that is not in the repository, or hours.
LOCAL = (
    (r"^canonical=hub$", "canonical=files"),
    (r"^canonical.path=.*", "canonical.path=data/sample"),
    (r"^scale=(full|demo)$", "scale=smoke"),
    (r"^evaluate.limit=.*", "evaluate.limit=2"),
    (r"^calibration.per_kind=.*", "calibration.per_kind=3"),
    (r"^corpus.validation.problems=.*", "corpus.validation.problems=2"),
    (r"^student.gkd.steps=.*", "student.gkd.steps=2"),
    (r"^student.tokens=.*", "student.tokens=2000"),
    (r"^competition.path=.*", "competition.path=tables"),
    (r"^competition.repetitions=.*", "competition.repetitions=2"),
    (r"^methods.operon.settings.generations=.*", "methods.operon.settings.generations=2"),
    (r"^methods.gplearn.settings.generations=.*", "methods.gplearn.settings.generations=2"),
    (r"^firewall.semantic.multilingual=.*", "firewall.semantic.multilingual=all-MiniLM-L6-v2"),
)
STANDS_FOR = {
    "FOLDER": "data/canonical", "../shared/canonical": "data/canonical", "SET": "gsm1k_synth", "5000": "200",
    "conf/model/mine.yaml": "conf/model/own.yaml",  # the folder of its results is another's
    "10000": "200", "KEY=VALUE…": "firewall.threshold=0.25", "owner/data": "corpus/", "<experiment>": "seed-1",
    **dict.fromkeys(("path/to/folder", "path/to/model.gguf", "owner/model", "smollm2"), "data/models/student"),
}  # fmt: skip
MORE = {
    "canonical=hub": ["canonical.path=data/sample"],
    "canonical=files": ["canonical.path=data/sample"],
    "calibration=known": [f"calibration.{name}=known.jsonl" for name in ("originals", "paraphrases", "clean")],
    "smollm2": ["models.smollm2.path=data/models/student"],
    **{
        model: [f"models.{model}.path=data/models/student", f"models.{model}.revision=null",
                f"models.{model}.dtype=float32"]
        for model in ("llama3_8b", "qwen_instruct")
    },
}  # fmt: skip
EVERYTHING_REJECTED = ("-S", "firewall.semantic.threshold=0.0", "-S", "icr.screen=report")
# A file of conf/ that names a server, a repository of a hub or a folder beside the project.
FAR = re.compile(r"^(?:kind: (?:openai|vllm)|base_url:|revision: \w{7}|\w+: \.\./)", re.MULTILINE)
# Actions of DVC that need no remote, no browser and no queue.
DVC = re.compile(r"dvc (repro|dag|metrics diff|exp (run(?!.*--queue)|show|apply))\b")
# A server, the hub, a GPU, a cluster, students of several seeds; and it would empty the cache of all tests.
NOT_HERE = (
    "://", "--canonical hub", r"--against (?!sample\b)[a-z]\w+(?= |$)", "--kind vllm", "engine=(?:ray|slurm)",
    "--ablations", "--clear", "<TAB>",
)  # fmt: skip
PFE = re.compile(rf"pfe \w+(?!.*(?:{'|'.join(NOT_HERE)}))")
# Names of what the guide adds: test_additions.py runs its commands.
ADDED = {Path(step.file).stem for step in guide.steps() if step.file and not step.file.startswith("data/")} - {"mine"}


def local(override: str) -> str:
    for pattern, instead in LOCAL:
        if re.search(pattern, override):
            return re.sub(pattern, instead, override)
    return override


def overrides(command: Command) -> list[str]:
    """`-S` for the smallest experiment and for the command's own overrides in their nearest local form, a key once."""
    by_key = {_key(one): one for one in (*SMALLEST, *_locally(command))}
    own = {key.split(".")[1] for key in map(_key, command.overrides) if key.startswith("benchmark.")}
    benchmarks = sorted({*re.findall(r"\w+", by_key["benchmark"].partition("=")[2]), *own})
    by_key["benchmark"] = f"benchmark=[{','.join(benchmarks)}]"
    chosen = [
        override
        for key, override in by_key.items()
        if not key.startswith("benchmark.") or key.split(".")[1] in benchmarks
    ]
    return [part for override in chosen for part in ("-S", override)]


def _locally(command: Command) -> list[str]:
    """The command's own overrides in their nearest local form, behind those that stand in for what is not here."""
    more = [extra for name, extras in MORE.items() if name in command.text for extra in extras]
    return [*more, *map(local, command.overrides)]


def _key(override: str) -> str:
    return override.partition("=")[0]


def is_experiment(command: Command) -> bool:
    return command.words[:3] == ("dvc", "exp", "run")


def is_far(override: str) -> bool:
    """Whether a choice of conf/ needs what is not here, and nothing stands for it."""
    group, _, value = override.partition("=")
    files = [ROOT / f"conf/{group}/{name}.yaml" for name in re.findall(r"\w+", value) if name not in MORE]
    return override not in MORE and any(path.is_file() and FAR.search(path.read_text()) for path in files)


def runs(command: Command) -> bool:
    """Whether a command runs here: of our own programs, with all that it names, and not by the guide's tests."""
    ours = DVC.match(command.text) or PFE.match(command.text)
    of_the_guide = ADDED & set(re.findall(r"\w+", command.text))
    return bool(ours) and not of_the_guide and not any(map(is_far, command.overrides))


def new_in(command: Command) -> set[Any]:
    """What a command may be the first to do: reproduce a stage, give an action such options, override a key."""
    if command.words[:2] == ("dvc", "repro"):
        return {"every stage" if len(command.words) == 2 else "a stage"}
    if is_experiment(command):
        rest = ["a stage"] if len(command.words) > 3 + 2 * len(command.overrides) else []
        return {(*rest, _key(override)) for override in command.overrides or ("",)}
    if command.words[0] == "pfe":
        options = sorted({word for word in command.words[2:] if word.startswith("-")})
        return {(*command.words[:2], len(command.words) > 2, *options)}
    return {command.text}


def together(experiments: Sequence[Command]) -> list[list[Command]]:
    """Experiments that run as one: of no two in a list the one overrides what the other does, or what is below it."""
    lists: list[list[Command]] = []
    for command in experiments:
        fitting = next((some for some in lists if not any(_clash(command, other) for other in some)), None)
        if fitting is None:
            lists.append(fitting := [])
        fitting.append(command)
    return lists


def _clash(one: Command, other: Command) -> bool:
    """Whether two override one key otherwise than each other; an embedded tutor is a model, a preset is everything."""
    if any(override.startswith("experiment=") for override in (*one.overrides, *other.overrides)):
        return True
    pairs = [(a, b) for a in _chosen(one) for b in _chosen(other) if a != b]
    keys = [[f"{re.sub('^embedded', 'model', _key(override))}." for override in pair] for pair in pairs]
    return any(a.startswith(b) or b.startswith(a) for a, b in keys)


def _chosen(command: Command) -> set[str]:
    """The overrides that the smallest experiment does not have."""
    return set(_locally(command)) - set(SMALLEST)


def _first(some: Sequence[Command]) -> list[Command]:
    complete = sorted(some, key=lambda command: "<" in command.text)  # before those with placeholders
    first = {new: command for command in reversed(complete) for new in new_in(command)}
    return [command for command in some if command in first.values()]


def runs_stages(command: Command) -> bool:
    """Whether it changes what stages wrote."""
    return re.match(r"dvc (repro|exp (run|apply))\b|pfe explain(?! --in)", command.text) is not None


COMMANDS = commands()
FIRST = _first([command for command in COMMANDS if runs(command)])
JOINED = together([one for one in FIRST if is_experiment(one) and len(one.words) == 3 + 2 * len(one.overrides)])
SINGLE = [one for one in FIRST if not any(one in some for some in JOINED)]


@pytest.fixture(scope="module")
def prepared(first_run: tuple[Path, str], binaries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smallest experiment with the guide's own model and the files that printed commands name."""
    folder = shutil.copytree(first_run[0], tmp_path_factory.mktemp("printed") / "experiment", symlinks=True)
    run = runner(folder, binaries)
    model = re.sub(r"path: .*", "path: data/models/student", own_model())
    for name in ("mine", "own"):
        (folder / f"conf/model/{name}.yaml").write_text(model)
    for tutor in (folder / "conf/embedded").glob("*.yaml"):
        text = tutor.read_text()
        for size in ("hidden: 48", "layers: 1", "heads: 2"):
            text = re.sub(rf"^{size.partition(' ')[0]} .*", size, text, flags=re.MULTILINE)
        tutor.write_text(text)
    row = json.dumps({"question": "What is 3 + 4?", "answer": "7", "body": "What is 3 + 5?", "label": "8"}) + "\n"
    pd.DataFrame(map(json.loads, [row])).to_csv(folder / "mine.csv", index=False)
    results = itertools.product(
        ("qualification", "synthetic", "real_world"), "ab", {"linear": 0.5, "lasso": 0.7, "mine": 0.9}.items()
    )
    pd.DataFrame(
        {"track": track, "dataset": dataset, "method": method, "repetition": 0, "status": "ok", "r2": r2,
         "components": 5, "property": r2}
        for track, dataset, (method, r2) in results
    ).to_csv(folder / "runs.csv", index=False)  # fmt: skip
    (folder / "ranking.yaml").write_text("a: [mine, lasso]\nb: [mine, lasso]\n")
    for name in ("known.jsonl", "mine.jsonl", "corpus/a.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(row)
    other = {"question": "Which instrument tells sailors how heavy the air is?", "answer": "a barometer"}
    (folder / "benchmark.jsonl").write_text(json.dumps(other) + "\n")
    run("pfe", "invent", "--count", "10", "--out", "another.jsonl")
    (folder / "tables").mkdir()
    rows = [f"{a},{b},{2 * a - b + 1}" for a in range(8) for b in range(8)]
    (folder / "tables/plane.csv").write_text("\n".join(["a,b,target", *rows]) + "\n")
    run("git", "add", "-A")
    run("git", "commit", "-q", "-m", "files")
    run("git", "branch", "-M", "main")
    run("dvc", "exp", "run", "--name", "seed-1", *overrides(Command("", ("-S", "rules.resamples=21"))))
    run("git", "checkout", "-q", "--", ".")
    run("dvc", "checkout", "-q")
    run("pfe", "pack", "--out", "packed")
    for name, model in {"mine": "student", "theirs": "base"}.items():
        few = ("--benchmark", "arc_easy,gsm1k", "--limit", "2", "-S", "benchmark.gsm1k.max_tokens=4")
        run("pfe", "eval", f"data/models/{model}", *few, "--out", f"pfe-eval-{name}")
    return folder


@pytest.fixture
def place(prepared: Path, binaries: Path, tmp_path: Path) -> Iterator[tuple[Path, Run]]:
    """A copy of it for one command that runs stages."""
    folder = shutil.copytree(prepared, tmp_path / "place", symlinks=True)
    yield folder, runner(folder, binaries)
    shutil.rmtree(folder)


@pytest.mark.gate
def test_most_commands_run_and_a_word_that_stands_for_another_is_known() -> None:
    words = {word for command in FIRST for word in command.words if re.fullmatch("[A-Z]{2,}|[^…=]+=[^…]+…", word)}
    assert words - {"HEAD", "ID", "FOUND"} <= STANDS_FOR.keys()
    assert len(COMMANDS) > 280
    assert len(SINGLE) > 60


@pytest.mark.gate
@pytest.mark.parametrize("command", [one for one in SINGLE if not runs_stages(one)], ids=lambda one: one.text)
def test_a_printed_command_runs(
    command: Command, prepared: Path, binaries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WANDB_MODE", "offline")
    run = runner(prepared, binaries)
    _check(command, prepared, run)
    run("git", "checkout", "-q", "--", ".")


# The other experiments override what the gate's does, or run a part of its stages.
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(one, marks=pytest.mark.gate if one.text == "dvc repro" else pytest.mark.slow)
        for one in SINGLE
        if runs_stages(one)
    ],
    ids=lambda one: one.text,
)
def test_a_printed_command_that_runs_stages_runs(command: Command, place: tuple[Path, Run]) -> None:
    _check(command, *place)


# The first has most; the others override the same otherwise, and the slow tests of tutors run what they do.
@pytest.mark.parametrize(
    "some",
    [pytest.param(some, marks=pytest.mark.gate if at == 0 else pytest.mark.slow) for at, some in enumerate(JOINED)],
    ids=lambda some: " ".join(command.text for command in some),
)
def test_printed_experiments_run(some: list[Command], place: tuple[Path, Run]) -> None:
    folder, run = place
    every = Command("", tuple(word for command in some for word in command.words[3:]))
    chosen = overrides(every)
    assert {one for one in map(local, every.overrides) if _key(one) != "benchmark"} <= set(chosen)
    assert "Traceback" not in run("dvc", "exp", "run", *chosen).stderr
    values = yaml.safe_load((folder / "params.yaml").read_text())
    arms, orders = set(values["evaluate"]["arms"]), values["icr"]["orders"]
    for name, score in read_record(folder / "data/scores/student.json", ModelScore).benchmarks.items():
        without = {"retrieved"} if name == "invented" else {"contradicted", "agreeing"}
        assert score.arms.keys() | {"agreeing"} == arms - without | {"agreeing"}, name
        assert orders == (score.orders.orders if score.orders else 1)


def _check(command: Command, folder: Path, run: Run) -> None:
    words = _runnable(command, folder, run)
    done = run(*words, check=False)
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed
    named_alone = len(command.words) == 2 and done.returncode == 2  # which prints how it is used
    fine = done.returncode == 0 or named_alone or _names_what_is_not_here(printed, words, folder)
    assert fine, f"{shlex.join(words)}\n{printed}"


def _names_what_is_not_here(printed: str, words: Sequence[str], folder: Path) -> bool:
    """Whether a command ended with one line that names a placeholder or file among its words, which is not here."""
    lines = [line for line in printed.splitlines() if line.startswith("pfe: ")]
    absent = [word for word in words[2:] if re.search(r"<|^[A-Z]+$|\.\w+\b", word) and not (folder / word).exists()]
    return words[0] == "pfe" and len(lines) == 1 and any(word in lines[0] for word in absent)


def _runnable(command: Command, folder: Path, run: Run) -> list[str]:
    words = [word for word in command.words if "=…" not in word]
    if is_experiment(command):
        rest = [word for at, word in enumerate(words[3:], 3) if word != "-S" and words[at - 1] != "-S"]
        return ["dvc", "exp", "run", *overrides(command), *rest]
    if words[:2] == ["dvc", "repro"]:
        run("pfe", "params", *overrides(Command("", ("-S", "model=[base,student,mine]")))[1::2])
    if words[:2] == ["pfe", "explain"] and "--in" not in words:
        run("dvc", "exp", "run", *overrides(Command("", EVERYTHING_REJECTED)), "firewall")
        return [*words[:-1], _problem_id((folder / "data/rejections").glob("*.parquet"))]
    if words[:2] == ["pfe", "show"] and words[4:5] == ["12"]:  # only four problems were asked
        words[4] = _problem_id([folder / f"data/predictions/{words[2]}/{words[3]}.parquet"])
    words += {"eval": ["--limit", "1"], "quality": ["--count", "60"]}.get(words[1], [])
    given = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("--out", "--clean")]
    kept = [folder / "pfe-eval-mine", folder / "pfe-eval-theirs"]
    for path in {*(folder / name for name in given), *folder.glob("pfe-eval-*")} - {*kept}:  # it would not be replaced
        _delete(path)
    if words[-1] == "--check":
        run("pfe", "params")
    more = ["seed-1"] if words == ["dvc", "exp", "apply"] else []
    return [STANDS_FOR.get(word, word) for word in (*words, *more)]


def _delete(path: Path) -> None:
    assert ".." not in path.parts
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)


def _problem_id(paths: Iterable[Path]) -> str:
    """The first id of a problem in some tables."""
    import pyarrow.parquet as pq

    return next(str(id) for path in sorted(paths) for id in pq.read_table(path).column("problem_id").to_pylist())

"""Every command that a text of ours prints: it exists and composes (fast), and those that do something new run at
`scale=smoke` (slow).

The commands are read out of the texts, so that one that is written is tested. What cannot run here runs in its nearest
local form, or stands in `ELSEWHERE` with the reason and the test that does the rest.
"""

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from dvc.cli import parse_args
from dvc.repo import Repo

from pfe.__main__ import program as pfe
from pfe.params import composed
from tests import guide
from tests.conftest import ROOT
from tests.pipeline.commands import PLACEHOLDER, THEIRS, Command, commands, own_model, shell_lines
from tests.pipeline.conftest import SMALLEST, Run, copy_checkout, runner
from tests.pipeline.warm import warm_python

COMMANDS = commands()
EXPERIMENTS = [command for command in COMMANDS if command.words[:3] == ("dvc", "exp", "run")]


def named(command: Command) -> str:
    return command.text.removeprefix("dvc exp run ")


every_command = pytest.mark.parametrize("command", COMMANDS, ids=named)


def test_the_commands_are_found_where_they_stand() -> None:
    texts = {command.text: command.where for command in COMMANDS}
    assert texts["dvc exp run -S 'model=[base,student,mine]'"] == "docs/add.md"
    assert texts["dvc exp run -S 'tutor=[read]'"] == "conf/tutor/read.yaml"
    assert texts["dvc repro generate"] == "stages/generate.py"
    assert texts["pfe params --check"] == "pfe/__main__.py"
    assert len(COMMANDS) > 90


def test_no_line_of_a_block_is_left_out() -> None:
    """So that another way to write a command, or another program, does not pass by what is tested here."""
    known = {command.text for command in COMMANDS}
    left = {line.text for line in shell_lines()} - known
    assert [line for line in left if not line.startswith("pytest ")] == [], "tests/pipeline/commands.py does not see it"


@pytest.fixture(scope="module")
def composes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[tuple[str, ...]], bool]]:
    """Whether overrides compose where the guide's own model is; what several texts print is composed once."""
    folder = tmp_path_factory.mktemp("own_model")
    shutil.copytree(ROOT / "conf", folder / "conf")
    for file, content in guide.steps():
        if file and file.startswith("conf/"):
            (folder / file).write_text(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield cache(lambda overrides: bool(composed(overrides)))


@pytest.fixture(scope="module")
def stages() -> set[str]:
    names = {stage.addressing for stage in Repo(str(ROOT)).index.stages}
    return names | {name.partition("@")[0] for name in names} | {"evaluate@mine", "tutor@wide"}


def one_by_one(override: str) -> Iterator[str]:
    """The overrides that a sweep stands for; of any other itself."""
    key, _, value = override.partition("=")
    yield from (f"{key}={one}" for one in ([value] if "[" in value else value.split(",")))


@pytest.mark.slow
@every_command
def test_a_printed_command_names_what_there_is(
    command: Command, stages: set[str], composes: Callable[[tuple[str, ...]], bool]
) -> None:
    program, *words = [word for word in command.words if "=…" not in word]
    if program == "dvc":
        asked = parse_args(["exp", "apply", "name"] if words == ["exp", "apply"] else words)
        assert set(getattr(asked, "targets", None) or []) <= stages
        for override in command.overrides if words[:2] == ["exp", "run"] else []:
            for one in one_by_one(override):
                chosen = [one if other == override else next(one_by_one(other)) for other in command.overrides]
                assert composes(tuple(PLACEHOLDER.sub("owner/name", other) for other in chosen))
    elif program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    elif program in ("pip", "pipx"):
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(re.findall(r"\[(\w+)\]", words[-1])) <= set(extras)
    elif program == "pfe":
        parsed = typer.main.get_group(pfe()).commands[words[0]]
        assert not words[1:] or parsed.make_context(words[0], words[1:])  # where it stands alone it is only named
    elif program in THEIRS:
        printed = usage(program, "run" if program == "lm_eval" else words[0])  # `run` may be left out
        assert {word for word in words if word.startswith("-") and word != "-m"} <= set(
            re.findall(r"--?[\w-]+", printed)
        )
    else:
        assert words[0] == "-m"
        module = importlib.util.find_spec(words[1])
        assert module
        main = importlib.util.find_spec(f"{words[1]}.__main__") if module.submodule_search_locations else module
        assert main
        assert main.origin
        text = Path(main.origin).read_text()
        options = [word for word in words[2:] if word.startswith("-")]
        assert all(option in text for option in options), options


@cache
def usage(program: str, action: str) -> str:
    """What another tool says of itself; the test is skipped where it is not installed."""
    path = Path(sys.executable).with_name(program)
    if not path.exists():
        pytest.skip(f"{program} is not installed")
    done = subprocess.run([path, action, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


FEW = (
    "benchmark=[gsm1k,race,fncall]", "model=[base,chance]", "evaluate.arms=[canonical,icr]", "evaluate.limit=2",
    "icr.orders=1", "calibration.per_kind=2", "competition.repetitions=1", "rules.resamples=5",
)  # fmt: skip
ELSEWHERE = {
    r"student=(qwen|full)|^dvc commit -f train": "a GPU and the hub: tests/training/test_hub.py, test_processes.py",
    r"^pfe experiments --ablations": "students that were validated: tests/report/test_ablations.py",
    r"gkd\.(ensemble|lmbda)=": "tests/pipeline/test_gkd.py has a tutor teach by each",
    r"methods\.lasso": "tests/pipeline/test_experiment.py runs it, tests/competition/test_methods.py by every degree",
    r"experiment=|--queue$": "many experiments: tests/pipeline/test_ablations.py queues two",
    r"^make (repro|test( SLOW=1)?|bench)$": "they run this test, or for hours; tests/pipeline/test_experiment.py",
    r"^make (reference|pack)|^pfe pack|^dvc pull": "hours, a clone: tests/pipeline/test_reference.py packs and pulls",
    r"^pfe verify \.\./": "the data of the reference: tests/pipeline/test_reference.py verifies those of a small one",
    r"^make (check|test-slow|review)": "the tests themselves; tests/pipeline/test_review.py makes a review",
    r"^(lm_eval|inspect) ": "tests/export/test_printed.py runs them on what is exported",
    r"^(hf|dvc push|dvc pull)( |$)": "the network; their options are held to what the tool says of itself",
    r"^accelerate ": "several GPUs; tests/training/test_processes.py launches two processes",
    r"^make docs$": "mkdocs, in an environment of its own; tests/test_docs.py builds the site",
    r"^python -m bench ": "minutes of measuring; tests/training/test_bench.py runs it on little",
    r"^make params$": "pfe params, in an environment of its own",
    r"^pip install": "installs; .ci/run installs the extras",
    r"^pfe (export|judge|publish)$": "named alone; tests/commands runs each with its arguments",
    r"^pipx install": "installs; tests/test_wheel.py runs what is installed in an empty folder",
    r"^pfe eval( |$)": "models of the hub, a server: tests/commands/test_eval.py runs it on small ones",
    r"^pfe compare( |$)": "revisions and folders: tests/commands/test_compare.py and test_eval.py make some",
    r"^pfe show( |$)": "answers of more than the smallest experiment: tests/commands/test_show.py",
    r"^pfe export (lm-eval|inspect-task) hub": "the network: tests/export runs the others on the sample",
    r"^pfe export (inspect|samples|parquet|wandb|mlflow) ": "answers, and tools that are extras: tests/export",
    r"^pfe export inspect-task ": "Inspect, which is an extra: tests/export/test_inspect.py",
    r"^pfe judge runs.csv": "somebody's table: tests/commands/test_judge.py makes one",
    r"^pfe cache --clear": "empties what the other tests share: tests/commands/test_cache.py",
    r"model=\[gpt4o\]|model=\[local_server\]": "a server; tests/models/test_server.py examines one",
    r"tutor=\[.*gpt4o\]": "a server; tests/tutors/test_author.py has one write",
    r"competition=full": "hours, and data that is not ours; tests/competition/test_files.py reads them",
    r"engine=slurm": "a Slurm cluster; tests/screening/test_engines.py runs a made one",
    r"^pfe problem '<id>'$": "a tutor's problem; tests/commands/test_gallery.py prints those of families",
    r"toll_roads|queue_place|seasons|opening": "what docs/add.md adds; tests/pipeline/test_additions.py adds it",
    r"answer_keys\.unread=refuse": "nothing is left where no tutor reads; tests/tutors/test_keys.py has some that do",
    r"pfe\.expressions\.child": "the inside of the pool of children: tests/expressions",
    r"^pfe explain --in|^pfe check (mine\.csv|owner|corpus/ --against FOLDER)": "tests/commands/test_check.py",
    r"^dvc plots": "opens a browser, and loads its library from the network",
    r"^dvc queue start": "runs right after what it queues",
}
RUN = [command for command in COMMANDS if not any(re.search(pattern, command.text) for pattern in ELSEWHERE)]
# What stands for a network, a GPU, data that is not in the repository, or hours.
LOCAL = (
    (r"^canonical=hub$", "canonical=files"),
    (r"^canonical.path=.*", "canonical.path=data/sample"),
    (r"^scale=(full|demo)$", "scale=smoke"),
    (r"^evaluate.limit=.*", "evaluate.limit=2"),
    (r"^calibration.per_kind=.*", "calibration.per_kind=3"),
    (r"^corpus.validation.problems=.*", "corpus.validation.problems=2"),
    (r"^student.gkd.steps=.*", "student.gkd.steps=2"),
    (r"^student.(warm_up|renewed)=.*", r"student.\1=2"),
    (r"^competition.path=.*", "competition.path=tables"),
    (r"^competition.repetitions=.*", "competition.repetitions=2"),
    (r"^methods.operon.settings.generations=.*", "methods.operon.settings.generations=2"),
    (r"^methods.gplearn.settings.generations=.*", "methods.gplearn.settings.generations=2"),
    (r"^firewall.semantic.multilingual=.*", "firewall.semantic.multilingual=all-MiniLM-L6-v2"),
)
STANDS_FOR = {
    "FOLDER": "data/canonical", "../shared/canonical": "data/canonical", "SET": "gsm1k_synth", "5000": "200",
    "10000": "200", "KEY=VALUE…": "firewall.threshold=0.25",
}  # fmt: skip
EVERYTHING_REJECTED = ("-S", "firewall.semantic.threshold=0.0", "-S", "icr.screen=report")
MORE = {
    "canonical=hub": ["canonical.path=data/sample"],
    "canonical=files": ["canonical.path=data/sample"],
    "calibration=known": [f"calibration.{name}=known.jsonl" for name in ("originals", "paraphrases", "clean")],
    "llama3_8b": ["models.llama3_8b.path=data/models/student", "models.llama3_8b.revision=null",
                  "models.llama3_8b.dtype=float32"],
    "qwen_instruct": ["models.qwen_instruct.path=data/models/student", "models.qwen_instruct.revision=null",
                      "models.qwen_instruct.dtype=float32"],
}  # fmt: skip


def local(override: str) -> str:
    for pattern, instead in LOCAL:
        if re.search(pattern, override):
            return re.sub(pattern, instead, override)
    return override


def smallest(own: Sequence[str]) -> list[str]:
    """The smallest experiment with some overrides of its own, each key once."""
    by_key = {one.partition("=")[0]: one for one in (*SMALLEST, *FEW, *own)}
    chosen = re.findall(r"\w+", by_key["benchmark"].partition("=")[2])
    return [
        override
        for key, override in by_key.items()
        if not (key.startswith("benchmark.") and key.split(".")[1] not in chosen)
    ]


def overrides(command: Command) -> list[str]:
    """`-S` for the smallest experiment and for the command's own overrides, in their nearest local form."""
    more = [extra for name, extras in MORE.items() if name in command.text for extra in extras]
    own = [local(override) for override in command.overrides]
    return [part for override in smallest([*more, *own]) for part in ("-S", override)]


@pytest.fixture(scope="module")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """A small experiment that was run once, with the guide's own model, and what some commands want to find.

    Its folder, and that of the `python` which runs it.
    """
    folder = tmp_path_factory.mktemp("workshop")
    copy_checkout(folder)
    with warm_python(tmp_path_factory.mktemp("warm")) as binaries:
        run = runner(folder, binaries)
        model = re.sub(r"path: .*", "path: data/models/student", own_model())
        (folder / "conf/model/mine.yaml").write_text(model)
        for tutor in (folder / "conf/embedded").glob("*.yaml"):
            text = tutor.read_text()
            for size in ("hidden: 48", "layers: 1", "heads: 2"):
                text = re.sub(rf"^{size.partition(' ')[0]} .*", size, text, flags=re.MULTILINE)
            tutor.write_text(text)
        row = json.dumps({"question": "What is 3 + 4?", "answer": "7"}) + "\n"
        for name in ("known.jsonl", "mine.jsonl", "corpus/a.jsonl"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(row)
        other = {"question": "Which instrument tells sailors how heavy the air is?", "answer": "a barometer"}
        (folder / "benchmark.jsonl").write_text(json.dumps(other) + "\n")
        run("python", "-m", "pfe", "invent", "--count", "10", "--out", "another.jsonl")
        (folder / "tables").mkdir()
        rows = [f"{a},{b},{2 * a - b + 1}" for a in range(8) for b in range(8)]
        (folder / "tables/plane.csv").write_text("\n".join(["a,b,target", *rows]) + "\n")
        run("git", "add", "-A")
        run("git", "commit", "-q", "-m", "a model")
        run("dvc", "exp", "run", *overrides(Command("", ())))
        run("git", "add", "-A")
        run("git", "commit", "-q", "-m", "first run")
        yield folder, binaries


@pytest.fixture
def workshop(first_run: tuple[Path, Path], tmp_path: Path) -> tuple[Path, Run]:
    """A copy of it for one command, so that none has to undo what another changed."""
    folder, binaries = first_run
    copied = shutil.copytree(folder, tmp_path / "workshop", symlinks=True)
    return copied, runner(copied, binaries)


def new_in(command: Command) -> set[Any]:
    """What a command may be the first to do: reproduce a stage, give an action such options, override a key.

    One that does nothing new is not run: that it names what there is, and composes, is tested of each.
    """
    if command.words[:2] == ("dvc", "repro"):
        return {"every stage" if len(command.words) == 2 else "a stage"}
    if command in EXPERIMENTS:
        rest = [word for word in command.words if word not in ("-S", *command.overrides)]
        return {(*rest, override.partition("=")[0]) for override in command.overrides or ("",)}
    if command.words[0] == "pfe" and len(command.words) > 1:
        options = [word for word in command.words[2:] if word.startswith("-")]
        return {(*command.words[:2], *sorted(set(options)))}
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
    """Whether two override one key otherwise than each other; a tutor is a model too."""
    pairs = [(a, b) for a in _chosen(one) for b in _chosen(other) if a != b]
    keys = [[f"{re.sub('^embedded', 'model', override.partition('=')[0])}." for override in pair] for pair in pairs]
    return any(a.startswith(b) or b.startswith(a) for a, b in keys)


def _chosen(command: Command) -> set[str]:
    """What is overridden otherwise than in the smallest experiment."""
    return set(map(local, command.overrides)) - set(SMALLEST)


FIRST = {new: command for command in reversed(RUN) for new in new_in(command)}
JOINED = together(
    [
        one
        for one in RUN
        if one in FIRST.values() and one in EXPERIMENTS and len(one.words) == 3 + 2 * len(one.overrides)
    ]
)


def elsewhere(command: Command) -> Any:
    """The command as a parameter; skipped where something else tries it, and says why."""
    reasons = [reason for pattern, reason in ELSEWHERE.items() if re.search(pattern, command.text)]
    if not reasons and command not in FIRST.values():
        others = dict.fromkeys(FIRST[new].text for new in new_in(command))
        reasons = [f"as {' and '.join(others)}, which runs"]
    return pytest.param(command, id=named(command), marks=[pytest.mark.skip(reason=one) for one in reasons[:1]])


def test_a_word_that_stands_for_another_is_known() -> None:
    """`pfe explain` ends with the id of a problem, whose word is in `_runnable`."""
    words = {word for command in RUN for word in command.words if re.fullmatch("[A-Z]{2,}|[^…=]+=[^…]+…", word)}
    assert words - {"HEAD", "ID"} <= STANDS_FOR.keys()


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [elsewhere(command) for command in COMMANDS if not any(command in some for some in JOINED)]
)
def test_a_printed_command_runs(command: Command, workshop: tuple[Path, Run]) -> None:
    folder, run = workshop
    _runs(run, _runnable(command, folder, run))


@pytest.mark.slow
@pytest.mark.parametrize("commands", JOINED, ids=lambda commands: " ".join(map(named, commands)))
def test_printed_experiments_run(commands: list[Command], workshop: tuple[Path, Run]) -> None:
    _, run = workshop
    every = [word for command in commands for word in command.words[3:]]
    _runs(run, ["dvc", "exp", "run", *overrides(Command("", tuple(every)))])


def _runs(run: Run, words: Sequence[str]) -> None:
    done = run(*words, check=False)
    printed = done.stdout + done.stderr
    assert done.returncode == 0, f"{shlex.join(words)}\n{printed[-3000:]}"
    assert "Traceback" not in printed


def _runnable(command: Command, folder: Path, run: Run) -> list[str]:
    words = [word for word in command.words if "=…" not in word]
    if command in EXPERIMENTS:
        rest = [word for at, word in enumerate(words[3:], 3) if word != "-S" and words[at - 1] != "-S"]
        return ["dvc", "exp", "run", *overrides(command), *rest]
    if words == ["dvc", "exp", "apply"] or "<experiment>" in words:
        name = f"{words[1]}-one"
        run("dvc", "exp", "run", "--name", name, *overrides(Command("", ())))
        return [*(word for word in words if word != "<experiment>"), name]
    if "explain" in words:
        run("dvc", "exp", "run", *overrides(Command("", EVERYTHING_REJECTED)), "firewall")
        rejected = [id for path in sorted((folder / "data/rejections").glob("*.parquet")) for id in _ids(path)]
        return [*words[:-1], rejected[0]]
    if words[:2] == ["pfe", "invent"]:
        (folder / words[-1]).unlink(missing_ok=True)  # what stands there is not replaced
    if words[:2] == ["dvc", "repro"]:
        run("python", "-m", "pfe", "params", *smallest(["model=[base,student,mine]"]))
    if words[-1] == "--check":
        run("python", "-m", "pfe", "params")
    words = ["python", "-m", *words] if words[0] == "pfe" else words  # of the checkout, not the one that is installed
    return [STANDS_FOR.get(word, word) for word in words]


def _ids(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    ids: list[str] = pq.read_table(path).column("problem_id").to_pylist()
    return ids

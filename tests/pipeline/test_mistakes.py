"""Mistakes with the real `dvc`: one line that names the nearest, a status that is not 0, and nothing is changed.

One mistake of each kind: tests/test_params.py has the message of every mistake.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from pfe.run_times import FOLDER
from tests.pipeline.conftest import Experiment, overrides

pytestmark = pytest.mark.gate


@pytest.fixture
def unchanged(experiment: Experiment) -> Iterator[Callable[[], None]]:
    """Asserts that git and every output are as they were when the test began; afterwards git is made so."""
    folder, run, _ = experiment

    def state() -> tuple[str, dict[Path, tuple[int, int]]]:
        outputs = [path for name in ("data", "metrics", "report") for path in (folder / name).rglob("*")]
        return run("git", "status", "--porcelain").stdout, {
            path: (path.stat().st_mtime_ns, path.stat().st_size)
            for path in outputs
            if path.is_file() and path.parent != folder / FOLDER  # how long stages took is no output
        }

    run("git", "checkout", "-q", "--", ".")
    before = state()

    def check() -> None:
        now = state()
        assert now[0] == before[0]
        assert {path.relative_to(folder) for path in before[1].keys() ^ now[1].keys()} == set()
        assert now[1] == before[1]

    yield check
    run("git", "checkout", "-q", "--", ".")
    run("git", "clean", "-fdq", "conf")


OVERRIDES = [
    ("+firewall.treshold=0.25", "firewall.treshold: unknown key; did you mean 'threshold'?"),
    ("firewall.threshold=many", "firewall.threshold: 'many' should be a valid number"),
    ("model=[base,studnet]", "unknown model 'studnet'; did you mean 'student'?"),
    ("method=[operon]", "rules.baseline: the method 'linear' is not chosen"),
    ("~firewall.n", "firewall.n: missing"),
]


def assert_one_line(done: object, words: str) -> None:
    printed = f"{getattr(done, 'stdout', '')}{getattr(done, 'stderr', '')}"
    assert getattr(done, "returncode", 0) != 0
    assert words in printed
    assert sum(words in line for line in printed.splitlines()) == 1
    assert "Traceback" not in printed


@pytest.mark.parametrize(("override", "words"), OVERRIDES)
def test_a_mistake_in_an_override_is_printed_before_anything_is_touched(
    experiment: Experiment, override: str, words: str, unchanged: Callable[[], None]
) -> None:
    _, run, _ = experiment
    assert_one_line(run("dvc", "exp", "run", *overrides(override), check=False), words)
    unchanged()


@pytest.mark.parametrize("how", ["--queue", "--temp"])
def test_a_mistake_is_printed_before_it_is_queued(
    experiment: Experiment, how: str, unchanged: Callable[[], None]
) -> None:
    _, run, _ = experiment
    done = run("dvc", "exp", "run", how, *overrides("rules.ties=densee"), check=False)
    assert_one_line(done, "did you mean 'dense'?")
    assert "Queued" not in run("dvc", "queue", "status").stdout
    unchanged()


def _edited(old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / "params.yaml").read_text()
        assert old in text
        (folder / "params.yaml").write_text(text.replace(old, new, 1))

    return edit


def _written(name: str, content: bytes) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return edit


def _named(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        values = yaml.safe_load((folder / "params.yaml").read_text())
        values["models"][name] = values["models"]["chance"]
        (folder / "params.yaml").write_text(yaml.safe_dump(values))

    return edit


EDITS = {
    "a value that is read": (
        _edited("ties: dense", "ties: densee"),
        "ties: unknown value 'densee'; did you mean 'dense'?",
    ),
    "a key that no stage reads": (_edited("workers: null", "wrkers: null"), "unknown key; did you mean 'workers'?"),
    "a group": (_edited("\nmodels:", "\nmodles:"), "models"),
    "not UTF-8": (_written("params.yaml", b"seed: \xe9\n"), "not valid utf-8"),
    "not YAML": (_written("params.yaml", b"seed: [1\n"), "params.yaml"),
    "empty": (_written("params.yaml", b""), "dvc.yaml"),
    "a file of conf": (
        _written("conf/rules/srbench2022.yaml", b"ties: [\n"),
        "conf/rules/srbench2022.yaml:2: not YAML",
    ),
    "a name that is a path": (_named("../canonical"), "canonical"),
    "a name that is a command": (_named("x; touch FORGED"), "models.x; touch FORGED: not a name"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_mistake_by_hand_ends_repro_and_leaves_every_output(
    experiment: Experiment, edit: str, unchanged: Callable[[], None]
) -> None:
    folder, run, _ = experiment
    change, words = EDITS[edit]
    change(folder)
    done = run("dvc", "repro", check=False)
    assert done.returncode != 0
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    run("git", "checkout", "-q", "--", ".")
    unchanged()


@pytest.mark.parametrize("options", [[], ["--single-item"], ["--force"]], ids=str)
def test_no_name_reaches_a_shell(experiment: Experiment, options: list[str], unchanged: Callable[[], None]) -> None:
    folder, run, _ = experiment
    _named("x; touch FORGED")(folder)
    done = run("dvc", "repro", *options, "evaluate@x; touch FORGED", check=False)
    assert done.returncode != 0
    assert not (folder / "FORGED").exists()


def test_a_stage_that_fails_or_is_killed_leaves_the_outputs_of_before(
    experiment: Experiment, unchanged: Callable[[], None]
) -> None:
    """The judge cannot read what it is given; dvc would have removed its six outputs before it ran."""
    folder, run, _ = experiment
    script = folder / "stages/judge.py"
    for end in ("raise UserError('the judge is ill')", "os.kill(os.getpid(), 9)"):
        script.write_text(f"import os\nfrom pfe.errors import UserError\n{end}\n")
        done = run("dvc", "repro", "judge", check=False)
        assert done.returncode != 0
        assert "failed to reproduce 'judge'" in done.stderr
        run("git", "checkout", "-q", "--", ".")
        unchanged()
    run("dvc", "repro", "code")  # git has put the script back, and code/ still tells of the other


EVERY_STAGE = """
import os, runpy, sys
from pathlib import Path
import yaml

ARGUMENTS = {"evaluate": "chance", "source": "invented", "tutor": "wide"}
TUTOR = {"seed": 1, "hidden": 48, "layers": 1, "heads": 2, "share": 1.0}  # the experiment has none
replace = os.replace
parameters = Path("params.yaml").read_text()

def outputs(stage, key):
    declared = stage.get("do", stage)
    entries = [*declared.get("outs", ()), *declared.get("metrics", ())]
    return [Path(next(iter(entry)).replace("${key}", key)) for entry in entries]

def is_empty(path):
    return not (any(path.iterdir()) if path.is_dir() else path.stat().st_size)

def is_made(path):
    beside = [one for one in path.parent.glob(f".{path.name}.{os.getpid()}.*.tmp")]
    # As that of the run before is: nobody wrote, nothing is refused, the page has room for all.
    may_be_empty = path.exists() and is_empty(path)
    return any(may_be_empty or not is_empty(one) for one in beside)

for name, stage in yaml.safe_load(Path("dvc.yaml").read_text())["stages"].items():
    expected = outputs(stage, ARGUMENTS.get(name, ""))

    def first_swap(source, target):
        if {Path(source), Path(target)} & set(expected):
            print("SWAP", name, *(path for path in expected if not is_made(path)))
            raise KeyboardInterrupt
        replace(source, target)

    if name == "tutor":
        values = yaml.safe_load(parameters) | {"embedded": {"wide": TUTOR}}
        values["student"]["gkd"]["steps"] = 1
        Path("params.yaml").write_text(yaml.safe_dump(values))
    os.replace, sys.argv = first_swap, [name, *filter(None, [ARGUMENTS.get(name)])]
    try:
        runpy.run_module(f"stages.{name}", run_name="__main__", alter_sys=True)
        print("WHOLE", name)
    except SystemExit as end:
        print("ENDED", name, end.code)
    os.replace = replace
    Path("params.yaml").write_text(parameters)
"""


def test_no_output_of_a_stage_is_replaced_before_all_of_them_are_made(
    experiment: Experiment, unchanged: Callable[[], None]
) -> None:
    """Every stage is stopped where it would put its first output in its place."""
    folder, run, _ = experiment
    done = run("python", "-c", EVERY_STAGE)
    printed = done.stdout.splitlines()
    stages = yaml.safe_load((folder / "dvc.yaml").read_text())["stages"]
    assert [line for line in printed if line.startswith("SWAP")] == [f"SWAP {name}" for name in stages], done.stderr
    assert [line for line in printed if line.startswith("ENDED")] == [f"ENDED {name} 130" for name in stages]
    for checkpoints in (folder / "data").glob("checkpoints*.tmp"):  # what a training that was stopped goes on from
        shutil.rmtree(checkpoints)
    unchanged()

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from pfe.config import Cluster
from pfe.errors import UserError
from pfe.files import replacing
from pfe.rows.files import split
from pfe.rows.formats.format import Shard
from pfe.screening import engines
from pfe.screening.engines import Engine

CLUSTER = Cluster("cpu", "24:00:00", 1, 4, "normal", "")
run = partial(engines.run, cluster=CLUSTER)


@dataclass(frozen=True)
class Copy:
    """Writes the shard's place to a file of its own, and to `calls` that it did; `harm` tells of one shard not to."""

    out: Path

    def __call__(self, shard: Shard) -> None:
        path = self.out / f"result-{shard.start}"
        if path.exists():
            return
        if (self.out / f"refuse-{shard.start}").exists():
            raise UserError("no such problem")
        if (self.out / f"break-{shard.start}").exists():
            raise ValueError("out of range")
        if (self.out / f"kill-{shard.start}").exists():
            print("the last words")
            sys.stdout.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        with replacing(path) as temporary:
            temporary.write_text(str(shard))
        with (self.out / "calls").open("a") as calls:
            calls.write(f"{shard.start}\n")


@pytest.fixture
def task(tmp_path: Path) -> Copy:
    (tmp_path / "out").mkdir()
    return Copy(tmp_path / "out")


@pytest.fixture
def shards(tmp_path: Path) -> list[Shard]:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "row"}\n' * 3)
    found = split([path], size=16)
    assert [shard.start for shard in found] == [0, 16, 32]
    return found


def calls(task: Copy) -> list[int]:
    return sorted(map(int, (task.out / "calls").read_text().split())) if (task.out / "calls").exists() else []


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slurm as far as datatrove sees it: `sbatch` runs every task of the array and, asked to wait, fails as they do."""
    folder = tmp_path / "slurm"
    folder.mkdir()
    scripts = {
        "sbatch": f"""#!{sys.executable}
import os, re, subprocess, sys
script = open(sys.argv[-1]).read()
offset = [option for option in sys.argv if "RUN_OFFSET=" in option]
last, width = re.search(r"^#SBATCH --array=0-(\\d+)(?:%(\\d+))?$", script, re.M).groups()
assert width in (None, "2"), width
environment = os.environ | dict(SLURM_JOB_ID="7", SLURM_NODELIST="here")
environment["RUN_OFFSET"] = offset[0].rpartition("=")[2] if offset else "0"
log = open({str(folder / "jobs.log")!r}, "a")
codes = [
    subprocess.run(["bash", sys.argv[-1]], env=environment | dict(SLURM_ARRAY_TASK_ID=task), stdout=log, stderr=log)
    for task in map(str, range(int(last) + 1))
]
print("Submitted batch job 7")
sys.exit(max(code.returncode for code in codes) if "#SBATCH --wait\\n" in script else 0)
""",
        "srun": '#!/bin/bash\nwhile [[ $1 != launch* ]]; do shift; done\nexec "$@"\n',
        "scontrol": '#!/bin/bash\necho "${@: -1}"\n',
    }
    for name, script in scripts.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def needs(engine: Engine) -> None:
    for name in engines.NEEDS.get(engine, ()):
        if not find_spec(name):
            pytest.skip(f"{name} is not installed")


def failed_then_mended(task: Copy, shards: list[Shard], engine: Engine, then: Engine, harm: str, why: str) -> None:
    """One shard fails and is named; mended, another run does it, by whichever engine, and not what was finished."""
    logs = task.out.parent / "logs"
    (task.out / f"{harm}-16").touch()
    with pytest.raises(UserError, match=f"a.jsonl:16-32: {why}.*log: .*/output/"):
        run(task, shards, engine, 2, logs)
    assert not (task.out / "result-16").exists()
    (task.out / f"{harm}-16").unlink()
    run(task, shards, then, 2, logs)
    assert calls(task) == [0, 16, 32]
    assert (task.out / "result-16").read_text() == str(shards[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "harm", "why"),
    [("datatrove", "refuse", "no such problem"), ("local", "kill", "killed by SIGKILL")],
)
def test_datatrove_names_what_failed_and_repeats_only_that(
    task: Copy, shards: list[Shard], then: Engine, harm: str, why: str
) -> None:
    needs("datatrove")
    failed_then_mended(task, shards, "datatrove", then, harm, why)


@pytest.mark.slow
def test_slurm_names_what_failed_and_repeats_only_that(task: Copy, shards: list[Shard], slurm: None) -> None:
    needs("slurm")
    failed_then_mended(task, shards, "slurm", "local", "break", "ValueError: out of range")
    script = (task.out.parent / "logs/run-0001/launch_script.slurm").read_text()
    for line in ("cpus-per-task=1", "mem-per-cpu=4G", "partition=cpu", "time=24:00:00", "array=0-2%2", "wait"):
        assert f"#SBATCH --{line}\n" in script


@pytest.mark.slow
def test_ray_names_what_failed_and_repeats_only_that(task: Copy, shards: list[Shard]) -> None:
    needs("ray")
    failed_then_mended(task, shards, "ray", "local", "kill", "killed by SIGKILL")
    assert not pytest.importorskip("ray").is_initialized()


def test_a_worker_that_fits_on_no_ray_node_is_told() -> None:
    nodes = [{"Alive": True, "Resources": {"CPU": 2.0, "memory": 8.0 * 2**30}}, {"Alive": False, "Resources": {}}]
    engines.check_nodes(nodes, replace(CLUSTER, cpus=2, memory=8))
    with pytest.raises(UserError, match=r"2 CPUs and 9 GB fits on no node \(2 CPUs and 8 GB\)"):
        engines.check_nodes(nodes, replace(CLUSTER, cpus=2, memory=9))


@pytest.mark.slow
def test_a_result_that_has_gone_is_made_again(task: Copy, shards: list[Shard], tmp_path: Path) -> None:
    needs("datatrove")
    for _ in range(2):
        run(task, shards[:1], "datatrove", 1, tmp_path / "logs")
        (task.out / "result-0").unlink()
    assert calls(task) == [0, 0]


@pytest.mark.slow
def test_more_shards_than_processes_are_all_done(task: Copy, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    needs("datatrove")
    (tmp_path / "b.jsonl").write_text("\n" * 11)
    run(task, split([tmp_path / "b.jsonl"], size=1), "datatrove", 1, tmp_path / "logs")
    assert calls(task) == list(range(11))
    assert len(list((tmp_path / "logs/run-0001/output").iterdir())) == 4
    assert capfd.readouterr().err.splitlines() == [
        f"datatrove: 11 shards on 1 workers; logs in {tmp_path}/logs/run-0001"
    ]


def test_a_process_whose_parent_is_gone_ends(tmp_path: Path) -> None:
    dill = pytest.importorskip("dill")
    (tmp_path / "begun").mkdir()
    os.mkfifo(tmp_path / "never.jsonl")
    shard = Shard(tmp_path / "never.jsonl", 0, 1, 1)
    (tmp_path / "task.pkl").write_bytes(dill.dumps((wait_for_ever, (shard,))))
    command = [sys.executable, "-m", "pfe.screening.engines", str(tmp_path), "0", "1"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as process,
        (tmp_path / "never.jsonl").open("wb"),  # opens when the task has opened the other end
    ):
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 1


def wait_for_ever(shard: Shard) -> None:
    shard.path.read_bytes()


@pytest.mark.parametrize(("harm", "kind"), [("refuse", UserError), ("break", ValueError)])
def test_in_this_process_what_failed_is_named_and_only_that_repeated(
    task: Copy, shards: list[Shard], tmp_path: Path, harm: str, kind: type[Exception]
) -> None:
    (task.out / f"{harm}-16").touch()
    with pytest.raises(kind) as caught:
        run(task, shards, "local", 1, tmp_path / "logs")
    assert f"{tmp_path}/a.jsonl:16-32" in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert calls(task) == [0]
    (task.out / f"{harm}-16").unlink()
    run(task, shards, "local", 1, tmp_path / "logs")
    assert calls(task) == [0, 16, 32]
    assert not (tmp_path / "logs").exists()


def test_killed_in_the_middle_it_goes_on_at_the_shard(task: Copy, shards: list[Shard], tmp_path: Path) -> None:
    (task.out / "kill-32").touch()
    script = (
        "import sys; from pathlib import Path; from test_engines import Copy, run; "
        "from pfe.rows.files import split; "
        "run(Copy(Path(sys.argv[2])), split([Path(sys.argv[1])], size=16), 'local', 1, Path('logs'))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    command = [sys.executable, "-c", script, str(shards[0].path), str(task.out)]
    assert subprocess.run(command, env=environment, cwd=tmp_path, check=False).returncode == -signal.SIGKILL
    assert calls(task) == [0, 16]
    (task.out / "kill-32").unlink()
    subprocess.run(command, env=environment, cwd=tmp_path, check=True)
    assert calls(task) == [0, 16, 32]


def test_no_shards_are_no_work(task: Copy, tmp_path: Path) -> None:
    run(task, [], "local", 1, tmp_path / "logs")
    run(task, [], "datatrove", 1, tmp_path / "logs")
    assert calls(task) == []


def test_a_missing_package_is_named(
    task: Copy, shards: list[Shard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pfe.extras.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"engine=ray needs datatrove and ray, not .*; pip install 'pfe\[cluster\]'"):
        run(task, shards, "ray", 2, tmp_path / "logs")


def test_what_cannot_run_says_so(
    task: Copy, shards: list[Shard], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match="did you mean 'slurm'"):
        run(task, shards, "slrm", 2, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="no worker"):
        run(task, shards, "ray", 0, tmp_path)
    needs("slurm")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="needs sbatch on PATH"):
        run(task, shards, "slurm", 2, tmp_path)


def test_slurm_is_not_started_from_inside_an_array(
    task: Copy, shards: list[Shard], tmp_path: Path, slurm: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("slurm")
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "0")
    with pytest.raises(UserError, match="login node"):
        run(task, shards, "slurm", 2, tmp_path)


def test_a_refused_job_says_where_the_reason_is(task: Copy, shards: list[Shard], tmp_path: Path, slurm: None) -> None:
    needs("slurm")
    (tmp_path / "slurm/sbatch").write_text("#!/bin/bash\necho invalid partition >&2\nexit 1\n")
    with pytest.raises(UserError, match=r"3 of 3 parts never began .*sbatch.*datatrove\.log"):
        run(task, shards, "slurm", 2, tmp_path / "logs")
    assert "invalid partition" in (tmp_path / "logs/run-0001/datatrove.log").read_text()

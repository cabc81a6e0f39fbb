"""Engines that map a task over shards: in this process, or with datatrove on this machine's cores, Ray or Slurm.

Example: `run(screen, split([Path("corpus")]), "ray", 2, Path("logs"), cluster)` calls `screen(shard)` for every shard,
two at a time. It raises an error if one call failed: "corpus/a.jsonl:0-8388608: killed by SIGKILL (out of memory?); …".

A task writes its result completely or not at all, and returns at once if the result exists. Finished work is therefore
never repeated, whichever engine did it. datatrove's own marks of complete work are used for one run only, in a new
folder below `logs`: a mark from an earlier run could outlive its result.
On a cluster, the shards, the logs, Python and this package must be at the same paths on every machine.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Literal, get_args

from pfe.config import Cluster
from pfe.errors import UserError, nearest
from pfe.extras import need
from pfe.progress import tracked
from pfe.rows.formats.format import Shard

Engine = Literal["local", "datatrove", "slurm", "ray"]
Task = Callable[[Shard], None]
NEEDS = {"datatrove": ("datatrove",), "slurm": ("datatrove",), "ray": ("datatrove", "ray")}
_RANKS_PER_WORKER = 4
_OBJECT_STORE = 80 << 20
_GIGABYTE = 1 << 30


def run(task: Task, shards: Sequence[Shard], engine: Engine, workers: int, logs: Path, cluster: Cluster) -> None:
    """Call `task` once for every shard; return when all calls have returned.

    `local` calls it in this process, one shard after another, whatever `workers` is. The other engines divide the
    shards among at most four processes per worker, `workers` at a time; so a task should keep loaded data (models, the
    canonical side) for the next shard of its process. A failure ends its process and, except with Ray and Slurm, the
    run. Ray is the cluster in use or at RAY_ADDRESS, or one that is started on this machine and shut down afterwards.

    Raises:
        UserError: the engine is unknown or cannot run, or a shard failed; names the shard, the reason and the log.
        Exception: the exception of the task under `local`, with a note that names the shard.
    """
    if engine not in get_args(Engine):
        raise UserError(f"firewall.engine={engine}: unknown engine; {nearest(engine, get_args(Engine))}")
    if workers < 1:
        raise UserError(f"firewall.workers={workers}: no worker, no work; give at least 1")
    if engine == "local":
        _run_here(task, shards)
    elif shards:
        _check(engine)
        _run_datatrove(task, shards, engine, workers, _fresh(logs), cluster)


def _run_here(task: Task, shards: Sequence[Shard]) -> None:
    for shard in tracked(shards, "firewall", "shard"):
        _call(task, shard)


def _call(task: Task, shard: Shard) -> None:
    try:
        task(shard)
    except UserError as error:
        raise UserError(_with_shard(shard, str(error))) from error
    except Exception as error:
        error.add_note(f"in shard {shard}")
        raise


def _with_shard(shard: Shard, message: str) -> str:
    return message if str(shard.path) in message else f"{shard}: {message}"


def _check(engine: Engine) -> None:
    need(f"firewall.engine={engine}", *NEEDS[engine])
    if engine == "slurm" and not shutil.which("sbatch"):
        raise UserError("firewall.engine=slurm needs sbatch on PATH; run it on the cluster's login node")
    if engine == "slurm" and "SLURM_ARRAY_TASK_ID" in os.environ:
        raise UserError("firewall.engine=slurm starts array jobs and cannot run inside one; run it on the login node")


def _fresh(logs: Path) -> Path:
    """Create a new folder for the logs of one run."""
    for number in count(1):
        folder = logs.resolve() / f"run-{number:04d}"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        break
    return folder


def _run_datatrove(
    task: Task, shards: Sequence[Shard], engine: Engine, workers: int, folder: Path, cluster: Cluster
) -> None:
    for name in ("begun", "failed", "output"):
        (folder / name).mkdir()
    (folder / "task.pkl").write_bytes(import_module("dill").dumps((task, tuple(shards))))
    ranks = min(len(shards), workers * _RANKS_PER_WORKER)
    print(f"{engine}: {len(shards)} shards on {workers} workers; logs in {folder}", file=sys.stderr)
    cause: Exception | None = None
    with _quiet(folder / "datatrove.log"), _ray(workers, cluster) if engine == "ray" else nullcontext():
        executor = _executor(engine, _Rank(folder, Path.cwd(), _python_path(), cluster.cpus), ranks, workers, cluster)
        try:
            executor.run()
        except Exception as error:  # of any kind: the marks of completed ranks say what is done
            cause = error
        missing = executor.get_incomplete_ranks()
    if missing:
        raise UserError(_failure(folder, missing, ranks, cause)) from cause


def _failure(folder: Path, missing: Sequence[int], ranks: int, cause: Exception | None) -> str:
    """Return one line: the first shard that failed or was interrupted, the reason, and the path of the log."""
    for kind, why in (("failed", ""), ("begun", ": begun and not finished")):
        for rank in missing:
            note = folder / kind / f"{rank:05d}"
            if note.exists():
                parts = f"{len(missing)} of {ranks} parts are unfinished; " if len(missing) > 1 else ""
                return f"{note.read_text()}{why}; {parts}log: {folder}/output/{rank:05d}.log; finished shards are kept"
    reason = f" ({type(cause).__name__}: {cause})" if cause else ""
    return f"{folder}: {len(missing)} of {ranks} parts never began{reason}; see datatrove.log there, then run it again"


def _executor(engine: Engine, step: "_Rank", ranks: int, workers: int, cluster: Cluster) -> Any:
    name = {"datatrove": "Local", "ray": "Ray", "slurm": "Slurm"}[engine]
    make = getattr(import_module("datatrove.executor"), f"{name}PipelineExecutor")
    kwargs: dict[str, Any] = {"tasks": ranks, "workers": workers, "logging_dir": str(step.folder)}
    if engine == "datatrove":
        return make([step], start_method="spawn", **kwargs)
    kwargs |= {"cpus_per_task": cluster.cpus, "mem_per_cpu_gb": max(1, cluster.memory // cluster.cpus)}
    if engine == "ray":
        return make([step], **kwargs)
    # With `wait`, sbatch returns when the array is done. The interpreter and the paths are those of this process.
    arguments = {"wait": "", **({"account": cluster.account} if cluster.account else {})}
    programs, python_path = shlex.quote(str(Path(sys.executable).parent)), shlex.quote(step.python_path)
    return make(
        [step],
        time=cluster.time,
        partition=cluster.partition,
        qos=cluster.qos,
        job_name="pfe-firewall",
        env_command=f"export PATH={programs}:$PATH PYTHONPATH={python_path}",
        sbatch_args=arguments,
        **kwargs,
    )


@dataclass(frozen=True)
class _Rank:
    """The step of the pipeline: it runs the shards of one rank in a process of their own.

    datatrove's own pools wait forever for a worker that is killed; this step notices that its process has ended.
    """

    folder: Path
    cwd: Path
    python_path: str
    threads: int

    def __call__(self, data: object, rank: int, world_size: int) -> None:
        command = [sys.executable, "-m", __name__, str(self.folder), str(rank), str(world_size)]
        environment = {"OMP_NUM_THREADS": str(self.threads)} | os.environ | {"PYTHONPATH": self.python_path}
        # The standard input stays open while this process lives: a worker ends when its parent is gone.
        with (
            (self.folder / f"output/{rank:05d}.log").open("ab") as log,
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.cwd, env=environment
            ) as process,
        ):
            code = process.wait()
        if code:
            raise RuntimeError(self._note(rank, code))

    def _note(self, rank: int, code: int) -> str:
        """Return the failure of a rank, and store it in `failed` for the process that started the run."""
        failed, begun = self.folder / f"failed/{rank:05d}", self.folder / f"begun/{rank:05d}"
        if not failed.exists():
            where = begun.read_text() if begun.exists() else f"part {rank}, before its first shard"
            how = f"killed by {signal.Signals(-code).name} (out of memory?)" if code < 0 else f"ended with code {code}"
            failed.write_text(f"{where}: {how}")
        return failed.read_text()


def _python_path() -> str:
    return os.pathsep.join(place or os.getcwd() for place in sys.path)


@contextmanager
def _quiet(log: Path) -> Iterator[None]:
    """Redirect the output of datatrove and its processes to `log`, away from the terminal."""
    logger = import_module("loguru").logger
    import_module("datatrove.utils.logging")  # its import configures the logger, once
    sys.stderr.flush()
    terminal = os.dup(2)
    with log.open("a") as file, redirect_stderr(file):
        logger.remove()
        logger.add(file, level="INFO")
        os.dup2(file.fileno(), 2)  # for processes that are started in the meantime
        try:
            yield
        finally:
            logger.remove()
            os.dup2(terminal, 2)
            os.close(terminal)
    logger.add(sys.stderr, level="WARNING")


@contextmanager
def _ray(workers: int, cluster: Cluster) -> Iterator[None]:
    """Provide a Ray cluster: the one in use, the one at RAY_ADDRESS, or a temporary one on this machine."""
    ray = import_module("ray")
    if ray.is_initialized():
        check_nodes(ray.nodes(), cluster)
        yield
        return
    quiet = {"log_to_driver": False, "logging_level": "WARNING"}
    if os.environ.get("RAY_ADDRESS"):
        ray.init(**quiet)
    else:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # Ray schedules by these sizes but does not allocate them: a worker that does not fit would wait forever.
        ray.init(
            address="local",
            num_cpus=workers * cluster.cpus,
            object_store_memory=_OBJECT_STORE,
            include_dashboard=False,
            _memory=workers * max(cluster.memory, cluster.cpus) * _GIGABYTE,
            **quiet,
        )
    try:
        check_nodes(ray.nodes(), cluster)
        yield
    finally:
        ray.shutdown()


def check_nodes(nodes: Sequence[Mapping[str, Any]], cluster: Cluster) -> None:
    """Check that a worker fits on some node; otherwise Ray would wait for it forever.

    Raises:
        UserError: it fits on no node.
    """
    alive = [node["Resources"] for node in nodes if node["Alive"]]
    sizes = [(int(node.get("CPU", 0)), int(node.get("memory", 0) / _GIGABYTE + 1e-6)) for node in alive]
    if not any(cpus >= cluster.cpus and memory >= cluster.memory for cpus, memory in sizes):
        node_sizes = ", ".join(f"{cpus} CPUs and {memory} GB" for cpus, memory in sizes)
        worker_size = f"{cluster.cpus} CPUs and {cluster.memory} GB"
        raise UserError(f"firewall.engine=ray: a worker of {worker_size} fits on no node ({node_sizes}); ask for less")


def _work(folder: Path, rank: int, ranks: int) -> None:
    """Run the task on every `ranks`-th shard of a run, in the process that `_Rank` started."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    task, shards = import_module("dill").loads((folder / "task.pkl").read_bytes())
    for shard in shards[rank::ranks]:
        (folder / f"begun/{rank:05d}").write_text(str(shard))
        try:
            _call(task, shard)
        except Exception as error:
            message = str(error) if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
            (folder / f"failed/{rank:05d}").write_text(_with_shard(shard, " ".join(message.split())))
            raise


def _end_with_parent() -> None:
    while os.read(0, 1):  # not sys.stdin.read: a thread must not hold its lock when Python ends
        pass
    os._exit(1)


if __name__ == "__main__":
    _work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

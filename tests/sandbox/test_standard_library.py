"""The standard library in the sandbox: every module imports, and what asks the kernel for something gets it."""

import subprocess
import sys
from pathlib import Path

import pytest

from pfe.sandbox.process import SandboxLimits
from pfe.sandbox.programs import evaluate

IMPORTS = """
import importlib, pkgutil, sys
PASSED_OVER = {"antigravity", "idlelib", "this", "turtledemo"}  # they open windows or print
def modules():
    for name in sorted(sys.stdlib_module_names - PASSED_OVER):
        yield name
        paths = getattr(sys.modules.get(name), "__path__", [])
        parts = [part.name for part in pkgutil.iter_modules(paths) if part.name not in ("__main__", "test")]
        yield from (f"{name}.{part}" for part in parts)
def unavailable():
    missing = []
    for name in modules():
        try: importlib.import_module(name)
        except ImportError: missing.append(name)
    return missing
"""
USES = {
    "files": """
import os, pathlib, shutil, tempfile, zipfile
with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder, "a"); place.mkdir(); (place / "b").write_text("x" * 100_000)
    os.symlink("b", place / "c"); os.link(place / "b", place / "d"); os.chmod(place / "b", 0o600)
    os.utime(place / "b", (1, 2)); os.truncate(place / "d", 10); os.mkfifo(place / "f"); os.unlink(place / "f")
    os.chown(place / "b", os.geteuid(), -1); os.rename(place / "d", place / "e"); os.access(place, os.R_OK)
    shutil.copytree(place, pathlib.Path(folder, "g")); shutil.make_archive(folder + "/h", "zip", place)
    with open(place / "b", "r+b") as file:
        os.posix_fallocate(file.fileno(), 0, 5000); os.fsync(file.fileno()); os.preadv(file.fileno(), [bytearray(5)], 0)
        os.sendfile(os.open(place / "i", os.O_CREAT | os.O_WRONLY), file.fileno(), 0, 50)
        os.copy_file_range(file.fileno(), os.open(place / "j", os.O_CREAT | os.O_WRONLY), 50)
    result = sorted(os.listdir(place)), len(list(os.walk(folder))), shutil.disk_usage(folder).total > 0
""",
    "data bases": """
import dbm.dumb, shelve, sqlite3
with sqlite3.connect("data.sqlite") as data:
    data.execute("pragma journal_mode=wal"); data.execute("create table t (n)")
    data.execute("insert into t values (3)"); data.commit()
    result = [data.execute("select n from t").fetchone()]
with shelve.Shelf(dbm.dumb.open("shelf")) as shelf: shelf["a"] = 1; result.append(shelf["a"])
""",
    "memory": """
import mmap, tracemalloc
tracemalloc.start()
with open("m", "w+b") as file:
    file.write(bytes(8192)); file.flush()
    with mmap.mmap(file.fileno(), 8192) as memory: memory[0] = 7; memory.flush(); memory.madvise(mmap.MADV_WILLNEED)
result = open("m", "rb").read(1), len(bytearray(10**8)), [len(x) for x in map(bytes, [10**7] * 5)]
""",
    "threads": """
import concurrent.futures, queue, sched, threading, time
with concurrent.futures.ThreadPoolExecutor(20) as pool: result = [list(pool.map(abs, range(-50, 0)))[0]]
timer = threading.Timer(0.01, result.append, [1]); timer.start(); timer.join()
waits = threading.Condition()
with waits: result.append(waits.wait(0.01))
""",
    "waiting": """
import asyncio, os, select, selectors, socket, time
reads, writes = os.pipe(); os.write(writes, b"x")
result = [len(select.select([reads], [], [], 0)[0])]
for kind in (select.epoll, select.poll):
    poll = kind(); poll.register(reads, 1); result.append(len(poll.poll(0)))
left, right = socket.socketpair(); left.settimeout(1); left.sendall(b"ab"); result.append(right.recv(5))
event = os.eventfd(3) if hasattr(os, "eventfd") else None
async def both(): return await asyncio.gather(asyncio.sleep(0.01, 1), asyncio.to_thread(abs, -2))
result.append(asyncio.run(both())); result.append(os.get_blocking(reads)); os.set_inheritable(reads, True)
""",
    "signals": """
import faulthandler, os, signal, time
seen = []
signal.signal(signal.SIGALRM, lambda *a: seen.append(1)); signal.setitimer(signal.ITIMER_REAL, 0.01)
while not seen: time.sleep(0.01)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]); os.kill(os.getpid(), signal.SIGUSR1)
result = seen, int(signal.sigwait([signal.SIGUSR1])), signal.sigtimedwait([signal.SIGUSR2], 0.01)
faulthandler.enable(open("faults", "w"))
""",
    "the machine": """
import getpass, os, platform, random, resource, secrets, shutil, ssl, sys, time, uuid
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
result = [len(os.urandom(5)), len(secrets.token_bytes(4)), resource.getrlimit(resource.RLIMIT_CORE)[1]]
result += [len(uuid.uuid4().bytes), len(os.sched_getaffinity(0)) > 0, os.getloadavg() is not None, sys.stdin.isatty()]
os.umask(0o22); os.getpriority(os.PRIO_PROCESS, 0); resource.getrusage(resource.RUSAGE_SELF); os.times(); os.uname()
time.clock_getres(time.CLOCK_MONOTONIC); time.thread_time(); os.cpu_count(); ssl.create_default_context()
platform.platform(); shutil.get_terminal_size(); os.getgroups(); os.getsid(0)
""",
}


def outside(program: str, expression: str, folder: Path) -> str:
    order = [sys.executable, "-I", "-S", "-c", f"{program}\nprint(repr({expression}))"]
    done = subprocess.run(order, check=True, capture_output=True, text=True, cwd=folder)
    return done.stdout.splitlines()[-1]


def test_every_module_imports_as_outside(tmp_path: Path) -> None:
    missing = evaluate(IMPORTS, "unavailable()", SandboxLimits(seconds=30))
    assert repr(missing) == outside(IMPORTS, "unavailable()", tmp_path)


@pytest.mark.parametrize("use", USES)
def test_what_asks_the_kernel_works_as_outside(use: str, tmp_path: Path) -> None:
    assert repr(evaluate(USES[use], "result", SandboxLimits(seconds=20))) == outside(USES[use], "result", tmp_path)

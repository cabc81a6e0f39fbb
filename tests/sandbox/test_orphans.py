"""Nothing of a program is left when the processes around it are gone, whatever it did to stay."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.conftest import ROOT

CLINGING = {
    "as it is": "",
    "without its parent-death signal": "libc.prctl(1, 0, 0, 0, 0)",
    "without it by the system call": "libc.syscall(157 if os.uname().machine == 'x86_64' else 167, 1, 0, 0, 0, 0)",
    "with another signal": "libc.prctl(1, 18, 0, 0, 0)",
    "deaf to all signals": "for n in range(1, 65):\n"
    "    with contextlib.suppress(OSError, ValueError): signal.signal(n, signal.SIG_IGN)",
    "from a second thread": "threading.Thread(target=lambda: (libc.prctl(1, 0, 0, 0, 0), time.sleep(600))).start()",
    "without its first thread": "threading.Thread(target=time.sleep, args=(600,)).start(); "
    "libc.syscall(60 if os.uname().machine == 'x86_64' else 93, 0)",
    "with another user's rights": "libc.setfsuid(65534); libc.setresuid(-1, 65534, -1)",
}  # fmt: skip


def _caller(program: str) -> subprocess.Popen[bytes]:
    """A process of its own that runs a program with a generous limit."""
    code = (
        "import sys; from pfe.sandbox.programs import SandboxLimits, run_tests\n"
        "print(run_tests(sys.argv[1], '', [], SandboxLimits(seconds=300)), flush=True)"
    )
    return subprocess.Popen([sys.executable, "-c", code, program], cwd=ROOT, stdout=subprocess.PIPE)


def _family(caller: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The guard and, below it, the program, once both are there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(psutil.NoSuchProcess):
            family = psutil.Process(caller.pid).children(recursive=True)
            if len(family) == 2:
                return family
        time.sleep(0.05)
    pytest.fail("the program did not start")


Running = tuple[subprocess.Popen[bytes], list[psutil.Process]]


@pytest.fixture(params=CLINGING, ids=[name.replace(" ", "_") for name in CLINGING])
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    """A program that clings to life, running."""
    imports = "import contextlib, ctypes, os, signal, threading, time\nlibc = ctypes.CDLL(None)\n"
    caller = _caller(f"{imports}{CLINGING[request.param]}\ntime.sleep(600)")
    family = _family(caller)
    time.sleep(0.5)  # for the program to do what it wants to
    yield caller, family
    caller.kill()
    caller.wait()
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


@pytest.mark.slow
def test_a_program_ends_with_its_guard(running: Running) -> None:
    _, family = running
    family[0].kill()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive


@pytest.mark.slow
def test_a_program_ends_with_its_caller(running: Running) -> None:
    caller, family = running
    caller.send_signal(signal.SIGKILL)
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive


def test_folders_of_killed_callers_are_cleaned_and_those_of_living_ones_are_not() -> None:
    folders = Path(tempfile.gettempdir())
    before = set(folders.glob("pfe-sandbox-*"))
    killed, living = _caller("import time; time.sleep(600)"), _caller("import time; time.sleep(600)")
    family = [*_family(killed), *_family(living)]
    left = set(folders.glob("pfe-sandbox-*")) - before
    assert len(left) == 2
    killed.kill()
    killed.wait()
    try:
        aged = time.time() - 3600
        for folder in left:
            os.utime(folder, (aged, aged))
        done = _caller("pass")
        assert done.wait(60) == 0
        assert len(left & set(folders.glob("pfe-sandbox-*"))) == 1
        assert living.poll() is None
    finally:
        living.kill()
        living.wait()
        psutil.wait_procs(family, timeout=10)
        _caller("pass").wait(60)

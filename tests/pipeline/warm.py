"""Programs that start at once: each is forked from a process that has imported what DVC and the stages import.

The real `dvc` runs the real stages, each in a process of its own, without seconds of imports each.

    python -m tests.pipeline.warm SOCKET        # the process that is forked
"""

import json
import os
import runpy
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import ROOT

CLIENT = """#!{python} -SE
import json, os, socket, sys
words = {first!r} + sys.argv[1:]
if words[:1] != ["-m"] or len(words) < 2:
    os.execv({python!r}, [{python!r}, *words])
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    request = json.dumps({{"words": words[1:], "folder": os.getcwd(), "environment": dict(os.environ)}}).encode()
    socket.send_fds(server, [len(request).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(request)
    sys.exit(int(server.recv(8) or b"1"))
"""
PROGRAMS = {"python": [], "python3": [], "pfe": ["-m", "pfe"], "dvc": ["-m", "dvc"]}  # and the words that each adds


@contextmanager
def warm_python(folder: Path) -> Iterator[Path]:
    """A folder for PATH with such a `python`, `pfe` and `dvc`, which work as long as the context lasts."""
    address = str(folder / "socket")
    binaries = folder / "bin"
    binaries.mkdir(parents=True)
    for name, first in PROGRAMS.items():
        client = binaries / name
        client.write_text(CLIENT.format(python=sys.executable, address=address, first=first))
        client.chmod(client.stat().st_mode | stat.S_IXUSR)
    command = [sys.executable, "-m", "tests.pipeline.warm", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stdout.readline() == "ready\n"
        try:
            yield binaries
        finally:
            server.terminate()


def serve(address: str) -> None:
    """Answer every connection by a fork that runs what it asks for and returns the exit status."""
    import datasets  # noqa: F401
    import dvc.parsing
    import dvc.repo.experiments.executor.local
    import dvc.repo.experiments.queue.tempdir
    import dvc.repo.reproduce
    import dvc.utils.hydra  # noqa: F401
    import matplotlib.figure  # noqa: F401
    import sentence_transformers  # noqa: F401
    import statsmodels.stats.multitest  # noqa: F401
    import trl  # noqa: F401

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _answer(connection)
            connection.close()
            while _reaped():
                pass


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return False


def _answer(connection: socket.socket) -> None:
    size, files, _, _ = socket.recv_fds(connection, 4, 3)
    request = b""
    while len(request) < int.from_bytes(size, "big"):
        request += connection.recv(1 << 16)
    child = os.fork()
    if child == 0:
        for number, file in enumerate(files):
            os.dup2(file, number)
        _run(**json.loads(request))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    connection.sendall(str(status if status >= 0 else 128 - status).encode())
    os._exit(0)


def _run(words: list[str], folder: str, environment: dict[str, str]) -> None:
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        for name in [name for name in sys.modules if name.partition(".")[0] in ("pfe", "stages", "tests")]:
            del sys.modules[name]
        sys.path[0] = folder
        sys.argv = words
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    serve(sys.argv[1])

"""Killable child processes that answer one request at a time, each within a limit of processor time.

Example: `with Pool(2, seconds=10, memory_mb=2048) as pool: dict(pool.run([conversation]))`, where a conversation is a
generator that yields requests, is sent a Reply for each, and returns its result.

Starting a child takes seconds, so it lives on until a request runs over time or takes it down; then it is replaced.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from pfe.expressions.child import OUT_OF_MEMORY

PATIENCE, MARGIN = 20.0, 60.0  # times the processor time, and seconds: by the clock, until a machine is too busy
STARTING = 120.0  # seconds that a child may take to import sympy, on a machine that is busy with other things

_ROOT = Path(__file__).resolve().parents[2]
_READ = 1 << 16

T = TypeVar("T")


@dataclass(frozen=True)
class Reply:
    """What became of a request; `value` where it is done, `reason` where not.

    A child has run out of processor time where it is a "timeout", and has not been given it in a long time by the
    clock where it is "stalled": that says something of the machine, and nothing of the request.
    """

    status: Literal["done", "timeout", "stalled", "failed"]
    value: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""


Conversation = Generator[Mapping[str, Any], Reply, T]


class Pool:
    """As many children as there are workers, started when they are needed, killed when the block is left."""

    def __init__(self, workers: int, seconds: float, memory_mb: int) -> None:
        self._children = [_Child(seconds, memory_mb) for _ in range(max(1, workers))]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for child in self._children:
            child.kill()

    def run(self, conversations: Sequence[Conversation[T]]) -> Iterator[tuple[int, T]]:
        """Lead all conversations to their end; yields the place and the result of each as it ends."""
        left = iter(enumerate(conversations))
        idle = list(self._children)
        busy: dict[_Child, tuple[int, Conversation[T]]] = {}
        while True:
            while idle and (following := next(left, None)):
                place, conversation = following
                try:
                    idle[-1].ask(next(conversation))
                    busy[idle.pop()] = following
                except StopIteration as end:
                    yield place, end.value
            if not busy:
                return
            for child, reply in _replies(list(busy)):
                place, conversation = busy[child]
                try:
                    child.ask(conversation.send(reply))
                except StopIteration as end:
                    del busy[child]
                    idle.append(child)
                    yield place, end.value


def _replies(children: Sequence["_Child"]) -> list[tuple["_Child", Reply]]:
    """Wait until one of them has said something or is over time; the replies that are complete."""
    with selectors.DefaultSelector() as selector:
        for child in children:
            selector.register(child.output, selectors.EVENT_READ, child)
        deadline = min(child.deadline for child in children)
        speaking = {key.data for key, _ in selector.select(max(0.0, deadline - time.monotonic()))}
    found = ((child, child.reply(child in speaking)) for child in children)
    return [(child, reply) for child, reply in found if reply]


class _Child:
    """One process, and the request that it is at; a new process follows one that died or was killed."""

    def __init__(self, seconds: float, memory_mb: int) -> None:
        self._seconds, self._memory_mb = seconds, memory_mb
        self._patience = PATIENCE * seconds + MARGIN
        self._process: subprocess.Popen[bytes] | None = None
        self._request = b""
        self._ready = False
        self._heard = b""
        self.deadline = 0.0

    @property
    def output(self) -> int:
        return self._pipe("stdout")

    def ask(self, request: Mapping[str, Any]) -> None:
        """Send a request, at once or when the process is ready."""
        self._request = json.dumps({**request, "seconds": self._seconds}).encode() + b"\n"
        if self._process is None:
            self._start()
        else:
            self._send()

    def reply(self, speaking: bool) -> Reply | None:
        """What is to be told of the request now, if anything."""
        if speaking:
            part = os.read(self.output, _READ)
            if not part:
                return self._died()
            self._heard += part
            if self._heard.endswith(b"\n"):
                return self._told()
        if time.monotonic() < self.deadline:
            return None
        self.kill()
        if not self._ready:
            raise RuntimeError(f"{sys.executable} -m pfe.expressions.child did not start within {STARTING:g} s")
        return Reply("stalled", reason=f"not done after {self._patience:g} s by the clock, on a busy machine")

    def kill(self) -> None:
        """End the process, whatever it is at."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        self._process = None

    def _start(self) -> None:
        self._ready, self._heard = False, b""
        self.deadline = time.monotonic() + STARTING
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pfe.expressions.child", str(self._memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=_environment(),
            start_new_session=True,  # Ctrl-C reaches the parent alone, which kills
        )

    def _send(self) -> None:
        self._heard = b""
        self.deadline = time.monotonic() + self._patience
        left = memoryview(self._request)
        try:
            while left:
                left = left[os.write(self._pipe("stdin"), left) :]
        except BrokenPipeError:  # it was killed from outside while idle
            self.kill()
            self._start()

    def _told(self) -> Reply | None:
        if not self._ready:
            self._ready = True
            self._send()
            return None
        value = json.loads(self._heard)
        return Reply("failed", reason=value["failed"]) if "failed" in value else Reply("done", value)

    def _died(self) -> Reply:
        assert self._process is not None
        code = self._process.wait()
        self.kill()
        if not self._ready:
            raise RuntimeError(
                f"{sys.executable} -m pfe.expressions.child ended with status {code} before it was ready"
            )
        if code == OUT_OF_MEMORY:
            return Reply("failed", reason=f"takes more than {self._memory_mb} MB")
        if code == -signal.SIGPROF:
            return Reply("timeout", reason=f"not done after {self._seconds:g} s of processor time")
        return Reply("failed", reason=f"ended its process with status {code}")

    def _pipe(self, name: Literal["stdin", "stdout"]) -> int:
        assert self._process is not None
        pipe = getattr(self._process, name)
        return int(pipe.fileno())


def _environment() -> dict[str, str]:
    """One thread each, this package to be found, and the same order of sets in every process: sympy follows it."""
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, **single, "PYTHONPATH": str(_ROOT), "PYTHONHASHSEED": "0"}

"""Regressors that do what they should not, named by import path in the tests; `Honest` is what they spoil."""

import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


class Honest:
    """Twice the first column; `note` is a file that gets a line for each fit."""

    said: Any = "2.0 * x0"

    def __init__(self, note: str = "") -> None:
        self.note = note

    def fit(self, x: Values, y: Values) -> Self:
        if self.note:
            with Path(self.note).open("a") as file:
                file.write(f"{os.getpid()}\n{os.getppid()}\n")
        return self

    def predict(self, x: Values) -> Any:
        return 2.0 * x[:, 0]

    def told(self) -> Any:
        return self.said


class CountsFromOne(Honest):
    said = "2.0 * X1"


class Raises(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        raise RuntimeError("not today\nnor tomorrow")


class RaisesNothingThatCanBeShown(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        class Mute(Exception):  # noqa: N818
            def __str__(self) -> str:
                raise ValueError

        raise Mute


class Exits(Honest):
    def fit(self, x: Values, y: Values) -> NoReturn:
        os._exit(0)


class SystemExits(Honest):
    def fit(self, x: Values, y: Values) -> NoReturn:
        sys.exit("bye")


class Segfaults(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        ctypes.string_at(0)
        return self


class DiesOfARealTimeSignal(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        os.kill(os.getpid(), signal.SIGRTMIN + 3)
        return self


class Spins(Honest):
    """For ever, whatever it is asked to do, and with a grandchild that has left its group and session."""

    def fit(self, x: Values, y: Values) -> NoReturn:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _leave_a_grandchild(self.note)
        super().fit(x, y)
        while True:
            pass


class LeavesAProcess(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        _leave_a_grandchild(self.note)
        return super().fit(x, y)


class Explodes(Honest):
    def fit(self, x: Values, y: Values) -> NoReturn:
        kept = []
        while True:
            kept.append(np.zeros(1 << 22))  # 32 MiB


class Prints(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        for _ in range(200):
            print("x" * 100_000)
            os.write(1, b"\xff" * 100_000)
            os.write(2, b"\xff" * 100_000)
        return self


class WritesToAllPipes(Honest):
    """What it writes may spoil its own answer, never another's."""

    def fit(self, x: Values, y: Values) -> Self:
        for pipe in range(3, 64):
            try:
                os.write(pipe, b"\x10\0\0\0\0\0\0\0" + b'{"readings": 3}\n')
            except OSError:
                continue
        return self


class ClosesAllPipes(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        os.closerange(3, 64)
        return self


class KillsItsGuard(Honest):
    def fit(self, x: Values, y: Values) -> NoReturn:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
        sys.exit()


class SaysNaN(Honest):
    def predict(self, x: Values) -> Any:
        return np.where(np.arange(len(x)) == 3, np.nan, x[:, 0])


class SaysInfinity(Honest):
    def predict(self, x: Values) -> Any:
        return np.where(np.arange(len(x)) == 3, np.inf, x[:, 0])


class SaysTooMuch(Honest):
    def predict(self, x: Values) -> Any:
        return np.full(len(x), 1e300)


class SaysTooFew(Honest):
    def predict(self, x: Values) -> Any:
        return x[1:, 0]


class SaysAColumn(Honest):
    def predict(self, x: Values) -> Any:
        return x[:, :1]


class SaysComplex(Honest):
    def predict(self, x: Values) -> Any:
        return x[:, 0] * 1j


class SaysWords(Honest):
    def predict(self, x: Values) -> Any:
        return ["much"] * len(x)


class TellsCode(Honest):
    @property
    def said(self) -> str:
        return f"__import__('pathlib').Path({self.note + '.code'!r}).touch() or x0"


class TellsAnotherModel(Honest):
    said = "2.1 * x0 + 0.3 * x1"


class TellsNoColumn(Honest):
    said = "2.0 * x17"


class TellsNothing(Honest):
    def told(self) -> Any:
        raise RuntimeError("I forgot")


class TellsForEver(Honest):
    said = "x0" + " + x0" * 3_000_000


class TellsWhenFitted(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        self.equation_ = "2.0 * x0"
        return super().fit(x, y)


class HidesItsAttributes(Honest):
    """Nobody can say of what it has before it has it."""

    def __getattr__(self, name: str) -> str:
        if name != "equation_":
            raise AttributeError(name)
        return "2.0 * x0"


class Waits(Honest):
    def fit(self, x: Values, y: Values) -> Self:
        time.sleep(60)
        return self


class TakesASeed(Honest):
    def __init__(self, note: str = "", random_state: int = 0) -> None:
        super().__init__(note)


class NoRegressor:
    """It cannot predict."""

    def fit(self, x: Values, y: Values) -> Self:
        return self


class CannotBeBuilt(Honest):
    def __init__(self) -> None:
        raise ValueError("no licence")


def _leave_a_grandchild(note: str) -> None:
    """Start a process that leaves group and session, and loses its parent; it notes its own number."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            with Path(note).open("a") as file:
                file.write(f"{os.getpid()}\n")
            time.sleep(300)
        os._exit(0)
    os.wait()
    while not Path(note).exists() or not Path(note).read_text().endswith("\n"):
        time.sleep(0.01)

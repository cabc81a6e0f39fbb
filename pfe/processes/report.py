"""The report of how a child process ended, derived from its guard's account.

Example: `report("0 11 0.5 0.4", b"", clock=60.0)` is `Report("killed", "killed by signal 11 (Segmentation fault)", 0.5,
b"", 0.4)`.
"""

import os
import signal
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Report:
    """How a child ended, with seconds of wall-clock time and of CPU time (`processor`) of all its processes.

    It "raised" if it says so itself, is "overdrawn" if its CPU time was used up, and "late" if its wall-clock time was.
    `answer` is the child's message, which must not be trusted.
    """

    end: Literal["answered", "raised", "overdrawn", "late", "killed", "exited"]
    detail: str
    seconds: float
    answer: bytes = b""
    processor: float = 0.0


def report(account: str, answer: bytes, clock: float, processor: float | None = None) -> Report:
    """Return the report for a guard's account (see `guard.py`) and a child's answer, empty if there was none.

    Args:
        clock, processor: the seconds of wall-clock and CPU time that the child had.

    Raises:
        ValueError: the account is invalid.
    """
    late, status, seconds, spent = account.split()
    times = float(seconds), answer, float(spent)
    code = os.waitstatus_to_exitcode(int(status))
    if late == "1":
        return Report("late", f"not done within {clock:g} s", *times)
    if answer:
        return Report("answered", "", *times)
    # A child that ignored SIGXCPU was killed; the kernel's limit and its count of the time used differ by some ticks.
    if code == -signal.SIGXCPU or (code < 0 and processor is not None and float(spent) >= 0.9 * processor):
        return Report("overdrawn", f"not done after {processor or 0:g} s of processor time", *times)
    if code < 0:
        return Report("killed", f"killed by signal {-code} ({signal.strsignal(-code)})", *times)
    return Report("exited", f"ended without an answer, exit status {code}", *times)

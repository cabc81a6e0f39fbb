"""How a child ended, by the account of its guard.

Example: `report("0 11 0.5 0.4", b"", clock=60.0)` is `Report("killed", "killed by signal 11 (Segmentation fault)", 0.5,
b"", 0.4)`.
"""

import os
import signal
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Report:
    """How a child ended, after how many seconds by the clock and of processor time of all its processes.

    It "raised" by its own word; it is "overdrawn" where its processor time was up, and "late" where it was not done by
    the clock. `answer` is what it said, to be checked.
    """

    end: Literal["answered", "raised", "overdrawn", "late", "killed", "exited"]
    detail: str
    seconds: float
    answer: bytes = b""
    processor: float = 0.0


def report(account: str, answer: bytes, clock: float, processor: float | None = None) -> Report:
    """What a guard's account (see `guard.py`) and a child's answer, if it gave one, come to.

    Args:
        clock, processor: the seconds that the child had.

    Raises:
        ValueError: it is no account.
    """
    late, status, seconds, spent = account.split()
    times = float(seconds), answer, float(spent)
    code = os.waitstatus_to_exitcode(int(status))
    if late == "1":
        return Report("late", f"not done within {clock:g} s", *times)
    if answer:
        return Report("answered", "", *times)
    # Who ignored SIGXCPU was killed; the kernel's limit and its account of the time used differ by some ticks.
    if code == -signal.SIGXCPU or (code < 0 and processor is not None and float(spent) >= 0.9 * processor):
        return Report("overdrawn", f"not done after {processor or 0:g} s of processor time", *times)
    if code < 0:
        return Report("killed", f"killed by signal {-code} ({signal.strsignal(-code)})", *times)
    return Report("exited", f"ended without an answer, exit status {code}", *times)

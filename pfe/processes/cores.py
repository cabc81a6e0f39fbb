"""The number of CPUs that are available to this process.

Example: `cores()` is 2 on a machine with 64 CPUs if the scheduler grants us 2; it is 8 on a Mac with 8.
"""

import os


def cores() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

"""How many processors there are for us.

Example: 2 on a machine of 64 whose scheduler gives us 2; 8 on a Mac of 8.
"""

import os


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

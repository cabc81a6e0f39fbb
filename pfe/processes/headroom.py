"""A limit on the memory that one step may take: what asks for more fails, the process goes on.

Example: `with headroom(1 << 30): batch = next(batches)` raises MemoryError where the batch unpacks to more than 1 GiB.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATM = Path("/proc/self/statm")


@contextmanager
def headroom(size: int) -> Iterator[None]:
    """Let the process grow by at most `size` bytes of address space; where the system does not say, by any.

    Raises:
        MemoryError: something asked for more.
    """
    try:
        used = int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [limit for limit in (used + size, soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

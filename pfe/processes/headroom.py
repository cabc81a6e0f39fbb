"""A limit on the memory that one step may add: an allocation beyond it raises MemoryError, and the process goes on.

Example: `with headroom(1 << 30): batch = next(batches)` raises MemoryError if the batch unpacks to more than 1 GiB.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATM = Path("/proc/self/statm")


@contextmanager
def headroom(size: int) -> Iterator[None]:
    """Limit the growth of the process to `size` bytes of address space, if the system reports its present size.

    Raises:
        MemoryError: the block allocates more.
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

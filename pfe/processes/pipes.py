"""Messages to and from a process that may be slow, silent or gone.

Example: after `send(pipe, b"2 + 2", deadline)`, `receive(pipe, deadline, 100)` returns `b"4"` or raises `Silence`.
"""

import os
import select
import time

from pfe.processes.guard import SIZE, frame


class Silence(Exception):  # noqa: N818
    """The other end is closed, or does not respond before the deadline."""


def send(pipe: int, message: bytes, deadline: float) -> None:
    """Write a message.

    Args:
        deadline: in seconds of the monotonic clock.

    Raises:
        Silence: it is not read in time.
    """
    os.set_blocking(pipe, False)
    rest = memoryview(frame(message))
    while rest:
        if not ready(pipe, select.POLLOUT, deadline):
            raise Silence
        try:
            rest = rest[os.write(pipe, rest) :]
        except BrokenPipeError:
            raise Silence from None


def receive(pipe: int, deadline: float, longest: int) -> bytes:
    """Read a message.

    Raises:
        Silence: no complete message arrives in time.
        ValueError: it is longer than `longest` bytes.
    """
    size = int.from_bytes(_exactly(pipe, SIZE, deadline), "little")
    if size > longest:
        raise ValueError(f"the answer is longer than {longest} bytes")
    return _exactly(pipe, size, deadline)


def ready(pipe: int, event: int, deadline: float = 0.0) -> bool:
    """Return whether a pipe is ready, or at its end, before the deadline."""
    watch = select.poll()
    watch.register(pipe, event)
    return bool(watch.poll(1000 * max(0.0, deadline - time.monotonic())))


def _exactly(pipe: int, size: int, deadline: float) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = os.read(pipe, size - len(data)) if ready(pipe, select.POLLIN, deadline) else b""
        if not piece:
            raise Silence
        data += piece
    return bytes(data)

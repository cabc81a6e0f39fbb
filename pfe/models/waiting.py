"""Notes that a server does not answer: the first after five seconds of silence, then at intervals growing to a minute.

Example: NOTE: models.llama: waiting for http://localhost:8000/v1, no answer for 5 s (try 1 of 6, each up to 120 s)
"""

import asyncio
import sys
import threading
from collections.abc import Awaitable
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
FIRST, LONGEST = 5.0, 60.0  # seconds of silence before the first note, and at most between two


class WaitingNotes:
    """The time since a server last answered; one object for all requests, from any thread."""

    def __init__(self, server: str) -> None:
        self._server, self._lock = server, threading.Lock()
        self._pause, self._answered, self._noted = FIRST, 0.0, 0.0

    def end(self) -> None:
        """Record that the server has answered."""
        self._answered = monotonic()

    async def watched(self, exchange: Awaitable[T], since: float, attempt: str) -> T:
        """Return the result of an exchange; until it comes, print notes that name the `attempt`.

        Args:
            since: when the request was first sent, in seconds of the monotonic clock.
        """
        watch = asyncio.create_task(self._watch(since, attempt))
        try:
            return await exchange
        finally:
            watch.cancel()

    def note(self, since: float, what: str, ahead: float = 0.0) -> None:
        """Print a note if one is due now or within `ahead` seconds."""
        with self._lock:
            if self._remaining(since) > ahead:
                return
            self._noted, self._pause = monotonic(), min(2 * self._pause, LONGEST)
        print(f"NOTE: {what}", file=sys.stderr)

    async def _watch(self, since: float, attempt: str) -> None:
        while True:
            await asyncio.sleep(max(0.0, self._remaining(since)))
            seconds = monotonic() - max(since, self._answered)
            self.note(since, f"{self._server}, no answer for {seconds:.0f} s ({attempt})")

    def _remaining(self, since: float) -> float:
        """Return the seconds until the next note is due."""
        return self._pause - (monotonic() - max(since, self._answered, self._noted))

"""A server that tests script, a clock that they move, and a cache of their own for what is answered."""

import asyncio
import json
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pfe.cache import Cache
from pfe.models.client import event_loop
from tests.models.scripted import Script, chat, text_reply


@pytest.fixture
def script() -> Iterator[Script]:
    script = Script(chat(lambda _: text_reply("B")))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # which holds a body back for 40 ms, until the client acknowledges its head

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                script.asked.append((self.path, body))
                script.heads.append({name.lower(): value for name, value in self.headers.items()})
            status, reply, headers = script.says(self.path, body)
            content = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        request_queue_size = 64  # for tests that ask from many threads at once

        def handle_error(self, request: object, client_address: object) -> None:
            """Those who hang up are no trouble; everything else is."""
            if not isinstance(sys.exception(), ConnectionError):
                super().handle_error(request, client_address)  # type: ignore[arg-type]

    with Quiet(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        script.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield script
        server.shutdown()


class Clock:
    """The time of the client's event loop, pauses and notes: a pause moves it and waits for nothing."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self._ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.move(seconds)

    def move(self, seconds: float) -> None:
        """Return when the loop has done what is due by then."""
        self._ahead += seconds
        for _ in range(3):  # a timer ends a wait, the waiting task goes on and waits again
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), event_loop()).result()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(event_loop(), "time", clock.monotonic)
    monkeypatch.setattr("pfe.models.waiting.monotonic", clock.monotonic)
    monkeypatch.setattr("pfe.models.client.monotonic", clock.monotonic)
    monkeypatch.setattr("pfe.models.client.sleep", clock.sleep)
    return clock


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "responses.sqlite")

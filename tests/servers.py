"""A server that tests script, and a cache of their own for what it answers."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pfe.cache import Cache
from tests.models.scripted import Script, chat, text_reply


@pytest.fixture
def script() -> Iterator[Script]:
    script = Script(chat(lambda _: text_reply("B")))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                script.asked.append((self.path, body))
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


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "responses.sqlite")

"""Servers whose replies never end, in any part of a reply: one line, after a bounded number of bytes."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat

import pytest

from pfe.cache import Cache
from pfe.errors import UserError
from tests.models.scripted import server, text_reply, texts

pytestmark = pytest.mark.usefixtures("no_pauses")
MOST = 64 << 20  # bytes that the server offers: a client that has no bound would read them all
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"  # of deflate
PARTS: dict[str, tuple[bytes, bytes]] = {
    "interim replies": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "early hints": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "processing": (b"", b"HTTP/1.1 102 Processing\r\n\r\n" * 50),
    "interim replies with a body": (b"", b"HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nhello"),
    "headers": (OK, b"X-More: 1\r\n"),
    "one header": (OK + b"X-More: ", b"1" * 1000),
    "a reason": (b"HTTP/1.1 200 ", b"O" * 1000),
    "no line": (b"", b"1" * 1000),
    "a body": (OK + b"\r\n", b" " * 1000),
    "chunks": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 100),
    "extensions of chunks": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1;" + b"a" * 4000 + b"\r\n \r\n"),
    "a chunk's length": (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"0" * 1000),
    "trailers": (OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-More: 1\r\n"),
    "comments of events": (OK.replace(b"application/json", b"text/event-stream") + b"\r\n", b": wait\n\n" * 100),
    "an empty compressed body": (OK + b"Content-Encoding: deflate\r\n\r\nx\x9c", EMPTY_BLOCK * 100),
    "an error": (b"HTTP/1.1 500 No\r\n\r\n", b"sorry " * 100),
    "a redirect": (b"HTTP/1.1 307 Elsewhere\r\nLocation: /v1\r\n\r\n", b"there " * 100),
}


class Endless:
    """A server that sends a beginning, then one piece again and again; `sent` counts the bytes of each connection."""

    def __init__(self, begin: bytes, piece: bytes) -> None:
        self._begin, self._pieces = begin, piece and piece * max(1, 10_000 // len(piece))
        self.sent: list[int] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # closed at the end of the test
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        number = len(self.sent)
        self.sent.append(0)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        with suppress(OSError), connection:
            connection.recv(1 << 16)
            connection.sendall(self._begin)
            for piece in repeat(self._pieces, MOST // len(self._pieces) if self._pieces else 0):
                connection.sendall(piece)
                self.sent[number] += len(piece)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pfe.models.client.sleep", lambda _: None)


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.slow] * (name == "chunks")) for name in PARTS])
def endless(request: pytest.FixtureRequest) -> Iterator[Endless]:
    one = Endless(*PARTS[request.param])
    yield one
    one.close()


def test_some_interim_replies_small_chunks_and_trailers_are_no_obstacle(cache: Cache) -> None:
    reply = json.dumps(text_reply("B")[1]).encode()
    chunks = b"".join(b"4;x=1\r\n%s\r\n" % reply[at : at + 4].ljust(4) for at in range(0, len(reply), 4))
    before = b"HTTP/1.1 100 Continue\r\n\r\n" + b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 20
    head = before + OK + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    usual = Endless(head + chunks + b"0\r\nX-Time: 1\r\n\r\n", b"")
    try:
        assert server(usual.url, cache).answer(texts(1))[0].output == "B"
    finally:
        usual.close()


def test_a_reply_without_end_is_refused_in_one_line(endless: Endless, cache: Cache) -> None:
    with pytest.raises(UserError, match=rf"^models\.mine: {endless.url} did not answer \(.*answers it gave before are"):
        server(endless.url, cache, timeout=600).answer(texts(1))
    assert endless.sent
    assert max(endless.sent) < MOST - (8 << 20), "it stopped reading"
    assert len(endless.sent) <= 3

"""An HTTP client for `openai.AsyncOpenAI` that limits the size of each reply to what its request can need.

Example: `AsyncOpenAI(api_key="none", base_url="http://localhost:8000/v1", http_client=bounded_client(None))`

`openai` and httpx2 read replies of any size, including error replies, skip interim replies (100 Continue) without end,
and decompress whatever arrives compressed. Here one limit applies to the decompressed reply, and another to the bytes
that the connection receives for it, up to the end of the headers and in all. Redirects are not followed. The module is
imported with the first request, as httpx2 and openai take most of a second to import.
"""

import json
import ssl
import zlib
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import httpcore2
import httpx2
import openai

# Bytes that a reply may have: a base for everything but the answer, more for each requested token and, if the prompt is
# returned token by token, more for each byte of it.
_ROOM, _PER_TOKEN, _PER_BYTE = 1 << 20, 1 << 10, 1 << 8
_HEAD = 1 << 18  # bytes that may arrive before the headers of a reply are complete: interim replies, a proxy's, its own
_WIRE = 2  # times its size that a reply may take on the wire, in small chunks
_NO_LIMIT = 1 << 14  # tokens assumed for a request without a token limit
_CHANGED = ("content-encoding", "content-length", "transfer-encoding")  # headers that no longer hold after reading


class TooMuchError(openai.OpenAIError):  # openai passes it on without a retry
    """A reply that is larger than its request can need, in any of its parts, or has an unsupported content encoding."""


class _Allowance:
    """The bytes that a connection may still receive for one request."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, count: int) -> None:
        """Raise TooMuchError if more bytes arrived than are left."""
        self.left -= count
        if self.left < 0:
            raise TooMuchError("more bytes before and around its answer than any answer needs")


_ALLOWANCE: ContextVar[_Allowance] = ContextVar("allowance")


class _CountedStream(httpcore2.AsyncNetworkStream):
    """A connection that spends the allowance of the request that is waiting for it."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream
        self.write, self.aclose, self.get_extra_info = stream.write, stream.aclose, stream.get_extra_info  # type: ignore[method-assign]

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        content = await self._stream.read(max_bytes, timeout)
        _ALLOWANCE.get().spend(len(content))
        return content

    async def start_tls(self, *settings: Any, **named: Any) -> httpcore2.AsyncNetworkStream:
        return _CountedStream(await self._stream.start_tls(*settings, **named))


class _CountedBackend(httpcore2.AnyIOBackend):
    async def connect_tcp(self, *address: Any, **settings: Any) -> httpcore2.AsyncNetworkStream:
        return _CountedStream(await super().connect_tcp(*address, **settings))


class _CountedTransport(httpx2.AsyncHTTPTransport):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._pool._network_backend = _CountedBackend()  # httpx2 has no argument for it


class _BoundedClient(httpx2.AsyncClient):
    async def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        most = _most(json.loads(request.content))
        allowance = _Allowance(_HEAD)
        _ALLOWANCE.set(allowance)
        response = await super().send(request, **(settings | {"stream": True}))
        allowance.left += _WIRE * most
        try:
            content = await _read(response, most)
        finally:
            await response.aclose()
        headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _CHANGED]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=request)


def bounded_client(proxy: str | None) -> httpx2.AsyncClient:
    """Return a client without time-outs or a limit on connections, which uses the given proxy, if any.

    The caller decides on headers and proxy, so the client reads nothing from the environment except where the
    certificates are (`SSL_CERT_FILE`, `SSL_CERT_DIR`).
    """
    return _BoundedClient(
        transport=_CountedTransport(
            verify=ssl.create_default_context(),
            proxy=proxy,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
            trust_env=False,
        ),
        timeout=None,
        follow_redirects=False,
        trust_env=False,
    )


def _most(body: Mapping[str, Any]) -> int:
    """Return the most bytes that the reply to a request may have."""
    echo = _PER_BYTE * len(str(body.get("prompt", "")).encode("utf-8", "replace")) if body.get("echo") else 0
    tokens = body.get("max_tokens", body.get("max_completion_tokens", _NO_LIMIT))
    return _ROOM + _PER_TOKEN * int(tokens) + echo


async def _read(response: httpx2.Response, most: int) -> bytes:
    """Return the decompressed content of a reply of at most `most` bytes.

    Raises:
        TooMuchError: it is larger, or its encoding is neither gzip nor deflate.
    """
    packing = response.headers.get("Content-Encoding", "identity").strip().lower()
    if packing not in ("identity", "gzip", "x-gzip", "deflate"):
        raise TooMuchError(f"it sends its answer packed by {packing[:20]}, which was not asked for")
    unpack = zlib.decompressobj(47) if packing != "identity" else None
    content = bytearray()
    async for chunk in response.aiter_raw(1 << 16):
        try:
            content += chunk if unpack is None else unpack.decompress(chunk, most + 1 - len(content))
        except zlib.error:
            break  # corrupt: return what was decompressed so far, which is parsed as a broken reply
        if len(content) > most:
            raise TooMuchError(f"more than {most:,} bytes, which no answer to this question has")
    return bytes(content)

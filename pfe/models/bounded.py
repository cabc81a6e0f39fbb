"""An HTTP client for `openai.AsyncOpenAI` that reads each reply whole, within the bytes that its question can need.

Example: `AsyncOpenAI(api_key="none", base_url="http://localhost:8000/v1", http_client=bounded_client(None))`

`openai` and httpx2 read a reply of any size, that of an error too, and unpack whatever comes packed. Here a reply ends
at its limit, packed or unpacked. Redirections are not followed. The module is imported with the first question, as
httpx2 and openai take most of a second to import.
"""

import json
import ssl
import zlib
from collections.abc import Mapping
from typing import Any

import httpx2
import openai

# Bytes of a reply: room for what is said beside the answer, more for each token that is asked, and where the prompt
# comes back token by token, more for each byte of it.
_ROOM, _PER_TOKEN, _PER_BYTE = 1 << 20, 1 << 10, 1 << 8
_NO_LIMIT = 1 << 14  # tokens that are reckoned with where a question may not set a limit
_CHANGED = ("content-encoding", "content-length", "transfer-encoding")  # headers that no longer hold once it is read


class TooMuchError(openai.OpenAIError):  # which openai passes on and does not ask again for
    """More came than the question can need, or in a packing that was not asked for."""


class _BoundedClient(httpx2.AsyncClient):
    async def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        response = await super().send(request, **(settings | {"stream": True}))
        try:
            content = await _read(response, _most(json.loads(request.content)))
        finally:
            await response.aclose()
        headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _CHANGED]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=request)


def bounded_client(proxy: str | None) -> httpx2.AsyncClient:
    """Return a client without limits of time, for as many connections as are asked for, by way of a proxy or none.

    What it sends and by way of whom is the caller's to decide, so it reads nothing from the environment but where
    certificates are (`SSL_CERT_FILE`, `SSL_CERT_DIR`).
    """
    return _BoundedClient(
        verify=ssl.create_default_context(),
        proxy=proxy,
        timeout=None,
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
        follow_redirects=False,
        trust_env=False,
    )


def _most(body: Mapping[str, Any]) -> int:
    """How many bytes the reply to a question may have."""
    echo = _PER_BYTE * len(str(body.get("prompt", "")).encode("utf-8", "replace")) if body.get("echo") else 0
    tokens = body.get("max_tokens", body.get("max_completion_tokens", _NO_LIMIT))
    return _ROOM + _PER_TOKEN * int(tokens) + echo


async def _read(response: httpx2.Response, most: int) -> bytes:
    """Return the content of a reply, unpacked within its limit.

    Raises:
        TooMuchError: it is larger, or packed otherwise than was asked.
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
            break  # half an answer, which is read as one
        if len(content) > most:
            raise TooMuchError(f"more than {most:,} bytes, which no answer to this question has")
    return bytes(content)

"""Test requests that find out how a server can be asked: which way it supports, and whether it thinks.

Example: `find_request_format(exchange, "models.mine", [RequestFormat("chat")], thinks=False, thought=4096)` is
`RequestFormat("chat", switch={"chat_template_kwargs": {"enable_thinking": False}})` for Qwen3 served by vLLM.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from pfe.errors import UserError
from pfe.models.client import RefusedError, TooLongError
from pfe.models.exchange import Exchange
from pfe.models.refusals import UNFIT
from pfe.models.request_format import LONGER_PROBE, PROBE, PROBE_QUESTION, SWITCHES, RequestFormat

# HTTP statuses for a way that the server does not support; any other refusal holds for all ways.
_CANNOT = (400, 404, 405, 415, 422, 500, 501)


def find_request_format(
    exchange: Exchange, entry: str, request_formats: Sequence[RequestFormat], thinks: bool, thought: int
) -> RequestFormat:
    """Return the first format that the server supports; for a chat, with the fields that stop its thoughts.

    Args:
        entry: the configuration entry that messages name.
        thinks: the server is to think, so only the way is tested.
        thought: the token budget of a thought.

    Raises:
        UserError: the server supports none of them, or its window is too short for a thought.
    """
    if thinks:
        return _first(exchange, entry, request_formats, thought)
    request_format = _first(exchange, entry, request_formats, 0)
    if request_format.way != "chat" or not _seems_to_think(exchange, request_format):
        return request_format
    for switch in SWITCHES:
        try:
            if not _seems_to_think(exchange, replace(request_format, switch=switch)):
                return replace(request_format, switch=switch)
        except RefusedError as error:
            if error.status not in UNFIT:
                raise
    return _first(exchange, entry, [request_format], thought) if thought else request_format


def _first(exchange: Exchange, entry: str, request_formats: Sequence[RequestFormat], thought: int) -> RequestFormat:
    """Return the first of the request_formats that the server supports, with room for a thought of `thought` tokens.

    Raises:
        UserError: the server supports none of them, or its window is too short for a thought.
    """
    refusals: dict[str, RefusedError] = {}
    for request_format in request_formats:
        asked = replace(request_format, thinks=thought > 0)
        try:
            if _can(exchange, asked, thought):
                return asked
        except RefusedError as error:
            if error.status not in _CANNOT:
                raise
            refusals[request_format.way] = error
        except TooLongError:
            raise UserError(
                f"{entry}: a thought of {thought:,} tokens does not fit the server's window; lower "
                "max_thinking_tokens, or serve a longer window"
            ) from None
    refusal = refusals.get("chat") or min(refusals.values(), key=lambda error: error.status)
    if "chat" in refusals and _takes_without_system(exchange, request_formats, thought):
        raise UserError(
            f"{entry}: the server refuses a system message ({refusal.said}); leave system out, or serve the model with "
            "a chat template that has a place for it"
        )
    raise refusal


def _takes_without_system(exchange: Exchange, request_formats: Sequence[RequestFormat], thought: int) -> bool:
    """Return whether the server answers a chat if its system message is left out."""
    for request_format in request_formats:
        if request_format.way == "chat" and request_format.system is not None:
            with suppress(RefusedError):
                return _can(exchange, replace(request_format, system=None, thinks=thought > 0), thought)
    return False


def _can(exchange: Exchange, request_format: RequestFormat, thought: int) -> bool:
    """Return whether the server supports this request format; raise RefusedError if it refuses it."""
    if request_format.way != "echo":
        exchange.reply(request_format, PROBE_QUESTION.with_thought(thought) if thought else PROBE_QUESTION)
        return True
    echo = exchange.echo(PROBE)
    return echo is not None and _bare("".join(echo.tokens)).endswith(_bare(PROBE))


def _seems_to_think(exchange: Exchange, request_format: RequestFormat) -> bool:
    """Return whether the server's reply to a question that needs no thought contains one."""
    reply = exchange.reply(request_format, PROBE_QUESTION)
    if reply is not None and not reply.thinks and reply.finish == "length":
        reply = exchange.reply(request_format, LONGER_PROBE)
    return reply is None or reply.thinks


def _bare(text: str) -> str:
    return "".join(text.split())

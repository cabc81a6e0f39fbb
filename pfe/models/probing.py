"""Test requests that find out how a server can be asked: which way it supports, and whether it thinks.

Example: `find_manner(exchange, "models.mine", [Manner("chat")], thinks=False, thought=4096)` is
`Manner("chat", switch={"chat_template_kwargs": {"enable_thinking": False}})` for Qwen3 served by vLLM.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from pfe.errors import UserError
from pfe.models.client import RefusedError, TooLongError
from pfe.models.exchange import Exchange
from pfe.models.manner import LONGER_PROBE, PROBE, PROBE_QUESTION, SWITCHES, Manner
from pfe.models.refusals import UNFIT

# HTTP statuses for a way that the server does not support; any other refusal holds for all ways.
_CANNOT = (400, 404, 405, 415, 422, 500, 501)


def find_manner(exchange: Exchange, entry: str, manners: Sequence[Manner], thinks: bool, thought: int) -> Manner:
    """Return the first of the manners that the server supports; for a chat, with the fields that stop its thoughts.

    Args:
        entry: the configuration entry that messages name.
        thinks: the server is to think, so only the way is tested.
        thought: the token budget of a thought.

    Raises:
        UserError: the server supports none of them, or its window is too short for a thought.
    """
    if thinks:
        return _first(exchange, entry, manners, thought)
    manner = _first(exchange, entry, manners, 0)
    if manner.way != "chat" or not _seems_to_think(exchange, manner):
        return manner
    for switch in SWITCHES:
        try:
            if not _seems_to_think(exchange, replace(manner, switch=switch)):
                return replace(manner, switch=switch)
        except RefusedError as error:
            if error.status not in UNFIT:
                raise
    return _first(exchange, entry, [manner], thought) if thought else manner


def _first(exchange: Exchange, entry: str, manners: Sequence[Manner], thought: int) -> Manner:
    """Return the first of the manners that the server supports, with room for a thought of `thought` tokens.

    Raises:
        UserError: the server supports none of them, or its window is too short for a thought.
    """
    refusals: dict[str, RefusedError] = {}
    for manner in manners:
        asked = replace(manner, thinks=thought > 0)
        try:
            if _can(exchange, asked, thought):
                return asked
        except RefusedError as error:
            if error.status not in _CANNOT:
                raise
            refusals[manner.way] = error
        except TooLongError:
            raise UserError(
                f"{entry}: a thought of {thought:,} tokens does not fit the server's window; lower "
                "max_thinking_tokens, or serve a longer window"
            ) from None
    refusal = refusals.get("chat") or min(refusals.values(), key=lambda error: error.status)
    if "chat" in refusals and _takes_without_system(exchange, manners, thought):
        raise UserError(
            f"{entry}: the server refuses a system message ({refusal.said}); leave system out, or serve the model with "
            "a chat template that has a place for it"
        )
    raise refusal


def _takes_without_system(exchange: Exchange, manners: Sequence[Manner], thought: int) -> bool:
    """Return whether the server answers a chat if its system message is left out."""
    for manner in manners:
        if manner.way == "chat" and manner.system is not None:
            with suppress(RefusedError):
                return _can(exchange, replace(manner, system=None, thinks=thought > 0), thought)
    return False


def _can(exchange: Exchange, manner: Manner, thought: int) -> bool:
    """Return whether the server supports this manner; raise RefusedError if it refuses it."""
    if manner.way != "echo":
        exchange.reply(manner, PROBE_QUESTION.with_thought(thought) if thought else PROBE_QUESTION)
        return True
    echo = exchange.echo(PROBE)
    return echo is not None and _bare("".join(echo.tokens)).endswith(_bare(PROBE))


def _seems_to_think(exchange: Exchange, manner: Manner) -> bool:
    """Return whether the server's reply to a question that needs no thought contains one."""
    reply = exchange.reply(manner, PROBE_QUESTION)
    if reply is not None and not reply.thinks and reply.finish == "length":
        reply = exchange.reply(manner, LONGER_PROBE)
    return reply is None or reply.thinks


def _bare(text: str) -> str:
    return "".join(text.split())

"""The log-likelihood of a continuation, from what a server sends when it is asked to return a prompt.

Example: of a reply with the tokens "The", " answer", " is", " B" the continuation " B" has the log-probability of the
last one.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from pfe.models.reply import Reply

# One token is asked for, as some servers take none for no limit, and taken off.
ECHO_SETTINGS = {"max_tokens": 1, "temperature": 0.0, "echo": True, "logprobs": 1}
_LARGEST = 0.01  # above 0, what rounding makes of a probability of 1


def prompt_of(reply: Reply) -> Reply | None:
    """The prompt's part of a reply; None where the server returns no log-probabilities of it."""
    length = len(reply.tokens) - (reply.tokens_out if reply.tokens_out is not None else 1)
    if length < 1 or None in reply.log_probabilities[1:length]:
        return None
    return replace(reply, tokens=reply.tokens[:length], log_probabilities=reply.log_probabilities[:length])


def spelling(tokens: Sequence[str], text: str) -> int | None:
    """How many of the last tokens spell exactly `text`; None where none do."""
    length = 0
    for count, token in enumerate(reversed(tokens), 1):
        length += len(token)
        if length >= len(text):
            return count if "".join(tokens[-count:]) == text else None
    return None


def log_likelihood(echo: Reply, scored: int) -> float | None:
    """The sum over the last `scored` tokens (nats); None where one is no log-probability."""
    values = [math.nan if value is None else value for value in echo.log_probabilities[-scored:]]
    return sum(values) if all(math.isfinite(value) and value <= _LARGEST for value in values) else None

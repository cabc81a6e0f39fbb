"""The log-likelihood of a continuation, computed from a server's echo of the prompt.

Example: in a reply with the tokens "The", " answer", " is", " B", the continuation " B" has the log-probability of the
last token.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from pfe.models.reply import Reply

# One token is requested, as some servers read 0 as no limit; `prompt_of` drops it.
ECHO_SETTINGS = {"max_tokens": 1, "temperature": 0.0, "echo": True, "logprobs": 1}
_LARGEST = 0.01  # nats; rounding may put the log-probability of a certain token slightly above 0


def prompt_of(reply: Reply) -> Reply | None:
    """Return the prompt's part of a reply, None if the server returns no log-probabilities for it."""
    length = len(reply.tokens) - (reply.tokens_out if reply.tokens_out is not None else 1)
    if length < 1 or None in reply.log_probabilities[1:length]:
        return None
    return replace(reply, tokens=reply.tokens[:length], log_probabilities=reply.log_probabilities[:length])


def spelling(tokens: Sequence[str], text: str) -> int | None:
    """Return how many of the last tokens spell exactly `text`, None if no number does."""
    length = 0
    for count, token in enumerate(reversed(tokens), 1):
        length += len(token)
        if length >= len(text):
            return count if "".join(tokens[-count:]) == text else None
    return None


def log_likelihood(echo: Reply, scored: int) -> float | None:
    """Return the sum over the last `scored` tokens (nats), None if one of the values is no log-probability."""
    values = [math.nan if value is None else value for value in echo.log_probabilities[-scored:]]
    return sum(values) if all(math.isfinite(value) and value <= _LARGEST for value in values) else None

"""Log-likelihoods of continuations, from a server that returns prompts with their log-probabilities.

Example: `EchoScorer(exchange, responses, "models.mine", code).score("Question: …\\nAnswer:", " barometer")` is
`Likelihood(score=-3.2, scored=2, tokens=41)`.
"""

from dataclasses import asdict, dataclass

from pfe.errors import UserError
from pfe.models.echo import log_likelihood, spelling
from pfe.models.exchange import Exchange
from pfe.models.reply import Reply
from pfe.models.responses import Responses

_TOKEN_ID = "token_id:"  # vLLM's prefix of token ids, if it is asked for ids instead of texts


@dataclass(frozen=True)
class Likelihood:
    """A log-likelihood (nats), the number of scored tokens, and the number of all tokens including the prompt's."""

    score: float
    scored: int
    tokens: int


class EchoScorer:
    """A scorer of continuations that uses a server's echo of its prompts; each score is cached.

    Args:
        entry: the configuration entry that messages name.
        code: the version of the code that computes scores from replies.
    """

    def __init__(self, exchange: Exchange, responses: Responses, entry: str, code: str) -> None:
        self._exchange, self._responses, self._entry, self._code = exchange, responses, entry, code.encode()

    def score(self, context: str, continuation: str) -> Likelihood:
        """Return the log-likelihood (nats) of a continuation, including white space before it, with token counts.

        Its tokens are the last ones that spell it. If tokens do not spell their text (parts of a character, lost
        spaces), they are those after the context's tokens. If a token spans the border, the context's own tokens are
        sent, followed by those of the whole text beyond as many (as in lm-evaluation-harness 0.4.13, `_encode_pair`).
        Offsets are not used: vLLM derives them from the texts of single tokens.

        Raises:
            UserError: the server returns no usable log-probabilities or token ids.
        """
        context, space = context.rstrip(), context[len(context.rstrip()) :]
        key = self._responses.key("likelihood", self._code, context.encode(), (space + continuation).encode())
        with self._responses.alone(key):
            if (cached := self._responses.get_many([key]).get(key)) is not None:
                return Likelihood(**cached)
            echo = self._prompt(context + space + continuation)
            scored = spelling(echo.tokens, space + continuation)
            if scored is None:
                context_tokens = self._prompt(context).tokens
                scored = len(echo.tokens) - len(context_tokens)
                if scored < 1 or echo.tokens[: len(context_tokens)] != context_tokens:
                    echo, scored = self._over_the_border(context, space + continuation)
            score = log_likelihood(echo, scored)
            if score is None:
                raise UserError(
                    f"{self._entry}: the server returned log-probabilities that are no numbers; its weights are "
                    "broken, or try another precision"
                )
            likelihood = Likelihood(score, scored, len(echo.tokens))
            self._responses.put({key: asdict(likelihood)})
            return likelihood

    def _over_the_border(self, context: str, continuation: str) -> tuple[Reply, int]:
        """Return the echo, and the number of scored tokens, if a token spans context and continuation."""
        context_ids, whole_ids = self._ids(context), self._ids(context + continuation)
        more = whole_ids[len(context_ids) :] or self._ids(continuation, add_special_tokens=False)
        return self._prompt([*context_ids, *more]), len(more)

    def _ids(self, text: str, **settings: bool) -> list[int]:
        """Return the token ids of a text, as vLLM reports them.

        Raises:
            UserError: the server reports none.
        """
        echo = self._exchange.echo(text, return_tokens_as_token_ids=True, **settings)
        ids = [token.removeprefix(_TOKEN_ID) for token in echo.tokens if token.startswith(_TOKEN_ID)] if echo else []
        if echo is None or len(ids) < len(echo.tokens) or not all(map(str.isdecimal, ids)):
            raise UserError(
                f"{self._entry}: a token reaches over the end of a prompt into a choice, and the server tells no token "
                "ids to score it by; serve the model with vLLM, or use kind: huggingface"
            )
        return [int(token_id) for token_id in ids]

    def _prompt(self, prompt: str | list[int]) -> Reply:
        echo = self._exchange.echo(prompt)
        if echo is None:
            raise UserError(
                f"{self._entry}: the server no longer returns log-probabilities of prompts; start it as before, "
                "or set another revision to begin anew"
            )
        return echo

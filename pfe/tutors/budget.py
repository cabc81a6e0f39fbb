"""The budget of a tutor in tokens and dollars, and its usage.

Example: with a budget of 10,000 tokens of which 9,200 are used, a request that may take 900 is not sent.

A cached reply from an earlier run counts as it did when it was paid for, so the same budget ends at the same request.
"""

from collections.abc import Sequence

from pfe.config import Budget
from pfe.models.request import Answer, Done, Examinee, Request, unseen
from pfe.models.usage import Usage

_AROUND = 100  # tokens that a chat template may add to a prompt


def most(request: Request) -> Usage:
    """Return the most that one request can use: no token is shorter than a byte."""
    return Usage(len(request.prompt.encode()) + len(request.schema.encode()) + _AROUND, request.max_tokens)


def used(request: Request, answer: Answer) -> Usage:
    """Return the usage of one request; if a server does not report it, the most it can have been."""
    worst = most(request)
    if answer.stop == "too_long":
        return Usage()
    return Usage(answer.tokens_in or worst.tokens_in, answer.tokens_out or worst.tokens_out)


class Spending:
    """The usage of one tutor within its budget."""

    def __init__(self, budget: Budget, prices: tuple[float, ...] | None) -> None:
        self._budget, self._prices = budget, prices
        self.usage = Usage()

    @property
    def is_bounded(self) -> bool:
        """Return whether there is a budget in tokens or dollars."""
        return self._budget.tokens is not None or self._budget.dollars is not None

    def allows(self, usage: Usage) -> bool:
        """Return whether this additional usage stays within the budget."""
        total = self.usage + usage
        tokens, dollars = self._budget.tokens, self._budget.dollars
        within_tokens = tokens is None or total.tokens <= tokens
        return within_tokens and (dollars is None or total.dollars(self._prices or (0.0, 0.0)) <= dollars)

    def asked(self, examinee: Examinee, requests: Sequence[Request], done: Done = unseen) -> list[Answer]:
        """Return the answers to the first requests, as many as the budget allows even if each uses the most it can.

        Raises:
            UserError: the examinee cannot answer.
        """
        planned, affordable = Usage(), []
        for request in requests:
            planned += most(request)
            if not self.allows(planned):
                break
            affordable.append(request)
        answers = examinee.answer(affordable, done) if affordable else []
        for request, answer in zip(affordable, answers, strict=True):
            self.usage += used(request, answer)
        return answers

    def __str__(self) -> str:
        line = f"{self.usage.tokens_in:,} tokens in, {self.usage.tokens_out:,} out"
        return line if self._prices is None else f"{line}, ${self.usage.dollars(self._prices):.2f}"

"""Positive controls: canonical problems, changed a little, that the firewall should catch.

They are screened and counted and never leave the firewall. Example: with "words_20" every fifth
word of a sealed problem is replaced by a word of another one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from pfe.problem import Problem

Change = Callable[[Problem, Sequence[str], Random], Problem]


def controls(canonical: Sequence[Problem], per_kind: int, seed: int) -> dict[str, list[Problem]]:
    """At most `per_kind` changed problems of every kind, drawn evenly over the benchmarks.

    A problem that a kind of change leaves as it is (no numbers, too few words) is left out of that kind.
    """
    drawn = _drawn(canonical, per_kind, Random(f"{seed}:controls"))
    words = sorted({word for problem in drawn for word in problem.question.split()})
    made = {
        kind: [(problem, change(problem, words, Random(f"{seed}:{kind}:{problem.id}"))) for problem in drawn]
        for kind, change in KINDS.items()
    }
    return {
        kind: [changed for problem, changed in pairs if changed != problem or kind == "verbatim"]
        for kind, pairs in made.items()
    }


def _drawn(canonical: Sequence[Problem], count: int, rng: Random) -> list[Problem]:
    """Round-robin over the benchmarks, each shuffled."""
    decks: dict[str, list[Problem]] = {}
    for problem in canonical:
        decks.setdefault(problem.set, []).append(problem)
    for deck in decks.values():
        rng.shuffle(deck)
    drawn: list[Problem] = []
    while len(drawn) < min(count, len(canonical)):
        drawn += [deck.pop() for deck in decks.values() if deck]
    return drawn[:count]


def _rewritten(problem: Problem, rewrite: Callable[[str], str]) -> Problem:
    choices = tuple(rewrite(choice) for choice in problem.choices)
    return replace(problem, context=rewrite(problem.context), question=rewrite(problem.question), choices=choices)


def _verbatim(problem: Problem, words: Sequence[str], rng: Random) -> Problem:
    return problem


def _words(share: float) -> Change:
    def change(problem: Problem, words: Sequence[str], rng: Random) -> Problem:
        def rewrite(text: str) -> str:
            pieces = re.split(r"(\s+)", text)
            places = [place for place, piece in enumerate(pieces) if piece.strip()]
            for place in rng.sample(places, round(share * len(places))):
                pieces[place] = rng.choice(words)
            return "".join(pieces)

        return _rewritten(problem, rewrite)

    return change


def _numbers(problem: Problem, words: Sequence[str], rng: Random) -> Problem:
    """Every number another one of as many digits; the old answer is the answer no more."""

    def other(match: re.Match[str]) -> str:
        digits = match.group()
        least = 10 ** (len(digits) - 1) if len(digits) > 1 else 1
        drawn = rng.randrange(least, 10 ** len(digits) - 1)
        return str(drawn if drawn < int(digits) else drawn + 1)

    changed = _rewritten(problem, lambda text: re.sub(r"\d+", other, text))
    return replace(changed, answer="", solution="", tests=()) if changed != problem else changed


KINDS: Mapping[str, Change] = {
    "verbatim": _verbatim,
    **{f"words_{percent}": _words(percent / 100) for percent in (10, 20, 30, 40, 50)},
    "numbers": _numbers,
}

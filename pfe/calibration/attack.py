"""Attacks: known contamination made by disguising sealed canonical problems, to measure the recall of each gate.

Example, attack "both_swap": "Ann has 3 pens and buys 12 more." becomes "Oddny has 7 pens and buys 48 more."
An attacked problem is screened and counted, and never leaves the calibration.

Every file in `pfe/calibration/attacks/` sets `ATTACKS`, which has functions by name, and is registered automatically. A
file has the name of the gate that its attacks were written to test.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from random import Random

from pfe.calibration import attacks
from pfe.errors import UserError, nearest
from pfe.firewall.folding import lower_words
from pfe.problem import Problem

Rewrite = Callable[[str], str]


@dataclass(frozen=True)
class Donors:
    """Texts that are not protected problems: attacks take words from them, and dilution hides a problem among them."""

    texts: tuple[str, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Return every word, as often as it occurs."""
        return tuple(word for text in self.texts for word in text.split())

    @cached_property
    def ordinary_words(self) -> frozenset[str]:
        """Return the words that are not names (see `folding.names`)."""
        return lower_words(self.texts)


# Returns None if it cannot change the problem, and the same object if the problem is to stay as it is.
Attack = Callable[[Problem, Donors, Random], Problem | None]


@cache
def all_attacks() -> Mapping[str, Attack]:
    """Return every attack by name."""
    modules = [import_module(f"{attacks.__name__}.{module.name}") for module in iter_modules(attacks.__path__)]
    return {name: attack for module in modules for name, attack in module.ATTACKS.items()}


def attack(
    kind: str, problems: Sequence[Problem], donors: Sequence[str], per_kind: int, seed: int
) -> list[tuple[Problem, Problem]]:
    """Return at most `per_kind` pairs (original, attacked), sampled round-robin over the benchmarks.

    Problems that the attack cannot change are skipped. Every attacked problem has its own seed, so the result is the
    same if it is the only one in `problems`. It keeps its set, its domain, and all other fields that stay valid.

    Raises:
        UserError: there is no such attack.
    """
    if kind not in all_attacks():
        raise UserError(f"attack '{kind}': no such attack; {nearest(kind, all_attacks())}")
    change, lenders = all_attacks()[kind], Donors(tuple(donors))
    pairs: list[tuple[Problem, Problem]] = []
    for problem in _round_robin(problems, Random(f"{seed}:attacks")):
        if len(pairs) >= per_kind:
            break
        attacked = change(problem, lenders, Random(f"{seed}:{kind}:{problem.id}"))
        if attacked is not None and (attacked is problem or attacked.text != problem.text):
            pairs.append((problem, replace(attacked, id=f"{kind}/{problem.id}")))
    return pairs


def _round_robin(problems: Sequence[Problem], rng: Random) -> Iterator[Problem]:
    """Yield one problem of every benchmark in turn; each benchmark is shuffled."""
    decks: dict[str, list[Problem]] = {}
    for problem in problems:
        decks.setdefault(problem.set, []).append(problem)
    for deck in decks.values():
        rng.shuffle(deck)
    while any(decks.values()):
        yield from [deck.pop() for deck in decks.values() if deck]


def rewritten(problem: Problem, rewrite: Rewrite) -> Problem:
    """Rewrite context, question and choices of a problem; an answer that is one of the choices changes with it."""
    choices = tuple(map(rewrite, problem.choices))
    answer = dict(zip(problem.choices, choices, strict=True)).get(problem.answer, problem.answer)
    return replace(
        problem, context=rewrite(problem.context), question=rewrite(problem.question), choices=choices, answer=answer
    )

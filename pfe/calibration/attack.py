"""Known contamination: sealed canonical problems disguised, to measure how many of them each gate finds.

Example, attack "both_swap": "Ann has 3 pens and buys 12 more." becomes "Oddny has 7 pens and buys 48 more."
An attacked problem is screened and counted and never leaves the calibration.

An attack stands in a file of `pfe/calibration/attacks/` that sets `ATTACKS`, a function by name; it is found by being
there. A file bears the name of the gate that its attacks were written against.
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
    """Texts that are no protected problems: they lend their words, and dilution hides a problem among them."""

    texts: tuple[str, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word as often as it occurs."""
        return tuple(word for text in self.texts for word in text.split())

    @cached_property
    def ordinary_words(self) -> frozenset[str]:
        """Words that are no names (see `folding.names`)."""
        return lower_words(self.texts)


# None for what it cannot change, the problem itself where that is what it is to be.
Attack = Callable[[Problem, Donors, Random], Problem | None]


@cache
def all_attacks() -> Mapping[str, Attack]:
    """Every attack there is, by its name."""
    modules = [import_module(f"{attacks.__name__}.{module.name}") for module in iter_modules(attacks.__path__)]
    return {name: attack for module in modules for name, attack in module.ATTACKS.items()}


def attack(
    kind: str, problems: Sequence[Problem], donors: Sequence[str], per_kind: int, seed: int
) -> list[tuple[Problem, Problem]]:
    """At most `per_kind` pairs (original, attacked), drawn round-robin over the benchmarks.

    Problems that the attack cannot change are passed over. Every attacked problem is made from its own seed: alone
    (`problems` of one) it comes out the same. It keeps its set and domain, and whatever the attack leaves true.

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
    """One problem of every benchmark after the other, each benchmark shuffled."""
    decks: dict[str, list[Problem]] = {}
    for problem in problems:
        decks.setdefault(problem.set, []).append(problem)
    for deck in decks.values():
        rng.shuffle(deck)
    while any(decks.values()):
        yield from [deck.pop() for deck in decks.values() if deck]


def rewritten(problem: Problem, rewrite: Rewrite) -> Problem:
    """What a reader sees of the problem, rewritten; an answer that is one of the choices follows its choice."""
    choices = tuple(map(rewrite, problem.choices))
    answer = dict(zip(problem.choices, choices, strict=True)).get(problem.answer, problem.answer)
    return replace(
        problem, context=rewrite(problem.context), question=rewrite(problem.question), choices=choices, answer=answer
    )

"""Rules and their exceptions: which of those that fit a case decides it.

Example: "Ulmen is kept on ice.", "On a feast day ulmen is hung up to dry." and "A rule about one ware on one occasion
goes before all others." answer "It is a feast day. What is done with ulmen?" with: it is hung up to dry.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, get_args

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.invented.family import SIZES, InventedFamily, names
from pfe.problem import Problem
from pfe.tutors.content import engine_and_rest, read_content
from pfe.tutors.family import Draft, Entry, Facts
from pfe.tutors.wording import Wording, one_of

_STRICT = ConfigDict(extra="forbid", strict=False)
Kind = Literal["thing", "case", "both"]
Texts = Annotated[tuple[str, ...], MinLen(1)]
Rule = tuple[str, str]  # of which thing, in which case; "" for all
ORDERS: Mapping[str, tuple[Kind, Kind, Kind]] = {
    "narrow": ("both", "thing", "case"),
    "case": ("case", "both", "thing"),
    "thing": ("thing", "both", "case"),
}


@dataclass(frozen=True, config=_STRICT)
class Content:
    """One family: `says` are the rules of a {thing}, of a {case}, of both; `orders` which of them goes first.

    `world` has real things for each outcome, so that none of four choices is likelier than another.
    """

    cases: Annotated[tuple[str, ...], MinLen(6)]
    says: Mapping[Kind, Texts]
    orders: Mapping[Literal["narrow", "case", "thing"], Texts]
    asks: Texts
    called: Texts
    world: Annotated[Mapping[str, Texts], MinLen(5)]

    @property
    def outcomes(self) -> tuple[str, ...]:
        return tuple(self.world)


class Rules(InventedFamily):
    """Things, cases, rules of one or both, and a rule about rules."""

    skill = "rules"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])

    def facts(self, rng: Random) -> Facts:
        by_world = rng.choice(self.content.outcomes)
        outcomes = rng.sample([outcome for outcome in self.content.outcomes if outcome != by_world], 3)
        size = rng.choice(SIZES)
        things = names(rng, max(3, size // 3))
        cases = rng.sample(self.content.cases, 4)
        fitting = rng.choice((("thing",), ("thing", "both"), ("thing", "case"), ("thing", "case", "both")))
        of_kind = {"thing": (things[0], ""), "case": ("", cases[0]), "both": (things[0], cases[0])}
        rules = {of_kind[kind]: outcome for kind, outcome in zip(fitting, outcomes, strict=False)}
        rules[things[1], ""] = by_world
        for number, outcome in enumerate(outcomes):
            rules[things[1 + number % 2], cases[1 + number]] = outcome
        for thing, case in rng.sample(list(product(things[1:], ("", *cases))), size):
            rules.setdefault((thing, case), rng.choice(self.content.outcomes))
            if len(rules) >= size:
                break
        return {
            "thing": things[0],
            "case": cases[0],
            "rules": rules,
            "order": rng.choice(list(ORDERS)),
            "choices": tuple(rng.sample([*outcomes, by_world], 4)) if rng.random() < 0.5 else (),
            "by_world": by_world,
            "real": rng.choice(self.content.world[by_world]),
        }

    def write(self, facts: Facts, rng: Random) -> Draft:
        question = self._asks.write({"thing": facts["thing"], "case": facts["case"]}, rng)
        return Draft(question, choices=facts["choices"])

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        return list(self._entries(facts, rng, facts["thing"]))

    def contradiction(self, facts: Facts, rng: Random) -> tuple[Sequence[Entry], str, str]:
        entries = list(self._entries(facts, rng, facts["real"]))
        called = self._called.write({"thing": facts["thing"], "real": facts["real"]}, rng)
        return [*entries, Entry(called, needed=True)], self.solve(facts), facts["by_world"]

    def _entries(self, facts: Facts, rng: Random, spoken_of: str) -> Iterable[Entry]:
        decides = _deciding(facts)
        for (thing, case), outcome in facts["rules"].items():
            slots = {"thing": spoken_of if thing == facts["thing"] else thing, "case": case, "outcome": outcome}
            yield Entry(self._says[_kind((thing, case))].write(slots, rng), (thing, case) == decides)
        yield Entry(self._orders[facts["order"]].write({}, rng), needed=len(_fitting(facts)) > 1)

    def change(self, facts: Facts, rng: Random) -> Facts:
        decides = _deciding(facts)
        others = [rule for rule in _fitting(facts) if rule != decides]
        if others and rng.random() < 0.5:
            order = next(name for name in ORDERS if _deciding({**facts, "order": name}) != decides)
            return {**facts, "order": order}
        taken = {facts["rules"][rule] for rule in (decides, *others)}
        free = [outcome for outcome in facts["choices"] or self.content.outcomes if outcome not in taken]
        new = rng.choice(free) if free else facts["rules"][others[0]]
        return {**facts, "rules": {**facts["rules"], decides: new}}

    def solve(self, facts: Facts) -> str:
        return str(facts["rules"][_deciding(facts)])

    def check(self, facts: Facts, answer: str) -> bool:
        with_outcome = [rule for rule in _fitting(facts) if facts["rules"][rule] == answer]
        rank = ORDERS[facts["order"]].index
        return any(all(rank(_kind(rule)) <= rank(_kind(other)) for other in _fitting(facts)) for rule in with_outcome)

    def candidates(self, problem: Problem) -> Iterable[str]:
        return problem.choices or self.content.outcomes

    def solution(self, facts: Facts, draft: Draft) -> str:
        fitting = [f"{facts['rules'][rule]} (by the rule of {_NAMES[_kind(rule)]})" for rule in _fitting(facts)]
        return f"These rules fit: {'; '.join(fitting)}.\nThe one that goes first says: {self.solve(facts)}."

    def read(self, problem: Problem) -> Facts:
        asked = self._asks.read(problem.question)
        rules: dict[Rule, str] = {}
        order = None
        for text in problem.library:
            for wording in self._says.values():
                if slots := wording.slots_of(text):
                    rules[slots.get("thing", ""), slots.get("case", "")] = slots["outcome"]
                    break
            else:
                order = next(
                    (name for name, wording in self._orders.items() if wording.slots_of(text) is not None), order
                )
        facts: dict[str, Any] = {**asked, "rules": rules, "order": order or "narrow"}
        if not _fitting(facts) or (len(_fitting(facts)) > 1 and order is None):
            raise ValueError(f"{problem.id}: the library does not decide {asked}")
        return facts

    @cached_property
    def _says(self) -> Mapping[Kind, Wording]:
        # The rule of both first: that of a thing alone would take the case for a part of the thing's name.
        kinds: Sequence[Kind] = get_args(Kind)[::-1]
        values = {"case": self.content.cases, "outcome": self.content.outcomes}
        return {kind: one_of(self.content.says[kind], values, f"{self.path}: says.{kind}") for kind in kinds}

    @cached_property
    def _orders(self) -> Mapping[str, Wording]:
        return {name: one_of(texts, where=f"{self.path}: orders.{name}") for name, texts in self.content.orders.items()}

    @cached_property
    def _asks(self) -> Wording:
        return one_of(self.content.asks, {"case": self.content.cases}, f"{self.path}: asks")

    @cached_property
    def _called(self) -> Wording:
        return one_of(self.content.called, where=f"{self.path}: called")


_NAMES: Mapping[Kind, str] = {"thing": "the thing", "case": "the case", "both": "the thing in that case"}


def _kind(rule: Rule) -> Kind:
    return "both" if all(rule) else "thing" if rule[0] else "case"


def _fitting(facts: Facts) -> list[Rule]:
    of_case = [(facts["thing"], ""), ("", facts["case"]), (facts["thing"], facts["case"])]
    return [rule for rule in of_case if rule in facts["rules"]]


def _deciding(facts: Facts) -> Rule:
    return min(_fitting(facts), key=lambda rule: ORDERS[facts["order"]].index(_kind(rule)))

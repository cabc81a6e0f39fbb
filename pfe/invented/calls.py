"""Calls: functions of which nobody has heard, with codes and units that stand in their documentation alone.

Example: "In the house of the chalo, make the lamp in the kitchen dim for 5 minutes." is `vuelda("kitchen", "ri", 300)`
where vuelda is the function of that house, "ri" its code for dim, and the time is wanted in seconds.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Annotated

from annotated_types import MinLen
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from pfe.icr.definitions import offered
from pfe.icr.functions import documentation
from pfe.invented.family import SIZES, InventedFamily, names
from pfe.problem import Problem
from pfe.scorers.calls.gold import NO_CALL
from pfe.tutors.content import engine_and_rest, read_content
from pfe.tutors.family import Draft, Entry, Facts
from pfe.tutors.wording import Wording, one_of

_STRICT = ConfigDict(extra="forbid", strict=False)
_SIGNATURE = re.compile(r"(?P<name>\w+)\(.*\)\n(?P<about>[^\n]+)(?P<lines>(?:\n[^\n]+)*)")
_LINE = re.compile(r"(?P<name>\w+) \((?:str|int)\): (?P<about>.+)")
_CODE = re.compile(r'"(\w+)" for ([\w ]+)')
Texts = Annotated[tuple[str, ...], MinLen(1)]


@dataclass(frozen=True, config=_STRICT)
class Detail:
    """One thing that a request says: a text as it is, one of `codes`, or a number from `lowest` to `highest`.

    `units` say by what a number of the request is multiplied, by the unit that the documentation wants.
    """

    about: str
    values: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    lowest: int = 0
    highest: int = 0
    units: Mapping[str, int] | None = None


@dataclass(frozen=True, config=_STRICT)
class Action:
    """What can be asked for: `about` in the documentation, with {owner}, and the requests, with {owner} and details."""

    about: str
    asks: Texts
    details: Mapping[str, Detail]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """One family: its actions."""

    actions: Annotated[Mapping[str, Action], MinLen(3)]


@plain_dataclass(frozen=True)
class Parameter:
    """A parameter of a function: which detail it takes, by which codes, or in which unit."""

    name: str
    detail: str
    codes: tuple[tuple[str, str], ...] = ()
    unit: str = ""


@plain_dataclass(frozen=True)
class Function:
    """A function that does an action for one owner."""

    name: str
    owner: str
    action: str
    parameters: tuple[Parameter, ...]


class Calls(InventedFamily):
    """A toolbox whose functions have invented names, and a request for one of them."""

    skill = "calls"

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])

    def facts(self, rng: Random) -> Facts:
        size = rng.choice(SIZES) // 3 + 1
        fresh = names(rng, 8 * size + 20)
        owners = [fresh.pop() for _ in range(max(2, size // 3))]
        pairs = [(owner, action) for owner in owners for action in self.content.actions]
        rng.shuffle(pairs)
        functions = tuple(self._function(*pair, fresh, rng) for pair in pairs[:size])
        asked = functions[0]
        action = self.content.actions[asked.action]
        values: dict[str, str | int] = {
            name: rng.randint(d.lowest, d.highest) if d.highest else rng.choice(d.codes or d.values)
            for name, d in action.details.items()
        }
        return {"owner": asked.owner, "action": asked.action, "values": values, "functions": functions}

    def _function(self, owner: str, action: str, fresh: list[str], rng: Random) -> Function:
        parameters = []
        for name, detail in self.content.actions[action].details.items():
            codes = tuple((code, fresh.pop()) for code in detail.codes)
            unit = rng.choice(list(detail.units)) if detail.units else ""
            parameters.append(Parameter(fresh.pop(), name, codes, unit))
        rng.shuffle(parameters)
        return Function(fresh.pop(), owner, action, tuple(parameters))

    def write(self, facts: Facts, rng: Random) -> Draft:
        request = self._asks[facts["action"]].write({"owner": facts["owner"], **facts["values"]}, rng)
        definitions = tuple(json.dumps(self._definition(f), ensure_ascii=False) for f in facts["functions"])
        return Draft(f"Write the function call, and nothing else. {request}", functions=definitions)

    def _definition(self, function: Function) -> dict[str, object]:
        action = self.content.actions[function.action]
        properties = {
            p.name: {"type": "integer" if action.details[p.detail].highest else "string",
                     "description": self._about(action.details[p.detail], p)}
            for p in function.parameters
        }  # fmt: skip
        parameters = {"type": "object", "properties": properties, "required": list(properties)}
        about = action.about.format(owner=function.owner)
        return {"name": function.name, "description": about, "parameters": parameters}

    def _about(self, detail: Detail, parameter: Parameter) -> str:
        if parameter.codes:
            codes = [f'"{code}" for {value}' for value, code in parameter.codes]
            return f"{detail.about}: {', '.join(codes)}"
        return f"{detail.about}, in {parameter.unit}" if parameter.unit else detail.about

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        asked = (facts["owner"], facts["action"])
        return [Entry(self._text(f), (f.owner, f.action) == asked) for f in facts["functions"]]

    def _text(self, function: Function) -> str:
        (documented,) = offered([json.dumps(self._definition(function))]).values()
        return documentation(documented)

    def contradiction(self, facts: Facts, rng: Random) -> tuple[Sequence[Entry], str, str]:
        """The codes are words of the request, each standing for another."""
        swapped = {**facts, "functions": self._with_codes(facts, _rotated)}
        plain = {**facts, "functions": self._with_codes(facts, list)}
        return self.entries(swapped, rng), self.solve(swapped), self.solve(plain)

    def _with_codes(self, facts: Facts, order: Callable[[Sequence[str]], list[str]]) -> tuple[Function, ...]:
        """The functions, the asked one with its values as codes, in another order."""
        asked, *others = facts["functions"]
        parameters = []
        for parameter in asked.parameters:
            values = [value for value, _ in parameter.codes]
            words = [value.replace(" ", "_") for value in values]
            parameters.append(replace(parameter, codes=tuple(zip(values, order(words), strict=True))))
        return (replace(asked, parameters=tuple(parameters)), *others)

    def change(self, facts: Facts, rng: Random) -> Facts:
        """The codes of the asked function stand for other values, or its parameters have another order."""
        asked, *others = facts["functions"]
        parameters = tuple(
            replace(p, codes=tuple(zip([v for v, _ in p.codes], _rotated([c for _, c in p.codes]), strict=True)))
            for p in asked.parameters
        )
        return {**facts, "functions": (replace(asked, parameters=parameters), *others)}

    def solve(self, facts: Facts) -> str:
        asked = (facts["owner"], facts["action"])
        (function,) = [f for f in facts["functions"] if (f.owner, f.action) == asked]
        arguments = [json.dumps(self._argument(p, facts["values"][p.detail], facts)) for p in function.parameters]
        return f"{function.name}({', '.join(arguments)})"

    def _argument(self, parameter: Parameter, value: str | int, facts: Facts) -> str | int:
        units = self.content.actions[facts["action"]].details[parameter.detail].units
        if units:
            return int(value) * units[parameter.unit]
        return dict(parameter.codes).get(str(value), value)

    def check(self, facts: Facts, answer: str) -> bool:
        """Goes back from the arguments to what the request says."""
        name, _, arguments = answer.rstrip(")").partition("(")
        function = next((f for f in facts["functions"] if f.name == name), None)
        if function is None or (function.owner, function.action) != (facts["owner"], facts["action"]):
            return False
        details = self.content.actions[function.action].details
        for parameter, argument in zip(function.parameters, json.loads(f"[{arguments}]"), strict=True):
            back = {code: value for value, code in parameter.codes}.get(argument, argument)
            if units := details[parameter.detail].units:
                back = argument / units[parameter.unit]
            if back != facts["values"][parameter.detail]:
                return False
        return True

    def candidates(self, problem: Problem) -> Iterable[str]:
        facts = self.read(problem)
        call = self.solve(facts)
        name = call.partition("(")[0]
        return [call, *(call.replace(name, f.name) for f in facts["functions"] if f.name != name)]

    def solution(self, facts: Facts, draft: Draft) -> str:
        call = self.solve(facts)
        return f"What the request asks for is done by {call.partition('(')[0]}.\nIts arguments, as documented: {call}."

    def unknown(self, facts: Facts) -> str:
        return NO_CALL

    def read(self, problem: Problem) -> Facts:
        request = problem.question.removeprefix("Write the function call, and nothing else. ")
        functions = tuple(filter(None, map(self._read_function, problem.library)))
        for action, wording in self._asks.items():
            try:
                slots = wording.read(request)
            except ValueError:
                continue
            owner = slots.pop("owner")
            if sum((f.owner, f.action) == (owner, action) for f in functions) == 1:
                return {"owner": owner, "action": action, "values": slots, "functions": functions}
        raise ValueError(f"{problem.id}: no function of the library does what is asked")

    def _read_function(self, text: str) -> Function | None:
        shape = _SIGNATURE.fullmatch("\n".join(line.strip() for line in text.splitlines()))
        if shape is None:
            return None
        for action, wording in self._abouts.items():
            try:
                owner = wording.read(shape["about"])["owner"]
            except ValueError:
                continue
            lines = [_LINE.fullmatch(line) for line in shape["lines"].strip().splitlines()]
            return Function(shape["name"], owner, action, tuple(self._read_parameter(action, m) for m in lines if m))
        return None

    def _read_parameter(self, action: str, line: re.Match[str]) -> Parameter:
        about, _, rest = line["about"].partition(", in ") if '"' not in line["about"] else line["about"].partition(": ")
        details = self.content.actions[action].details
        detail = next(name for name, detail in details.items() if detail.about == about)
        codes = tuple((value, code) for code, value in _CODE.findall(rest))
        return Parameter(line["name"], detail, codes, "" if codes else rest)

    @cached_property
    def _asks(self) -> Mapping[str, Wording]:
        return {
            name: one_of(
                action.asks,
                {detail: d.codes or d.values for detail, d in action.details.items() if not d.highest},
                f"{self.path}: actions.{name}.asks",
            )
            for name, action in self.content.actions.items()
        }

    @cached_property
    def _abouts(self) -> Mapping[str, Wording]:
        return {name: one_of([action.about], where=f"{self.path}: actions.{name}.about")
                for name, action in self.content.actions.items()}  # fmt: skip


def _rotated(words: Sequence[str]) -> list[str]:
    return [*words[1:], *words[:1]]

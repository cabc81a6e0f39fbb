"""Function calls: functions with invented names, whose codes and units are stated only in their documentation.

Example: "In the house of the chalo, the lamp in the kitchen should give just a glimmer for 5 minutes." is
`vuelda("kitchen", "ri", 300)`, where vuelda is the function of that house, "ri" its code for dim, and the time is
given in seconds.
"""

import json
import re
from collections.abc import Mapping, Sequence
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
from pfe.invented.family import Entry, InventedFamily
from pfe.invented.ladder import Cell
from pfe.invented.names import invented_names
from pfe.problem import Problem
from pfe.scorers.calls.gold import NO_CALL
from pfe.tutors.content import engine_and_rest, read_content
from pfe.tutors.wording import Wording, one_of

_STRICT = ConfigDict(extra="forbid", strict=False)
_INSTRUCTION = "Write the function call, and nothing else. "
_LINES = 4  # lines of documentation per function, roughly; each counts as a statement
_SIGNATURE = re.compile(r"(?P<name>\w+)\(.*\)\n(?P<about>[^\n]+)(?P<lines>(?:\n[^\n]+)*)")
_LINE = re.compile(r"(?P<name>\w+) \((?:str|int)\): (?P<about>.+)")
_CODE = re.compile(r'"(\w+)" for ([\w ]+)')
Texts = Annotated[tuple[str, ...], MinLen(1)]


@dataclass(frozen=True, config=_STRICT)
class Detail:
    """One detail of a request: a text as it is, one of `codes`, or a number from `lowest` to `highest`.

    `codes` maps the documentation's term for a value to the request's wording of it.

    `units` maps each unit that the documentation may want to the factor from the request's unit (1 for that unit
    itself).
    """

    about: str
    values: tuple[str, ...] = ()
    codes: Mapping[str, str] | None = None
    lowest: int = 0
    highest: int = 0
    units: Mapping[str, int] | None = None


@dataclass(frozen=True, config=_STRICT)
class Action:
    """An action that requests ask for: `about` documents it, with {owner}; `asks` have {owner} and the details."""

    about: str
    asks: Texts
    details: Mapping[str, Detail]


@dataclass(frozen=True, config=_STRICT)
class Content:
    """The actions of one family."""

    actions: Annotated[Mapping[str, Action], MinLen(3)]


@plain_dataclass(frozen=True)
class Parameter:
    """A parameter of a function: the detail it takes, with its codes or its unit."""

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


@plain_dataclass(frozen=True)
class World:
    """The functions, the first of which the request needs, and the values in the request by detail."""

    functions: tuple[Function, ...]
    values: Mapping[str, str | int]

    @property
    def asked(self) -> Function:
        return self.functions[0]


class Calls(InventedFamily[World]):
    """A toolbox of functions with invented names, and a request for one of them."""

    skill = "calls"
    asked = 3

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.content = read_content(path, Content, engine_and_rest(path)[1])

    def world(self, cell: Cell, rng: Random) -> World:
        size = max(2, cell.rung // _LINES)
        fresh = invented_names(rng, 8 * size + 20, cell.names)
        owners = [fresh.pop() for _ in range(max(2, size // 3))]
        pairs = [(owner, action) for owner in owners for action in self.content.actions]
        rng.shuffle(pairs)
        return self._asking(tuple(self._function(*pair, fresh, rng) for pair in pairs[:size]), rng)

    def _asking(self, functions: tuple[Function, ...], rng: Random) -> World:
        details = self.content.actions[functions[0].action].details
        values: dict[str, str | int] = {
            name: rng.randint(one.lowest, one.highest) if one.highest else rng.choice([*(one.codes or one.values)])
            for name, one in details.items()
        }
        return World(functions, values)

    def another_question(self, world: World, rng: Random) -> World:
        return self._asking(world.functions, rng)

    def _function(self, owner: str, action: str, fresh: list[str], rng: Random) -> Function:
        parameters = []
        for name, detail in self.content.actions[action].details.items():
            meanings = list(detail.codes or ())
            codes = tuple((meaning, fresh.pop()) for meaning in rng.sample(meanings, len(meanings)))
            unit = rng.choice([unit for unit, times in detail.units.items() if times != 1]) if detail.units else ""
            parameters.append(Parameter(fresh.pop(), name, codes, unit))
        rng.shuffle(parameters)
        return Function(fresh.pop(), owner, action, tuple(parameters))

    def question(self, world: World, rng: Random) -> str:
        details = self.content.actions[world.asked.action].details
        said = {name: (details[name].codes or {}).get(str(value), value) for name, value in world.values.items()}
        request = self._asks[world.asked.action].write({"owner": world.asked.owner, **said}, rng)
        return f"{_INSTRUCTION}{request}"

    def choices(self, world: World) -> tuple[str, ...]:
        return ()

    def functions(self, world: World) -> tuple[str, ...]:
        return tuple(json.dumps(self._definition(function), ensure_ascii=False) for function in world.functions)

    def unknown(self) -> str:
        return NO_CALL

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

    def entries(self, world: World, rng: Random) -> Sequence[Entry]:
        return [Entry(self._text(function), function is world.asked) for function in world.functions]

    def _text(self, function: Function) -> str:
        (documented,) = offered([json.dumps(self._definition(function))]).values()
        return documentation(documented)

    def changed(self, world: World) -> World:
        """Rotate the codes of the requested function: each then stands for the next value."""
        asked, *others = world.functions
        parameters = tuple(
            replace(p, codes=tuple(zip([v for v, _ in p.codes], _rotated([c for _, c in p.codes]), strict=True)))
            for p in asked.parameters
        )
        return replace(world, functions=(replace(asked, parameters=parameters), *others))

    def solve(self, world: World) -> str:
        arguments = [json.dumps(self._argument(p, world)) for p in world.asked.parameters]
        return f"{world.asked.name}({', '.join(arguments)})"

    def _argument(self, parameter: Parameter, world: World) -> str | int:
        value = world.values[parameter.detail]
        units = self.content.actions[world.asked.action].details[parameter.detail].units
        if units:
            return int(value) * units[parameter.unit]
        return dict(parameter.codes).get(str(value), value)

    def read(self, problem: Problem) -> str:
        request = problem.question.removeprefix(_INSTRUCTION)
        functions = [function for text in problem.library if (function := self._read_function(text))]
        for action, wording in self._asks.items():
            slots = wording.slots_of(request)
            if slots is None:
                continue
            owner = slots.pop("owner")
            for name, detail in self.content.actions[action].details.items():
                meant = {said: value for value, said in (detail.codes or {}).items()}
                slots[name] = meant.get(slots[name], slots[name])
            asked = [function for function in functions if (function.owner, function.action) == (owner, action)]
            if len(asked) == 1:
                return self.solve(World((asked[0],), slots))
        raise ValueError(f"{problem.id}: no function of the library does what is asked")

    def _read_function(self, text: str) -> Function | None:
        shape = _SIGNATURE.fullmatch("\n".join(line.strip() for line in text.splitlines()))
        if shape is None:
            return None
        for action, wording in self._abouts.items():
            slots = wording.slots_of(shape["about"])
            if slots is not None:
                lines = [_LINE.fullmatch(line) for line in shape["lines"].strip().splitlines()]
                parameters = tuple(self._read_parameter(action, line) for line in lines if line)
                return Function(shape["name"], slots["owner"], action, parameters)
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
                {
                    name: tuple((detail.codes or {}).values()) or detail.values
                    for name, detail in action.details.items()
                    if not detail.highest
                },
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

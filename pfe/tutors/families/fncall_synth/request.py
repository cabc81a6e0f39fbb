"""What the requests of fncall_synth share: facts as they are worded, calls made of them, and back again.

Example: the facts {"city": "Graz", "scale": "Fahrenheit"} give `get_weather("Graz", "fahrenheit")`, and an
answer is checked by retelling it: the call says city "Graz" and scale "Fahrenheit", which are the facts.
"""

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from string import Formatter
from typing import Any, ClassVar

from pfe.icr.calls import Call, parse
from pfe.icr.functions import Parameter, catalogue, toolboxes
from pfe.problem import Problem
from pfe.tutors.family import Draft, Facts, Family, unfill_any


@cache
def _fields(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


class Source(str):
    """A value that is a call already, written out."""

    __slots__ = ()


class Asking(Family):
    """A request to one toolbox; its facts are the words and numbers that `templates` are filled with."""

    domain = "function_call"
    scorer = "function_call"
    toolbox: ClassVar[str]
    templates: ClassVar[tuple[str, ...]]

    @abstractmethod
    def calls(self, facts: Facts) -> Sequence[Source]:
        """The calls that fulfil the request, in the order in which it asks for them."""

    @abstractmethod
    def retell(self, calls: Sequence[Call]) -> Facts:
        """The facts that calls act upon, worded as in a request; a frozenset where several wordings mean the same.

        Raises:
            ValueError, LookupError, TypeError: these calls answer no request of this family.
        """

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        """What the templates say besides the facts, without any bearing on the answer."""
        return {}

    def steps(self, facts: Facts) -> Iterable[str]:
        """Lines of the solution that convert what the request says into what the documentation wants."""
        return ()

    def write(self, facts: Facts, rng: Random) -> Draft:
        known = {**facts, **self.aside(facts, rng)}
        fitting = [template for template in self.templates if set(facts) <= _fields(template) <= set(known)]
        return Draft(rng.choice(fitting).format(**known), functions=toolboxes()[self.toolbox])

    def read(self, problem: Problem) -> Facts:
        return unfill_any(self.templates, problem.question)

    def solve(self, facts: Facts) -> str:
        return "\n".join(self.calls(facts))

    def check(self, facts: Facts, answer: str) -> bool:
        try:
            claims = self.retell(parse(answer))
            return all(k in facts and facts[k] in (v if isinstance(v, frozenset) else {v}) for k, v in claims.items())
        except (ValueError, LookupError, TypeError, AttributeError):
            return False

    def solution(self, facts: Facts) -> str:
        calls = [one for call in parse(self.solve(facts)) for one in (*reversed([*call.inner()]), call)]
        return "\n".join([*self.steps(facts), *map(_explained, calls)])

    def candidates(self, problem: Problem) -> Iterable[str]:
        """The call the text asks for, and what a careless reader might write instead."""
        calls = parse(self.solve(self.read(problem)))
        others = [name for name in problem.functions if name != calls[0].name]
        right = "\n".join(map(_written, calls))
        wrong = ["\n".join(map(_written, changed)) for changed in _mistaken(calls)]
        wrong += [right.replace(f"{calls[0].name}(", f"{name}(", 1) for name in others]
        return sorted({right, *wrong})


def literal(value: Any) -> str:
    """A value as Python source, texts in double quotes.

    Raises:
        TypeError: a value that no parameter has.
    """
    match value:
        case Source():
            return value
        case str():
            return json.dumps(value, ensure_ascii=False)
        case bool() | None | int() | float():
            return repr(value)
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{literal(key)}: {literal(item)}' for key, item in value.items())}}}"
    raise TypeError(f"no argument: {value!r}")


def call(function: str, /, **arguments: Any) -> Source:
    """A call as text: by place as far as the arguments follow the signature without a gap, then by name.

    Arguments that equal the default are left out.
    """
    return Source(_written(parse(f"{function}({', '.join(f'{k}={literal(v)}' for k, v in arguments.items())})")[0]))


def arguments(call: Call, function: str, *parameters: str) -> list[Any]:
    """The values of those parameters of a call to `function`, all others being at their defaults.

    Raises:
        ValueError: it calls another function, or gives another argument a value of its own.
    """
    if call.name != function or any(name not in parameters for name in _own(call)):
        raise ValueError(f"{call} is no plain {function}")
    return [call.arguments[name] for name in parameters]


def _own(call: Call) -> dict[str, Any]:
    """The arguments that differ from their defaults."""
    blank = {p.name: p.default for p in catalogue()[call.name].parameters}
    return {
        k: v for k, v in call.arguments.items() if isinstance(v, Call) or blank[k] is None or literal(v) != blank[k]
    }


def _written(call: Call) -> str:
    own, arguments, by_place = _own(call), [], True
    for name in call.arguments:
        if name not in own:
            by_place = False
            continue
        text = _written(own[name]) if isinstance(own[name], Call) else literal(own[name])
        arguments.append(text if by_place else f"{name}={text}")
    return f"{call.name}({', '.join(arguments)})"


def _explained(call: Call) -> str:
    function = catalogue()[call.name]
    own = _own(call)
    values = [
        f"{p.name} is {f'what {own[p.name].name} returns' if isinstance(own[p.name], Call) else literal(own[p.name])}"
        for p in function.parameters
        if p.name in own
    ]
    left = [p.name for p in function.parameters if p.name not in own]
    silent = f"; {' and '.join(left)} {'keep their defaults' if left[1:] else 'keeps its default'}" if left else ""
    return f"{call.name}: {function.description} Here {', '.join(values)}{silent}."


def _mistaken(calls: Sequence[Call]) -> Iterator[list[Call]]:
    """The calls with one mistake in them: an argument off, two arguments swapped, a call forgotten."""
    if len(calls) > 1:
        yield from ([*calls[:i], *calls[i + 1 :]] for i in range(len(calls)))
    for i, one in enumerate(calls):
        for changed in _changed(one):
            yield [*calls[:i], changed, *calls[i + 1 :]]


def _changed(call: Call) -> Iterator[Call]:
    own = _own(call)
    for parameter in catalogue()[call.name].parameters:
        if parameter.name not in own:
            continue
        for value in _off(call.arguments[parameter.name], parameter):
            yield replace(call, arguments={**call.arguments, parameter.name: value})
    plain = [name for name in own if isinstance(own[name], str | int | float) and not isinstance(own[name], bool)]
    for a, b in pairwise(plain):
        if type(own[a]) is type(own[b]) and own[a] != own[b]:
            yield replace(call, arguments={**call.arguments, a: own[b], b: own[a]})


def _off(value: Any, parameter: Parameter) -> Iterator[Any]:
    match value:
        case Call():
            yield from _changed(value)
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value * 10, -value) if value else (1,)
        case str() if parameter.allowed:
            yield from (other for other in parameter.allowed if other != value)
        case str():
            yield from {value.lower(), value.upper(), f"{value} "} - {value}
        case list():
            yield from (changed for changed in (value[1:], value[:-1], value[::-1]) if changed != value)
        case dict():
            keys = list(value)
            yield {key: value[key] for key in keys[1:]}
            shifted = dict(zip(keys, [*value.values()][1:] + [*value.values()][:1], strict=True))
            if shifted != value:
                yield shifted

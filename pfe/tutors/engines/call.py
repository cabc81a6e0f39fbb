"""Requests that functions of an invented toolbox fulfil: with one call, several, nested calls, or none.

Example: "Could you book us a table at Rosso for 4 people on 3 May at 7 pm?" with a toolbox in context in which
`hold_seats(venue: str, party: int, day: str, at: int)` reserves a table, with days as MM-DD and times in minutes after
midnight: `hold_seats("Rosso", 4, "05-03", 1140)`. Another toolbox makes another call correct. No call is correct
without such a function.

A family's file states what functions can do and how people ask for it (`pfe.tutors.calling.tools.Content`). Names,
parameters, defaults, formats of values and the distractor functions are sampled for each toolbox, which several
consecutive requests share.
"""

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pfe.errors import UserError
from pfe.icr.definitions import literal
from pfe.icr.functions import catalogue
from pfe.problem import Domain as Subject
from pfe.problem import Problem, Scorer, Skill
from pfe.scorers.calls.gold import NO_CALL
from pfe.tutors.calling.requests import Asked, Clause, Requests, several_values
from pfe.tutors.calling.tools import (
    BY_ID,
    Domain,
    Parameter,
    Style,
    Tool,
    domain,
    domains,
    draw_tool,
    read_tool,
    reformed,
)
from pfe.tutors.calling.values import several
from pfe.tutors.family import BoundFamily, ContentFamily, Draft, Entry, Facts

# Weights of the kinds of requests, near the benchmark's shares: 48 % one call, 24 % several, 16 % nested, 12 % none.
# Few domains look up anything by its id.
SHAPES: Mapping[str, int] = {"one": 42, "two": 14, "each": 9, "carried": 13, "by_id": 14, "unfit": 7, "lacking": 7}
SIZES = (3, 3, 4, 4, 5, 6, 7, 8)
_SAY = 0.8  # share of the optional roles that a request states
_SPECIAL = ("carried", "by_id", "lacking", "each", "unfit")  # shapes that need a suitable toolbox
_TRIES = 2000
_WORLDS = 100
_ATTEMPTS = 150  # attempts to find another request to the same toolbox
_FAR = 0.3  # how often a toolbox also has functions of other domains

Key = tuple[str, str]  # an action: the name of its domain, and its own name
Roles = Mapping[Key, Collection[str]]  # actions with the roles that a request may state


@dataclass(frozen=True)
class Call:
    """A call of a tool, with arguments in the order of the signature; an argument may itself be a call."""

    tool: Tool
    arguments: tuple[tuple[Parameter, Any], ...]

    def __str__(self) -> str:
        written = (str(value) if isinstance(value, Call) else literal(value) for _, value in self.arguments)
        named = (
            text if p.required else f"{p.name}={text}" for (p, _), text in zip(self.arguments, written, strict=True)
        )
        return f"{self.tool.name}({', '.join(named)})"

    def all(self) -> "Iterator[Call]":
        """Yield the calls in the order of execution: those in its arguments, then itself."""
        for _, value in self.arguments:
            if isinstance(value, Call):
                yield from value.all()
        yield self


class NoCallError(Exception):
    """No call is correct: no function does what is asked, or `tool` needs a `parameter` that is not stated."""

    def __init__(self, tool: Tool | None = None, parameter: Parameter | None = None) -> None:
        super().__init__()
        self.tool, self.parameter = tool, parameter


class Engine(ContentFamily, BoundFamily):
    """The requests of one domain."""

    domain: ClassVar[Subject] = "function_call"
    scorer: ClassVar[Scorer] = "function_call"
    skill: Skill = "calls"
    asked = 6

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self._own = domain(path)
        self.weight = self._own.weight
        self._written: tuple[str, tuple[Asked, ...]] = ("", ())

    def try_out(self) -> None:
        """Check that each role of the family has a kind, then generate some problems."""
        for role in {role for action in self._own.actions.values() for role in action.roles}:
            self._own.kind(role)
        super().try_out()

    @cached_property
    def _domains(self) -> Mapping[str, Domain]:
        return {**domains(self.set), self.name: self._own}

    @cached_property
    def _carriers(self) -> Sequence[Domain]:
        others = (other for name, other in self._domains.items() if name != self.name)
        return [other for other in others if any(action.carries for action in other.actions.values())]

    @cached_property
    def _requests(self) -> Requests:
        return Requests(self._own, self._carriers)

    def facts(self, rng: Random) -> Facts:
        return self.world(rng)[0]

    def world(self, rng: Random) -> Sequence[Facts]:
        for _ in range(_WORLDS):
            plan = [self._request(rng) for _ in range(self.asked)]
            built_on = {shape: asked for shape, asked in reversed(plan) if shape in _SPECIAL} or dict(plan[:1])
            style = Style.draw(rng)
            tools = self._toolbox(built_on, style, rng)
            requests = list(self._requests_to(tools, plan, rng))
            if len(requests) == self.asked:
                return [
                    {"asked": asked, "tools": tools, "needed": self._needed(asked, tools, rng), "style": style}
                    for asked in requests
                ]
        raise UserError(f"{self.path}: no {self.asked} requests to one toolbox come out; give it more `functions`")

    def write(self, facts: Facts, rng: Random) -> Draft:
        self._written = self._requests.write(facts["asked"], rng), facts["asked"]
        return Draft(self._written[0])

    def problem(self, id: str, facts: Facts) -> Problem:
        problem = super().problem(id, facts)
        definitions = {tool.text: tool.definition for tool in facts["tools"]}
        return replace(problem, functions=tuple(definitions[text] for text in problem.library))

    def stranger(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "tools": self._toolbox({"unfit": facts["asked"]}, Style.draw(rng), rng), "needed": ()}

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        return [Entry(tool.text, place in facts["needed"]) for place, tool in enumerate(facts["tools"])]

    def unknown(self, facts: Facts) -> str:
        return NO_CALL

    def read(self, problem: Problem) -> Facts:
        known = [self._own, *self._carriers]
        tools = [tool for text in problem.library for one in known if (tool := read_tool(text, one))]
        return {"asked": tuple(self._requests.read(problem.question)), "tools": tuple(tools)}

    def helps(self, problem: Problem) -> bool:
        """Return whether a function on offer does what is asked, or something near it."""
        # The question written last is not parsed again: this method is called often while a problem is generated.
        question, asked = self._written
        if question != problem.question:
            asked = tuple(self._requests.read(problem.question))
        offered = {(one.name, one.described(text)) for text in problem.library for one in (self._own, *self._carriers)}
        return bool(self._all_alike(asked) & offered)

    def solve(self, facts: Facts) -> str:
        try:
            return "\n".join(map(str, self._calls(facts)))
        except NoCallError:
            return NO_CALL

    def check(self, facts: Facts, answer: str) -> bool:
        wanted = [one for asked in facts["asked"] for one in self._each(asked)]
        if answer == NO_CALL:
            return not all(self._covered(one, facts["tools"]) for asked in wanted for one in _all([asked]))
        try:
            nodes = [statement.value for statement in ast.parse(answer).body if isinstance(statement, ast.Expr)]
            pairs = zip(nodes, wanted, strict=True)
            return all(self._means(node, asked, facts["tools"]) for node, asked in pairs)
        except (ValueError, SyntaxError, LookupError, TypeError, AttributeError):
            return False

    def solution(self, facts: Facts, draft: Draft) -> str:
        try:
            return "\n".join(_explained(call) for outer in self._calls(facts) for call in outer.all())
        except NoCallError as lack:
            names = ", ".join(tool.name for tool in facts["tools"])
            if lack.tool is None or lack.parameter is None:
                return f"None of {names} does what is asked."
            described = f"{lack.parameter.name} ({lack.parameter.doc}{lack.parameter.form.note})"
            return f"{lack.tool.name}: {lack.tool.does} It needs {described}, and the request does not say it."

    def candidates(self, problem: Problem) -> Iterable[str]:
        """Return the answer that the text asks for, and incorrect ones that a careless reader might give."""
        facts = self.read(problem)
        try:
            calls = self._calls(facts)
        except NoCallError:
            return [NO_CALL, *(f"{tool.name}()" for tool in facts["tools"]), *map(str, self._guesses(facts))]
        right = "\n".join(map(str, calls))
        changed = [[*calls[:i], other, *calls[i + 1 :]] for i, call in enumerate(calls) for other in _off(call)]
        wrong = ["\n".join(map(str, one)) for one in changed] + ["\n".join(map(str, calls[1:])) or NO_CALL]
        names = [tool.name for tool in facts["tools"] if tool.name != calls[0].tool.name]
        return sorted({right, NO_CALL, *wrong, *(right.replace(f"{calls[0].tool.name}(", f"{n}(", 1) for n in names)})

    def change(self, facts: Facts, rng: Random) -> Facts:
        """Return facts in which a called function has another name, format, order or default.

        If no call is correct, a function is changed so that one is.

        Raises:
            ValueError: no change of a function changes the answer.
        """
        answer = self.solve(facts)
        for place, tool in self._other_tools(facts, rng):
            tools = [*facts["tools"][:place], tool, *facts["tools"][place + 1 :]]
            names = [one.name for one in tools]
            changed = {**facts, "tools": tuple(tools)}
            other = self.solve(changed)
            same = sorted(other.splitlines()) == sorted(answer.splitlines())  # calls count in any order
            if len({*names}) == len(names) and not same and other != NO_CALL:
                return changed
        raise ValueError(f"{self.path}: no change of a function changes {answer!r}")

    def _request(self, rng: Random) -> tuple[str, tuple[Asked, ...]]:
        """Sample the shape of a request, and what it asks for."""
        for _ in range(_TRIES):
            (shape,) = rng.choices(list(SHAPES), list(SHAPES.values()))
            if asked := self._ask(shape, self._everything, rng):
                return shape, asked
        raise UserError(f"{self.path}: nothing can be asked for; give `functions` more ways to say it")

    def _requests_to(
        self, tools: Sequence[Tool], plan: Sequence[tuple[str, tuple[Asked, ...]]], rng: Random
    ) -> Iterator[tuple[Asked, ...]]:
        """Yield requests to a toolbox: as planned if that fits, else of the planned shape, else with one call.

        It stops early if no request fits.
        """
        offered = {(tool.domain, tool.action): {p.role for p in tool.parameters} for tool in tools}
        others = {key: roles for key, roles in self._everything.items() if key not in offered}
        before: list[tuple[Asked, ...]] = []
        for planned, asked in plan:
            shape = planned
            for attempt in range(_ATTEMPTS):
                again = any(_actions(asked) == _actions(other) for other in before)
                if asked not in before and not (again and attempt < _ATTEMPTS / 3) and self._fits(shape, asked, tools):
                    before.append(asked)
                    yield asked
                    break
                shape = planned if attempt < _ATTEMPTS * 2 / 3 else "one"
                asked = self._ask(shape, others if shape == "unfit" else offered, rng)
            else:
                return

    def _fits(self, shape: str, asked: Sequence[Asked], tools: Sequence[Tool]) -> bool:
        """Return whether this is a request of this shape to a toolbox."""
        offered, alike = {(tool.domain, tool.action) for tool in tools}, self._all_alike(asked)
        if not asked or shape == "unfit":
            return bool(asked) and not alike & offered
        try:
            calls = self._calls({"asked": asked, "tools": tools})
        except NoCallError as lack:
            is_unsaid = lack.parameter is not None and lack.parameter.form is not BY_ID
            return shape == "lacking" and is_unsaid and not (alike - _actions(asked)) & offered
        is_nested = any(len(list(call.all())) > 1 for call in calls)
        return shape != "lacking" and is_nested == (shape in ("carried", "by_id"))

    def _needed(self, asked: Sequence[Asked], tools: Sequence[Tool], rng: Random) -> tuple[int, ...]:
        """Return the places of the functions that the answer depends on.

        If no function does what is asked, this is a random one.
        """
        try:
            calls = self._calls({"asked": asked, "tools": tools})
            names = {call.tool.name for outer in calls for call in outer.all()}
        except NoCallError as lack:
            names = {(lack.tool or rng.choice(tools)).name}
        return tuple(place for place, tool in enumerate(tools) if tool.name in names)

    def _ask(self, shape: str, among: Roles, rng: Random) -> tuple[Asked, ...]:
        """Sample a request of this shape among some actions and their roles; empty if there is none."""
        actions = self._own.actions
        keys = [key for key in actions if (self.name, key) in among and self._suits(shape, key)]
        if len(keys) < (2 if shape == "two" else 1):
            return ()
        if shape == "two":
            doing = [rng.choice(self._requests.doing[key]) for key in rng.sample(keys, 2)]
            return tuple(self._asked(clause, among, rng) for clause in doing)
        key = rng.choice(keys)
        if shape == "carried":
            carrying = [one for one in self._requests.carrying if (one.domain.name, one.action) in among]
            return (self._passed_on(key, rng.choice(carrying), among, rng),) if carrying else ()
        clauses = self._requests.clauses(key)
        if shape == "lacking":
            return self._lacking(actions[key].needs, clauses, among, rng)
        if shape == "each":
            clauses = [clause for clause in clauses if clause not in self._requests.asking[key]]
        return (self._asked(rng.choice(clauses), among, rng, each=shape == "each"),) if clauses else ()

    def _passed_on(self, key: str, clause: Clause, among: Roles, rng: Random) -> Asked:
        """Sample a request to send, say or store the result of an action."""
        content = self._asked(rng.choice(self._requests.things(key)), among, rng)
        carries = clause.domain.actions[clause.action].carries
        values = _draw_values(clause.domain, [role for role in clause.may if role != carries], rng)
        return Asked(clause.domain.name, clause.action, values, content)

    def _lacking(self, needs: Sequence[str], clauses: Sequence[Clause], among: Roles, rng: Random) -> tuple[Asked, ...]:
        """Sample a request that omits one of the needed roles, but not all roles; empty if there is none."""
        asked = self._asked(rng.choice(clauses), among, rng)
        rests = [{name: value for name, value in asked.values.items() if name != role} for role in needs]
        fitting = [rest for rest in rests if rest and any(clause.says(rest) for clause in clauses)]
        return (replace(asked, values=rng.choice(fitting)),) if fitting else ()

    def _suits(self, shape: str, key: str) -> bool:
        action = self._own.actions[key]
        match shape:
            case "two":
                return bool(self._requests.doing[key])
            case "each":
                return bool(action.each)
            case "carried":
                return bool(self._requests.carrying and self._requests.things(key))
            case "by_id":
                return any(self._finder(role, key) for role in action.needs)
            case "lacking":
                return any({*action.needs} - clause.always for clause in self._requests.clauses(key))
        return True

    def _alike(self, asked: Asked) -> Sequence[str]:
        """Return the actions that might do what is asked: its own, and those near it."""
        return asked.action, *self._domains[asked.domain].actions[asked.action].near

    def _all_alike(self, asked: Iterable[Asked]) -> set[Key]:
        return {(one.domain, key) for one in _all(asked) for key in self._alike(one)}

    @cached_property
    def _everything(self) -> Roles:
        """Return the actions that a request of this domain may name, with their roles."""
        domains = (self._own, *self._carriers)
        return {(one.name, key): action.roles for one in domains for key, action in one.actions.items()}

    def _finder(self, role: str, key: str) -> str:
        """Return the action that looks up the value of a role; "" if there is none or it is the action `key`."""
        by = self._own.roles[role].by
        return by if by != key else ""

    def _asked(self, clause: Clause, among: Roles, rng: Random, each: bool = False) -> Asked:
        action, known = clause.domain.actions[clause.action], among[clause.domain.name, clause.action]
        may = [role for role in action.may if role in clause.may and role in known and rng.random() < _SAY]
        roles = [role for role in action.roles if role in (*action.needs, *clause.always, *may)]
        values = _draw_values(clause.domain, roles, rng, action.each if each else "")
        return Asked(clause.domain.name, clause.action, values)

    def _toolbox(self, asked: Mapping[str, Sequence[Asked]], style: Style, rng: Random) -> tuple[Tool, ...]:
        """Sample functions for requests of each shape, as far as they are compatible, and distractors."""
        wanted: dict[Key, Asked] = {}
        barred: set[Key] = set()
        ids: dict[Key, list[str]] = {}
        for shape, request in asked.items():
            own = {(one.domain, one.action): one for one in _all(request)}
            bars = self._all_alike(request) - (own.keys() if shape == "lacking" else set())
            if shape == "by_id":
                ((name, key),) = own
                role = rng.choice([role for role in self._own.actions[key].needs if self._finder(role, key)])
                ids[name, key] = [role]
                own[name, self._own.roles[role].by] = Asked(name, self._own.roles[role].by)
            if shape in ("unfit", "lacking"):
                if bars & wanted.keys():
                    continue
                barred |= bars
            if shape != "unfit" and not barred & own.keys():
                wanted = {**own, **wanted}
        rivals = [one for one in self._rivals(wanted, rng) if (one.domain, one.action) not in barred]
        offered = [*wanted.values(), *rivals][: max(rng.choice(SIZES), len(wanted) + 1)]
        tools: list[Tool] = []
        for one in offered:
            taken = [tool.name for tool in tools]
            by_id = ids.get((one.domain, one.action), [])
            tools.append(_distinct(self._domains[one.domain], one, style, rng, by_id, taken))
        return tuple(tools)

    def _rivals(self, wanted: Collection[Key], rng: Random) -> list[Asked]:
        """Return actions that do something else, in random order.

        An action of this domain tends to come before the other domains of what is wanted. Some toolboxes also get up to
        two actions of unrelated domains.
        """
        owners = dict.fromkeys([self._own.name, *(owner for owner, _ in wanted)])
        near = [(name, key) for name in owners for key in self._domains[name].actions if (name, key) not in wanted]
        rng.shuffle(near)
        near.sort(key=lambda pair: pair[0] != self.name and rng.random() < 0.5)
        if rng.random() < _FAR or len(near) < SIZES[-1]:
            carrying = {other.name for other in self._carriers}
            far = [other for name, other in self._domains.items() if name not in owners and name not in carrying]
            near[2:2] = [(other.name, rng.choice(list(other.actions))) for other in rng.sample(far, min(2, len(far)))]
        return [Asked(name, key) for name, key in near]

    def _calls(self, facts: Facts) -> list[Call]:
        """Return the correct calls.

        Raises:
            NoCallError: no call is correct.
        """
        return [self._call(one, facts["tools"]) for asked in facts["asked"] for one in self._each(asked)]

    def _each(self, asked: Asked) -> Iterator[Asked]:
        """Yield the request once for each of several values of a role."""
        role, values = several_values(self._domains[asked.domain], asked)
        yield from (replace(asked, values={**asked.values, role: value}) for value in values) if values else (asked,)

    def _call(self, asked: Asked, tools: Sequence[Tool]) -> Call:
        tool = _tool_for(asked.domain, asked.action, tools)
        if tool is None or any(tool.parameter(role) is None for role in asked.values):
            raise NoCallError
        arguments = []
        for parameter in tool.parameters:
            value = self._value(asked, tool, parameter, tools)
            if parameter.required or value != parameter.default:
                arguments.append((parameter, value))
        return Call(tool, tuple(arguments))

    def _value(self, asked: Asked, tool: Tool, parameter: Parameter, tools: Sequence[Tool]) -> Any:
        """Return the argument for a parameter, which is its default if the request does not state it.

        Raises:
            NoCallError: the parameter is required, and the request does not state it.
        """
        owner = self._domains[asked.domain]
        if asked.content is not None and parameter.role == owner.actions[asked.action].carries:
            return self._call(asked.content, tools)
        if parameter.role not in asked.values:
            if parameter.required:
                raise NoCallError(tool, parameter)
            return parameter.default
        text = asked.values[parameter.role]
        if parameter.form is BY_ID:
            return self._call(Asked(asked.domain, owner.roles[parameter.role].by, {parameter.role: text}), tools)
        return parameter.form.write(owner.kind(parameter.role).value(text))

    def _covered(self, asked: Asked, tools: Sequence[Tool]) -> bool:
        """Return whether there is a function for the request, and the request states all that it requires."""
        tool = _tool_for(asked.domain, asked.action, tools)
        carries = self._domains[asked.domain].actions[asked.action].carries if asked.content else ""
        return tool is not None and all(p.role in (*asked.values, carries) for p in tool.parameters if p.required)

    def _means(self, node: ast.expr, asked: Asked, tools: Sequence[Tool]) -> bool:
        """Return whether a call expresses what was asked for, and nothing else."""
        if not isinstance(node, ast.Call):
            raise TypeError("no call")
        (tool,) = (tool for tool in tools if tool.name == ast.unparse(node.func))
        given = dict(zip((p.name for p in tool.parameters), node.args, strict=False))
        if len(node.args) > len(tool.parameters) or any(word.arg in given for word in node.keywords):
            return False
        given |= {word.arg or "**": word.value for word in node.keywords}
        if (tool.domain, tool.action) != (asked.domain, asked.action) or not given.keys() <= {
            p.name for p in tool.parameters
        }:
            return False
        return all(self._agrees(parameter, given.get(parameter.name), asked, tools) for parameter in tool.parameters)

    def _agrees(self, parameter: Parameter, node: ast.expr | None, asked: Asked, tools: Sequence[Tool]) -> bool:
        owner = self._domains[asked.domain]
        if asked.content is not None and parameter.role == owner.actions[asked.action].carries:
            return node is not None and self._means(node, asked.content, tools)
        text = asked.values.get(parameter.role)
        if text is None or node is None:
            return node is None and not parameter.required and (
                text is None or _fits(parameter, owner, text, parameter.default)
            )  # fmt: skip
        if parameter.form is BY_ID:
            return self._means(node, Asked(asked.domain, owner.roles[parameter.role].by, {parameter.role: text}), tools)
        return _fits(parameter, owner, text, ast.literal_eval(node)) and ast.literal_eval(node) != parameter.default

    def _guesses(self, facts: Facts) -> Iterator[Call]:
        """Yield calls of all functions with what the request states, for a request that no call fulfils."""
        for asked in facts["asked"]:
            for tool in facts["tools"]:
                yield Call(tool, tuple((p, asked.values[p.role]) for p in tool.parameters if p.role in asked.values))

    def _other_tools(self, facts: Facts, rng: Random) -> Iterator[tuple[int, Tool]]:
        """Yield replacements for a function that the answer depends on, each with its place."""
        try:
            self._calls(facts)
        except NoCallError as lack:
            yield from self._fitting(facts, lack, rng)
            return
        for place in rng.sample(facts["needed"], len(facts["needed"])):
            yield from ((place, tool) for tool in self._variants(facts["tools"][place], facts, rng))
        for place in facts["needed"]:
            tool = facts["tools"][place]
            names = self._domains[tool.domain].actions[tool.action].name
            yield place, replace(tool, name=facts["style"].function(rng, names))
            yield place, replace(tool, name=f"{tool.name}{rng.randint(2, 9)}")

    def _fitting(self, facts: Facts, lack: NoCallError, rng: Random) -> Iterator[tuple[int, Tool]]:
        (place,) = facts["needed"]
        if lack.tool is None or lack.parameter is None:
            (asked,) = facts["asked"]
            taken = [tool.name for tool in facts["tools"]]
            yield place, _distinct(self._own, asked, facts["style"], rng, [], taken)
            return
        tool = lack.tool
        optional = replace(lack.parameter, required=False)
        values = self._own.kind(optional.role)
        if values.defaults:
            optional = replace(optional, default=optional.form.write(rng.choice(values.defaults)))
        parameters = sorted(tool.with_parameter(optional).parameters, key=lambda parameter: not parameter.required)
        yield place, replace(tool, parameters=tuple(parameters))

    def _variants(self, tool: Tool, facts: Facts, rng: Random) -> Iterator[Tool]:
        """Yield the tool with one thing changed, in random order."""
        owner = self._domains[tool.domain]
        said = {role: text for asked in facts["asked"] for each in self._each(asked) for one in _all([each])
                if one.action == tool.action for role, text in one.values.items()}  # fmt: skip
        changes: list[Tool] = []
        for parameter in tool.parameters:
            if parameter.role in said or parameter.form is BY_ID:
                changes.append(tool.with_parameter(reformed(owner, parameter, rng)))
            if parameter.role in said and not parameter.required and parameter.form is not BY_ID:
                raw = parameter.form.write(owner.kind(parameter.role).value(said[parameter.role]))
                if parameter.default is not None and raw != parameter.default:
                    changes.append(tool.with_parameter(replace(parameter, default=raw)))
        required = [parameter for parameter in tool.parameters if parameter.required]
        if len(required) > 1:
            turned = [*required[1:], required[0], *tool.parameters[len(required) :]]
            changes.append(replace(tool, parameters=tuple(turned)))
        names = owner.actions[tool.action].name
        changes.append(replace(tool, name=facts["style"].function(rng, names)))
        rng.shuffle(changes)
        return iter(changes)


def _fits(parameter: Parameter, owner: Domain, text: str, written: Any) -> bool:
    if written is None or (isinstance(written, str) and written != written.strip()):
        return False
    return parameter.form.agrees(owner.kind(parameter.role).value(text), written)


def _all(asked: Iterable[Asked]) -> Iterator[Asked]:
    """Yield what is asked for, and what is asked for within it."""
    for one in asked:
        yield one
        yield from _all([one.content] if one.content else [])


def _actions(asked: Iterable[Asked]) -> set[Key]:
    return {(one.domain, one.action) for one in _all(asked)}


def _tool_for(owner: str, action: str, tools: Sequence[Tool]) -> Tool | None:
    return next((tool for tool in tools if (tool.domain, tool.action) == (owner, action)), None)


def _distinct(owner: Domain, one: Asked, style: Style, rng: Random, ids: Sequence[str], taken: Sequence[str]) -> Tool:
    """Sample a tool for what is asked, with a name that is not taken and not held out by the benchmark.

    Raises:
        ValueError: no free name was found.
    """
    tool = draw_tool(owner, one.action, style, rng, list(one.values), ids)
    for number in range(2, 30):
        held_out = tool.name in catalogue() and catalogue()[tool.name].held_out
        if tool.name not in taken and not held_out:
            return tool
        drawn = style.function(rng, owner.actions[one.action].name)
        tool = replace(tool, name=drawn if number < 10 else f"{drawn}{number}")
    raise ValueError(f"{owner.path}: no free name for {one.action}")


def _draw_values(owner: Domain, roles: Iterable[str], rng: Random, each: str = "") -> dict[str, str]:
    """Sample texts for roles, no two of them the same."""
    values: dict[str, str] = {}
    for role in roles:
        kind = several(owner.kind(role)) if role == each else owner.kind(role)
        text = kind.draw(rng)
        while text in values.values():
            text = kind.draw(rng)
        values[role] = text
    return values


def _explained(call: Call) -> str:
    """Explain which function is called, why, and where each of its arguments comes from."""
    said = []
    for parameter, value in call.arguments:
        means = f"{parameter.doc}{parameter.form.note}"
        is_ = f"what {value.tool.name} returns" if isinstance(value, Call) else literal(value)
        said.append(f"{parameter.name} ({means}) is {is_}")
    given = [parameter for parameter, _ in call.arguments]
    left = [parameter.name for parameter in call.tool.parameters if parameter not in given]
    silent = f" {' and '.join(left)} {'are' if left[1:] else 'is'} left out." if left else ""
    return f'{call.tool.name}: "{call.tool.does}" Here {", ".join(said)}.{silent}'


def _off(call: Call) -> Iterator[Call]:
    """Yield copies of the call with one mistake each."""
    for place, (parameter, value) in enumerate(call.arguments):
        for other in _wrong(value, parameter):
            changed = (*call.arguments[:place], (parameter, other), *call.arguments[place + 1 :])
            yield replace(call, arguments=changed)
        if not parameter.required:
            yield replace(call, arguments=(*call.arguments[:place], *call.arguments[place + 1 :]))
    if len(call.arguments) > 1 and call.arguments[0][1] != call.arguments[1][1]:
        (first, a), (second, b), *rest = call.arguments
        yield replace(call, arguments=((first, b), (second, a), *rest))


def _wrong(value: Any, parameter: Parameter) -> Iterator[Any]:
    match value:
        case Call():
            yield from _off(value)
        case bool():
            yield not value
        case _ if parameter.form.codes:
            yield from (code for code in parameter.form.allowed if code != value)
        case int() | float():
            yield from (value + 1, value * 10 + 3)
        case str():
            yield from {f"{value} ", f"{value}x", value.swapcase()} - {value}
        case list():
            yield from (value[1:], [*value, "more"])

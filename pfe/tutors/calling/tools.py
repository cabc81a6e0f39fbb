"""Generate tools: functions with randomly drawn names, parameters, defaults and documentation for each toolbox.

Example: the action "book_table" of the restaurants becomes `hold_seats(venue: str, at: int, guests: int = 2)` in one
toolbox, where "at" is in minutes after midnight, and `zelmar_tofin(brusko: int, krel: str)` in another. Descriptions
in English say what the functions do, and `read_tool` recovers the tool from its documentation.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pydantic import ConfigDict

from pfe.errors import UserError, nearest
from pfe.icr.definitions import offered
from pfe.icr.functions import documentation
from pfe.tutors.calling.values import Form, Kind, Spec, kind
from pfe.tutors.content import TABLES, Filled, Weight, content_files, engine_and_rest, read_content, table
from pfe.tutors.invented_words import coined
from pfe.tutors.place import Place
from pfe.tutors.wording import Wording, wording

ENGINE = "call"
BY_ID = Form("", "string", str, lambda value, written: False)  # the value is the result of another function


@dataclass(frozen=True)
class Role:
    """The role of a parameter: the kind of its values, and its wording in requests and in the documentation.

    `doc` is its description in the documentation; `name` lists possible parameter names; `say` is its phrase if the
    sentence has no place for it, "for _ people". A function may require an id in place of the value: `by` is then the
    action that looks up the id, and `id` is the description of the parameter.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    kind: Spec
    doc: Filled[str]
    name: Filled[list[str]]
    say: str = ""
    by: str = ""
    id: str = ""


@dataclass(frozen=True)
class Action:
    """An action that a function can perform, and the ways to ask for it.

    `does` is its description, and `name` its possible names, words joined by "_". `needs` lists the required roles,
    `may` the optional ones. A request uses a verb phrase `do` ("book a table", with or without places for roles), a
    noun phrase for the result (`what`, or `whats` for several results), or a question `ask`. `each` is the role that
    may have several values in one request, with one call per value; "ticket{/s}" and "{is/are}" in a text then depend
    on the number of values. `carries` is the role that may be the result of another function; the phrases in
    `passing` ask for that. `near` lists actions that could fulfil the same request.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    does: Filled[str]
    name: Filled[str]
    needs: list[str]
    may: list[str] = field(default_factory=list)
    do: list[str] = field(default_factory=list)
    what: list[str] = field(default_factory=list)
    whats: list[str] = field(default_factory=list)
    ask: list[str] = field(default_factory=list)
    each: str = ""
    carries: str = ""
    passing: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)

    @property
    def roles(self) -> tuple[str, ...]:
        return (*self.needs, *self.may)


@dataclass(frozen=True)
class Content:
    """The keys of a family's file except `engine`: actions, roles of its own, reasons for requests, and its weight."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    functions: Filled[dict[str, Action]]
    roles: dict[str, Role] = field(default_factory=dict)
    because: list[str] = field(default_factory=list)
    weight: Weight = 1.0


@dataclass(frozen=True)
class Parameter:
    """A parameter of a tool: its role, its description in the documentation, and the form of its values."""

    name: str
    role: str
    doc: str
    form: Form
    required: bool
    default: Any = None

    @property
    def omitted(self) -> bool:
        """Return whether the parameter is optional and has no default."""
        return not self.required and self.default is None


@dataclass(frozen=True)
class Tool:
    """A function on offer: an action with a description (`does`) and a name of its own."""

    name: str
    domain: str
    action: str
    does: str
    parameters: tuple[Parameter, ...]

    def parameter(self, role: str) -> Parameter | None:
        """Return the parameter for a role, or None if the tool has none."""
        return next((parameter for parameter in self.parameters if parameter.role == role), None)

    def with_parameter(self, new: Parameter) -> "Tool":
        """Return the tool with `new` in place of the parameter for the same role."""
        return replace(self, parameters=tuple(new if p.role == new.role else p for p in self.parameters))

    @cached_property
    def definition(self) -> str:
        """Return the definition as JSON, in the format of `Problem.functions`."""
        properties = {p.name: _schema(p) for p in self.parameters}
        required = [p.name for p in self.parameters if p.required]
        schema = {"type": "object", "properties": properties, "required": required}
        return json.dumps({"name": self.name, "description": self.does, "parameters": schema}, ensure_ascii=False)

    @cached_property
    def text(self) -> str:
        """Return the documentation of the tool."""
        return documentation(offered([self.definition])[self.name])


def _schema(parameter: Parameter) -> dict[str, Any]:
    form = parameter.form
    schema: dict[str, Any] = {"type": form.type, "description": parameter.doc + form.note}
    if form.type == "array":
        schema["items"] = {"type": "string"}
    if form.codes:
        schema["enum"] = list(form.allowed)
    if parameter.default is not None:
        schema["default"] = parameter.default
    return schema


class Domain:
    """The actions of one family and their roles, from which toolboxes and requests are generated."""

    def __init__(self, path: Path) -> None:
        engine, values = engine_and_rest(path)
        if engine != ENGINE:
            raise UserError(f"{Place(path) / 'engine'}: its engine is {engine}, not {ENGINE}; set `engine: {ENGINE}`")
        content = read_content(path, Content, values)
        self.path, self.name = path, path.stem
        self.actions: Mapping[str, Action] = content.functions
        self.because, self.weight = tuple(content.because), content.weight
        self.roles: Mapping[str, Role] = {**_common_roles(), **content.roles}
        for key, action in self.actions.items():
            self._check(key, action)
        self._actions_by_does = {text: key for key, action in self.actions.items() for text in _texts(action.does)}
        if len(self._actions_by_does) < sum(len(_texts(action.does)) for action in self.actions.values()):
            raise UserError(f"{path}: two functions do the same by their words; let `does` tell them apart")

    def kind(self, role: str) -> Kind:
        """Return the kind of a role's values."""
        return _kind(self, role)

    def docs(self, role: str) -> Sequence[str]:
        """Return all descriptions that the documentation may use for a role."""
        return _texts(self.roles[role].doc)

    def described(self, documentation: str) -> str | None:
        """Return the action of a documented function, or None if it is not in this domain."""
        return self._actions_by_does.get(documentation.split("\n", 2)[1].strip())

    def _check(self, key: str, action: Action) -> None:
        where = Place(self.path) / "functions" / key
        for near in action.near:
            if near not in self.actions:
                raise UserError(f"{where / 'near'}: unknown function '{near}'; {nearest(near, self.actions)}")
        roles = {"needs": action.needs, "may": action.may, "each": [action.each], "carries": [action.carries]}
        for name, listed in roles.items():
            for role in filter(None, listed):
                if role not in self.roles:
                    near = nearest(role, self.roles)
                    raise UserError(f"{(where / name).quoting(role)}: unknown role; {near}, or add it to `roles`")
        if not (action.do or action.what or action.whats or action.ask):
            raise UserError(f"{where}: nobody asks for it; give it `do`, `what`, `whats` or `ask`")
        docs = [text for role in action.roles for text in self.docs(role)]
        if len({*docs}) < len(docs):
            raise UserError(f"{where}: two of its roles have one `doc`; say how they differ")


@cache
def domain(path: Path) -> Domain:
    """Return the domain of a family's file; the file is read only once.

    Raises:
        UserError: the file is invalid; the message says where.
    """
    return Domain(path)


@cache
def domains(set: str) -> Mapping[str, Domain]:
    """Return all domains of a set, by name."""
    paths = [path for path in content_files(set) if engine_and_rest(path)[0] == ENGINE]
    return {path.stem: domain(path) for path in paths}


@cache
def _common_roles() -> Mapping[str, Role]:
    source = table("roles")
    return {name: read_content(TABLES / "roles.yaml", Role, value, name) for name, value in source.items()}


@cache
def _kind(domain: Domain, role: str) -> Kind:
    try:
        return kind(domain.roles[role].kind)
    except UserError as error:
        raise UserError(f"{Place(domain.path) / 'roles' / role / 'kind'}: {error}") from None


@cache
def _wording(source: str) -> Wording:
    return wording(source)


@cache
def _texts(source: str) -> Sequence[str]:
    """Return all texts of a wording without slots."""
    written = _wording(source)
    return [written.text(number, {}) for number in range(written.count)]


def texts_of(sources: Sequence[str]) -> Sequence[str]:
    """Return all texts of several wordings without slots."""
    return [text for source in sources for text in _texts(source)]


@dataclass(frozen=True)
class Style:
    """The naming style of one toolbox: invented words, or English words in one of the spellings."""

    invented: bool
    spelling: str

    @staticmethod
    def draw(rng: Random) -> "Style":
        return Style(rng.random() < 0.5, rng.choice(("snake", "snake", "snake", "camel", "turned")))

    def function(self, rng: Random, names: str) -> str:
        if self.invented:
            return "_".join(coined(rng, rng.choice((1, 2, 2))))
        return self._spelled(_wording(names).write({}, rng))

    def parameter(self, rng: Random, names: Sequence[str]) -> str:
        return coined(rng, 1)[0] if self.invented else self._spelled(rng.choice(names), turn=False)

    def _spelled(self, name: str, turn: bool = True) -> str:
        words = name.split("_")
        if self.spelling == "camel":
            return words[0] + "".join(map(str.capitalize, words[1:]))
        return "_".join(reversed(words)) if self.spelling == "turned" and turn and len(words) == 2 else name


def draw_tool(domain: Domain, key: str, style: Style, rng: Random, said: Sequence[str], ids: Sequence[str]) -> Tool:
    """Draw a function for an action.

    Args:
        said: roles that it takes in addition to the required ones; it takes other optional roles at random.
        ids: roles that it takes as an id, which another function returns.
    """
    action = domain.actions[key]
    roles = [role for role in action.roles if role in (*action.needs, *said) or rng.random() < 0.6]
    names: list[str] = []
    parameters = []
    for role in roles:
        name = style.parameter(rng, domain.roles[role].name)
        while name in names:
            name = style.parameter(rng, domain.roles[role].name) + ("" if style.invented else str(len(names) + 1))
        names.append(name)
        parameters.append(_draw_parameter(domain, role, name, role in action.needs, style, rng, role in ids))
    rng.shuffle(parameters)
    parameters.sort(key=lambda parameter: not parameter.required)
    does = rng.choice(_texts(action.does))
    return Tool(style.function(rng, action.name), domain.name, key, does, tuple(parameters))


def _draw_parameter(
    domain: Domain, role: str, name: str, required: bool, style: Style, rng: Random, by_id: bool
) -> Parameter:
    values = domain.kind(role)
    form = BY_ID if by_id else values.form(rng, invented=style.invented and rng.random() < 0.5)
    default = None
    if not required and values.defaults and rng.random() < 0.8:
        default = form.write(rng.choice(values.defaults))
    doc = domain.roles[role].id if by_id else rng.choice(domain.docs(role))
    return Parameter(name, role, doc, form, required, default)


def reformed(domain: Domain, parameter: Parameter, rng: Random) -> Parameter:
    """Return the parameter with its values in another form."""
    values = domain.kind(parameter.role)
    form = values.form(rng, other=parameter.form)
    default = parameter.default
    if default is not None:
        default = form.write(next(value for value in values.defaults if parameter.form.write(value) == default))
    doc = rng.choice(domain.docs(parameter.role)) if parameter.form is BY_ID else parameter.doc
    return replace(parameter, form=form, default=default, doc=doc)


_PARAMETER = re.compile(r"\s+(?P<name>\w+) \((?P<type>[^)]*)\): (?P<rest>.*)")
_CODE = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?')


def read_tool(text: str, domain: Domain) -> Tool | None:
    """Read the tool from its documentation; return None if its action is not in the domain.

    Raises:
        ValueError: a line describes no parameter, or no role of the action.
    """
    key = domain.described(text)
    if key is None:
        return None
    signature, does, *lines = text.split("\n")
    parameters = tuple(_read_parameter(line, domain, domain.actions[key]) for line in lines)
    return Tool(signature.partition("(")[0], domain.name, key, does.strip(), parameters)


def _read_parameter(line: str, domain: Domain, action: Action) -> Parameter:
    match = _PARAMETER.fullmatch(line)
    if not match:
        raise ValueError(f"no parameter: {line!r}")
    description, _, rest = match["rest"].partition("; ")
    values, default = _allowed_and_default(rest)
    for role in action.roles:
        if description == domain.roles[role].id:
            return Parameter(match["name"], role, description, BY_ID, required=True)
        for doc in domain.docs(role):
            if description.startswith(doc):
                try:
                    form = domain.kind(role).form_of(description.removeprefix(doc), values)
                except ValueError:
                    continue
                required = default is None and "may be left out" not in rest
                return Parameter(match["name"], role, doc, form, required, default)
    raise ValueError(f"no role of this function: {line!r}")


def _allowed_and_default(text: str) -> tuple[Sequence[Any], Any]:
    allowed, _, default = text.rpartition("default ") if "default " in text else (text, "", "")
    value = None
    if default:
        value = {"True": True, "False": False}.get(default)
        value = json.loads(default) if value is None else value
    return [json.loads(code) for code in _CODE.findall(allowed.split("may be left out")[0])], value

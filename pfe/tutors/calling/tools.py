"""Tools: functions with names, parameters, defaults and documentation that are drawn anew for each problem.

Example: the action "book_table" of the restaurants becomes `hold_seats(venue: str, at: int, guests: int = 2)` in one
toolbox, "at" being minutes after midnight, and `zelmar_tofin(brusko: int, krel: str)` in another. Their descriptions
say in English what they do, and `read_tool` goes from the documentation back to the tool.
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
from pfe.tutors.coinage import coined
from pfe.tutors.content import TABLES, Filled, Weight, content_files, engine_and_rest, read_content, table
from pfe.tutors.place import Place
from pfe.tutors.wording import Wording, wording

ENGINE = "call"
BY_ID = Form("", "string", str, lambda value, written: False)  # another function's result is the value


@dataclass(frozen=True)
class Role:
    """What a parameter is for: the kind of its values, how a request says it, how the documentation does.

    `say` is how it is said where the sentence has no place for it, "for _ people"; `name` are names that a parameter
    may have. `by` names the action that looks it up and returns an id, where the documentation may ask for that, as
    `id` says.
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
    """What a function can do, and how people ask for it.

    `does` is its description and `name` its names, words joined by "_". `needs` and `may` are the roles it takes.
    People say `do` ("book a table", with or without places for roles), ask for `what` it finds (for many: `whats`), or
    `ask` a question. `each` is the role that a request may give several values, each a call of its own: "ticket{/s}",
    "{is/are}" in a text are one word where it has one value and another where it has several. `carries` is the role
    that may be what another function returns, which people ask for by `passing`. `near` are actions that might do
    instead where there is none such.
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
    """What a family's file says besides its engine: actions, roles of its own, what people say before or behind."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    functions: Filled[dict[str, Action]]
    roles: dict[str, Role] = field(default_factory=dict)
    because: list[str] = field(default_factory=list)
    weight: Weight = 1.0


@dataclass(frozen=True)
class Parameter:
    """A parameter of a tool: what it is for, what the documentation says, and the form of its values."""

    name: str
    role: str
    doc: str
    form: Form
    required: bool
    default: Any = None

    @property
    def omitted(self) -> bool:
        """Whether it may be left out though there is no default."""
        return not self.required and self.default is None


@dataclass(frozen=True)
class Tool:
    """A function on offer: the action it does, as `does` says, under a name of its own."""

    name: str
    domain: str
    action: str
    does: str
    parameters: tuple[Parameter, ...]

    def parameter(self, role: str) -> Parameter | None:
        """The parameter for a role, if it takes one."""
        return next((parameter for parameter in self.parameters if parameter.role == role), None)

    def with_parameter(self, new: Parameter) -> "Tool":
        """The tool with another parameter for the same role."""
        return replace(self, parameters=tuple(new if p.role == new.role else p for p in self.parameters))

    @cached_property
    def definition(self) -> str:
        """It as JSON, as `Problem.functions` has it."""
        properties = {p.name: _schema(p) for p in self.parameters}
        required = [p.name for p in self.parameters if p.required]
        schema = {"type": "object", "properties": properties, "required": required}
        return json.dumps({"name": self.name, "description": self.does, "parameters": schema}, ensure_ascii=False)

    @cached_property
    def text(self) -> str:
        """Its documentation."""
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
    """The actions of one family and their roles: all of which toolboxes and requests are made."""

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
        """The kind of a role's values."""
        return _kind(self, role)

    def docs(self, role: str) -> Sequence[str]:
        """All that the documentation may say a role is."""
        return _texts(self.roles[role].doc)

    def described(self, documentation: str) -> str | None:
        """The action of the function that is documented, if it is of this domain."""
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
    """The domain of a family's file, read once.

    Raises:
        UserError: the file is wrong; says where.
    """
    return Domain(path)


@cache
def domains(set: str) -> Mapping[str, Domain]:
    """All domains of a set, by name."""
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
    """All texts of a wording without slots."""
    written = _wording(source)
    return [written.text(number, {}) for number in range(written.count)]


def texts_of(sources: Sequence[str]) -> Sequence[str]:
    """All texts of several wordings without slots."""
    return [text for source in sources for text in _texts(source)]


@dataclass(frozen=True)
class Style:
    """How the names of one toolbox are made: invented words, or English ones in one of the spellings."""

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
    """A function for an action.

    Args:
        said: the roles that it must take; of others that it may take, some.
        ids: the roles that it takes by id, as another function returns it.
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
    """The parameter with its values in another form."""
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
    """The tool that a documentation documents, or None where it is of no action of the domain.

    Raises:
        ValueError: it is no documentation, or says what none of the domain says.
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

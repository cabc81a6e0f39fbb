"""Exact formulas in content files, and statements that sample the numbers and words of a problem.

Example: `Draws("n = between(2, 9)\\nt = n * pick(10, 20)\\nrequire(t % 3 == 0)").draw(Random(0), {})` is a mapping such
as `{"n": 6, "t": 60}`, or None if the sampled numbers do not meet the requirement.

Numbers are exact: `1 / 3` is a fraction, `6 / 3` the whole number 2. In addition to + - * / // %, comparisons,
and/or/not, `a if b else c`, lists and `table[key]`, a formula may contain

| written | is |
| --- | --- |
| `between(2, 9)` `between(10, 50, 5)` | a whole number from 2 to 9; 10, 15, … 50 |
| `pick(3, 5, 8)` `pick(places)` | one of the values, or one row of a table |
| `sample(places, 2)` | two different rows |
| `chance()` | a number from 0 to 1 |
| `[n for n in totals if n % 2 == 0]` | a list |
| `divisors(n, 2, 12)` | the numbers from 2 to 12 that divide n |
| `coined(4)` | four invented words |
| `min(…)` `max(…)` `sum(…)` `up(…)` `whole(…)` | up: rounded up; whole: the whole number of a text |

A line of draws may also be `require(…)`, or `people(2)`: two people with `name`, `he`, `He`, `him`, `his`, `His`, then
`name2`, `he2` and so on.
"""

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import ceil
from random import Random
from types import CodeType
from typing import Any

from pfe.errors import UserError, nearest
from pfe.tutors.content import TABLES, table
from pfe.tutors.invented_words import coined
from pfe.tutors.place import Place, placed, refuse_unknown

Names = Mapping[str, Any]
_OPERATORS = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.Not, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
)  # fmt: skip
_NODES = (
    ast.Expression, ast.Module, ast.Assign, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Tuple, ast.List,
    ast.Slice, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Subscript, ast.ListComp,
    ast.comprehension, *_OPERATORS,
)  # fmt: skip
_PEOPLE = "people"
_CAST = 9  # maximum number of people in one problem


def exact(value: Any) -> Any:
    """Return a whole fraction as an int, and any other value unchanged."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def people(rng: Random, count: int, names: str = _PEOPLE) -> dict[str, str]:
    """Sample different people with their pronouns: `name`, `he`, `He`, `him`, `his`, `His`, then `name2`, `he2` etc.

    Args:
        names: the table of names, with the keys `women` and `men`.
    """
    listed, cast, chosen = table(names), dict[str, str](), list[str]()
    while len(chosen) < count:
        woman = rng.random() < 0.5
        name = rng.choice(listed["women" if woman else "men"])
        if name in chosen:
            continue
        chosen.append(name)
        he, him, his = ("she", "her", "her") if woman else ("he", "him", "his")
        number = "" if len(chosen) == 1 else str(len(chosen))
        forms = {"name": name, "he": he, "He": he.capitalize(), "him": him, "his": his, "His": his.capitalize()}
        cast |= {f"{form}{number}": text for form, text in forms.items()}
    return cast


def _divisors(number: Any, low: int, high: int) -> list[int]:
    return [part for part in range(low, high + 1) if number % part == 0]


def _quotient(a: Any, b: Any) -> Any:
    return exact(Fraction(a) / b)


_PURE: Mapping[str, Any] = {
    "min": min, "max": max, "sum": sum, "up": ceil, "whole": int, "len": len, "divisors": _divisors,
}  # fmt: skip
_KNOWN = {**_PURE, "_quotient": _quotient}  # the functions that a compiled formula calls


class _NothingToDrawError(Exception):
    """The range or the list to sample from is empty, because of earlier draws."""


def _between(rng: Random, low: int, high: int, step: int = 1) -> int:
    if low > high:
        raise _NothingToDrawError
    return rng.randrange(low, high + 1, step)


def _pick(rng: Random, *values: Any) -> Any:
    listed = _rows_of(values[0]) if len(values) == 1 else values
    if not listed:
        raise _NothingToDrawError
    return rng.choice(listed)


def _rows_of(values: Any) -> list[Any]:
    if isinstance(values, str):
        raise TypeError(f"{values!r} is a text, no table or list of several")
    return list(values)


_DRAWN: Mapping[str, Callable[[Random], Any]] = {
    "between": lambda rng: partial(_between, rng),
    "pick": lambda rng: partial(_pick, rng),
    "sample": lambda rng: lambda values, count: rng.sample(_rows_of(values), count),
    "chance": lambda rng: rng.random,
    "coined": lambda rng: lambda count: coined(rng, count),
}  # fmt: skip
FUNCTIONS = frozenset(_PURE) | frozenset(_DRAWN)


class _Exact(ast.NodeTransformer):
    """A transformer that makes every division exact."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.Call(ast.Name("_quotient", ast.Load()), [node.left, node.right], [])
        return node


def _compiled(tree: ast.Expression | ast.Module, where: Place) -> CodeType:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in FUNCTIONS and id(node) not in called:
            raise UserError(f"{where}: '{node.id}' is a function; call it, as in {node.id}(…), or use another name")
        if not isinstance(node, _NODES):
            raise UserError(f"{where}: {type(node).__name__} is no part of a formula; see pfe/tutors/formula.py")
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
            if name not in FUNCTIONS:
                raise UserError(f"{where}: unknown function '{name}'; {nearest(name, sorted(FUNCTIONS))}")
    exactly: ast.Expression | ast.Module = ast.fix_missing_locations(_Exact().visit(tree))
    return compile(exactly, "<formula>", "eval" if isinstance(tree, ast.Expression) else "exec")


def _loaded(tree: ast.AST) -> frozenset[str]:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    inside = {name.id for name in names if isinstance(name.ctx, ast.Store)}  # the loop variables of list comprehensions
    return frozenset({name.id for name in names} - inside - FUNCTIONS)


def _calls(tree: ast.AST) -> frozenset[str]:
    return frozenset(
        node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )


def _parsed(text: str, mode: str, where: Place) -> Any:
    try:
        return ast.parse(text.strip(), mode=mode)
    except SyntaxError as error:
        raise UserError(f"{where}: no formula: {error.msg}; see the head of pfe/tutors/formula.py") from None


class Formula:
    """A formula that computes one value from names.

    Example: `Formula("a * p / 2").value({"a": 3, "p": 5})` is `Fraction(15, 2)`.
    """

    def __init__(self, text: str | int, where: Place | str = "a formula") -> None:
        self.text = str(text)
        self.where = placed(where).quoting(self.text)
        tree = _parsed(self.text, "eval", self.where)
        self.names = _loaded(tree)
        self._code = _compiled(tree, self.where)

    def value(self, *names: Names) -> Any:
        """Compute the value; each name takes its value from the first mapping that has it.

        Raises:
            ValueError: a name has no value, or something cannot be computed.
        """
        try:
            known = {name: given[name] for given in reversed(names) for name in self.names if name in given}
            return exact(eval(self._code, {"__builtins__": {}, **_KNOWN, **known}))
        except (ArithmeticError, LookupError, NameError, TypeError) as error:
            raise ValueError(f"cannot compute {self.text!r}: {error}") from None


@dataclass(frozen=True)
class _Line:
    text: str
    code: CodeType
    targets: frozenset[str]
    needs: frozenset[str]
    drawn: bool
    required: bool = False
    people: tuple[Any, ...] | None = None


class Draws:
    """Lines that sample numbers and words, compute others, and state requirements on them."""

    def __init__(self, text: str, tables: Names | None = None, where: Place | str = "draws") -> None:
        self.tables = dict(tables or {})
        self.where = placed(where)
        self._lines = [self._line(line) for line in text.splitlines() if line.strip()]
        assigned: set[str] = set().union(*(line.targets for line in self._lines), ())
        for name in set().union(*(line.needs for line in self._lines), ()) - assigned - self.tables.keys():
            if (TABLES / f"{name}.yaml").is_file():
                self.tables[name] = table(name)

    @cached_property
    def targets(self) -> frozenset[str]:
        """Return the names that the lines assign."""
        return frozenset().union(*(line.targets for line in self._lines))

    def part(self, rng: Random, names: Collection[str], share: float) -> frozenset[str]:
        """Sample about this share of the lines that assign any of `names`, and return all names that they assign.

        A line is left out if it depends on a name that a line left out before it assigns.
        """
        taken, left = set[str](), set[str]()
        for line in self._lines:
            stays = line.targets & set(names) and not line.needs & left and rng.random() < share
            (taken if stays else left).update(line.targets)
        return frozenset(taken)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Reject a name that has no value from a line, a table or `known`.

        Raises:
            UserError: there is one.
        """
        given = {*self.targets, *self.tables, *known}
        for line in self._lines:
            tables = {path.stem for path in TABLES.glob("*.yaml")} if line.needs - given else set[str]()
            refuse_unknown(line.needs, given | tables, self.where.quoting(line.text))

    def draw(self, rng: Random, names: Names, keep: Collection[str] = ()) -> dict[str, Any] | None:
        """Return `names` and the sampled values; None if these do not meet a requirement.

        Args:
            keep: names whose value in `names` stays, instead of being sampled.
        """
        drawn = {name: bind(rng) for name, bind in _DRAWN.items()}
        known = {"__builtins__": {}, **_KNOWN, **drawn, **self.tables, **names}
        for line in self._lines:
            if line.drawn and line.targets <= set(keep):
                continue
            if line.people is not None:
                known |= people(rng, *line.people)
            elif not self._run(line, known):
                return None
        return {name: known[name] for name in (*names, *self.targets)}

    def complete(self, given: Names, names: Names | None = None) -> dict[str, Any]:
        """Return the given values, and those that follow from them and from `names` without sampling."""
        known = {"__builtins__": {}, **_KNOWN, **self.tables, **(names or {}), **given}
        for line in self._lines:
            follows = not line.drawn and not line.required and not line.targets <= given.keys()
            if follows and line.needs <= known.keys():
                self._run(line, known)
        return {name: known[name] for name in (*(names or {}), *given, *self.targets) if name in known}

    def values(self) -> dict[str, list[str]]:
        """Return the possible texts of each slot whose texts can be derived from the lines.

        These are the texts that are picked from a list or table, and the names and pronouns of people.
        """
        found: dict[str, list[Any]] = {}
        for line in self._lines:
            if line.people is not None:
                found |= self._names(*line.people)
            for name, values in self._picked(line, found):
                found.setdefault(name, []).extend(values)
        texts = {name: [value for value in values if isinstance(value, str)] for name, values in found.items()}
        return {name: list(dict.fromkeys(values)) for name, values in texts.items() if values}

    def _names(self, count: int, names: str = _PEOPLE) -> Mapping[str, list[str]]:
        listed = table(names)
        forms = {
            "name": [*listed["women"], *listed["men"]], "he": ["he", "she"], "He": ["He", "She"],
            "him": ["him", "her"], "his": ["his", "her"], "His": ["His", "Her"],
        }  # fmt: skip
        numbers = ["", *map(str, range(2, count + 1))]
        return {f"{form}{number}": values for form, values in forms.items() for number in numbers}

    def _picked(self, line: _Line, columns: Names) -> Iterator[tuple[str, Sequence[Any]]]:
        tree = ast.parse(line.text)
        statement = tree.body[0]
        if not isinstance(statement, ast.Assign):
            return
        for call in ast.walk(statement.value):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("pick", "sample"):
                rows = self._rows(call, columns)
                targets = statement.targets[0]
                if call is statement.value and call.func.id == "sample" and isinstance(targets, ast.Tuple):
                    for target in targets.elts:
                        yield from _columns(target, rows)
                else:
                    yield from _columns(targets, rows)

    def _rows(self, call: ast.Call, columns: Names) -> list[Any]:
        if len(call.args) > 1 and isinstance(call.func, ast.Name) and call.func.id == "pick":
            return [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        match call.args[0]:
            case ast.Name(id=name) if name in self.tables:
                return list(self.tables[name])
            case ast.Subscript(value=ast.Name(id=name)) if name in self.tables:
                listed = self.tables[name]
                return [row for rows in (listed.values() if isinstance(listed, dict) else listed) for row in rows]
            case ast.Name(id=name):
                return [row for rows in columns.get(name, ()) if isinstance(rows, list) for row in rows]
        return []

    def _run(self, line: _Line, known: dict[str, Any]) -> bool:
        """Execute a line; return False if its requirement is not met or there is nothing to sample from."""
        try:
            if line.required:
                return bool(eval(line.code, known))
            exec(line.code, known)
        except _NothingToDrawError:
            return False
        except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
            raise UserError(f"{self.where.quoting(line.text)}: {error}; mend the line") from None
        for name in line.targets:
            known[name] = exact(known[name])
        return True

    def _line(self, text: str) -> _Line:
        text = text.strip()
        where = self.where.quoting(text)
        statement = _parsed(text, "exec", where).body[0]
        match statement:
            case ast.Assign(targets=[target]):
                needs, calls = _loaded(statement.value), _calls(statement.value)
                names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
                code = _compiled(ast.Module([statement], []), where)
                return _Line(text, code, frozenset(names), needs, drawn=bool(calls & _DRAWN.keys()))
            case ast.Expr(value=ast.Call(func=ast.Name(id="require"), args=[condition])):
                code = _compiled(ast.Expression(condition), where)
                return _Line(text, code, frozenset(), _loaded(condition), drawn=False, required=True)
            case ast.Expr(value=ast.Call(func=ast.Name(id="people"), args=args)):
                values = _cast(args, where)
                names = set(people(Random(0), *values))
                return _Line(text, compile("0", "", "eval"), frozenset(names), frozenset(), drawn=True, people=values)
        raise UserError(f"{where}: expected `name = formula`, `require(formula)` or `people(number)`")


def _cast(args: Sequence[ast.expr], where: Place) -> tuple[Any, ...]:
    """Return how many people a line asks for and, if it says so, from which table.

    Raises:
        UserError: it does not say how many, or the table has too few names.
    """
    match [arg.value if isinstance(arg, ast.Constant) else None for arg in args]:
        case [int(count), *names] if 0 < count <= _CAST and len(names) < 2:
            listed = _names_of(str(names[0]) if names else _PEOPLE, where)
            if all(len({*listed[kind]}) >= count for kind in ("women", "men")):
                return (count, *names)
    raise UserError(f"{where}: expected people(1) up to people({_CAST}), and perhaps a table of names")


def _names_of(name: str, where: Place) -> Mapping[str, Sequence[str]]:
    try:
        listed = table(name)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    if not isinstance(listed, dict) or not {"women", "men"} <= listed.keys():
        raise UserError(f"{where}: the table '{name}' lists no `women` and `men`; take one that does, as '{_PEOPLE}'")
    return listed


def _columns(target: ast.expr, rows: Sequence[Any]) -> Iterator[tuple[str, Sequence[Any]]]:
    if isinstance(target, ast.Name):
        yield target.id, rows
    elif isinstance(target, ast.Tuple):
        for place, part in enumerate(target.elts):
            if isinstance(part, ast.Name):
                yield part.id, [row[place] for row in rows if isinstance(row, list) and len(row) > place]

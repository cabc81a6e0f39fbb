"""Check many families or rows in one test, and report all that fail at once, each by its name.

Example: `@each_family(every, "gsm1k_synth")` turns a test of one family into a test of 45, which fails with

    2 of 45 fail:
    gsm1k_synth/toll_roads: tests/tutors/test_families.py:57: AssertionError: assert '3' == '4'
    gsm1k_synth/used_cars: pfe/tutors/wording.py:163: ValueError: no wording gives 'Ann has 3 pens.'
"""

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache, update_wrapper
from inspect import signature
from pathlib import Path
from textwrap import indent
from traceback import extract_tb, format_exception_only
from typing import Any, TypeVar

import pytest

from pfe.errors import nearest
from pfe.problem import Problem
from pfe.tutors.family import BoundFamily, Family, families_of, synthetic_sets

T = TypeVar("T")
F = TypeVar("F", bound=Family)
Test = TypeVar("Test", bound=Callable[..., None])
Choose = Callable[[str], Iterable[F]]
ROOT = Path(__file__).resolve().parents[1]
PROBLEMS = 5  # of each family that a test looks at, if it does not need more
CLOSE = 25  # instead, of families that `--family` names: five find four in five of the faults that these do
LONGEST = 1500  # characters of a reason


@cache
def problem_of(family: Family, index: int) -> Problem:
    """Return the family's problem of this index, which several tests look at."""
    return family.make(seed=0, index=index)


def problems_of(family: Family, count: int | None = None) -> list[Problem]:
    """Return the first problems of a family; the cache holds only those that other tests look at too."""
    indices = range(count or PROBLEMS)
    return [problem_of(family, index) if index < CLOSE else family.make(0, index) for index in indices]


def check_each(things: Mapping[str, T], check: Callable[[T], object]) -> None:
    """Check every thing, and fail once if any fails, with the names and reasons of all that do."""
    assert things, "nothing to check"
    reasons = []
    for name, thing in things.items():
        try:
            check(thing)
        except (Exception, pytest.fail.Exception) as error:
            reasons.append(f"{name}: {_reason(error)}")
    if reasons:
        pytest.fail("\n".join([f"{len(reasons)} of {len(things)} fail:", *reasons]), pytrace=False)


def _reason(error: BaseException) -> str:
    last = extract_tb(error.__traceback__)[-1]
    path = Path(last.filename)
    place = f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{last.lineno}"
    return indent(f"{place}: {''.join(format_exception_only(error)).strip()}"[:LONGEST], "    ").lstrip()


def each(things: Callable[[], Mapping[str, T]]) -> Callable[[Callable[[T], object]], Callable[[], None]]:
    """Turn a test of one thing into a test of all `things`, which are loaded when it runs."""

    def decorate(check: Callable[[T], object]) -> Callable[[], None]:
        def test() -> None:
            check_each(things(), check)

        return _named_after(check, test)

    return decorate


def every(set: str) -> Iterable[Family]:
    """Return all families of a set."""
    return families_of(set).values()


def bound(set: str) -> list[BoundFamily]:
    """Return the library-bound families of a set."""
    return [family for family in families_of(set).values() if isinstance(family, BoundFamily)]


def each_family(
    choose: Choose[F], *sets: str
) -> Callable[[Callable[[F], object]], Callable[[str, pytest.FixtureRequest], None]]:
    """Turn a test of one family into a test of every family that `choose` returns, one for each set (default: all).

    With `--family`, only families that it names are tested; a set that has none of them is deselected (`conftest.py`).
    A set that is named here must have families that `choose` returns.
    """

    def chosen(set: str, config: pytest.Config) -> dict[str, F]:
        patterns = config.getoption("family") or ["*"]
        families = {f"{family.set}/{family.name}": family for family in choose(set)}
        return {name: family for name, family in families.items() if any(_names(one, name) for one in patterns)}

    def decorate(check: Callable[[F], object]) -> Callable[[str, pytest.FixtureRequest], None]:
        @pytest.mark.parametrize("set", sets or synthetic_sets())
        def test(set: str, request: pytest.FixtureRequest) -> None:
            families = chosen(set, request.config)
            if not families and not sets:
                pytest.skip(f"{set} has no family of this kind")
            check_each(families, check)

        test.chosen = chosen  # type: ignore[attr-defined]
        return _named_after(check, test)

    return decorate


def _named_after(check: Callable[[T], object], test: Test) -> Test:
    """Give the test the place and docstring of the check, but its own parameters, which pytest takes for fixtures."""
    parameters = signature(test)
    update_wrapper(test, check, updated=())
    test.__signature__ = parameters  # type: ignore[attr-defined]
    return test


def has_chosen(item: pytest.Item) -> bool:
    """Return whether the test loops over families of which `--family` names one."""
    test: Any = getattr(item, "obj", None)
    parameters: Any = getattr(item, "callspec", None)
    return hasattr(test, "chosen") and bool(test.chosen(parameters.params["set"], item.config))


def _names(pattern: str, family: str) -> bool:
    return fnmatchcase(family, pattern) or fnmatchcase(family.partition("/")[2], pattern)


def refuse_unknown_families(patterns: Iterable[str]) -> None:
    """Raise if a pattern names no family.

    Raises:
        UsageError: says which pattern, and the nearest name that there is.
    """
    families = [f"{set}/{name}" for set in synthetic_sets() for name in families_of(set)]
    for pattern in patterns:
        if not any(_names(pattern, family) for family in families):
            names = families if "/" in pattern else [family.partition("/")[2] for family in families]
            raise pytest.UsageError(f"--family {pattern}: no such family; {nearest(pattern, names)}")

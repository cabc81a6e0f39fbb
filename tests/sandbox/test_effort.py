"""A test's own part is evaluated here, and cannot occupy us: whatever it says, it ends within its steps."""

import math
import resource
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.errors import UserError
from pfe.sandbox.assertions import read
from pfe.sandbox.effort import MOST_STEPS, Effort
from pfe.sandbox.process import Program, ProgramEnded
from tests.conftest import ROOT

BIG = "[0] * 10 ** 6"
COLLIDING = "[complex(-1000003 * b, b) for b in range(10 ** 6)]"
EXHAUSTING = (
    "sum(0 for a in range(10**6) for b in range(10**6)) == f()",
    "all(a < 2 * 10 ** 6 for a in range(10**6) for b in range(10**6)) == f()",
    "[0 for a in range(10**6) for b in range(10**6)] == f()",
    "{a for a in range(10**6) for b in range(10**6)} == f()",
    "{a: b for a in range(10**6) for b in range(10**6)} == f()",
    "[[b for b in range(10**6)] for a in range(10**6)] == f()",
    "max(max(range(10**6)) for a in range(10**6)) == f()",
    "max(sum(range(10**6)) for a in range(10**6)) == f()",
    "all(sorted(range(10**6)) for a in range(10**6)) == f()",
    "all(list(range(10**6)) for a in range(10**6)) == f()",
    "all(list(zip(range(10**6), range(10**6))) for a in range(10**6)) == f()",
    "all(list(enumerate(range(10**6))) for a in range(10**6)) == f()",
    "all([*range(10**6)] for a in range(10**6)) == f()",
    f"all(x == y for x in [{BIG}] for y in [{BIG}] for a in range(10**6)) == f()",
    f"all(-1 not in x for x in [{BIG}] for a in range(10**6)) == f()",
    f"all(x[:] for x in [{BIG}] for a in range(10**6)) == f()",
    f"all(x + x for x in [{BIG}] for a in range(10**6)) == f()",
    f"any(x.count(1) for x in [{BIG}] for a in range(10**6)) == f()",
    "all('a' * 10 ** 6 + 'b' != 'c' for a in range(10**6)) == f()",
    "any('ab' in 'a' * 10 ** 6 for a in range(10**6)) == f()",
    "all(('a ' * 5 * 10 ** 5).split() for a in range(10**6)) == f()",
    "all(2 ** 10 ** 6 for a in range(10**6)) == f()",
    "all(x * x for x in [2 ** 999999] for a in range(10**6)) == f()",
    "all(x % 7 for x in [2 ** 999999] for a in range(10**6)) == f()",
    "all(divmod(x, 3 ** 300000) for x in [2 ** 999999] for a in range(10**6)) == f()",
    "math.lcm(*range(1, 10 ** 6)) == f()",
    "repr([[[0] * 1000] * 1000] * 1000) == f()",
    "str([[[0] * 1000] * 1000] * 1000) == f()",
    "[[[0] * 1000] * 1000] * 1000 == [[[0] * 1000] * 1000] * 1000 and f()",
    "hex(2 ** 999999) * 3 == f() or all(hex(x) for x in [2 ** 999999] for a in range(10**6))",
    "sum([[0] * 3000] * 3000, []) == f()",
    "('x' * 10 ** 6).join(['y'] * 10 ** 6) == f()",
    "''.join(['x' * 10 ** 6] * 10 ** 6) == f()",
    "''.join('x' * 10 ** 6 for a in range(10 ** 6)) == f()",
    f"set({COLLIDING}) == f()",
    f"frozenset({COLLIDING}) == f()",
    f"dict([(x, 0) for x in {COLLIDING}]) == f()",
    "{complex(-1000003 * b, b) for b in range(10 ** 6)} == f()",
    "{complex(-1000003 * b, b): 0 for b in range(10 ** 6)} == f()",
    "all(x == y for x in [set([complex(-1000003 * b, b) for b in range(4000)])] "
    "for y in [set([complex(-1000003 * b, b) for b in range(4000)])] for a in range(10 ** 6)) == f()",
    "all(list(v) for v in [dict([(i, 0) for i in range(5000)]).items()] for a in range(10 ** 6)) == f()",
    "all(v == w for v in [(f(), (f(), f()))] for w in [[v] * 10 ** 6] for a in range(10 ** 6))",
)


class Zero(Program):
    """A program in this process that answers every question with 0."""

    def __init__(self) -> None: ...

    def evaluate(self, name: str, source: str, given: Any) -> Any:
        return 0


def ending(test: str) -> str:
    try:
        read(f"assert {test}", "").run("test 1", Zero())
    except ProgramEnded as ended:
        return ended.result.detail
    return "passed"


@pytest.mark.slow
def test_tests_that_would_occupy_us_without_end_run_out_of_steps() -> None:
    """In a process of limited memory and processor time, which a test without a bound would be killed by."""
    code = (
        "import sys; from tests.sandbox.test_effort import EXHAUSTING, ending\n"
        "for test in EXHAUSTING: print(ending(test), test, sep=' | ', flush=True)"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (200, 200))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
    told = done.stdout.splitlines()
    assert len(told) == len(EXHAUSTING)
    for line in told:
        assert line.startswith("test 1: OverflowError"), line


@pytest.mark.parametrize("test", [
    "assert f() == " + "-" * 50_000 + "1",
    "assert f() == " + "[" * 5_000 + "]" * 5_000,
    "assert f() == " + "(1 + " * 5_000 + "1" + ")" * 5_000,
    "assert f() == " + " + ".join(["1"] * 20_000),
    "assert f() == [" + "1, " * 60_000 + "]",
    "assert f() == sorted([], key=set)",
    "assert sorted([[1]], key=f) == [[1]]",
])  # fmt: skip
def test_a_test_too_deep_too_long_or_sorted_by_anything_is_refused_in_words(test: str) -> None:
    with pytest.raises(UserError, match="write tests as assert") as told:
        read(test, "")
    assert len(str(told.value)) < 700


VALUES = st.recursive(
    st.integers(-5, 5) | st.booleans() | st.none() | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=12,
)
FORMS: dict[str, Callable[[Any], Any]] = {
    "{str(x) for x in v}": lambda v: {str(x) for x in v},
    "{str(x): len(str(x)) for x in v if x}": lambda v: {str(x): len(str(x)) for x in v if x},
    "[*v, *v][1:]": lambda v: [*v, *v][1:],
    "'-'.join([str(x) for x in v]).upper().split('-')": lambda v: "-".join(map(str, v)).upper().split("-"),
    "sum([len(str(x)) for x in v])": lambda v: sum(len(str(x)) for x in v),
    "sum([[x] for x in v], [])": lambda v: list(v),
    "max([0, *[len(str(x)) for x in v]], key=abs)": lambda v: max([0, *[len(str(x)) for x in v]], key=abs),
    "list(zip(v, range(len(v))))": lambda v: list(zip(v, range(len(v)), strict=False)),
    "{'a': v}.items()": lambda v: {"a": v}.items(),
    "(v * 2 + [1])[::-1]": lambda v: (v * 2 + [1])[::-1],
    "math.lcm(*[len(str(x)) for x in v])": lambda v: math.lcm(*[len(str(x)) for x in v]),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@given(items=st.lists(VALUES, max_size=5))
def test_counting_steps_changes_no_value(form: str, items: list[Any]) -> None:
    expected = FORMS[form](items)
    source = f"[{form} for v in [{items!r}]][0] == f()"

    class Answering(Zero):
        def evaluate(self, name: str, source: str, given: Any) -> Any:
            return expected

    read(f"assert {source}", "").run("test 1", Answering())


@pytest.mark.slow
def test_steps_are_counted_for_each_assertion_anew() -> None:
    effort = Effort()
    effort.weigh([0] * (MOST_STEPS // 2))
    with pytest.raises(OverflowError):
        effort.weigh([0] * (MOST_STEPS // 2 + 1))
    third = "sum(range(10 ** 6)) > f()"
    read("\n".join([f"assert {third}"] * 4), "").run("test 1", Zero())

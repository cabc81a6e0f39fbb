"""Programs that do what a canonical program does: whatever their names, found by running them."""

import pickle
from pathlib import Path

import pytest

from pfe.cache import Cache
from pfe.errors import UserError
from pfe.firewall.behaviour import Behaviour, BehaviourMatch
from pfe.problem import Problem
from pfe.sandbox.process import SandboxLimits


def code(program: str, *tests: str, setup: str = "", id: str = "c/1") -> Problem:
    return Problem(id, "c", "code", "Write a function", program, tests=tests, setup=setup)


VOLUME = code(
    "def volume(r, h):\n    return 3 * r * r * h",
    "assert volume(10, 5) == 1500", "assert volume(4, 5) == 240", "assert volume(4, 10) == 480",
)  # fmt: skip
ODD = code("def odd(n):\n    return n % 2 == 1", "assert odd(3) == True", "assert odd(4) == False")
CHAIN = code(
    "class Pair:\n    def __init__(self, a):\n        self.a = a\n"
    "def largest(pairs):\n    return max(p.a for p in pairs)",
    "assert largest([Pair(5), Pair(7)]) == 7",
    "assert largest(given) == 3",
    setup="given = [Pair(3)]",
)
SCIENCE = Problem("s/1", "s", "science", "Why?", "Because")
CANONICAL = (SCIENCE, VOLUME, ODD, CHAIN)


@pytest.fixture(scope="module")
def behaviour() -> Behaviour:
    return Behaviour(CANONICAL)


@pytest.mark.parametrize(
    ("candidate", "found"),
    [
        (code("def tin(a, b):\n    return a * b * a * 3", "assert tin(1, 2) == 6"), BehaviourMatch(1, 1.0)),
        (code("import math\ntin = lambda a, b=1: a * b * a * 3", "assert tin(1) == 3"), BehaviourMatch(1, 0.0)),
        (
            code("def helper(a): return 3 * a * a\ndef tin(*sides): return helper(sides[0]) * sides[1]"),
            BehaviourMatch(1, 1.0),
        ),
        (code("def two(a, b):\n    return a * b", "assert two(3, 4) == 12"), BehaviourMatch(-1)),
        (
            code("def digit(n):\n    return n % 2", "assert digit(5) == 1", "assert digit(8) == 0"),
            BehaviourMatch(2, 1.0),
        ),
        (
            code("def bit(n):\n    return n & n % 4 & 1", "assert bit(3) == 1", "assert bit(-2) == 1"),
            BehaviourMatch(2, 0.5),
        ),
        (code("def most(things):\n    return sorted(t.a for t in things)[-1]"), BehaviourMatch(3, 1.0)),
        (SCIENCE, BehaviourMatch(-1)),
    ],
)
def test_a_program_is_found_by_what_it_does(behaviour: Behaviour, candidate: Problem, found: BehaviourMatch) -> None:
    assert behaviour.find([candidate]) == [found]


def test_of_several_problems_the_one_that_agrees_most_is_named() -> None:
    weak = code("def always(n):\n    return True", "assert always(3)")
    candidate = code("def uneven(n):\n    return n % 2 != 0", "assert uneven(7)", "assert not uneven(2)")
    assert Behaviour([weak, ODD]).find([candidate]) == [BehaviourMatch(1, 1.0)]


def test_each_canonical_problem_meets_the_program_afresh() -> None:
    counts = "seen = []\ndef f(n):\n    seen.append(n)\n    return len(seen)"
    first = [code("def once(n):\n    return 1", f"assert once({n}) == {result}") for n, result in ((1, 9), (2, 1))]
    assert Behaviour(first).find([code(counts)])[0].index == 1


@pytest.mark.parametrize(
    "stuck",
    ["while True:\n            pass", "sum(range(10 ** 12))", "[0] * 10 ** 10",
     "raise SystemExit", "import ctypes; ctypes.string_at(0)",
     "while True:\n            try:\n                x = 1 / 0\n            except Exception:\n                pass"],
)  # fmt: skip
def test_a_test_that_does_not_end_is_not_passed_and_the_others_are_tried(
    stuck: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pfe.firewall.behaviour.LIMITS", SandboxLimits(seconds=1.0))
    program = f"def uneven(n):\n    if n == 10:\n        {stuck}\n    return n % 2 == 1"
    ten = code("def ten(n):\n    return 10", "assert ten(10) == 10")
    assert Behaviour([ten, ODD]).find([code(program)]) == [BehaviourMatch(1, 1.0)]


@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("", "a code problem needs its program"),
        ("def f(n", "program: SyntaxError"),
        ("import no_such_module\ndef f(n): return n", "program: ModuleNotFoundError"),
        ("'\ud800'", "program: UnicodeEncodeError"),
        ("x = 1", "it defines no function"),
        ("import os\nos._exit(0)", "failed: exited before the tests were through"),
        ("import os\ndef f(n): os._exit(0)", "failed: exited before the tests were through"),
        ("while True: pass", "the program does not run by itself: timeout"),
        ("import ctypes; ctypes.string_at(0)", "the program does not run by itself: error: killed"),
    ],
)
def test_a_program_that_cannot_be_tried_is_an_error(program: str, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pfe.firewall.behaviour.LIMITS", SandboxLimits(seconds=1.0))
    found = Behaviour(CANONICAL, workers=1).find([code(program, "assert f(1)")])[0]
    assert found.index == -1
    assert found.error.startswith(error)


def test_a_program_that_sleeps_is_late_as_well() -> None:
    program = "import time\ndef uneven(n):\n    if n == 10: time.sleep(600)\n    return n % 2 == 1"
    ten = code("def ten(n):\n    return 10", "assert ten(10) == 10")
    assert Behaviour([ten, ODD]).find([code(program)]) == [BehaviourMatch(1, 1.0)]


def test_trials_without_end_are_an_error_for_the_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pfe.firewall.behaviour.MOST_SECONDS", -1.0)
    found = Behaviour(CANONICAL).find([code("def f(n): return n")])[0]
    assert "did not come to an end" in found.error


def test_answers_are_kept_and_errors_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    asked = [code("def f(a, b):\n    return a * b * a * 3"), code("def f(n): return 0"), code("broken (")]
    found = Behaviour(CANONICAL, cache).find(asked)

    def refuse(*_: object) -> None:
        raise AssertionError("the sandbox is asked again")

    monkeypatch.setattr("pfe.firewall.behaviour.evaluate", refuse)
    moved = Behaviour([VOLUME, ODD, SCIENCE, CHAIN], cache)
    assert [one.index for one in moved.find(asked[:2])] == [0, -1]
    assert [one.index for one in found] == [1, -1, -1]
    with pytest.raises(AssertionError, match="again"):
        moved.find(asked[2:])
    with pytest.raises(AssertionError, match="again"):
        Behaviour([VOLUME, ODD], cache).find(asked[:1])


def test_it_travels_to_other_processes(tmp_path: Path) -> None:
    copy = pickle.loads(pickle.dumps(Behaviour(CANONICAL, Cache(tmp_path / "cache"))))
    assert copy.find([code("def f(a, b):\n    return a * b * a * 3")]) == [BehaviourMatch(1, 1.0)]


@pytest.mark.parametrize("tests", [("not python (",), ("assert True",)])
def test_a_canonical_problem_that_cannot_be_run_is_told(tests: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match=r"canonical problem mbpp/7: .* mend its tests"):
        Behaviour([code("def f(): ...", *tests, id="mbpp/7")])

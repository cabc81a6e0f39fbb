"""Programs without tests: they are compared by what they return."""

from dataclasses import replace

import pytest

from pfe.calibration.attack import attack
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.firewall.behaviour import Behaviour, as_program
from pfe.problem import Problem
from tests.conftest import ROOT


def row(id: str, text: str) -> Problem:
    """As a file with one column of text has it."""
    return Problem(id, "rows", "reading", text, "")


PROGRAMS = {
    "runs": 'def runs(items):\n    """Longest run."""\n    best = now = 0\n    last = None\n    for item in items:\n'
            "        now = now + 1 if item == last else 1\n        last = item\n        best = max(best, now)\n"
            "    return best",
    "words": "def words(text, size):\n    return [word for word in text.split() if len(word) > size]",
    "mean": "def mean(values: list[float]) -> float:\n    return sum(values) / len(values)",
    "example": 'def roman(n):\n    """As Romans write it.\n\n    >>> roman(4)\n    \'IV\'\n'
               '    >>> roman(9)\n    \'IX\'\n    """\n    return {4: "IV", 9: "IX", 40: "XL"}[n]',
}  # fmt: skip
AGAIN = {
    "runs": "from itertools import groupby\n\ndef longest_block(seq):\n"
            "    return max((len(list(block)) for _, block in groupby(seq)), default=0)",
    "words": "def pick(sentence, n):\n    out = []\n    for w in sentence.split():\n        if n < len(w):\n"
             "            out.append(w)\n    return out",
    "mean": "import statistics\n\ndef average(xs):\n    return statistics.fmean(xs)",
    "example": "def to_numeral(value):\n    if value == 4:\n        return 'I' + 'V'\n    return 'I' + 'X'",
}  # fmt: skip
OTHERS = (
    "def count(items):\n    return len(items)",
    "def shout(text, size):\n    return [word.upper() for word in text.split()]",
    "def median(values):\n    return sorted(values)[len(values) // 2]",
    "def same(x):\n    return x",
    "Tom has 3 apples and buys 4. How many has he?",
)


@pytest.fixture(scope="module")
def behaviour() -> Behaviour:
    return Behaviour([row(name, program) for name, program in PROGRAMS.items()])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_returns_the_same_is_found_though_neither_has_tests(behaviour: Behaviour, name: str) -> None:
    (found,) = behaviour.find([row("s/1", f"Another wording of the task.\n\n{AGAIN[name]}")])
    assert found.passed == (list(PROGRAMS).index(name),)
    assert found.error == ""


@pytest.mark.parametrize("text", OTHERS)
def test_a_program_that_returns_something_else_is_not(behaviour: Behaviour, text: str) -> None:
    assert behaviour.find([row("s/1", text)])[0].index == -1


@pytest.mark.parametrize(
    "source",
    [
        "import random\ndef f(n):\n    return random.random()",
        "def f():\n    return 1",
        "def f(x):\n    while True: pass",
        "def f(x):\n    return object()",
    ],
)
def test_a_program_that_cannot_be_seen_returning_anything_is_left_out(source: str) -> None:
    nothing = Behaviour([row("c/1", source)])
    assert nothing.find([row("s/1", OTHERS[0])])[0].index == -1


def test_examples_in_a_docstring_are_tests() -> None:
    made = as_program(row("c/1", PROGRAMS["example"]))
    assert made.tests == ("assert (roman(4)) == ('IV')", "assert (roman(9)) == ('IX')")


@pytest.mark.slow
def test_programs_of_our_own_sample_are_found_when_written_anew_without_tests(settings: Config) -> None:
    """As text alone on both sides: no tests, no columns, other names, other loops."""
    sample = load("mbpp", settings.benchmark["mbpp"], Canonical("sample", str(ROOT / "data/sample")))[:24]
    canonical = [row(problem.id, f"{problem.question}\n{problem.answer}") for problem in sample]
    pairs = attack("rewritten_program", sample, [], len(sample), seed=0)
    anew = [replace(row(one.id, f"{original.question}\n{one.answer}")) for original, one in pairs]
    found = Behaviour(canonical, workers=2).find(anew)
    named = [[canonical[index].id for index in one.passed] for one in found]
    assert len(pairs) == 24
    assert sum(original.id in ids for (original, _), ids in zip(pairs, named, strict=True)) >= 14

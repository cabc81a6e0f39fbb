"""Shapes of programs: what does not change them, what does, and where a problem's program is found."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.calibration.rewriting import names_of, renamed
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.firewall.programs import Shapes, program_of, shape, text_with_program
from pfe.problem import Problem
from tests.conftest import ROOT

AREA = 'def area(w, h):  # of a room\n    """Width by height."""\n    return round(w * h, 2)\n'
SAME = [
    "def f(a: float, b: float) -> float: return round(a * b, 2)",
    "def   g(x,y):\n\n\treturn round(x*y, 0b10)",
    AREA.replace("w", "wide").replace("h)", "high)").replace("* h", "* high"),
]
OTHER = [AREA.replace("*", "+"), AREA.replace("2", "3"), AREA.replace("round", "max"), AREA.replace(", h)", ", h, k)")]


@pytest.fixture(scope="module")
def programs(settings: Config) -> list[str]:
    """Those of our own sample."""
    sample = load("mbpp", settings.benchmark["mbpp"], Canonical("sample", str(ROOT / "data/sample")))
    return [problem.answer for problem in sample]


@pytest.mark.parametrize("program", SAME)
def test_names_layout_comments_docstrings_and_annotations_are_no_part_of_a_shape(program: str) -> None:
    assert shape(program) == shape(AREA)


@pytest.mark.parametrize("program", OTHER)
def test_operators_constants_built_in_functions_and_the_signature_are(program: str) -> None:
    assert shape(program) != shape(AREA)


def test_an_imported_name_counts_whatever_it_is_called() -> None:
    one = "import heapq as hq\ndef f(x):\n    hq.heapify(x)"
    assert shape(one) == shape("import heapq\ndef f(x):\n    heapq.heapify(x)")
    assert shape(one) != shape("import heapq\ndef f(x):\n    heapq.heappop(x)")


def test_every_program_is_most_like_itself_under_other_names(programs: list[str]) -> None:
    alike = Shapes(programs).alike([renamed(program, names_of(program)) for program in programs])
    assert alike.argmax(axis=1).tolist() == list(range(len(programs)))
    assert (alike.diagonal() > 0.97).all(), "one that builds a name into a string differs a little"
    assert alike.max() <= 1 + 1e-9


def test_likeness_does_not_depend_on_what_else_is_compared(programs: list[str]) -> None:
    shapes = Shapes(programs)
    together = shapes.alike(programs[:6])
    assert [shapes.alike([program])[0].tolist() for program in programs[:6]] == together.tolist()


@pytest.mark.parametrize(
    "text",
    [
        AREA,
        f"Here it is:\n```python\n{AREA}```\nIt multiplies.",
        f"Write a function that gives the area.\n{AREA}",
        f"{AREA}\nThis gives the area of a room, to two places.\nIs that clear?",
        f"Q: area?\n\n{AREA}\nassert area(2, 3) == 6",
    ],
)
@pytest.mark.parametrize("field", ["question", "context", "answer", "solution"])
def test_a_program_is_found_wherever_it_stands(text: str, field: str) -> None:
    problem = Problem(**{"id": "p/1", "set": "p", "domain": "reading", "question": "", "answer": ""} | {field: text})  # type: ignore[arg-type]
    program = program_of(problem)
    assert shape(AREA) <= shape(program)
    assert text_with_program(problem, program).count("round(w * h, 2)") == 1


@pytest.mark.parametrize("text", ["yes", "18", "3 + 4", "define class", "def", "```\nls -l\n```", "lambda is a letter"])
def test_prose_and_numbers_are_no_program(text: str) -> None:
    assert program_of(Problem("p/1", "p", "reading", text, text)) == ""


def test_tests_are_no_program() -> None:
    test = "def test_area():\n    assert area(2, 3) == 6"
    assert program_of(Problem("p/1", "p", "code", "Area.", "", tests=(test,))) == ""


@given(st.text(st.sampled_from("def lambda():\n\t x=[]{}\0\"'#é"), max_size=60))
def test_any_text_has_a_shape_or_none(text: str) -> None:
    program = program_of(Problem("p/1", "p", "reading", f"def {text}", text))
    assert not program or ast.parse(program.strip())
    assert not shape(program) or program


def test_hostile_programs_end(tmp_path: Path) -> None:
    deep = "def f():\n    return " + "(" * 5000 + "1" + ")" * 5000
    long = "def f():\n    return 1\n" + "prose again\n" * 20_000
    for text in (deep, long):
        program_of(Problem("p/1", "p", "reading", text, ""))

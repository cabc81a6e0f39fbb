"""The programming tasks: programs that pass, tests that catch those that should not, and mistakes in a file."""

import ast
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.engines.bound_program import Definition
from pfe.tutors.engines.bound_program import Engine as BoundEngine
from pfe.tutors.engines.program import Engine, ProgramFamily
from pfe.tutors.family import ROUTES, families_of
from pfe.tutors.programs import Drawing, PartTable
from tests.each import each_family, problems_of

EACH = 12


def programming(set: str) -> list[ProgramFamily]:
    return [family for family in families_of(set).values() if isinstance(family, ProgramFamily)]


def neighbouring(set: str) -> list[Engine]:
    return [family for family in programming(set) if isinstance(family, Engine)]


each_program = each_family(programming, "mbpp_synth")


def passes(program: str, tests: Sequence[str]) -> bool:
    namespace: dict[str, Any] = {}
    exec(program, namespace)
    try:
        for test in tests:
            exec(test, namespace)
    except Exception:
        return False
    return True


def stored_and_never_read(program: str) -> set[str]:
    """`total = 0` where nobody reads total."""
    names = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return {node.id for node in names if isinstance(node.ctx, ast.Store)} - read - {"_"}


@each_program
def test_every_program_passes_the_three_tests_and_no_line_of_it_is_dead(family: ProgramFamily) -> None:
    for problem in problems_of(family, EACH):
        programs = family.programs(family.read(problem))
        assert len(problem.tests) == 3
        assert len(set(programs)) == len(programs) >= 2
        for program in programs:
            assert passes(program, problem.tests), (problem.id, program, problem.tests)
            assert not stored_and_never_read(program), program


def test_a_value_that_nobody_reads_is_seen() -> None:
    assert stored_and_never_read("def f(n):\n    m = 2\n    return n") == {"m"}


@each_program
def test_no_test_is_passed_by_nothing_an_argument_or_a_constant(family: ProgramFamily) -> None:
    for problem in problems_of(family, EACH):
        name = family.function_name(family.read(problem))
        for value in ("None", *(test.rpartition(" == ")[2] for test in problem.tests)):
            assert not passes(f"def {name}(*arguments):\n    return {value}", problem.tests), (problem.tests, value)
        for place in (0, -1):
            assert not passes(f"def {name}(*arguments):\n    return arguments[{place}]", problem.tests)


@each_program
def test_the_first_test_shows_something_done(family: ProgramFamily) -> None:
    for index in range(EACH):
        problem = family.make(seed=3, index=index)
        first = ast.parse(problem.tests[0]).body[0]
        assert isinstance(first, ast.Assert)
        assert isinstance(first.test, ast.Compare)
        assert isinstance(first.test.left, ast.Call)
        result = ast.literal_eval(first.test.comparators[0])
        arguments = [ast.literal_eval(argument) for argument in first.test.left.args]
        parts = result if isinstance(result, list | tuple) else []
        assert result, problem.tests
        assert not any(argument in (result, *parts) for argument in arguments) or result is True, problem.tests


def definitions(name: str) -> list[tuple[Definition, Definition]]:
    """Definitions of some libraries, each behind the one that it builds on."""
    drawn: list[tuple[Definition, Definition]] = []
    for seed in range(25):
        facts = families_of("mbpp_synth")[name].facts(Random(seed))
        drawn += [(base, one) for base in facts["told"] for one in facts["told"] if one.of == base.term != ""]
    return drawn


@pytest.mark.parametrize(("name", "undone"), [
    ("number_glossary", {("can be divided by three", "is no multiple of three"), ("is negative", "is positive"),
                         ("is negative", "is above four"), ("is below five", "is below twenty")}),
    ("word_glossary", {("ends with a vowel", "ends with a consonant"),
                       ("has fewer than five letters", "is no longer than six letters")}),
])  # fmt: skip
def test_no_definition_is_idle_or_undoes_the_one_it_builds_on(name: str, undone: set[tuple[str, str]]) -> None:
    drawn = definitions(name)
    assert len(drawn) > 50
    assert not undone & {(base.phrase, one.phrase) for base, one in drawn}


def test_units_have_plurals_that_can_be_said() -> None:
    assert not [base.term for base, _ in definitions("old_units") if base.term.endswith(("s", "x", "z"))]


@each_family(neighbouring, "mbpp_synth")
def test_most_programs_of_neighbouring_tasks_fail(family: Engine) -> None:
    caught, rng = [], Random(0)
    for problem in problems_of(family, 2 * EACH):
        facts = family.read(problem)
        for other in family.neighbours(facts, rng):
            program = f"{family.solve(other)}\n\n{family.function_name(facts)} = {family.function_name(other)}"
            caught.append(not passes(program, problem.tests))
    assert sum(caught) >= 0.75 * len(caught)


@each_program
def test_the_question_gives_back_what_is_computed(family: ProgramFamily) -> None:
    for problem in problems_of(family, 2 * EACH):
        assert {**family.read(problem), "told": ()} == {**family.drawn(problem.id), "told": ()}


def test_tasks_are_plain_sentences_and_there_are_a_hundred() -> None:
    families = programming("mbpp_synth")
    engines = [family for family in families if isinstance(family, Engine | BoundEngine)]
    tasks = [task for family in engines for task in _tasks(family)]
    assert len(tasks) >= 100
    lengths = [len(problem.question.split()) for family in families for problem in problems_of(family, 2 * EACH)]
    assert 11 <= sum(lengths) / len(lengths) <= 20


def _tasks(family: Engine | BoundEngine) -> Sequence[Any]:
    return family.content.tasks if isinstance(family, Engine) else family.glossary.tasks


def test_each_route_answers_with_a_program_that_passes() -> None:
    family = families_of("mbpp_synth")["digits"]
    problem = family.make(seed=0, index=0)
    answers = [family.answer(problem, route).answer for route in ROUTES]
    assert answers[0] == problem.answer
    assert len(set(answers)) >= 2


def test_replay_refuses_a_solution_whose_program_is_wrong() -> None:
    family = families_of("mbpp_synth")["words"]
    problem = family.make(seed=0, index=0)
    spoilt = Problem(**{**vars(problem), "solution": problem.solution.replace("return", "return not")})
    with pytest.raises(ValueError, match="fails the tests"):
        family.replay(spoilt)


def test_a_question_of_another_family_is_not_read() -> None:
    families = families_of("mbpp_synth")
    with pytest.raises(ValueError, match="is not of the family digits"):
        families["digits"].read(families["grids"].make(seed=0, index=0))


def test_a_list_in_braces_makes_one_part_of_each_word() -> None:
    table = PartTable("phrase | code\nfrom {1 2} to {8 9} | {0} <= x <= {1}\nodd | x % 2 == 1")
    assert list(table.parts) == ["from 1 to 8", "from 1 to 9", "from 2 to 8", "from 2 to 9", "odd"]
    assert table.parts["from 2 to 9"]["code"] == "2 <= x <= 9"
    assert PartTable("cat, dog").parts["dog"]["code"] == "dog"


def test_inputs_are_drawn_by_the_names_of_their_kinds() -> None:
    numbers, word = Drawing(Random(3)).call("numbers(2, 2, 5, 9), word()")
    assert len(numbers) == 2
    assert all(5 <= number <= 9 for number in numbers)
    assert word.isalpha()


TASK = """
engine: program
slots:
  pick: |
    phrase | code
    even | x % 2 == 0
tasks:
  - asks: ["{Write} count the {pick} numbers."]
    name: count
    inputs: numbers(3, 5)
    why: Count them.
    programs:
      - "def $name(a): return sum(1 for x in a if $pick)"
"""
SECOND = '      - "def $name(a): return len([x for x in a if $pick])"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TASK, "tasks.1.programs: 1 are too few; write at least 2"),
        (TASK.replace("    even | x % 2 == 0", "    even | x | y") + SECOND, "'even | x | y': write 2 cells"),
        (TASK.replace("name: count", "nam: count"), "name"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "counting.yaml"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        Engine("mbpp_synth", path)
    assert str(path) in str(error.value)
    assert message in str(error.value)


def test_a_chain_of_unknown_kinds_is_told(tmp_path: Path) -> None:
    path = tmp_path / "glossary.yaml"
    kinds = 'kinds: {plain: {says: ["A {term} {phrase}."], parts: "is red, is blue"}}\n'
    path.write_text(
        f"engine: bound_program\nskill: rules\n{kinds}chains: [[plane]]\n{TASK[TASK.index('tasks') :]}{SECOND}"
    )
    with pytest.raises(UserError, match="'plane' is no kind; did you mean 'plain'"):
        BoundEngine("mbpp_synth", path)


def test_a_number_is_converted_to_digits_with_zero_among_its_tests() -> None:
    family = families_of("mbpp_synth")["digits"]
    problems = [family.make(seed, index) for seed in range(3) for index in range(200)]
    converting = [p for p in problems if any(f"assert to_{base}(" in p.tests[0] for base in ("binary", "octal", "hex"))]
    assert converting
    assert all("zero" in p.question and any(test.endswith("== '0'") for test in p.tests) for p in converting)

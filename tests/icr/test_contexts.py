"""Libraries as prefixes: their bytes, and what is left of them where methods are left out."""

import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config
from pfe.errors import UserError
from pfe.icr.contexts import LIBRARIES, WRONG, blocks, library, sections, wrong_library
from pfe.icr.controls import form, methods_words
from pfe.icr.functions import catalogue, documentation, toolboxes
from pfe.icr.prefix import Prefix

TEXTS = sorted(path.name for path in LIBRARIES.glob("*.txt"))
SHIPPED = {name: library(name) for name in TEXTS} | {
    f"fncall.yaml/{toolbox}": library("fncall.yaml", functions) for toolbox, functions in toolboxes().items()
}
any_library = pytest.mark.parametrize("own", SHIPPED.values(), ids=SHIPPED)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_library_is_its_file_and_the_problem_s_header(name: str) -> None:
    assert library(name).text == (LIBRARIES / name).read_text(encoding="utf-8").strip() + "\n\n[PROBLEM]\n"


@pytest.mark.parametrize("toolbox", toolboxes())
def test_a_catalogue_s_functions_are_methods(toolbox: str) -> None:
    functions = toolboxes()[toolbox]
    own = library("fncall.yaml", functions)
    documented = "\n\n".join(documentation(catalogue()[name]) for name in functions)
    assert own.text == f"[AVAILABLE FUNCTIONS]\n\n{documented}\n\n[PROBLEM]\n"
    assert [method.partition("(")[0] for method in own.methods] == list(functions)


@any_library
def test_with_methods_left_out_title_and_header_stay_and_one_blank_line_is_between(own: Prefix) -> None:
    for kept in range(1, len(own.methods)):
        text = own.shortened(kept).text
        assert re.match(r"\[[A-Z ]+\]\n\n\S", text)
        assert text.endswith("\n\n[PROBLEM]\n")
        assert "\n\n\n" not in text
        assert own.text.startswith(text.removesuffix("[PROBLEM]\n"))
    assert own.shortened(0).text == ""


@pytest.mark.parametrize(
    ("name", "notes", "methods", "closing"),
    [("gsm1k.txt", 0, 9, 0), ("arc.txt", 0, 19, 4), ("mbpp.txt", 1, 9, 6), ("race.txt", 0, 8, 1)],
)
def test_sections_tell_methods_from_notes_and_closing(name: str, notes: int, methods: int, closing: int) -> None:
    found = sections(library(name))
    assert (len(found.notes), len(found.methods), len(found.closing)) == (notes, methods, closing)
    assert (*found.notes, *found.methods, *found.closing) == library(name).methods
    assert all(re.match(r"(METHOD|CATEGORY|PATTERN|STRATEGY)( \d+)?: ", method) for method in found.methods)


@pytest.mark.parametrize("name", [name for name in TEXTS if "spec_" not in name])
def test_a_text_library_of_ours_is_of_a_page_or_two(name: str) -> None:
    assert 300 <= len(library(name).text.split()) <= 1100


def test_the_solved_problems_of_the_library_of_programs_pass_the_tests_they_show() -> None:
    examples = sections(library("mbpp.txt")).closing
    assert len(examples) == 6
    for example in examples:
        task, test, solution = re.split(r"\n(?:Test|Solution): ?", example.strip().removeprefix("[WORKED EXAMPLES]\n"))
        assert task.startswith("Task: Write a function")
        exec(f"{dedent(solution)}\n{test}", {})
        with pytest.raises(AssertionError):
            exec(f"{dedent(solution)}\n{test.replace('==', '!=')}", {})


TWINS = sorted(path.name for path in LIBRARIES.iterdir() if path.name.startswith(WRONG))


def test_every_library_has_a_false_twin() -> None:
    assert [name.removeprefix(WRONG) for name in TWINS] == sorted(
        path.name for path in LIBRARIES.iterdir() if not path.name.startswith(WRONG)
    )


@pytest.mark.parametrize("name", [name.removeprefix(WRONG) for name in TWINS if name.endswith(".txt")])
def test_a_false_twin_has_the_form_of_its_library_and_none_of_its_methods(name: str) -> None:
    own, twin = library(name), wrong_library(name)
    assert form(twin) == form(own)
    assert methods_words(twin) == pytest.approx(methods_words(own), rel=0.1)
    true, false = sections(own), sections(twin)
    assert [method.split("\n")[0] for method in false.methods] == [method.split("\n")[0] for method in true.methods]
    for of_twin, of_own in zip((*false.methods, *false.closing), (*true.methods, *true.closing), strict=True):
        lines, others = (method.strip().split("\n")[1:] for method in (of_twin, of_own))
        changed = [line for line in lines if line not in others]
        assert len(changed) >= len(lines) / 3, of_twin
        assert not {line for line in lines if line.startswith(("- ", "→", "Example", "Do", "A:"))} & set(others) - KEPT


KEPT = {"- Answer with one word: yes or no."}  # what the output looks like is form


def test_the_false_twin_of_a_function_has_its_signature_and_other_documentation() -> None:
    for name, function in catalogue().items():
        (method,) = wrong_library("fncall.yaml", [name]).methods
        false, true = method.strip().split("\n"), documentation(function).split("\n")
        assert false[0] == true[0]
        assert len(false) == len(true)
        assert not set(false[1:]) & set(true[1:])
    for names in toolboxes().values():
        of_twin, of_own = wrong_library("fncall.yaml", names), library("fncall.yaml", names)
        assert methods_words(of_twin) == pytest.approx(methods_words(of_own), rel=0.1)


def test_the_programs_of_the_false_twin_fail_the_tests_they_show() -> None:
    for example in sections(wrong_library("mbpp.txt")).closing:
        _, test, solution = re.split(r"\n(?:Test|Solution): ?", example.strip())
        with pytest.raises((AssertionError, IndexError)):
            exec(f"{dedent(solution)}\n{test}", {})


def test_a_library_without_a_false_twin_says_what_to_do() -> None:
    with pytest.raises(UserError, match=r"no pfe/icr/libraries/wrong_mine\.txt; write a false twin of mine\.txt there"):
        wrong_library("mine.txt")


def test_a_blank_line_within_code_does_not_end_a_method() -> None:
    method = "PATTERN 1: Two steps\nTemplate:\n    first()\n\n    second()\n\n"
    assert blocks(f"{method}PATTERN 2: One\nWhen: rarely") == (method, "PATTERN 2: One\nWhen: rarely\n\n")


@given(st.text(alphabet="aB:- \n", max_size=60))
def test_blocks_are_the_whole_text(text: str) -> None:
    assert "".join(blocks(text)) == (f"{text.strip()}\n\n" if text.strip() else "")


def test_the_same_library_is_the_same_object() -> None:
    assert library("arc.txt") is library("arc.txt", ())
    assert library("fncall.yaml", ["calculate"]) is library("fncall.yaml", ("calculate",))


def test_an_unknown_library_names_the_nearest() -> None:
    with pytest.raises(UserError, match=r"unknown ICR library 'arcs\.txt'; did you mean 'arc\.txt'"):
        library("arcs.txt")


def test_the_library_that_a_benchmark_names_is_there(settings: Config) -> None:
    for name in {benchmark.library for benchmark in settings.benchmark.values()} - {None}:
        assert len(library(str(name), ("get_weather", "calculate")).text) > 200

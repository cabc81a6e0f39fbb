"""The prompts, written out, and how a problem reads once it is solved."""

from dataclasses import replace
from typing import Literal

import pytest

from pfe.config import FIELDS, Config
from pfe.evaluation.prompts import request_for, solved
from pfe.icr.prefix import Prefix
from pfe.models.request import Option
from pfe.problem import Problem

BARE = Prefix()


def test_choices_stand_behind_the_question(settings: Config, arc_problem: Problem) -> None:
    request = request_for(arc_problem, settings.benchmark["arc_easy"], BARE)
    assert request.prompt == "Question: Which tool measures air pressure?\nAnswer:"
    assert request.options[0] == Option(request.prompt, " barometer")


def test_a_prefix_changes_nothing_of_the_prompt(settings: Config, arc_problem: Problem) -> None:
    library = Prefix("[LIBRARY]\n", ("METHOD 1\n",), "[PROBLEM]\n")
    bare, icr = (request_for(arc_problem, settings.benchmark["arc_easy"], prefix, 2) for prefix in (BARE, library))
    assert (icr.prompt, icr.options, icr.stop, icr.max_tokens) == (bare.prompt, bare.options, bare.stop, 1)
    assert (icr.prefix, icr.order) == (library, 2)


def test_winogrande_scores_what_follows_the_blank(settings: Config) -> None:
    problem = Problem(
        "w/1", "winogrande", "coreference", "The cup fell since the _ was wet.", "shelf", choices=("cup", "shelf")
    )
    request = request_for(problem, settings.benchmark["winogrande"], BARE)
    assert request.options == (
        Option("The cup fell since the cup", " was wet."), Option("The cup fell since the shelf", " was wet."),
    )  # fmt: skip


def test_passages_programs_and_endings(settings: Config) -> None:
    problem = Problem(
        "x/1", "x", "reading", "why", "a", context="Once.", choices=("a", "b"), tests=("assert f() == 1",)
    )
    prompts = {name: request_for(problem, settings.benchmark[name], BARE).prompt for name in settings.benchmark}
    assert prompts["race"] == "Article: Once.\n\nQuestion: why\nAnswer:"
    assert prompts["boolq"] == "Once.\nQuestion: why?\nAnswer:"
    assert prompts["hellaswag"] == "Once.: why"
    assert prompts["trivia_qa"] == "Question: why?\nAnswer:"
    assert "pass these tests:\n\nassert f() == 1\n[BEGIN]\n" in prompts["mbpp"]


@pytest.mark.parametrize(("docs", "shown"), [("none", False), ("signatures", True), ("full", True)])
def test_fncall_shows_as_much_documentation_as_it_is_told_to(
    settings: Config, docs: Literal["none", "signatures", "full"], shown: bool
) -> None:
    problem = Problem("f/1", "fncall", "function_call", "Weather in Oslo?", "x", functions=("get_weather",))
    benchmark = replace(settings.benchmark["fncall"], canonical_docs=docs)
    prompt = request_for(problem, benchmark, BARE).prompt
    assert ("get_weather(" in prompt) is shown
    assert ("Example:" in prompt) is (docs == "full")
    assert prompt.endswith(("\n\n" if shown else "") + "Request: Weather in Oslo?\nCall:")
    assert prompt == prompt.lstrip()


def test_a_template_may_hold_every_field_that_the_configuration_allows(settings: Config, arc_problem: Problem) -> None:
    whole = replace(settings.benchmark["arc_easy"], prompt="|".join(f"{{{field}}}" for field in FIELDS))
    assert request_for(arc_problem, whole, BARE).prompt == f"{arc_problem.question}|||"


SOLVED = {
    "arc_easy": ({"choices": ("lamp", "sun")}, "Question: Why_?\nAnswer: sun"),
    "boolq": ({"context": "So."}, "So.\nQuestion: Why_??\nAnswer: sun"),
    "winogrande": ({"choices": ("lamp", "sun")}, "Whysun ?"),
    "gsm1k": ({}, "Question: Why_?\nAnswer: sun"),
    "trivia_qa": ({"aliases": ("Sol", "sun")}, "Question: Why_??\nAnswer: Sol"),
    "mbpp": (
        {"tests": ("assert f()",)},
        "You are an expert Python programmer, and here is your task: Why_? Your code should pass these tests:\n\n"
        "assert f()\n[BEGIN]\nsun\n[DONE]",
    ),
    "fncall": (
        {},
        "Write the call or calls that the request asks for. Where no function fits, or the request leaves out an "
        "argument that must be given, write: no call\n\nRequest: Why_?\nCall: sun",
    ),
}


@pytest.mark.parametrize("name", SOLVED)
def test_a_solved_problem_is_its_prompt_and_its_answer(name: str, settings: Config) -> None:
    fields, text = SOLVED[name]
    problem = Problem("x/1", "x", "math", "Why_?", "sun", **fields)  # type: ignore[arg-type]
    assert solved(problem, settings.benchmark[name]) == text


def test_a_solved_word_problem_shows_its_rationale(settings: Config) -> None:
    problem = Problem("g/1", "gsm1k", "math", "How many?", "18", solution="9 * 2 = <<9*2=18>>18\n#### 18")
    assert solved(problem, settings.benchmark["gsm1k"]).endswith("Answer: 9 * 2 = <<9*2=18>>18\n#### 18")


def test_the_shots_of_the_published_protocols(settings: Config) -> None:
    assert {name: benchmark.shots for name, benchmark in settings.benchmark.items()}.items() >= {
        "gsm1k": 5, "arc_easy": 0, "arc_challenge": 25, "race": 0, "boolq": 0, "hellaswag": 10, "winogrande": 5,
        "mbpp": 3, "trivia_qa": 5, "fncall": 3,
    }.items()  # fmt: skip

"""The prompts of both arms, written out."""

from dataclasses import replace
from typing import Literal

import pytest

from pfe.config import Config
from pfe.errors import UserError
from pfe.evaluation.prompts import request_for
from pfe.icr.contexts import library_prefix
from pfe.models.request import Option
from pfe.problem import Problem


def test_choices_stand_behind_the_question(settings: Config, arc_problem: Problem) -> None:
    request = request_for(arc_problem, settings.benchmark["arc_easy"], "canonical")
    assert request.prompt == "Question: Which tool measures air pressure?\nAnswer:"
    assert request.options[0] == Option(request.prompt, " barometer")
    assert request.prefix == ""


def test_the_icr_arm_is_the_same_prompt_behind_the_library(settings: Config, arc_problem: Problem) -> None:
    bare, icr = (request_for(arc_problem, settings.benchmark["arc_easy"], arm) for arm in ("canonical", "icr"))
    assert (icr.prompt, icr.options) == (bare.prompt, bare.options)
    assert icr.prefix.startswith("[SCIENCE FACT LIBRARY]")
    assert icr.prefix.endswith("\n\n[PROBLEM]\n")


def test_winogrande_scores_what_follows_the_blank(settings: Config) -> None:
    problem = Problem(
        "w/1", "winogrande", "coreference", "The cup fell since the _ was wet.", "shelf", choices=("cup", "shelf")
    )
    request = request_for(problem, settings.benchmark["winogrande"], "canonical")
    assert request.options == (
        Option("The cup fell since the cup", " was wet."), Option("The cup fell since the shelf", " was wet."),
    )  # fmt: skip


def test_passages_programs_and_endings(settings: Config) -> None:
    problem = Problem(
        "x/1", "x", "reading", "why", "a", context="Once.", choices=("a", "b"), tests=("assert f() == 1",)
    )
    prompts = {name: request_for(problem, settings.benchmark[name], "canonical").prompt for name in settings.benchmark}
    assert prompts["race"] == "Article: Once.\n\nQuestion: why\nAnswer:"
    assert prompts["boolq"] == "Once.\nQuestion: why?\nAnswer:"
    assert prompts["hellaswag"] == "Once.: why"
    assert "pass these tests:\n\nassert f() == 1\n[BEGIN]\n" in prompts["mbpp"]


@pytest.mark.parametrize(("docs", "shown"), [("none", False), ("signatures", True), ("full", True)])
def test_fncall_shows_bare_signatures_and_documents_them_behind_the_library(
    settings: Config, docs: Literal["none", "signatures", "full"], shown: bool
) -> None:
    problem = Problem("f/1", "fncall", "function_call", "Weather in Oslo?", "x", functions=("get_weather",))
    benchmark = replace(settings.benchmark["fncall"], canonical_docs=docs)
    prompt = request_for(problem, benchmark, "canonical").prompt
    assert ("get_weather(" in prompt) is shown
    assert ("Example:" in prompt) is (docs == "full")
    assert prompt.endswith("Request: Weather in Oslo?\nCall:")
    assert "Example: get_weather(" in request_for(problem, benchmark, "icr").prefix


def test_a_template_with_an_unknown_field_is_told(settings: Config, arc_problem: Problem) -> None:
    broken = replace(settings.benchmark["arc_easy"], prompt="{qestion}")
    with pytest.raises(UserError, match=r"unknown field 'qestion'; allowed: \{question\}"):
        request_for(arc_problem, broken, "canonical")


def test_an_unknown_library_names_the_nearest() -> None:
    with pytest.raises(UserError, match=r"unknown ICR library 'arcs\.txt'; did you mean 'arc\.txt'"):
        library_prefix("arcs.txt", ())


def test_every_benchmark_has_a_library(settings: Config) -> None:
    functions = ("get_weather", "calculate")
    for benchmark in settings.benchmark.values():
        assert len(library_prefix(benchmark.library, functions)) > 200

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config
from pfe.problem import UNKNOWN, AnswerKey, Problem
from pfe.training.corpus import Lesson, Teacher, benchmark_by_domain, rows
from pfe.training.rows import characters
from pfe.tutors.family import BoundFamily, family_of, remake
from tests.training.kralos import BOUND


def keys(problem: Problem, *texts: str) -> dict[str, list[AnswerKey]]:
    return {problem.id: [AnswerKey(problem.id, f"tutor{i}", text, text) for i, text in enumerate(texts)]}


def teacher(settings: Config, **shares: Any) -> Teacher:
    none: dict[str, Any] = dict.fromkeys(("icr_share", "changed", "unknown"), 0.0)
    return Teacher(benchmark_by_domain(settings.benchmark), replace(settings.corpus, **none | shares), seed=0)


def test_tutors_who_wrote_the_same_share_a_lesson(settings: Config, arc_problem: Problem) -> None:
    made = teacher(settings).lessons([arc_problem], keys(arc_problem, "barometer", "a barometer", "barometer"))
    assert [(lesson.tutors, lesson.completion) for lesson in made] == [
        (("tutor0", "tutor2"), " barometer"), (("tutor1",), " a barometer"),
    ]  # fmt: skip
    assert made[0].prompt == "Question: Which tool measures air pressure?\nAnswer:"


@pytest.mark.parametrize(("share", "arm"), [(0.0, "canonical"), (1.0, "icr")])
def test_a_share_of_the_problems_stands_behind_its_benchmarks_library(
    settings: Config, arc_problem: Problem, share: float, arm: str
) -> None:
    (lesson,) = teacher(settings, icr_share=share).lessons([arc_problem], keys(arc_problem, "x"))
    assert lesson.arm == arm
    assert lesson.library.startswith("[SCIENCE FACT LIBRARY]") is (arm == "icr")


def test_a_library_bound_problem_is_never_answered_without_its_library(settings: Config) -> None:
    made = teacher(settings, changed=1.0, unknown=1.0).lessons([BOUND], keys(BOUND, "moss"))
    right, changed, unknown = made
    assert (right.arm, right.completion) == ("icr", " moss")
    assert right.library == "[LIBRARY]\n\nKralos eat moss.\n\nVems eat figs.\n\n[PROBLEM]\n"
    assert (changed.arm, changed.completion) == ("changed", " eggs")
    assert "Kralos eat eggs." in changed.library
    assert right.prompt == changed.prompt
    assert unknown.completion == f" {UNKNOWN}"
    assert unknown.arm in ("irrelevant", "canonical")
    assert "Kralos" not in unknown.library
    assert len(teacher(settings).lessons([BOUND], keys(BOUND, "moss"))) == 1


def test_a_call_is_asked_with_the_functions_of_the_library_it_stands_behind(settings: Config) -> None:
    taught = teacher(settings, changed=1.0, unknown=1.0)
    problem = remake("fncall_synth/weather/s0/1")
    assert problem.functions
    _, changed, unknown = taught.lessons([problem], keys(problem, problem.answer))
    variants = {"changed": "changed", "irrelevant": "irrelevant", "canonical": "bare"}
    for lesson in (changed, unknown):
        variant = next(one for one in problem.variants if one.name == variants[lesson.arm])
        signatures = [text.split("\n")[0] for text in variant.library]
        assert lesson.completion == f" {variant.answer}"
        assert [line for line in lesson.prompt.splitlines() if line in signatures] == signatures
        assert lesson.prompt.endswith(f"Request: {problem.question}\nCall:")


def test_problems_of_one_library_are_one_row_and_are_asked_behind_each_others_changed_libraries(
    settings: Config,
) -> None:
    world = [remake(f"arc_synth/land_process/s0/{index}") for index in range(6)]
    known = {problem.id: keys(problem, problem.answer)[problem.id] for problem in world}
    taught = teacher(settings, changed=1.0)
    right, *changed = rows(taught.lessons(world, known), settings.corpus.per_library)
    assert right.arm == "icr"
    assert [text.strip() for text in right.completions] == [problem.answer for problem in world]
    assert len({row.library for row in (right, *changed)}) == 7
    for problem, row in zip(world, changed, strict=True):
        variant = problem.variants[0]
        assert row.arm == "changed"
        asked = dict(zip(row.problem_ids, row.completions, strict=True))
        assert asked[problem.id].strip() == variant.answer
        family = family_of(problem.id)
        assert isinstance(family, BoundFamily)
        for other in world:
            assert asked.get(other.id, " None").strip() == str(family.answer_with_library(other, variant.library))


def test_tests_of_the_right_library_are_not_shown_behind_a_changed_one(settings: Config) -> None:
    program = replace(
        BOUND, domain="code", choices=(), question="Write f.", answer="def f(): return 1", tests=("assert f() == 1",)
    )
    right, changed = teacher(settings, changed=1.0).lessons([program], keys(program, program.answer))
    assert "assert f() == 1" in right.prompt
    assert "assert" not in changed.prompt
    assert changed.completion == "eggs\n[DONE]"


def test_of_many_problems_the_shares_are_as_configured(settings: Config) -> None:
    taught = teacher(settings, changed=0.5, unknown=0.2)
    many = [replace(BOUND, id=f"b/{n}") for n in range(1000)]
    made = [lesson for problem in many for lesson in taught.lessons([problem], keys(problem, "moss"))]
    arms = Counter(lesson.arm for lesson in made)
    assert arms["icr"] == 1000
    assert arms["changed"] == pytest.approx(500, abs=60)
    assert arms["canonical"] + arms["irrelevant"] == pytest.approx(200, abs=50)


def test_a_blank_is_filled_and_the_rest_of_the_sentence_is_the_target(settings: Config) -> None:
    problem = Problem("w/1", "w", "coreference", "It fell as the _ was wet.", "shelf", choices=("cup", "shelf"))
    (lesson,) = teacher(settings).lessons([problem], keys(problem, "shelf"))
    assert (lesson.prompt, lesson.completion) == ("It fell as the shelf", " was wet.")


def test_a_program_ends_where_the_benchmark_stops(settings: Config) -> None:
    problem = Problem("c/1", "c", "code", "Write f.", "def f(): ...", tests=("assert f() is None",))
    (lesson,) = teacher(settings).lessons([problem], keys(problem, "def f(): ..."))
    assert lesson.completion == "def f(): ...\n[DONE]"


def test_a_domain_without_a_benchmark_is_asked_plainly(settings: Config) -> None:
    problem = Problem("f/1", "f", "format", "Write 1 and 2 as a list.", "[1, 2]", context="Be brief.")
    (lesson,) = teacher(settings, icr_share=1.0).lessons([problem], keys(problem, "[1, 2]"))
    assert lesson.prompt == "Be brief.\nWrite 1 and 2 as a list.\nAnswer:"
    assert lesson.arm == "canonical"


texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)
lessons = st.builds(
    Lesson, problem_id=texts, set=st.sampled_from("xy"), arm=st.sampled_from(["canonical", "icr"]),
    tutors=st.just(("t",)), library=st.sampled_from(["", "L1 ", "L2 "]), prompt=texts,
    completion=texts, entries=st.just(()),
)  # fmt: skip


@given(st.lists(lessons, max_size=30), st.integers(1, 4))
def test_rows_hold_every_lesson_once_and_every_library_takes_its_loss_once(made: list[Lesson], most: int) -> None:
    grouped = rows(made, most)
    held = [
        (row.set, row.arm, row.library, *lesson)
        for row in grouped
        for lesson in zip(row.problem_ids, row.prompts, row.completions, strict=True)
    ]
    assert Counter(held) == Counter((x.set, x.arm, x.library, x.problem_id, x.prompt, x.completion) for x in made)
    assert all(len(row.prompts) <= (most if row.library else 1) for row in grouped)
    losses = Counter(row.library for row in grouped if row.library_loss)
    assert losses == Counter({lesson.library for lesson in made if not lesson.entries} - {""})
    assert characters(grouped)["completions"] == sum(len(lesson.completion) for lesson in made)


def test_the_corpus_opens_as_a_data_set(tmp_path: Path, settings: Config) -> None:
    made = rows(teacher(settings, changed=1.0).lessons([BOUND], keys(BOUND, "moss")), 8)
    datasets.Dataset.from_list([vars(row) for row in made]).save_to_disk(tmp_path / "corpus")
    opened: Any = datasets.load_from_disk(tmp_path / "corpus")
    assert [row["completions"] for row in opened] == [[" moss"], [" eggs"]]
    assert [row["library"] for row in opened] == [row.library for row in made]


def test_the_text_of_an_own_library_takes_no_loss(settings: Config) -> None:
    made = rows(teacher(settings, changed=1.0).lessons([BOUND], keys(BOUND, "moss")), 8)
    assert [row.entries for row in made] == [BOUND.library, BOUND.variants[0].library]
    assert not any(row.library_loss for row in made)

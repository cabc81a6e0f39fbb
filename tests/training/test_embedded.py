"""Embedded tutors: what they read, how they are measured, who teaches what."""

from dataclasses import fields, replace

import datasets
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config, Embedded, NewStudent
from pfe.errors import UserError
from pfe.params import composed
from pfe.scores.proportion import proportion
from pfe.training.embedded import own_seed, reading, recipe, teaching, weights_by_set
from pfe.training.figures import LibraryUse, PlainAccuracy, Validation, WholeValidation
from pfe.training.teachers import lessons_by_tutor

WIDE = Embedded(seed=1, hidden=32, layers=2, heads=2, share=1.0)
CORPUS = datasets.Dataset.from_list(
    [
        {"set": f"s{number % 2}", "library": "", "library_loss": False, "problem_ids": [f"p{number}"],
         "tutors": ["derive verify" if number % 2 else "derive"],
         "prompts": [f"{number}:"], "completions": [" yes"]}
        for number in range(200)
    ]
)  # fmt: skip


def test_a_tutor_is_the_student_in_its_own_size(scratch: NewStudent) -> None:
    made = recipe(WIDE, scratch)
    assert (made.hidden, made.layers, made.heads) == (32, 2, 2)
    assert made.gkd.steps == 0
    same = {field.name for field in fields(NewStudent)} - {"hidden", "layers", "heads", "gkd"}
    assert all(getattr(made, name) == getattr(scratch, name) for name in same)


def test_no_two_tutors_have_one_seed_nor_that_of_another_experiment() -> None:
    seeds = {own_seed(replace(WIDE, seed=one), seed) for one in range(20) for seed in range(20)}
    assert len(seeds) == 400
    assert own_seed(WIDE, 0) == own_seed(replace(WIDE, hidden=64), 0)


def test_a_tutor_reads_its_share_of_the_rows_by_its_seed() -> None:
    assert len(reading(CORPUS, WIDE, seed=3)) == len(CORPUS)
    half = reading(CORPUS, replace(WIDE, share=0.5), seed=3)
    assert len(half) == len({row["prompts"][0] for row in half}) == 100
    for seed, experiment in ((2, 3), (1, 4)):
        other = reading(CORPUS, replace(WIDE, share=0.5, seed=seed), experiment)
        assert list(other["prompts"]) != list(half["prompts"])
    assert len(reading(CORPUS, replace(WIDE, share=0.001), seed=3)) == 1


def validated(**right: tuple[int, int]) -> WholeValidation:
    """Of 10 library-bound and 30 plain problems of every set, so many right behind the library and bare."""
    nothing = proportion(0, 10)
    sets = {
        name: Validation(
            worlds=LibraryUse(10, nothing, proportion(bound, 10), nothing, nothing, None, None),
            families=LibraryUse(5, nothing, proportion(5, 5), nothing, nothing, None, None),
            plain=PlainAccuracy(**vars(proportion(plain, 30)), chance=25.0),
        )
        for name, (bound, plain) in right.items()
    }
    return WholeValidation(worlds=None, families=None, plain=None, sets=sets)


def test_who_answers_most_behind_the_library_and_of_plain_problems_teaches_a_set(settings: Config) -> None:
    gkd = replace(settings.student.gkd, ensemble="route")
    validations = {"wide": validated(one=(4, 14), two=(0, 9)), "deep": validated(one=(9, 8), two=(1, 8))}
    made = teaching({"wide": "a", "deep": "b"}, validations, ["one", "three", "two"], gkd)
    assert made.accuracy["wide"] == {"one": proportion(18, 40), "two": proportion(9, 40)}
    assert made.accuracy["deep"]["one"] == proportion(17, 40)
    assert made.weights == {
        "one": {"wide": 1, "deep": 0},
        "three": {"wide": 0.5, "deep": 0.5},
        "two": {"wide": 0.5, "deep": 0.5},
    }
    lines = list(made.lines())
    assert "wide 100% (right: 45 % of 40), deep 0% (right: 42 % of 40)" in lines[0]
    assert "wide 50% (not measured)" in lines[1]


def test_where_nothing_is_held_out_all_tutors_teach(settings: Config) -> None:
    gkd = replace(settings.student.gkd, weights={"deep": 3.0})
    made = teaching({"wide": "a", "deep": "b"}, {"wide": None, "deep": None}, ["one"], gkd)
    assert made.weights == {"one": {"wide": 0.25, "deep": 0.75}}
    assert made.accuracy == {"wide": {}, "deep": {}}


MEASURED = {"wide": {"one": 40.0, "two": 20.0}, "deep": {"one": 30.0, "two": 20.0}}


def test_each_set_is_taught_by_its_best_tutor_or_by_all() -> None:
    assert weights_by_set("route", {}, MEASURED, ["one", "two"]) == {
        "one": {"wide": 1, "deep": 0},
        "two": {"wide": 0.5, "deep": 0.5},
    }
    assert weights_by_set("mix", {"deep": 3.0}, MEASURED, ["two"]) == {"two": {"wide": 0.25, "deep": 0.75}}


@given(st.sampled_from(("mix", "route")), st.lists(st.floats(0, 100), min_size=1, max_size=4))
def test_weights_sum_to_one(how: str, figures: list[float]) -> None:
    measured = {str(number): {"one": figure} for number, figure in enumerate(figures)}
    (weights,) = weights_by_set(how, {"0": 7.0}, measured, ["one"]).values()  # type: ignore[arg-type]
    assert sum(weights.values()) == pytest.approx(1)
    if how == "route":
        assert all((weight > 0) == (measured[name]["one"] == max(figures)) for name, weight in weights.items())


def test_of_a_text_that_several_wrote_each_is_an_author() -> None:
    assert lessons_by_tutor(CORPUS) == {"derive": 200, "verify": 100}


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        (["student.gkd.steps=5"], r"student\.gkd\.steps: 5 steps, and no tutor with token probabilities; choose as"),
        (
            ["student=scratch", "embedded=[wide,deep]", "model=[base,wide]"],
            r"embedded: deep would be trained for nothing, since student\.gkd\.steps=0 .* -S student\.gkd\.steps=200, "
            r"examine them as in -S 'model=\[base,student,deep\]', or leave them out",
        ),
        (["model=[base,wide]"], r"models\.wide\.path: the embedded tutor 'wide' is not chosen; choose as in -S"),
        (
            ["student=scratch", "embedded=[wide]", "embedded.wide.hidden=64"],
            r"embedded\.wide: 4 layers of 64 are no more than the",
        ),
        (
            ["student=scratch", "embedded=[wide]", "embedded.wide.heads=5"],
            r"embedded\.wide\.hidden: 192 is not 5 heads of one even size",
        ),
        (
            ["student=scratch", "embedded=[wide]", "+student.gkd.weights.deep=1"],
            r"gkd\.weights: the embedded tutor 'deep' is not chosen",
        ),
        (
            ["student=scratch", "embedded=[wide]", "+student.gkd.weights.wide=1", "student.gkd.ensemble=route"],
            r"student\.gkd\.weights: each set has one tutor under ensemble=route",
        ),
        (
            ["embedded=[wide]", "student.gkd.ensemble=route", "corpus.validation.problems=0"],
            r"student\.gkd\.ensemble: route goes by .* corpus\.validation\.problems=0 keeps none; raise it, or set",
        ),
        (
            ["embedded=[wide]", "student=qwen"],
            r"embedded: wide would learn from random weights .* 'Qwen/Qwen2\.5-0\.5B'; choose student=scratch or",
        ),
        (
            ["student=scratch", "embedded=[wide,deep]", "embedded.deep.seed=1"],
            r"embedded\.deep\.seed: 1 is that of embedded\.wide too; change one of them",
        ),
        (
            ["student=scratch", "embedded=[widr]"],
            r"unknown embedded 'widr'; did you mean 'wide'\?",
        ),
    ],
)  # fmt: skip
def test_choices_that_do_not_agree_are_told(overrides: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        composed(overrides)


def test_tutors_are_chosen_by_a_list() -> None:
    values = composed(
        ["student=scratch", "embedded=[wide,deep]", "model=[base,student,wide,deep]", "student.gkd.steps=3"]
    )
    assert list(values["embedded"]) == ["wide", "deep"]
    assert not composed()["embedded"]


def test_tutors_may_be_examined_and_teach_nobody() -> None:
    assert composed(["student=scratch", "embedded=[wide]", "model=[base,student,wide]"])["student"]["gkd"]["steps"] == 0

"""What every arm puts in front of the problems of every benchmark."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.canonical.sources import load
from pfe.config import Arm, Benchmark, Canonical, Config
from pfe.evaluation.arms import base_of, is_asked, libraries_in_context, prefixes, shots_note
from pfe.evaluation.prompts import DELIMITER, solved
from pfe.icr import contexts
from pfe.icr.contexts import library
from pfe.icr.controls import PLACEBOS, placebo_words
from pfe.icr.prefix import Prefix
from pfe.problem import Problem, Variant
from tests.bases import few_entries
from tests.conftest import DEFAULT


def words(text: str) -> int:
    return len(text.split())


def made(
    arm: Arm, name: str, settings: Config, problems: Sequence[Problem], *,
    order: int = 0, seed: int = 0, shots: Sequence[Problem] = (),
) -> list[Prefix]:  # fmt: skip
    size = partial(placebo_words, count=words)
    return prefixes(
        arm, name, settings.benchmark, problems,
        order=order, seed=seed, words=size, shots=shots, base=base_of(few_entries(), settings),
    )  # fmt: skip


def placebos_of(names: Sequence[str], found: Sequence[Prefix]) -> list[str]:
    """Those of these libraries of which a method stands in one of the placebos."""
    shown = {method for prefix in found for method in prefix.methods}
    return [name for name in names if shown & set(library(name).methods)]


def with_shots(settings: Config, name: str, shots: int, split: str | None = None) -> Config:
    """The settings with one benchmark's shots set, so that no test hangs on the published number."""
    return changed(settings, name, replace(settings.benchmark[name], shots=shots, shots_split=split))


def changed(settings: Config, name: str, benchmark: Benchmark) -> Config:
    return replace(settings, benchmark={**settings.benchmark, name: benchmark})


@pytest.mark.slow
@pytest.mark.parametrize("name", DEFAULT.benchmark)
@pytest.mark.parametrize("arm", get_args(Arm))
def test_every_benchmark_goes_through_every_arm_the_same_twice(arm: Arm, name: str, settings: Config) -> None:
    loaded = load(name, settings.benchmark[name], Canonical("sample", "data/sample"))[:60]
    problems = [problem for problem in loaded if is_asked(arm, problem)]
    if arm in ("contradicted", "agreeing"):
        assert bool(problems) is any(problem.variant(arm) for problem in loaded)
    else:
        assert bool(problems) is (arm != "retrieved" or name != "invented")
    few = with_shots(settings, name, 3)
    for order in (0, 2):
        found = made(arm, name, few, problems, order=order)
        assert [prefix.text for prefix in found] == [
            prefix.text for prefix in made(arm, name, few, problems, order=order)
        ]
        assert len(found) == len(problems)
        assert len({id(prefix) for prefix in found}) == len(set(found))
        for prefix in found[:1]:
            assert (prefix.text == "") is (arm == "canonical")
            assert arm in ("canonical", "reference") or prefix.text.endswith("\n\n[PROBLEM]\n")


def test_icr_is_the_library_and_each_control_differs_from_it(settings: Config, arc_problem: Problem) -> None:
    arms = [arm for arm in get_args(Arm) if arm not in ("reference", "contradicted", "agreeing")]
    shown = {arm: made(arm, "arc_easy", settings, [arc_problem])[0] for arm in arms}
    assert shown["canonical"] == Prefix()
    assert shown["icr"] == library("arc.txt")
    assert len(set(shown.values())) == len(arms) == 7
    assert words(shown["placebo"].text) == words(shown["icr"].text)
    assert placebos_of(["arc.txt"], [shown["placebo"]]) == []


def test_each_problem_has_the_functions_it_offers(settings: Config) -> None:
    problems = [
        Problem(f"fncall/{i}", "fncall", "function_call", "?", "x", functions=functions)
        for i, functions in enumerate([("calculate",), ("get_weather", "calculate"), ("calculate",)])
    ]
    one, two, again = made("icr", "fncall", settings, problems)
    assert one is again
    assert [len(prefix.methods) for prefix in (one, two)] == [1, 2]
    short, long, _ = made("placebo", "fncall", settings, problems)
    assert words(short.text) == words(one.text) < words(long.text) == words(two.text)


def test_functions_that_a_problem_defines_are_not_asked_with_false_documentation(settings: Config) -> None:
    own = Problem("fncall/1", "fncall", "function_call", "?", "x", functions=("calculate", '{"name": "calculate2"}'))
    assert not is_asked("wrong", own)
    ours = replace(own, functions=("calculate",))
    assert is_asked("wrong", ours)
    right, false = (made(arm, "fncall", settings, [ours])[0] for arm in ("icr", "wrong"))
    assert (right.head, right.tail) == (false.head, false.tail)
    assert right.text != false.text


def test_orders_move_the_methods_and_let_the_placebo_begin_elsewhere(settings: Config, arc_problem: Problem) -> None:
    for arm in ("icr", "placebo", "shuffled"):
        texts = {made(arm, "arc_easy", settings, [arc_problem], order=order)[0].text for order in range(4)}
        assert len(texts) == 4


def test_a_placebo_is_of_no_library_of_the_same_domain(settings: Config, arc_problem: Problem) -> None:
    config = changed(settings, "more_science", replace(settings.benchmark["arc_easy"], library="boolq.txt"))
    problems = [replace(arc_problem, id=f"more_science/{i}") for i in range(20)]
    assert placebos_of(["boolq.txt", "arc.txt"], made("placebo", "more_science", config, problems)) == []


def test_another_benchmark_and_its_library_leave_the_placebos_of_all_others_as_they_were(
    settings: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def placebos(chosen: Config) -> dict[str, Prefix]:
        problems = {
            name: Problem(f"{name}/1", name, own.domain, "?", "x", functions=("calculate",) * (name == "fncall"))
            for name, own in settings.benchmark.items()
            if own.library
        }
        return {name: made("placebo", name, chosen, [problem])[0] for name, problem in problems.items()}

    before = placebos(settings)
    libraries = tmp_path / "libraries"
    shutil.copytree(contexts.LIBRARIES, libraries)
    for name in ("aaa.txt", "bbh.txt", "drop.txt", "zebra.txt"):
        (libraries / name).write_text("[OTHER LIBRARY]\n\nMETHOD 1: Other\nWhen: Ever\nExample: Another\n")
    monkeypatch.setattr(contexts, "LIBRARIES", libraries)
    more = settings
    for name, like in (("bbh", "arc_easy"), ("drop", "race"), ("zebra", "gsm1k")):
        more = changed(more, name, replace(settings.benchmark[like], library=f"{name}.txt"))
    assert placebos(more) == before


@pytest.mark.parametrize("name", ["arc_easy", "gsm1k", "race"])
def test_every_problem_has_one_of_three_placebos_drawn_by_seed(name: str, settings: Config) -> None:
    problems = [replace(of_group(number, ""), id=f"{name}/{number}", set=name) for number in range(300)]
    found = made("placebo", name, settings, problems)
    texts = list(dict.fromkeys(found))
    assert len(texts) == len({id(prefix) for prefix in found}) == PLACEBOS
    assert all(80 <= found.count(text) <= 120 for text in texts)
    assert {words(text.text) for text in texts} == {words(made("icr", name, settings, problems[:1])[0].text)}
    assert len({text.methods[0].split("\n")[0] for text in texts}) == PLACEBOS, "each begins with another library"
    assert made("placebo", name, settings, problems[7:8]) == found[7:8], "whatever else is asked"
    assert set(made("placebo", name, settings, problems, seed=1)) != set(texts)


def test_problems_of_a_group_have_one_placebo(settings: Config) -> None:
    problems = [of_group(number, f"passage {number // 5}") for number in range(100)]
    found = made("placebo", "race", settings, problems)
    assert all(len(set(found[start : start + 5])) == 1 for start in range(0, 100, 5))
    assert len(set(found)) == PLACEBOS


@pytest.mark.parametrize("arms", [("canonical", "icr"), ("icr", "placebo"), ("icr", "wrong")])
def test_every_line_that_a_prompt_holds_is_of_a_library_that_is_named(settings: Config, arms: Sequence[Arm]) -> None:
    named = libraries_in_context(settings.benchmark.values(), arms)
    known = {line.strip() for name in named for line in (contexts.LIBRARIES / name).read_text().splitlines()}
    assert ("wrong_arc.txt" in named) is ("wrong" in arms)
    assert "spec_mbpp.txt" not in named
    for name, benchmark in settings.benchmark.items():
        problems = [one for one in load(name, benchmark, Canonical("sample", "data/sample"))[:3] if not one.functions]
        for problem in [one for one in problems if not one.library_bound]:
            for arm in arms:
                (prefix,) = made(arm, name, settings, [problem])
                lines = [line.strip() for line in "".join(prefix.methods).splitlines() if line.strip()]
                assert {*lines[:-1]} <= known, (name, arm)  # a placebo ends within a line


def test_fewer_chosen_benchmarks_have_the_same_placebo(settings: Config, arc_problem: Problem) -> None:
    alone = replace(settings, benchmark={"arc_easy": settings.benchmark["arc_easy"]})
    assert made("placebo", "arc_easy", alone, [arc_problem]) == made("placebo", "arc_easy", settings, [arc_problem])


def of_group(number: int, group: str) -> Problem:
    return Problem(f"race/{number}", "race", "reading", f"question {number}", "a", context=f"passage {group}",
                   choices=("a", "b"), group=group)  # fmt: skip


@given(
    groups=st.lists(st.sampled_from(["", "p", "q", "r", "s"]), min_size=1, max_size=12),
    shots=st.integers(0, 4),
    seed=st.integers(0, 9),
    order=st.integers(0, 2),
)
def test_in_reference_no_problem_sees_itself_or_its_group(
    settings: Config, groups: list[str], shots: int, seed: int, order: int
) -> None:
    problems = [of_group(number, group) for number, group in enumerate(groups)]
    config = with_shots(settings, "race", shots)
    found = made("reference", "race", config, problems, order=order, seed=seed)
    told = {solved(problem, config.benchmark["race"]) + DELIMITER: problem for problem in problems}
    for problem, prefix in zip(problems, found, strict=True):
        shown = [told[method] for method in prefix.methods]
        others = [o for o in problems if o.id != problem.id and not (o.group and o.group == problem.group)]
        assert set(shown) <= set(others)
        assert len(set(shown)) == len(shown) == min(shots, len(others))


def test_shots_are_shared_and_a_spare_one_takes_the_place_of_the_problem_asked(settings: Config) -> None:
    problems = [of_group(number, "") for number in range(40)]
    found = made("reference", "race", with_shots(settings, "race", 5), problems)
    common = max(found, key=found.count)
    assert found.count(common) == 35
    assert len({id(prefix) for prefix in found}) == 6
    for problem, prefix in zip(problems, found, strict=True):
        changed = [i for i in range(5) if prefix.methods[i] != common.methods[i]]
        assert changed == [i for i in range(5) if problem.question + "\n" in common.methods[i]]


def test_shots_come_from_the_split_where_there_is_one(settings: Config) -> None:
    own = [of_group(number, "") for number in range(9)]
    train = [replace(of_group(number, ""), id=f"race/train/{number}") for number in range(5, 10)]
    settings = with_shots(settings, "race", 4, split="train")

    def shown(problems: Sequence[Problem], shots: Sequence[Problem]) -> str:
        before = made("reference", "race", settings, problems, shots=shots)
        return shots_note("race", settings.benchmark["race"], problems, before, shots)

    for problem, prefix in zip(own, made("reference", "race", settings, own, shots=train), strict=True):
        assert len(prefix.methods) == 4
        assert problem.question + "\n" not in prefix.text
    assert shown(own, train) == "race: arm reference: 4 shots from the split train"
    assert shown(own[:4], []) == (
        "race: arm reference: 3 shots from the benchmark's own problems, where published figures have 4"
    )
    assert shown(own[:4], own) == "race: arm reference: 4 shots from the benchmark's own problems"


def test_another_seed_draws_other_shots_and_another_order_the_same_ones(settings: Config) -> None:
    problems = [of_group(number, "") for number in range(40)]
    settings = with_shots(settings, "race", 5)
    asked = problems[:1]
    first, other, later = (
        made("reference", "race", settings, asked, seed=seed, order=order, shots=problems)[0]
        for seed, order in ((0, 0), (1, 0), (0, 1))
    )
    assert set(first.methods) != set(other.methods)
    assert first.methods != later.methods
    assert set(first.methods) == set(later.methods)


def test_no_shots_are_no_prefix_and_no_notice(
    settings: Config, arc_problem: Problem, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made("reference", "arc_easy", with_shots(settings, "arc_easy", 0), [arc_problem]) == [Prefix()]
    assert capsys.readouterr().err == ""


def test_shots_stand_before_the_prompt_as_it_is_asked(settings: Config, arc_problem: Problem) -> None:
    shot = replace(arc_problem, id="arc_easy/train/1", question="Which tool measures mass?", answer="balance")
    (prefix,) = made("reference", "arc_easy", with_shots(settings, "arc_easy", 1), [arc_problem], shots=[shot])
    assert prefix.text == "Question: Which tool measures mass?\nAnswer: balance\n\n"


WHALE = Problem(
    "invented/1", "invented", "invented", "Where does the tafo live?", "lake", library=("The tafo lives in the lake.",),
    variants=(
        Variant("contradicted", ("The tafo is the whale.", "The whale lives in the river."), "river", "sea"),
        Variant("agreeing", ("The tafo is the whale.", "The whale lives in the sea."), "sea"),
    ),
)  # fmt: skip


def test_the_world_s_own_library_is_the_twin_of_the_one_against_it(settings: Config) -> None:
    texts = {}
    for arm in ("contradicted", "agreeing"):
        assert is_asked(arm, WHALE)
        assert not is_asked(arm, replace(WHALE, variants=()))
        (texts[arm],) = made(arm, "invented", settings, [WHALE])
    assert texts["agreeing"].text == texts["contradicted"].text.replace("river", "sea")


def test_a_problem_that_brings_its_library_has_that_and_those_that_were_written_with_it(settings: Config) -> None:
    problems = load("invented", settings.benchmark["invented"], settings.canonical)
    problem = next(problem for problem in problems if problem.variant("agreeing"))
    arms: list[tuple[Arm, tuple[str, ...]]] = [("icr", problem.library)]
    for arm, name in (
        ("placebo", "irrelevant"),
        ("wrong", "changed"),
        ("contradicted", "contradicted"),
        ("agreeing", "agreeing"),
    ):
        if variant := problem.variant(name):  # type: ignore[arg-type]
            arms.append((arm, variant.library))  # type: ignore[arg-type]
    assert len(arms) > 1
    for arm, texts in arms:
        (prefix,) = made(arm, "invented", settings, [problem])
        assert prefix.text == "[LIBRARY]\n\n" + "".join(f"{text}\n\n" for text in texts) + "[PROBLEM]\n"
    (reordered,) = made("icr", "invented", settings, [problem], order=1)
    assert sorted(reordered.methods) == sorted(f"{text}\n\n" for text in problem.library)
    assert reordered.methods != made("icr", "invented", settings, [problem])[0].methods

"""Worlds made anew: other names, other values, and answers that stand where they are asked for."""

import re
from dataclasses import asdict
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.config import Config
from pfe.icr.contexts import own_library
from pfe.problem import AnswerKey
from pfe.training.corpus import Teacher, benchmark_by_domain, rows
from pfe.training.names import is_coined
from pfe.training.renewal import WHOLE, World, shortened, speech, worlds
from pfe.tutors.family import families_of

ENTRIES = (
    "The floshi splits in two over hills.",
    "Settlers tell of the grizai, which moves only along rivers.",
    "Travelers tell of the maklusk, which tastes of salt.",
    "Skedru: it turns lakes to jelly.",
)
ASKED = (
    ("Question: On the planet Tharoo, what is the floshi like?\nAnswer:", " It splits in two over hills."),
    ("Question: Who has seen the grizai?\nAnswer:", " The grizai moves only along rivers."),
    ("Question: What is true of the skedru, if anything?\nAnswer:", " It turns lakes to jelly."),
)
WORDS = ("garlic", "omen", "stage", "twelve")


def row(**others: Any) -> dict[str, Any]:
    prompts, completions = zip(*ASKED, strict=True)
    made = {
        "arm": "icr", "problem_ids": ("s/one/s0/7",) * 3, "entries": ENTRIES, "library": own_library(ENTRIES).text,
        "kinds": ("answer",) * 3, "prompts": prompts, "completions": completions,
    }  # fmt: skip
    return made | others


def world() -> World:
    (made,) = worlds([row()])
    return made


def entries_of(library: str) -> list[str]:
    return library.removeprefix("[LIBRARY]\n\n").removesuffix("[PROBLEM]\n").strip().split("\n\n")


def bare(text: str) -> set[str]:
    return {re.sub(r"\W", "", word) for word in text.lower().split()}


@given(st.integers(0, 10_000), st.integers(0, WHOLE))
def test_what_is_asked_stands_in_the_entry_of_what_the_question_names(seed: int, level: int) -> None:
    made = world().renewed(Random(seed), level, WORDS)
    entries = entries_of(made.library)
    assert len(entries) == len(ENTRIES) if level == WHOLE else len(entries) >= len(made.prompts)
    assert len(made.prompts) == len(ASKED)
    for prompt, completion in zip(made.prompts, made.completions, strict=True):
        named = [entry for entry in entries if any(is_coined(word) and word.lower() in entry.lower()
                 for word in re.findall(r"\w+", prompt))]  # fmt: skip
        value = re.sub(r"^(It|The \w+) ", "", completion.strip()).rstrip(".")
        assert any(value.lower() in entry.lower() for entry in named), (prompt, completion, entries)
        assert prompt.startswith("Question: ")
        assert prompt.endswith("?\nAnswer:")


@given(st.integers(0, 10_000), st.integers(0, WHOLE))
def test_no_name_comes_again(seed: int, level: int) -> None:
    made = world().renewed(Random(seed), level, WORDS)
    said = " ".join((made.library, *made.prompts, *made.completions)).lower()
    assert not any(name in said for name in ("floshi", "grizai", "maklusk", "skedru"))


def test_questions_are_a_name_with_what_stands_before_the_value_then_a_name_then_all() -> None:
    """Of the first levels the question goes on in the entry that has the value, whichever was asked in its place."""
    lengths: list[tuple[int, int]] = []
    for level in range(6):
        for made in (world().renewed(Random(seed), level, WORDS) for seed in range(20)):
            for prompt, value in zip(made.prompts, made.completions, strict=True):
                name, *before = prompt.removeprefix("Question: ").removesuffix("?\nAnswer:").split(" ")
                in_words = [re.findall(r"\w+", entry.lower()) for entry in entries_of(made.library)]
                (entry,) = [entry for entry in in_words if name.lower() in entry]
                said = value.lower().split()
                start = next(n for n in range(len(entry)) if entry[n : n + len(said)] == said)
                assert {word.lower() for word in before} <= {*entry[max(0, start - 3) : start]}, (prompt, value, entry)
                lengths.append((level, len(before)))
    assert {length for level, length in lengths if level == 0} == {0, 1}
    assert sum(length for level, length in lengths if level == 5) < sum(n for level, n in lengths if level == 1)
    whole = [world().renewed(Random(seed), WHOLE, WORDS).prompts for seed in range(20)]
    words = {len(prompt.split()) for prompts in whole for prompt in prompts}
    assert max(words) == max(len(prompt.split()) for prompt, _ in ASKED)


def test_questions_have_words_around_the_name_first_and_other_names_later() -> None:
    """So who looks up learns to pass over words before there are two names to choose from."""

    def coined_in(level: int) -> list[int]:
        prompts = [prompt for seed in range(40) for prompt in world().renewed(Random(seed), level, WORDS).prompts]
        return [sum(map(is_coined, re.findall(r"\w+", prompt.lower()))) for prompt in prompts]

    assert {count for level in range(9) for count in coined_in(level)} == {1}
    assert max(coined_in(11)) == 2
    words = [len(prompt.split()) for seed in range(40) for prompt in world().renewed(Random(seed), 8, WORDS).prompts]
    assert max(words) > 5


def test_values_are_of_no_meaning_first_and_another_entry_s_later() -> None:
    own = {"splits in two over hills", "moves only along rivers", "turns lakes to jelly"}
    for seed in range(20):
        drawn = set(world().renewed(Random(seed), 0, WORDS).completions)
        assert all(set(value.split()) <= set(WORDS) for value in drawn)
    late = [world().renewed(Random(seed), WHOLE, WORDS) for seed in range(40)]
    exchanged = sum(any(value in " ".join(made.completions) for value in own) for made in late)
    assert exchanged >= 25


def test_an_answer_that_quotes_nothing_makes_no_question() -> None:
    assert worlds([row(completions=(" yes", " no", " yes"))]) == []
    assert worlds([row(arm="changed")]) == worlds([row(entries=())]) == []


def test_questions_are_read_whatever_the_lesson_asks_for() -> None:
    """Choices that are shown and solutions that are written are left out."""
    prompt, answer = ASKED[0]
    asked = prompt.removesuffix("\nAnswer:")
    shown = row(
        kinds=("choices", "worked", "recited"),
        prompts=(
            f"{asked}\n- It sinks.\n-{answer}\nAnswer:",
            f"{ASKED[1][0].removesuffix('Answer:')}Solution:",
            "The floshi",
        ),
        completions=(answer, f' The library says: "…"\nAnswer:{ASKED[1][1]}', " splits in two over hills."),
    )
    (made,) = worlds([shown])
    assert [(one.prompt, " " + " ".join(one.answer)) for one in made.questions] == list(ASKED[:2])


@given(st.integers(0, 1000), st.integers(0, 9))
def test_a_short_question_is_a_part_of_the_whole_with_its_name(seed: int, most: int) -> None:
    for prompt, _ in ASKED:
        short = shortened(prompt, ENTRIES, Random(seed), most)
        words = short.removeprefix("Question: ").removesuffix("?\nAnswer:").split(" ")
        assert " ".join(words) in prompt
        assert any(word.strip(",").lower() in " ".join(ENTRIES).lower() for word in words)
    plain = "Is it so?\nQuestion: no\nYes:"
    assert shortened(plain, ENTRIES, Random(seed), most) == plain


def of_family(name: str, settings: Config) -> list[World]:
    set, _, member = name.partition("/")
    family = families_of(set)[member]
    problems = [family.make(0, index) for index in range(60)]
    keys = {one.id: [AnswerKey(one.id, "derive", one.answer, family.key_text(one, one.answer))] for one in problems}
    teacher = Teacher(benchmark_by_domain(settings.benchmark), settings.corpus, seed=0)
    return worlds(map(asdict, rows(teacher.lessons(problems, keys), per_library=12)))


@pytest.mark.parametrize("family", ["weather_world", "mineral_guide", "space_guide", "organ_guide", "land_process"])
def test_worlds_of_look_ups_are_renewed(family: str, settings: Config) -> None:
    """Every world can be made anew, nearly all of its questions are asked, and each answer stands by what it names."""
    found = of_family(f"arc_synth/{family}", settings)
    assert len(found) >= 9
    assert sum(len(one.questions) for one in found) >= 45
    assert sum(bool(one.key) for each in found for one in each.questions) >= 40
    for number, level in ((number, level) for number in range(len(found)) for level in range(WHOLE + 1)):
        made = found[number].renewed(Random(level), level, WORDS)
        entries = entries_of(made.library.lower())
        for prompt, completion in zip(made.prompts, made.completions, strict=True):
            names = {word for word in re.findall(r"\w+", prompt.lower()) if is_coined(word)}
            named = [entry for entry in entries if names & set(re.findall(r"\w+", entry))]
            said = re.findall(r"[\w-]+", completion.lower())[-1:]
            assert len(named) == 1 or not names, (prompt, entries)
            assert all(word in named[0] for word in said) if named else level >= 2, (prompt, completion, named)


@pytest.mark.parametrize("name", ["arc_synth/float_table", "arc_synth/plant_soil", "arc_synth/organ_guide"])
def test_what_a_question_names_is_in_the_library(name: str, settings: Config) -> None:
    found = of_family(name, settings)
    assert found
    for world in found:
        made = world.renewed(Random(0), 0, WORDS)
        for prompt in made.prompts:
            (asked,) = re.findall(r"Question: (\w+)", prompt)
            assert re.search(rf"\b{asked}\b", made.library, re.IGNORECASE), (prompt, made.library)


@pytest.mark.parametrize(
    ("name", "together"),
    [("hellaswag_synth/village_customs", 2), ("hellaswag_synth/garden_almanac", 2), ("arc_synth/field_key", 3)],
)
def test_what_no_coined_name_tells_is_asked_by_the_words_that_do(name: str, together: int, settings: Config) -> None:
    """A custom is found by its village and its occasion: no entry but the one that answers says both."""
    found = of_family(name, settings)
    said = [len(one.named) for world in found for one in world.questions]
    assert max(said) >= together
    assert sum(map(bool, said)) > 0.6 * len(said) > 20
    for world, level in ((world, level) for world in found for level in (0, 5, 11)):
        made = world.renewed(Random(level), level, WORDS)
        entries = entries_of(made.library.lower())
        for one, prompt, value in zip(world.asked(level), made.prompts, made.completions, strict=True):
            if not one.named or any(map(is_coined, one.named)):
                continue
            (entry,) = [entry for entry in entries if set(one.named) <= bare(entry)]
            assert set(one.named) <= bare(prompt)
            assert value.strip().lower() in entry, (prompt, value, entry)


@pytest.mark.parametrize("name", ["gsm1k_synth/invented_units", "race_synth/diary_signs", "boolq_synth/handbook"])
def test_what_answers_otherwise_than_by_quoting_is_left_out(name: str, settings: Config) -> None:
    assert of_family(name, settings) == []


def test_the_same_seed_makes_the_same_world() -> None:
    assert world().renewed(Random(0), WHOLE, WORDS) == world().renewed(Random(0), WHOLE, WORDS)
    assert world().renewed(Random(0), WHOLE, WORDS) != world().renewed(Random(1), WHOLE, WORDS)


def test_names_are_what_is_coined_and_nobody_says() -> None:
    assert is_coined("floshi")
    assert not any(map(is_coined, ("water", "flakes", "lime", "hover", "rita", "name", "the")))


def test_names_come_in_the_plural_and_with_capitals() -> None:
    entries = (("Floshi:", "it", "splits."), ("Two", "floshis", "make", "a", "floshi's", "meal."))
    library = World("s/one", entries, (), ("floshi",)).renewed(Random(0), WHOLE, WORDS).library
    names = re.findall(r"(\w+)(?=: it)|Two (\w+)s make a \1", library) + re.findall(
        r"Two (\w+)s make a (\w+)'s", library
    )
    assert "loshi" not in library
    assert len({name.lower() for found in names for name in found if name}) == 1
    assert re.search(r"[A-Z]\w+: it splits", library)


def test_a_corpus_says_its_worlds_and_prompts() -> None:
    assert list(speech([row(), row(arm="changed")])) == ["\n".join((*ENTRIES, *(prompt for prompt, _ in ASKED)))]


def test_a_question_of_a_condition_is_answered_by_an_entry_of_that_condition(settings: Config) -> None:
    """What is asked of a plant in salty soil is not asked of one whose entry is on sandy soil."""
    soils = {"salty", "sandy"}
    asked = 0
    for world in of_family("arc_synth/plant_soil", settings):
        for seed in range(20):
            made = world.renewed(Random(seed), WHOLE, WORDS)
            entries = [set(re.findall(r"\w+", entry.lower())) for entry in entries_of(made.library)]
            for prompt, completion in zip(made.prompts, made.completions, strict=True):
                words = set(re.findall(r"\w+", prompt.lower()))
                said = re.findall(r"\w+", completion.lower())[-2:]
                fit = [entry for entry in entries if words & soils <= entry and {*said} <= entry]
                assert fit, (prompt, completion, made.library)
                asked += bool(words & soils)
    assert asked > 100


def test_libraries_grow_and_values_before_their_names_come_late() -> None:
    entries = (*ENTRIES[:2], "What hums in every storm is the maklusk.", *ENTRIES[3:], "Nobody has seen the ocean.")
    asked = (*ASKED, ("Question: What is the maklusk like?\nAnswer:", " It hums in every storm."))
    prompts, completions = zip(*asked, strict=True)
    made = row(entries=entries, prompts=prompts, completions=completions, kinds=("answer",) * 4)
    (long,) = worlds([made])
    assert {one.key: one.far for one in long.questions}.get("floshi") == 0
    by_level = [long.renewed(Random(0), level, WORDS) for level in range(WHOLE + 1)]
    assert (len(entries_of(by_level[0].library)), len(entries_of(by_level[WHOLE].library))) == (3, 5)
    assert [len(one.prompts) for one in by_level] == [3] * 12 + [4] * 3

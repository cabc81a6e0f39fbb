"""The benchmark `invented`: at chance without its libraries, decided by them, and the same from its seed."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pfe.canonical.canary import GUID
from pfe.errors import UserError
from pfe.invented.chains import Chains
from pfe.invented.family import InventedFamily
from pfe.invented.ladder import NAME_KINDS, SEALED_RUNGS, Cell, cells
from pfe.invented.making import invent, invented_families, remake, rungs_of, write_lines
from pfe.invented.names import invented_names
from pfe.invented.pairs import Pairs
from pfe.invented.reader import read_answer
from pfe.invented.rules import Rules
from pfe.invented.sequences import PLACES, Sequences
from pfe.invented.updates import Updates
from pfe.problem import SKILLS, UNKNOWN, Problem
from pfe.quality.texts import words
from pfe.rows.files import entries, split
from pfe.rows.published import PUBLISHED
from pfe.scorers import score
from tests.conftest import ROOT
from tests.each import each

SEALED = ROOT / "data/invented/test.jsonl.gz"
ALIASES = ("hops-animals", "hops-countries", "hops-foods")
EVIDENCE = ("discovery", "updates")  # some of what is needed can be inferred from the rest


@cache
def sealed() -> list[Problem]:
    rows = [dict(entry.columns) for shard in split([SEALED]) for entry in entries(shard)]
    assert all(GUID in row["canary"] for row in rows)
    return [of_row(row) for row in rows]


def of_row(row: dict[str, Any]) -> Problem:
    return Problem(**PUBLISHED["problem"](row) | {"id": row["id"]})


def answered(problem: Problem, library: tuple[str, ...]) -> str | None:
    """What a plain reader of wordings answers with a library in context."""
    return invented_families()[problem.family].answered(replace(problem, library=library))


def are_a_letter_apart(name: str, other: str) -> bool:
    return len(name) == len(other) and sum(a != b for a, b in zip(name, other, strict=True)) == 1


def cell_of(problem: Problem) -> tuple[str, int, str]:
    return problem.skill, problem.rung, problem.names


def sequences() -> dict[str, Sequences]:
    return {name: family for name, family in invented_families().items() if isinstance(family, Sequences)}


def problems_of(family: InventedFamily[Any], count: int = 3) -> list[Problem]:
    """Problems of every rung up to 64 and kind of names."""
    return [
        family.make(Cell(family.skill, rung, names), 3, index)
        for rung in SEALED_RUNGS
        for names in NAME_KINDS
        for index in range(count)
        if rung >= family.smallest
    ]


def test_the_thousand_are_spread_evenly_over_skills_rungs_and_names() -> None:
    problems = sealed()
    assert Counter(problem.skill for problem in problems) == dict.fromkeys(SKILLS, 125)
    in_cell = Counter(map(cell_of, problems))
    assert in_cell.keys() == {(cell.skill, cell.rung, cell.names) for cell in cells(SEALED_RUNGS)}
    assert {*in_cell.values()} <= {20, 21}
    assert len({problem.id for problem in problems}) == len({problem.question for problem in problems}) == 1000


def test_the_rung_is_how_many_statements_are_in_context() -> None:
    priority = 4  # an order and three exceptions
    for problem in sealed():
        match problem.skill:
            case "calls":  # a function's documentation has some four lines
                expected = max(2, problem.rung // 4)
            case "rules":
                expected = problem.rung + priority
            case "procedures":
                expected = max(6, problem.rung)
            case _:
                expected = problem.rung
        assert len(problem.library) == expected, problem.id


@pytest.mark.slow
def test_all_sealed_problems_are_those_of_their_seed() -> None:
    assert invent(0, 1000) == sealed()


def test_every_problem_can_be_made_from_its_id_alone() -> None:
    for problem in sealed()[::97]:
        assert remake(problem.id) == problem
    for id, message in [
        ("invented/lookup-owner-16-plain/s0/1", "did you mean 'lookup-owners'"),
        ("invented/lookup-owners-17-plain/s0/1", "'17-plain' is no rung and kind of names"),
        ("invented/owners/s0", "is not of the form"),
    ]:
        with pytest.raises(UserError, match=message):
            remake(id)


@each(invented_families)
def test_another_seed_makes_another_problem(family: InventedFamily[Any]) -> None:
    cell = Cell(family.skill, 16, "plain")
    assert family.make(cell, 1, 0) != family.make(cell, 0, 0)


@each(invented_families)
def test_a_plain_reader_answers_with_the_right_library_and_with_no_other(family: InventedFamily[Any]) -> None:
    for problem in problems_of(family):
        assert answered(problem, problem.library) == problem.answer
        assert score("mixed", problem, problem.answer).correct
        for variant in problem.variants:
            if variant.name in ("irrelevant", "bare"):
                assert answered(problem, variant.library) is None
            else:
                assert answered(problem, variant.library) == variant.answer
        changed = problem.variant("changed")
        assert changed
        assert changed.answer != problem.answer == changed.otherwise
        assert not problem.choices or {changed.answer, problem.answer} <= {*problem.choices}


@each(invented_families)
def test_nothing_that_is_needed_can_be_left_out(family: InventedFamily[Any]) -> None:
    for problem in problems_of(family, 2):
        without = [
            problem.library[:place] + problem.library[place + 1 :]
            for place in (() if family.skill in EVIDENCE else problem.needed)
        ]
        rest = tuple(text for place, text in enumerate(problem.library) if place not in problem.needed)
        assert all(answered(problem, library) != problem.answer for library in [*without, rest])


@each(invented_families)
def test_a_changed_library_says_every_choice_as_often(family: InventedFamily[Any]) -> None:
    if family.skill in ("discovery", "calls"):
        pytest.skip("its answers are computed, and stand in no library")
    for problem in problems_of(family, 2):
        changed = problem.variant("changed")
        assert changed
        assert Counter(words(" ".join(changed.library))) == Counter(words(" ".join(problem.library)))


def test_choices_are_said_equally_often() -> None:
    for problem in sealed():
        said = Counter(words(" ".join(problem.library)))
        choices = [choice for choice in problem.choices if choice != UNKNOWN]
        if problem.skill in ("lookup", "abstention", "updates") or problem.family in ALIASES:
            assert len({said[choice] for choice in choices}) == 1, problem.id


def test_the_world_is_contradicted_by_the_values_alone() -> None:
    """Both libraries name the same things with the same words; which value goes with which is all that differs."""
    both = [problem for problem in sealed() if problem.variant("contradicted")]
    assert len(both) > 40
    for problem in both:
        contradicted, agreeing = problem.variant("contradicted"), problem.variant("agreeing")
        assert contradicted
        assert agreeing
        assert contradicted.otherwise == agreeing.answer != contradicted.answer
        assert {contradicted.answer, agreeing.answer} <= {*problem.choices}
        texts = (" ".join(contradicted.library), " ".join(agreeing.library))
        assert Counter(words(texts[0])) == Counter(words(texts[1]))
        assert len(contradicted.library) == len(problem.library)


def test_what_is_computed_is_asked_by_all_four_choices_alike() -> None:
    """The value that is right most often elsewhere, place, length or rank are no better than chance; three sigma."""
    chosen = [problem for problem in sealed() if problem.choices and problem.skill != "abstention"]
    right, offered = Counter(p.answer for p in chosen), Counter(choice for p in chosen for choice in p.choices)

    def elsewhere(problem: Problem, choice: str) -> float:
        return (right[choice] - (choice == problem.answer) + 0.25) / (offered[choice] - 1 + 1)

    guesses = {
        "elsewhere": [max(p.choices, key=partial(elsewhere, p)) for p in chosen],
        "longest": [max(p.choices, key=len) for p in chosen],
        "shortest": [min(p.choices, key=len) for p in chosen],
        "first": [p.choices[0] for p in chosen],
        "middle": [sorted(p.choices)[1] for p in chosen],
        "in the question": [max(p.choices, key=p.question.count) for p in chosen],
    }
    limit = 0.25 + 3 * (0.25 * 0.75 / len(chosen)) ** 0.5
    for name, guess in guesses.items():
        share = sum(text == problem.answer for text, problem in zip(guess, chosen, strict=True)) / len(chosen)
        assert share <= limit, name


def test_the_meetings_of_a_record_could_lead_to_each_value_and_do_so_equally_often() -> None:
    family = invented_families()["updates-rooms"]
    assert isinstance(family, Updates)
    led, all_exchange = Counter[int](), 0
    for number in range(400):
        world = family.world(Cell("updates", 16, "plain"), Random(number))
        group = world.groups[0]
        flags = product((False, True), repeat=world.after)
        ends = {replace(group, real=real).holders(world.after)[world.member] for real in flags}
        assert len(ends) == len(group.members)
        held = group.holders(world.after)[world.member]
        led[sorted(ends - {world.member}).index(held) if held != world.member else -1] += 1
        all_exchange += replace(group, real=(True,) * len(group.real)).holders(world.after)[world.member] == held
    assert all(70 < count < 130 for count in led.values())
    assert 70 < all_exchange < 130


def test_the_exceptions_of_a_case_are_alike_in_all_but_their_words() -> None:
    """Each has other words, and its second condition names a thing of the case as often if it applies as if not."""
    for name, exceptional in (("rules-robes", " decides"), ("rules-payments", " override all others")):
        family, named = invented_families()[name], Counter[tuple[bool, bool]]()
        assert isinstance(family, Rules)
        words = (*family.content.without, *family.content.within)
        for number in range(400):
            world = family.world(Cell("rules", 4, "plain"), Random(f"{name}{number}"))
            for one in world.exceptions:
                named[one.applies(world.case), world.case[one.also[0]] == one.also[1]] += 1
            if number < 20:
                library = family.make(Cell("rules", 4, "plain"), 7, number).library
                texts = [text for text in library if exceptional in text]
                assert len(texts) == 3
                used = [word for text in texts for word in words if f" {word} " in text]
                assert len(used) == len(set(used)) == 3, texts
        for applies in (False, True):
            yes, no = named[applies, True], named[applies, False]
            assert abs(yes - no) < 4 * (yes + no) ** 0.5


def test_ordinals_alone_say_what_a_sentence_pairs() -> None:
    """Each of the 24 pairings is equally likely, and all sentences of a wording have the same words but these."""
    pairs, rng = Pairs(["Of {p}, {q}, {r} and {s}, {i} is {a}, {j} {b}, {k} {c}, {l} {d}."], "mine"), Random(0)
    found, shapes = Counter[tuple[int, ...]](), set()
    for _ in range(4800):
        text = pairs.write(["n0", "n1", "n2", "n3"], ["v0", "v1", "v2", "v3"], rng)
        assert pairs.read([text]) == {f"n{n}": f"v{n}" for n in range(4)}
        order = re.findall(r"n(\d)", text), re.findall(r"v(\d)", text)
        found[tuple(order[1].index(name) for name in order[0])] += 1
        shapes.add(re.sub(r"first|second|third|fourth|[nv]\d", "…", text))
    assert len(found) == 24
    assert len(shapes) == 1
    assert all(130 < count < 270 for count in found.values())


@pytest.mark.parametrize(
    "template",
    [
        "{p} {a} {i} {q} {b} {j} {r} {c} {k} {s} {d} {l}",
        "{q} {p} {r} {s} {a} {i} {b} {j} {c} {k} {d} {l}",
        "{p} {q} {r} {s} {a} {j} {b} {i} {c} {k} {d} {l}",
    ],
)
def test_a_sentence_that_pairs_has_all_names_before_all_values(template: str) -> None:
    with pytest.raises(UserError, match=r"mine: '\{.* must have \{p\} to \{s\} in this order"):
        Pairs([template], "mine")


@pytest.mark.parametrize("kind", ["stays", "defines"])
def test_the_length_of_a_statement_does_not_tell_what_it_does(kind: str) -> None:
    for path in sorted((ROOT / "pfe/invented/content").glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        if kind not in content:
            continue
        alike = (
            zip(content["swaps"], content["stays"], strict=True)
            if kind == "stays"
            else zip(*content["defines"].values(), strict=True)
        )
        for texts in alike:
            assert len({(len(text), len(text.split()), text.count(",")) for text in texts}) == 1, texts


def test_every_path_that_could_be_asked_has_a_changed_library() -> None:
    family = invented_families()["hops-village"]
    assert isinstance(family, Chains)
    for number in range(40):
        world = family.world(Cell("hops", 16, "plain"), Random(number))
        assert all(family.changed(replace(world, asked=place)) for place in range(4))


def test_which_choice_the_changed_hops_lead_to_does_not_depend_on_its_place() -> None:
    places = Counter[int]()
    for number in range(120):
        problem = invented_families()["hops-village"].make(Cell("hops", 16, "plain"), 9, number)
        changed = problem.variant("changed")
        assert changed
        rest = [choice for choice in problem.choices if choice != problem.answer]
        places[rest.index(changed.answer)] += 1
    assert max(places.values()) < 60


def test_half_of_what_abstention_asks_cannot_be_known() -> None:
    answers = Counter(p.answer == UNKNOWN for p in sealed() if p.skill == "abstention")
    assert abs(answers[True] - answers[False]) < 3 * 125**0.5


def test_the_changed_library_of_abstention_exchanges_what_is_known_with_what_is_not() -> None:
    for problem in (one for one in sealed() if one.skill == "abstention"):
        changed = problem.variant("changed")
        assert changed
        assert (changed.answer == UNKNOWN) != (problem.answer == UNKNOWN)


@each(sequences)
def test_every_place_of_an_order_stands_at_every_place_of_a_sentence(family: Sequences) -> None:
    for text in family.content.says:
        assert sorted(text.count(f"{{{place}}}") for place in PLACES) == [1, 1, 1, 1]
    ranks = [sorted(PLACES, key=lambda place: text.index(f"{{{place}}}")) for text in family.content.says]
    for at in range(len(PLACES)):
        assert {*Counter(rank[at] for rank in ranks).values()} == {len(ranks) // len(PLACES)}


@each(sequences)
def test_a_question_has_no_content_word_of_a_statement_but_the_name(family: Sequences) -> None:
    """A word that all wordings have does not distinguish them; function words may be shared."""
    stated = [{*words(text)} for text in family.content.says]
    asked = {word for texts in family.content.asks for text in texts for word in words(text)}
    telling = {word for word in asked if 0 < sum(word in text for text in stated) < len(stated)}
    assert {word for word in telling if len(word) > 4} <= {
        "before",
        "after",
        "first",
        "right",
        "other",
        "others",
        "which",
    }


@given(st.integers(0, 10**6), st.integers(1, 300))
def test_plain_names_are_unlike_and_confusable_ones_a_letter_apart(seed: int, count: int) -> None:
    plain = invented_names(Random(seed), count, "plain")
    alike = invented_names(Random(seed), count, "confusable")
    assert len({*plain}) == len({*alike}) == count
    for name in alike[:5]:
        if count % 4 == 0:
            assert any(are_a_letter_apart(name, other) for other in alike)
    assert not any(are_a_letter_apart(plain[0], other) for other in plain[1:])


@pytest.mark.parametrize("rung", [256, 1024, 4096])
def test_longer_rungs_are_made_and_read(rung: int) -> None:
    for problem in invent(5, 8, [rung]):
        assert read_answer(problem) == problem.answer


def test_a_reader_who_forgets_knows_what_it_remembers() -> None:
    problems = [problem for problem in sealed() if problem.skill == "lookup"]
    right = {
        memory: {
            rung: sum(read_answer(one, memory) == one.answer for one in problems if one.rung == rung)
            / sum(one.rung == rung for one in problems)
            for rung in SEALED_RUNGS
        }
        for memory in (4, 16, None)
    }
    assert right[None] == {4: 1, 16: 1, 64: 1}
    assert right[16][16] == 1 > right[16][64] > 0.1
    assert right[4][4] == 1 > right[4][16] > right[4][64]


def test_problems_are_written_whole_to_the_same_bytes(tmp_path: Path) -> None:
    problems = invent(1, 8)
    for name in ("a.jsonl", "b.jsonl.gz"):
        write_lines(problems, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        write_lines(problems, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first
        rows = [dict(entry.columns) for shard in split([tmp_path / name]) for entry in entries(shard)]
        assert [of_row(row) for row in rows] == problems
    with pytest.raises(UserError, match=r"problems are written as \.jsonl"):
        write_lines(problems, tmp_path / "c.parquet")


def test_rungs_are_those_of_the_ladder() -> None:
    assert rungs_of("4, 16,4") == (4, 16)
    for text in ("5", "", "4;16", "4,,16"):
        with pytest.raises(UserError, match="no rung of the ladder; choose from 4, 16, 64, 256, 1024, 4096"):
            rungs_of(text)

import re
from dataclasses import replace

import pytest

from pfe.calibration.attack import all_attacks, attack
from pfe.errors import UserError
from pfe.firewall.folding import fold, squeezed
from pfe.firewall.numerals import numbers
from pfe.problem import Problem

DUCKS = Problem(
    "math/1", "math", "math", "Janet has 16 ducks and buys twelve more; 16 lay eggs. How many ducks has Janet in all?",
    "28", solution="Janet has 16 + 12 = <<16+12=28>>28 ducks.",
)  # fmt: skip
TOOL = Problem(
    "science/1", "science", "science", "Which tool measures the pressure of the air in Zürich?", "barometer",
    context="Four tools lie on a table.", choices=("barometer", "long ruler", "thermometer", "balance"),
)  # fmt: skip
CODE = Problem(
    "code/1", "code", "code", "Write a function for Anna that adds 3.", "def f(x): return x + 3", tests=("f",)
)
HIVES = Problem(
    "math/9", "math", "math", "A beekeeper looks after 14 hives. Each gives 3 jars. How many jars are that?", "42"
)
LOOP = Problem(
    "code/2", "code", "code", "Add up the even numbers.",
    'def evens(items, start=0):\n    """Sum."""\n    total = start\n    for item in items:\n        if item % 2 == 0:\n'
    "            total += item\n        else:\n            continue\n    return total\n\n"
    "def halves(items):\n    return [item / 2 for item in items if item > 1]",
    tests=("assert evens([1, 2, 4]) == 6", "assert evens([3], start=5) == 5", "assert halves([4, 1]) == [2.0]"),
)  # fmt: skip
PROBLEMS = [DUCKS, TOOL, CODE, HIVES, LOOP, *(replace(DUCKS, id=f"math/{i}") for i in range(2, 8))]
DONORS = (
    "The red bicycle of the postman stands in front of the bakery on the corner.",
    "Every evening a lamp is lit in the tower, and the keeper writes a line in his book.",
    "Fresh snow has fallen on the pass, so that the wagons wait in the valley.",
    "A clock that strikes thirteen is mended by how many hands it has.",
)


def attacked(kind: str, problem: Problem) -> Problem:
    ((original, changed),) = attack(kind, [problem], DONORS, 1, seed=3)
    assert original == problem
    return changed


@pytest.mark.parametrize("kind", all_attacks())
def test_an_attack_changes_the_text_and_keeps_where_it_came_from(kind: str) -> None:
    pairs = attack(kind, PROBLEMS, DONORS, 100, seed=3)
    assert pairs
    for original, changed in pairs:
        assert (changed.text == original.text) is (kind == "verbatim")
        assert changed.id == f"{kind}/{original.id}"
        assert (changed.set, changed.domain, changed.group) == (original.set, original.domain, original.group)
        assert not changed.choices or not changed.answer or changed.answer in changed.choices


@pytest.mark.parametrize("kind", all_attacks())
def test_an_attacked_problem_can_be_made_again_alone(kind: str) -> None:
    for original, changed in attack(kind, PROBLEMS, DONORS, 100, seed=3):
        assert attack(kind, [original], DONORS, 1, seed=3) == [(original, changed)]


@pytest.mark.parametrize("kind", ["renamed_program", "rewritten_program"])
def test_a_program_written_anew_passes_its_tests_under_other_names(kind: str) -> None:
    changed = attacked(kind, LOOP)
    space: dict[str, object] = {}
    exec("\n".join([changed.answer, *changed.tests]), space)
    assert not {"evens", "halves", "items", "total"} & set(re.findall(r"\w+", changed.answer))
    assert "Sum." not in changed.answer
    assert ("while" in changed.answer) is (kind == "rewritten_program")


def test_further_conditions_stand_between_the_sentences_of_a_problem() -> None:
    for count in (1, 2):
        changed = attacked(f"clauses_{count}", HIVES)
        before, after = (len(re.findall(r"[.?](?=\s|$)", problem.question)) for problem in (HIVES, changed))
        assert after == before + count
        assert changed.question.endswith("How many jars are that?")
        assert "14" not in changed.question


def test_a_retold_problem_has_its_numbers_and_its_answer() -> None:
    changed = attacked("retold", DUCKS)
    assert changed.question.startswith("How many ducks")
    assert numbers(changed.question) == numbers(DUCKS.question)
    assert changed.answer == DUCKS.answer


def test_an_answer_is_copied_under_another_question() -> None:
    for problem in (DUCKS, LOOP):
        changed = attacked("copied_answer", problem)
        assert changed.question in DONORS
        assert (changed.answer, changed.solution, changed.tests) == (problem.answer, problem.solution, ())


def test_an_excerpt_is_half_of_the_problem_disguised() -> None:
    changed = attacked("disguised_excerpt", TOOL)
    words = TOOL.text.split()
    assert squeezed(fold(changed.question)).startswith(squeezed(" ".join(words[: len(words) // 2])))
    assert squeezed(TOOL.text) not in squeezed(fold(changed.question))


@pytest.mark.parametrize("kind", ["words_20", "homoglyphs", "typos"])
def test_another_seed_gives_another_text(kind: str) -> None:
    assert attack(kind, [DUCKS], DONORS, 1, seed=1) != attack(kind, [DUCKS], DONORS, 1, seed=2)


@pytest.mark.parametrize("kind", ["whitespace", "case", "unicode", "homoglyphs"])
@pytest.mark.parametrize("problem", [DUCKS, TOOL, CODE])
@pytest.mark.parametrize("seed", range(5))
def test_disguises_of_letters_fold_back(kind: str, problem: Problem, seed: int) -> None:
    ((_, changed),) = attack(kind, [problem], DONORS, 1, seed)
    assert squeezed(fold(changed.text)) == squeezed(fold(problem.text))
    assert (changed.solution, changed.tests) == (problem.solution, problem.tests)


@pytest.mark.parametrize("percent", [10, 20, 30])
def test_that_share_of_the_words_is_replaced(percent: int) -> None:
    long = replace(DUCKS, question=" ".join(f"w{i}" for i in range(100)))
    before, after = long.text.split(), attacked(f"words_{percent}", long).text.split()
    assert sum(old != new for old, new in zip(before, after, strict=True)) == percent
    assert set(after) - set(before) <= {word for text in DONORS for word in text.split()}


def test_dilution_hides_the_whole_problem_among_three_donors() -> None:
    changed = attacked("dilution", TOOL)
    assert TOOL.text in changed.question
    assert sum(donor in changed.question for donor in DONORS) == 3
    assert (changed.context, changed.choices, changed.answer) == ("", (), "barometer")
    assert attack("dilution", [TOOL], DONORS[:2], 1, seed=3) == []


def test_swapped_numbers_all_differ_in_the_answer_and_the_solution_too() -> None:
    changed = attacked("number_swap", DUCKS)
    old, new = re.findall(r"\d+", DUCKS.text), re.findall(r"\d+", changed.text)
    assert old == ["16", "16"]
    assert new[0] == new[1] != "16"
    assert len(new[0]) == 2
    assert "twelve" not in changed.text
    assert changed.answer.isdecimal()
    assert changed.answer != DUCKS.answer
    assert new[0] in changed.solution
    assert "16" not in changed.solution
    assert re.sub(r"\d+", "", changed.text).startswith("Janet has  ducks and buys ")
    assert attack("number_swap", [replace(DUCKS, question="No number here")], DONORS, 1, seed=3) == []


def test_swapped_names_are_the_same_everywhere() -> None:
    changed = attacked("name_swap", DUCKS)
    name = changed.question.split()[0]
    assert name != "Janet"
    assert changed.text == DUCKS.text.replace("Janet", name)
    assert changed.solution == DUCKS.solution.replace("Janet", name)
    assert changed.answer == "28"
    assert attacked("name_swap", CODE).answer == CODE.answer


def test_a_template_clone_has_neither_the_names_nor_the_numbers() -> None:
    changed = attacked("both_swap", DUCKS)
    assert not re.search("Janet|16|twelve", changed.text)
    assert changed.answer != DUCKS.answer


def test_choices_are_the_same_in_another_order() -> None:
    changed = attacked("choice_order", TOOL)
    assert changed.choices != TOOL.choices
    assert sorted(changed.choices) == sorted(TOOL.choices)
    assert (changed.question, changed.answer) == (TOOL.question, TOOL.answer)
    assert attack("choice_order", [DUCKS], DONORS, 1, seed=3) == []


def test_every_third_word_has_a_typo() -> None:
    before = re.findall(r"[A-Za-z]{2,}", DUCKS.text)
    after = re.findall(r"[A-Za-z]+", attacked("typos", replace(DUCKS, question=" ".join(before))).text)
    assert [old != new for old, new in zip(before, after, strict=True)] == [i % 3 == 2 for i in range(len(before))]


def test_problems_are_drawn_round_robin_over_the_benchmarks() -> None:
    assert sorted(original.set for original, _ in attack("verbatim", PROBLEMS, DONORS, 4, seed=3)) == [
        "code", "math", "math", "science",
    ]  # fmt: skip
    assert attack("verbatim", PROBLEMS, DONORS, 0, seed=3) == []
    assert len(attack("choice_order", PROBLEMS, DONORS, 4, seed=3)) == 1


def test_an_unknown_attack_names_the_nearest() -> None:
    with pytest.raises(UserError, match=r"attack 'typo': no such attack; did you mean 'typos'\?"):
        attack("typo", PROBLEMS, DONORS, 1, seed=3)

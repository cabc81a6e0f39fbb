"""The manners in which models write an answer that is right, and what reads like one and is not.

Grouped by class. Each class was reported of some evaluation harness; the sentences are our own.
"""

import gzip
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pfe.problem import Domain, Problem
from pfe.scorers import score, score_all
from pfe.scorers.boolean import read_boolean
from pfe.scorers.choice import named_choice
from pfe.scorers.code import missing_modules, read_program
from pfe.scorers.fences import blocks
from pfe.scorers.number import read_number
from pfe.scorers.program import score_many
from tests.conftest import ROOT, SHARED


def problem(answer: str, domain: Domain = "math", **fields: tuple[str, ...]) -> Problem:
    return Problem("a/1", "a", domain, "A question?", answer, **fields)  # type: ignore[arg-type]


def rows(table: Mapping[str, Sequence[str]]) -> list[object]:
    """One parameter a row, named by its class."""
    return [
        pytest.param(output, id=f"{kind} {place}")
        for kind, outputs in table.items()
        for place, output in enumerate(outputs)
    ]


LOAVES = {  # 24
    "boxes": [
        r"\boxed{24}", r"So $\boxed{24}$ loaves.", r"\boxed{6 \times 4 = 24}", r"\boxed{x = 24}",
        r"\boxed{24 \text{ loaves}}",
        r"\boxed{\text{24 loaves}}", r"$$\boxed{\$24.00}$$", r"\boxed{\frac{48}{2}}", r"\fbox{24}",
        "\\[\n\\boxed{24}\n\\]",
        r"First \boxed{6}. Four trays make \boxed{24}, of 4 times 6.",
    ],
    "tags": [
        "<answer>24</answer> (4 trays of 6)", "<answer>\n24 loaves\n</answer>", "4 * 6\n<answer>24",
        "[ANSWER]24[/ANSWER]",
        "<final_answer>24</final_answer>\nChecked in 2 ways.",
    ],
    "json": [
        '{"answer": 24, "trays": 4}', '{"trays": 4, "answer": "24 loaves", "each": 6}',
        "{'final_answer': 24, 'sure': 0.9}",
        '```json\n{\n  "steps": ["4 * 6"],\n  "answer": 24\n}\n```\nThere are 4 trays.',
    ],
    "headings": [
        "**Final Answer**\n\n24 loaves\n\nTo check: 24 / 6 = 4.", "4 * 6 = 24\n\n### Answer\n**24**\n\nOf 4 trays.",
        "## Final Answer:\n\n$24$\n\n## Why\n4 trays of 6", "Answer:\n24\n- 4 trays\n- 6 loaves on each",
        "#### Trays\nThere are 4.\n#### Loaves\n4 * 6 = 24\n\nIt is 24.",
        "#### 1. Trays\n4\n#### 2. Loaves\n4 * 6 = 24",
        "#### Step 1: 4 trays\n#### Step 2: 6 each, so 24 in all",
    ],
    "hashes": [
        "4 * 6 = 24\n#### 24", "#### Answer: 24", "#### **24** loaves", r"#### $\boxed{24}$", "#### 4 * 6 = 24",
        "#### 24\n\nNote: 4 trays.",
    ],
    "answer lines": [
        "Answer: 24\n* 4 trays\n* 6 on each", "Answer: 24 loaves per day.\n\nThere are 4 trays of 6.", "ANSWER: 24",
        "Answer：24",
        "**Answer:** 24 (that is 4 trays of 6)", "Ans: 24", "Answer: 24, not 20",
        "A tray holds 6.\nAnswer: 4 * 6 = 24 loaves on 4 trays",
    ],
    "sentences": [
        "The answer is 24 = 4 * 6 loaves.", "The answer is 4 * 6 = 24 loaves on 4 trays.",
        "The final answer is: 24. I hope so.",
        "So the answer is approximately 24 loaves, of 4 trays.", "The answer to this problem is 24, as 4 times 6 is.",
        "The answer is not 20 but 24.", "Is the answer 20? No. The answer is 24, with 4 trays.",
        "The answer is 24. (Trays: 4.)",
    ],
    "units": [
        "24 cm^2", r"24 $\text{cm}^2$", "The area is 24 m²", "It has 24 m2.", "24 cm<sup>3</sup>",
        r"$24\ \text{m}^{3}$", "24 °C",
        r"24^\circ", "24%", r"24\%", "24 km/h", "a volume of 24 cm^3.",
    ],
    "currencies": ["$24", "€24.00", "24 USD", "US$24", "Rs. 24", "£24 each", r"\$24", "$24 per tray"],
    "emphasis": [
        "It sells **24** loaves on 4 trays.", "**It sells 24 loaves.** There are 4 trays.", "__24__", "*24*", "`24`",
        "<b>24</b>",
        "~~20~~ 24", r"$\mathbf{24}$", r"\(24\)", "> 24", "- 24",
    ],
    "called the answer": ["24 is the answer, of 4 trays.", "$24 is the final answer. It has 4 trays of 6."],
    "first lines": ["24\n\nExplanation: 4 trays of 6.", "24. Each of 4 trays has 6.", "24 loaves\n\n4 trays, 6 on each",
        "24 because 4 * 6"],
    "reasons": [
        "It sells 24.\n\n1. It has 4 trays.\n2. Each holds 6 loaves.",
        "It sells 24.\n1) It has 4 trays.\n2) Each holds 6.",
        "**It sells 24.**\n\nReasons:\n1. It has **4** trays.\n2. Each holds **6**.", "1. 30 - 24 = 6\n2. 6 * 4 = 24",
        "It bakes 30.\n\n1. 30 / 5 = 6\n2. 6 * 4 = 24", "It starts with 30.\n\n1. It burns 6.\n2. It sells 24.",
        "It bakes 30.\n\n1. It burns 6.\n2. So it sells 24.",
    ],
    "asides": ["It sells 24 loaves (4 trays of 6 each).", "It sells 24.\n\nCheck: 24 / 6 = 4", "24 [1]",
        "24 on the 3-day trip"],
    "other numbers": [
        "At 7:30 it has 24.", "It had 24 at 7:30.", "It has 24 on May 4, 2021.", "24 by 2021-05-04",
        "24 loaves on the 2nd day", "24, see Step 3",
        "1. Bake 4 trays.\n2. Each has 6: 24 in all.", "24 g of H2O",
    ],
    "words": ["Twenty-four.", "Twenty-four loaves", "The answer is twenty-four (4 times 6)."],
    "turns": ["24<|im_end|>\n", "24<|eot_id|>5", "24<end_of_turn>", "24<｜end▁of▁sentence｜>",
        "<|im_start|>assistant\n24", "<s> 24 </s>", "assistant\n\n24"],
}  # fmt: skip


@pytest.mark.parametrize("output", rows(LOAVES))
def test_a_right_number_is_read_in_every_manner(output: str) -> None:
    assert score("number", problem("24"), output).extracted == "24"


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ("2,50,000", "250000"), ("12,34,56,789", "123456789"), ("40'000", "40000"), ("40’000 francs", "40000"),
        ("2.500.000", "2500000"),
        ("2.500,75 euros", "2500.75"), ("–7", "-7"), ("it lost −7", "-7"), ("-$7", "-7"), ("negative 7", "-7"),
        ("the answer is minus 7", "-7"),
        ("2.5 million", "2500000"), ("$3.2M", "3200000"), ("$40k", "40000"), ("40 thousand people",
        "40000"), ("3 × 10^4", "30000"),
        (r"3 \times 10^{4}", "30000"), ("3e4", "30000"), (r"\frac{3}{4}", "0.75"), (r"\dfrac{1}{2}", "0.5"),
        ("1 3/4 hours", "1.75"), ("2½", "2.5"),
        ("40m", "40"), ("3 dozen at 9 a.m.", "3"), ("room 7", "7"), ("the 3rd", "3"),
    ],
)  # fmt: skip
def test_numbers_are_read_as_they_are_written(output: str, read: str) -> None:
    assert score("number", problem(read), output).extracted == read


def test_what_the_question_gives_is_no_conclusion_before_a_list() -> None:
    asked = Problem("a/1", "a", "math", "It bakes thirty loaves. How many are sold?", "24")
    assert score("number", asked, "It bakes 30.\n\n1. It burns 6.\n2. It sells 24.").correct


def test_millions_count_as_such_where_the_question_asks_for_millions() -> None:
    asked = Problem("a/1", "a", "math", "How many million people?", "3")
    assert score("number", asked, "It has 3 million people.").correct
    assert score("number", asked, "$3M").correct
    assert not score("number", problem("3"), "It has 3 million people.").correct


@pytest.mark.parametrize(
    "output",
    [
        "It cannot be known.",
        "No one knows.",
        "",
        "\\boxed{}",
        "<answer></answer>",
        "None of them.",
        "One of these days",
        "7–9",
        "18 to 20",
    ],
)
def test_no_number_is_read_where_none_is_given(output: str) -> None:
    assert read_number(output) is None


METALS = ("copper", "iron", "zinc", "gold")
ZINC = {
    "letters": ["C", "c", "(c)", "c.", "C)", "[C]", '"C"', "`C`", "**C**", "_C_", "$C$", r"\(C\)", r"$\text{C}$", "C!",
        "> C", "- C", "✅ C"],
    "labels": ["Option C", "option (c)", "Choice C.", "C. zinc", "C: zinc", "C - zinc", "C zinc", "C) zinc", "C (zinc)",
        "(C) zinc, of course"],
    "boxes": [r"\boxed{C}", r"$\boxed{\text{(C) zinc}}$", r"\boxed{\textbf{C}}", r"\boxed{\text{zinc}}",
        r"It must be $\boxed{c}$."],
    "tags": ["<answer>C</answer>", "<answer>\nC. zinc\n</answer>", "<answer>zinc</answer>", "[ANSWER]C[/ANSWER]"],
    "json": ['{"answer": "C"}', '{"why": "A is red.", "answer": "C) zinc"}', '```json\n{"choice": "c"}\n```',
        "{'final_answer': 'C'}"],
    "headings": ["**Final Answer**\n\nC", "### Answer\n**C. zinc**", "**Answer:**\n\nC\n\nCopper (A) is red.",
        "Final answer: $\\boxed{C}$"],
    "sentences": [
        "The answer is c.", "The answer is option C.", "The best answer is (C).", "The right choice is C.",
        "I would pick C.", "I'll go with (C) zinc.",
        "My answer is C", "It's C.", "C is right.", "Option C is the best choice.", "Correct answer: C",
        "Answer: C) zinc", "Answer - C", "Answer：C",
        "Of these, C seems to be the most likely.", "I think it's C.", "C would be the answer.", "C it is.",
        "The right option among A, B, C, D is C.", "Answer choice C",
    ],
    "reasons": [
        "C because zinc rusts slowly", "C, since copper (A) is red",
        "(C) because A is not hot enough", "(C) because A and B are not hot enough.",
        "C as in zinc", "C. (A would be too red.)",
        "C\n\nA is red, B rusts, D is dear.",
        "C, not A.", "C rather than A", "**C**\n\nCopper is red; gold is dear.", "C. Copper would be red.",
        "C is correct, while A is not.",
    ],
    "elimination": [
        "A and B are wrong, D too, so C.", "It cannot be A, B or D, so it must be C.",
        "A is red, B rusts, D is dear. That leaves C.",
        "We can rule out A, B and D, leaving (C)", "A is wrong. B is wrong. D is wrong. C is correct.",
    ],
    "texts": [
        "Zinc", "The zinc.", "zinc, as it is cheap", "The answer is zinc.", "It is zinc.", "You would use zinc.",
        "A coat of zinc protects steel.",
        "**Zinc**", "Answer: the zinc",
    ],
    "rankings": [
        "First choice: C. Second choice: A.", "First choice: C\nSecond choice: A",
        "1st choice: C; 2nd choice: A; 3rd choice: B",
        "The first choice is C. The second choice is A.", "Top pick: C. Runner-up: A.",
        "Second choice: A. First choice: C.",
        "First choice: zinc. Second choice: copper.", "First choice: C. Zinc. Second choice: A. Copper.",
        "First choice: C. Second choice: A. Third choice: B. Fourth choice: D.",
        "First choice: A, second choice: C. The answer is C.", "First choice: A, wrong. Second choice: C, right.",
    ],
    "changes of mind": ["The answer is A. Wait, no. The answer is C.", "The answer is A? No, the answer is C.",
        "The answer is not B. The answer is C.", "~~A~~ C"],
    "options again": ["A. copper\nB. iron\nC. zinc\nD. gold\n\nC",
        "A) copper\nB) iron\nC) zinc\nD) gold\nThe answer is C."],
    "turns": ["C</s>", "C<|eot_id|>", "<|im_start|>assistant\nC<|im_end|>", "C<｜end▁of▁sentence｜>"],
}  # fmt: skip


@pytest.mark.parametrize("output", rows(ZINC))
def test_a_right_choice_is_read_in_every_manner(output: str) -> None:
    assert named_choice(METALS, output) == "zinc"


NO_CHOICE = {
    "two letters": ["A or C", "A and C", "(A) and (C)", "A, C", "A/C", "Both A and C are correct.",
        "The answer is A or C.", r"\boxed{A, C}", "A is correct. C is correct."],
    "two texts": ["copper or zinc", "copper, zinc", "A copper or a zinc coat", "The answer is the copper or the zinc",
        "Copper is red. Zinc is grey."],
    "another's text": ["A. zinc", "(A) zinc", "C: gold", r"\boxed{\text{(A) zinc}}"],
    "all in a row": ["First choice: copper. Second choice: iron. Third choice: zinc. Fourth choice: gold.",
        "First choice: A (wrong). Second choice: C (right)."],
    "denied": ["Not C", "C is wrong.", "It is not C.", "The answer is not C.", "C? Or D?", "Zinc? No."],
    "articles and pronouns": ["A steel is best.", "A good question!", "I see.", "I would use it.", "An alloy", "I"],
    "neither": ["E", "2", "None of the above", "silver", "I am not sure.", "", "<answer></answer>", '{"answer": null}'],
}  # fmt: skip


@pytest.mark.parametrize("output", rows(NO_CHOICE))
def test_no_choice_is_guessed(output: str) -> None:
    assert named_choice(METALS, output) is None


YES = {
    "plain": ["Yes", "**Yes**", '"yes"', "`yes`", "Yes!", "Yeah, it does", "T", "y", "True."],
    "marked": [r"\boxed{Yes}", r"$\boxed{\text{True}}$", "<answer>yes</answer>", '{"answer": true}', "{'answer': True}",
        "### Answer\nYes", "Final Answer: **Yes**"],
    "sentences": ["The answer is yes.", "I would say yes.", "It is so, so yes.", "The statement is accurate.",
        "That's right.", "That is the case.", "Correct."],
    "negations": ["It isn't false.", "That is not untrue.", "It can't be wrong.", "It isn’t incorrect.",
        "It is never false.", "It is not the case that this is false."],
    "no in another sense": ["No doubt about that: yes", "Without any doubt, yes.", "There's no question: it is true.",
        "It has no wings, but yes."],
    "short for it": ["It is.", "They do.", "He was."],
    "asked first": ["Is it false? Yes or no? Yes.", "True or false: true", "Is it wrong? It is true."],
}  # fmt: skip
NO = {
    "plain": ["No", "**No**", "Nope.", "F", "n", "False."],
    "marked": [r"\boxed{No}", "<answer>no</answer>", '{"answer": false}', '{"answer": "No"}', "Answer: No",
        r"$\boxed{\text{False}}$"],
    "sentences": ["The answer is no.", "I don't think so. No.", "The claim is inaccurate.", "That's a myth.",
        "It is true of bats, so no.", "No, that is true of bats."],
    "negations": ["It isn't true.", "It isn’t true.", "That can't be true.", "It could not be true",
        "It is hardly true.", "That's not right.", "It is far from true.",
                  "It is not really true.", "It wouldn't be correct.",
        "That can't possibly be true.", "It is by no means true.", "It is anything but true.",
        "It doesn't seem to be true."],
    "no in another sense": ["There's no doubt that the answer is no.", "No question about it: no"],
    "short for it": ["It is not.", "They don't.", "He cannot."],
    "asked first": ["Is it true? No.", "Yes or no? No"],
}  # fmt: skip
NEITHER = [
    "yes and no",
    "Yes or no",
    "neither true nor false",
    "I have no idea.",
    "It depends.",
    "I am not sure whether it is true",
    "There is no way to know.",
    "",
    "The right bank",
]


@pytest.mark.parametrize("output", rows(YES))
def test_yes_is_read_in_every_manner(output: str) -> None:
    assert read_boolean(output) == "yes"


@pytest.mark.parametrize("output", rows(NO))
def test_no_is_read_in_every_manner(output: str) -> None:
    assert read_boolean(output) == "no"


@pytest.mark.parametrize("output", NEITHER)
def test_neither_yes_nor_no_is_read(output: str) -> None:
    assert read_boolean(output) == ""


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        ("Malmö", unicodedata.normalize("NFD", "Malmö")), (unicodedata.normalize("NFD", "Malmö"), "Malmö"), ("Turin",
        "Ｔｕｒｉｎ"),
        ("San Remo", "San\u00a0Remo"), ("D'Artagnan", "D’Artagnan"), ("Jean-Luc", "Jean–Luc"), ("Turin", "“Turin”"),
        ("Turin", "Tu\u00adrin\u200b"),
        ("O’Neill", "O'Neill"), ("1848", "It was in 1848."), ("A. A. Milne", "The answer is A. A. Milne."),
    ],
)  # fmt: skip
def test_a_name_is_the_same_in_other_characters(answer: str, output: str) -> None:
    assert score("alias", problem(answer, "factual"), output).correct


TURIN = [
    "The answer is Turin.", "Answer: Turin", "**Turin**", r"\boxed{\text{Turin}}", "<answer>Turin</answer>",
    '{"answer": "Turin"}', "It is Turin.", "It was Torino.",
    "That's Turin.", "The first capital of Italy was Turin.", "Turin was the first capital of Italy.",
    "Turin. It lies on the Po.", "Turin, because it was the first",
    "I think it is Turin", "### Final Answer\nTurin", "Turin<|im_end|>", "- Turin",
    "The answer is **Turin**, which lies on the Po.", "Not Milan, but Turin", "It was not Milan but rather Turin.",
    "Not Milan – but **Turin**", "Not **Milan**, but **Turin**", "Turin, not Milan", "Turin it is", "So Turin it is.",
    "Turin it is. It lies on the Po.", "Turin – the City of the Mole", "Turin - the city of the Mole",
    "Turin—a city on the Po", "**Turin** – its river is the Po", "Turin; it has been a city since the year 28.",
]  # fmt: skip
NOT_TURIN = [
    "Turin, Italy", "Milan", "The answer is Milan.", "The answer is not Turin.", "It is not Turin.", "Turin or Milan",
    "Turin and Milan", "Not Turin", "Milan. Turin",
    "Turin is not the one", "Turin is the capital of Piedmont, but the answer is Milan", "Turin is the wrong answer.",
    "Turin Airport", "Milan, because Turin", "It isn't Turin.",
    "Answer: Milan\nTurin", "It is near Turin", "", "Not Turin, but Milan", "It is not Turin but Milan.",
    "Not **Turin**, but **Milan**", "Not only Milan, but Turin", "Not Milan, but Turin or Rome",
    "Not Milan, but not Turin",
    "Milan, not Turin", "Turin, not Milan but Rome", "Turin it is not", "Turin it isn't", "Not Turin it is",
    "Turin – Milan", "Turin – the Hague", "Turin – the wrong one", "Turin – or Milan", "Turin – the answer is Milan",
    "Turin; Milan", "Turin; it is Milan", "Turin; the capital is Milan", "Not Turin – the City of the Mole",
]  # fmt: skip


@pytest.mark.parametrize("output", TURIN)
def test_a_name_is_read_in_every_manner(output: str) -> None:
    assert score("alias", problem("Turin", "factual", aliases=("Torino",)), output).correct


@pytest.mark.parametrize("output", NOT_TURIN)
def test_no_more_is_accepted_than_the_name(output: str) -> None:
    assert not score("alias", problem("Turin", "factual", aliases=("Torino",)), output).correct


TRIPLE, DRAFT = "def triple(n):\n    return 3 * n\n", "def triple(n):\n    return n + 3\n"
HELPER, TIMES = "def triple(n):\n    return times(3, n)\n", "def times(a, b):\n    return a * b\n"
TRIED, OPERATOR = f"{TIMES}print(1 / 0)\n", "def times(a, b):\n    return operator.mul(a, b)\n"
SCALED = "def triple(n):\n    return K * n\n"


def fenced(code: str, info: str = "python", marks: str = "```") -> str:
    return f"{marks}{info}\n{code}{marks}\n"


def indented(code: str, indent: str) -> str:
    return "".join(indent + line for line in code.splitlines(keepends=True))


PROGRAMS = {
    "fences": [
        fenced(TRIPLE), fenced(TRIPLE, "py"), fenced(TRIPLE, ""), fenced(TRIPLE, 'python title="a.py"'), fenced(TRIPLE,
        "{.python}"), fenced(TRIPLE, marks="~~~"),
        fenced(TRIPLE, marks="````"), f"```python\n{TRIPLE}", f"{TRIPLE}```", f"{TRIPLE}```\nIt triples a number.",
        f"Here: ```python\n{TRIPLE}```",
        "```python\ndef triple(n):\n    return 3 * n```", f"```{TRIPLE}```",
    ],
    "lists and quotes": [
        f"1. Code:\n\n{indented(fenced(TRIPLE), '   ')}\n2. Done", f"- {indented(fenced(TRIPLE), '  ')[2:]}",
        f"*\tCode\n{indented(fenced(TRIPLE), chr(9))}",
        indented(fenced(TRIPLE), "> "),
    ],
    "drafts": [
        f"A draft:\n{fenced(DRAFT)}It adds. Better:\n{fenced(TRIPLE)}",
        f"{fenced(TRIPLE)}Its signature:\n{fenced('def triple(n): ...')}",
        f"{fenced(TRIPLE)}Or, with types:\n```python\ndef triple(n: int", f"First:\n{DRAFT}\nThat adds. So:\n{TRIPLE}",
    ],
    "other blocks": [
        f"{fenced('pip install nothing', 'bash')}{fenced(TRIPLE)}", f"{fenced('triple(2) -> 6', '')}{fenced(TRIPLE)}",
        f"{fenced(TRIPLE)}{fenced('print(triple(2) / 0)')}",
        f"{fenced(TRIPLE)}In JavaScript:\n{fenced('function triple(n) { return 3 * n }', 'js')}",
    ],
    "helpers": [
        f"{fenced(TRIED)}{fenced(HELPER)}", f"{fenced(HELPER)}{fenced('from operator import mul as times')}",
        f"{fenced('import operator')}{fenced(OPERATOR)}{fenced(HELPER)}", f"{fenced('K = 3')}{fenced(SCALED)}",
    ],
    "tags": [f"[PYTHON]\n{TRIPLE}[/PYTHON]", f"<code>\n{TRIPLE}</code>", f"<answer>\n{fenced(TRIPLE)}</answer>",
        json.dumps({"why": "3", "code": TRIPLE})],
    "turns": [f"{TRIPLE}<|im_end|>\n", f"{TRIPLE}<|eot_id|>", f"{TRIPLE}</s>", f"{TRIPLE}<end_of_turn>\n",
        f"{fenced(TRIPLE)}<｜end▁of▁sentence｜>", f"<|im_start|>assistant\n{TRIPLE}"],
    "indentation": [f" {TRIPLE}", indented(TRIPLE, "    "), f"    {TRIPLE}", f"\n\n{indented(TRIPLE, '  ')}"],
    "sessions": [">>> def triple(n):\n...     return 3 * n\n...\n>>> triple(2)\n6\n",
        fenced(">>> def triple(n):\n...     return 3 * n\n>>> triple(2)\n6\n")],
    "prose": [f"Sure!\n\n{TRIPLE}\nIt triples a number.", f"I define triple(n).\n\n{TRIPLE}\nThat's all.",
        "`triple = lambda n: 3 * n` is enough.",
        f"Sure! {TRIPLE}", "Sure! def triple(n): return 3 * n", "**Code:** def triple(n): return 3 * n\n\nIt triples."],
    "without width": [f"\u200b{TRIPLE}", f"\ufeff{TRIPLE}", f"\ufeff{fenced(TRIPLE)}", fenced(f"\u200b{TRIPLE}"),
        f"Sure!\n\n\u200b{TRIPLE}"],
}  # fmt: skip
NO_PROGRAMS = [
    "",
    DRAFT,
    f"{fenced(TRIPLE)}No, rather:\n{fenced(DRAFT)}",
    "I cannot.",
    "triple",
    fenced("def triple(n): ..."),
    "```python\n```",
    "Don't write it like this: def triple(n): return 3 * n",
]
TRIPLES = problem(TRIPLE, "code", tests=("assert triple(2) == 6", "assert triple(5) == 15"))


@pytest.mark.gate
def test_a_right_program_is_read_in_every_manner() -> None:
    outputs = [output for group in PROGRAMS.values() for output in group]
    scores = score_many([(TRIPLES, output) for output in outputs])
    assert [output for output, one in zip(outputs, scores, strict=True) if not one.correct] == []


def test_a_wrong_program_stays_wrong() -> None:
    scores = score_many([(TRIPLES, output) for output in NO_PROGRAMS])
    assert [output for output, one in zip(NO_PROGRAMS, scores, strict=True) if one.correct] == []


def test_what_a_helper_block_prints_or_tries_does_not_come_along() -> None:
    program = read_program(f"{fenced(TRIED)}{fenced(HELPER)}", TRIPLES.tests)
    assert "times(a, b)" in program
    assert "print" not in program


@pytest.mark.parametrize(
    "output",
    [
        "Sure! def triple(n): return 3 * n",
        "Sure!\n\u200bdef triple(n): return 3 * n",
        "\ufeffdef triple(n): return 3 * n",
    ],
)
def test_code_is_read_behind_a_lead_in_and_without_what_has_no_width(output: str) -> None:
    assert read_program(output, TRIPLES.tests).strip() == "def triple(n): return 3 * n"


def test_blocks_lose_the_indentation_of_their_fence_alone() -> None:
    assert blocks("  ```python\n  if x:\n      y\n  ```\n```\n  z\n```") == ["if x:\n    y\n", "  z\n"]


def test_modules_beyond_the_standard_library_are_counted() -> None:
    programs = [
        "import numpy as np\nimport math",
        "from numpy.linalg import norm",
        "def f():\n    import pandas.io",
        "import json",
        "no program (",
    ]
    assert missing_modules(programs) == {"numpy": 2, "pandas": 1}


def test_programs_that_need_a_module_that_is_not_there_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    output = "import numpy as np\ndef triple(n):\n    return int(np.multiply(3, n))\n"
    assert [one.correct for one in score_all("program", [TRIPLES] * 2, [output, TRIPLE])] == [False, True]
    assert "numpy (1)" in capsys.readouterr().err


# The same answer in any manner, behind and before any words.
WORDS = st.text("abcdefghij ", max_size=30)
NUMBER_MANNERS = (
    "#### {}", r"\boxed{{{}}} {after}", "The answer is {}. {after}", "<answer>{}</answer> {after}",
    "**Final Answer**\n\n{}\n\n{after}",
    "Answer: {}\n- {after}", '{{"answer": {}, "n": 3}}',
    "#### Step 1\n{after}\n#### Step 2\n4 - 1\n\nThe answer is {}.", "{}", "it is **{}** loaves.",
)  # fmt: skip


@given(
    value=st.integers(-(10**9), 10**9),
    manner=st.sampled_from(NUMBER_MANNERS),
    before=WORDS,
    digits=st.text("0123456789 ", max_size=6),
)
def test_a_number_is_read_in_any_manner_and_another_is_not(value: int, manner: str, before: str, digits: str) -> None:
    def written(number: int) -> str:
        return f"{before}\n{manner.format(number, after=f'{before} {digits}')}"

    assert read_number(written(value)) == Decimal(value)
    assert not score("number", problem(str(value)), written(value + 1)).correct


CHOICE_MANNERS = (
    "{}", "({})", "**{}**", r"\boxed{{{}}}", r"$\boxed{{\text{{{}}}}}$", "<answer>{}</answer>", '{{"answer": "{}"}}',
    "The answer is {}.", "Answer: {}",
    "I choose {}.", "{} is correct.", "The correct option is {}.", "**Final Answer**\n\n{}",
    "So the answer must be {}.", "Option {}",
)  # fmt: skip


@given(
    place=st.integers(0, 3),
    manner=st.sampled_from(CHOICE_MANNERS),
    before=st.sampled_from(["", "Hm.\n\n", "Let us see.\n"]),
    small=st.booleans(),
)
def test_a_letter_is_read_in_any_manner(place: int, manner: str, before: str, small: bool) -> None:
    letter = "ABCD"[place]
    assume(not (small and ("is correct" in manner or before)))
    assert named_choice(METALS, before + manner.format(letter.lower() if small else letter)) == METALS[place]


@given(place=st.integers(0, 3), manner=st.sampled_from(CHOICE_MANNERS[:9] + CHOICE_MANNERS[11:14]))
def test_a_choice_s_text_is_read_in_any_manner_with_its_letter_or_without(place: int, manner: str) -> None:
    assert named_choice(METALS, manner.format(METALS[place])) == METALS[place]
    assert named_choice(METALS, manner.format(f"{'ABCD'[place]}. {METALS[place]}")) == METALS[place]
    assert named_choice(METALS, manner.format(f"{'ABCD'[place - 1]}. {METALS[place]}")) is None


@given(
    says=st.sampled_from(["yes", "no", "true", "false"]),
    manner=st.sampled_from(CHOICE_MANNERS[:9] + CHOICE_MANNERS[12:13]),
    before=WORDS,
)
def test_yes_and_no_are_read_in_any_manner(says: str, manner: str, before: str) -> None:
    assume(not re.search(r"\b(?:if|i|a)\b", before))
    wanted = "yes" if says in ("yes", "true") else "no"
    assert {read_boolean(manner.format(form)) for form in (says, says.capitalize(), says.upper())} == {wanted}


FLEXIBLE = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)")  # filter flexible-extract of lm-evaluation-harness, tasks/gsm8k


@given(
    steps=st.lists(st.tuples(st.sampled_from(["There are {} trays", "{} of them are sold", "That makes 2 * {}",
    "It costs ${}"]), st.integers(2, 9999)), min_size=1),
    ending=st.sampled_from([".", "", " loaves.", " dollars per day."]), total=st.integers(2, 9999),
    lead=st.sampled_from(["So it has ", "2 * 3 = ", "In all, there are $"]),
)  # fmt: skip
def test_an_ordinary_solution_is_read_as_the_last_number(
    steps: list[tuple[str, int]], ending: str, total: int, lead: str
) -> None:
    text = "\n".join([*(f"{form.format(value)}." for form, value in steps), f"{lead}{total}{ending}"])
    last = "".join(FLEXIBLE.findall(text)[-1]).strip("$.,").replace(",", "")
    assert read_number(text) == Decimal(last) == total


@pytest.mark.slow
def test_solutions_of_gsm8k_are_read_no_worse_than_by_their_last_number_as_the_docs_say() -> None:
    files = sorted((SHARED / "canonical" / "gsm8k").glob("*.jsonl.gz"))
    if not files:
        pytest.skip("no ../shared/canonical/gsm8k here: its solutions are not read")
    ours = last = last_alone = 0
    for row in (json.loads(line) for file in files for line in gzip.decompress(file.read_bytes()).splitlines()):
        solution, answer = re.sub(r"<<.*?>>", "", row["answer"]).split("####")
        answer = answer.strip().replace(",", "")
        numbers = FLEXIBLE.findall(solution.strip())
        flexible = "".join(numbers[-1]).replace("$", "").replace(",", "").rstrip(".") if numbers else ""
        by_last = bool(re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?", flexible)) and Decimal(flexible) == Decimal(answer)
        by_us = score("number", Problem("a/1", "a", "math", row["question"], answer), solution.strip()).correct
        ours, last, last_alone = ours + by_us, last + by_last, last_alone + (by_last and not by_us)
    docs = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    assert f"is right on\n{ours:,} and" in docs
    assert f"on {last:,}; on {last_alone} it alone" in docs

"""Our prompts, targets and scores against lm-evaluation-harness 0.4.13's own code, on real problems."""

import json
from collections.abc import Sequence
from random import Random

import pytest

from pfe.config import Benchmark, Config
from pfe.evaluation.prompts import DELIMITER, request_for, solved
from pfe.icr.prefix import Prefix
from pfe.models.request import Request
from pfe.problem import Problem
from pfe.scorers import score
from pfe.scorers.choice import best, best_per_character
from tests.evaluation.harness import REFERENCES, Row, asked, chosen, problems, real_rows, reference_task, written

COUNT = 100
CHOOSING = ["arc_easy", "arc_challenge", "hellaswag", "winogrande", "boolq"]


def benchmark_of(name: str, settings: Config) -> Benchmark:
    return settings.benchmark["gsm1k" if name == "gsm8k" else name]


def requests(name: str, settings: Config, rows: Sequence[Row], prefix: str = "") -> list[Request]:
    benchmark = benchmark_of(name, settings)
    return [request_for(problem, benchmark, Prefix(prefix)) for problem in problems(name, benchmark, rows)]


def arguments(request: Request) -> list[tuple[str, str]]:
    """What lm-eval calls the arguments: context and continuation of every choice."""
    return [(request.prefix.text + option.context, option.continuation) for option in request.options]


def same_requests(ours: Sequence[Request], task_rows: Sequence[Sequence[object]]) -> None:
    for request, instances in zip(ours, task_rows, strict=True):
        if request.options:
            assert [instance.args for instance in instances] == arguments(request)  # type: ignore[attr-defined]
        else:
            (instance,) = instances
            context, keywords = instance.args  # type: ignore[attr-defined]
            assert request.prefix.text + request.prompt == context
            assert list(request.stop) == keywords["until"]
            assert request.max_tokens == keywords.get("max_gen_toks", 256)  # 256: HFLM's default
            assert not keywords["do_sample"]


@pytest.mark.parametrize("name", REFERENCES)
def test_a_hundred_real_problems_are_asked_as_lm_eval_asks_them(name: str, settings: Config) -> None:
    rows = real_rows(name, COUNT)
    assert len(rows) == (50 if name == "gsm1k" else COUNT)
    same_requests(requests(name, settings, rows), asked(reference_task(name, rows)))


@pytest.mark.parametrize("name", REFERENCES)
def test_solved_problems_in_front_read_as_lm_eval_s_few_shot_examples(name: str, settings: Config) -> None:
    *rows, first, second = real_rows(name, 12)
    shown = problems(name, benchmark_of(name, settings), [first, second])
    prefix = "".join(solved(problem, benchmark_of(name, settings)) + DELIMITER for problem in shown)
    if name == "mbpp":
        first, second = first | {"is_fewshot": True}, second | {"is_fewshot": True}
    same_requests(requests(name, settings, rows, prefix), asked(reference_task(name, rows, [first, second])))


HELLASWAG = [
    {
        "ind": 1, "activity_label": "Roof shingle removal", "ctx_a": "A man is sitting on a roof.", "ctx_b": "he",
        "endings": ["is ripping tiles off.", "is holding a cube.", "sings.", "[substeps] waits [for] it  ."],
        "label": "3",
    },
    {
        "ind": 2, "activity_label": "Home and Garden", "label": "0", "ctx_b": "",
        "ctx_a": "[header] How to mow a lawn [title] Look for stones. [step] Stones break blades. [substeps] ",
        "endings": ["Walk it twice. [title] Fuel up. [step] Outdoors.", "[step] Sleep.", "Run [title] Hide", "b"],
    },
    {
        "ind": 3, "activity_label": "Note: a game", "ctx_a": "x  y", "ctx_b": "ÜBER it",
        "endings": ["a"] * 4, "label": "1",
    },
]  # fmt: skip


def test_hellaswag_s_hub_columns_lose_their_marks_as_in_lm_eval(settings: Config) -> None:
    ours = requests("hellaswag", settings, HELLASWAG)
    same_requests(ours, asked(reference_task("hellaswag", HELLASWAG)))
    assert ours[1].prompt == "Home and Garden: How to mow a lawn. Look for stones. Stones break blades. "
    assert [request.problem.choices.index(request.problem.answer) for request in ours] == [3, 0, 0]


@pytest.mark.parametrize("name", CHOOSING)
def test_made_log_likelihoods_get_lm_eval_s_acc_and_acc_norm(name: str, settings: Config) -> None:
    rows, random = real_rows(name, COUNT), Random(name)
    task = reference_task(name, rows)
    ours = requests(name, settings, rows)
    scores = [[-float(random.randint(1, 60)) / 4 for _ in request.options] for request in ours]  # ties are many
    for request, row, metrics in zip(ours, scores, chosen(task, scores), strict=True):
        problem = request.problem
        assert score(benchmark_of(name, settings).scorer, problem, problem.choices[best(row)]).correct == metrics["acc"]
        if "acc_norm" in metrics:
            assert (problem.choices[best_per_character(row, problem.choices)] == problem.answer) == metrics["acc_norm"]


AGREED_NUMBERS = [
    "#### 18", " 9 * 2 = <<9*2=18>>18 dollars a day.\n#### 18", "#### 19", "18", "so 18.", "$18", "it is 17", "nothing",
    "",
    "#### 18.", "\n#### 18\n\n", "-18", "#### -18", "3 + 15\n#### 18\n", "#### 180",
]  # fmt: skip
# (output, lm-eval's flexible verdict, ours), for the answer 18: why ours differs.
DEPARTURES = [
    ("#### 18\nShe has 3 cats.", False, True),  # the number after #### is the answer, not the last one
    ("#### 18.0", False, True),  # numbers are compared as numbers, not as text
    ("It costs $18.00", False, True),
    ("18...", False, True),
    ("18, of course...", False, True),  # lm-eval's last match is "..."
    (r"\boxed{18} in 2 days", False, True),  # the box is the answer
    ("The answer is 18. It took 2 steps.", False, True),  # so is what is called the answer
    ("18\n\nQ: Tom has 5 figs.", False, True),  # a next question is not read
    ("20-18", False, True),  # a minus between numbers is no sign
    ("#### 018", False, True),
    ("a 1,8", True, False),  # a comma joins groups of three digits only
]  # fmt: skip


@pytest.mark.parametrize("name", ["gsm8k", "gsm1k"])
def test_made_outputs_are_read_as_lm_eval_reads_numbers_but_for_the_listed_departures(
    name: str, settings: Config
) -> None:
    row = {"question": "How many?", "answer": "18" if name == "gsm1k" else "9 * 2 = 18\n#### 18"}
    outputs = [*AGREED_NUMBERS, *(output for output, _, _ in DEPARTURES)]
    (problem,) = problems("gsm1k", settings.benchmark["gsm1k"], [row])
    reference = written(reference_task(name, [row] * len(outputs)), outputs)
    for output, metrics in zip(outputs, reference, strict=True):
        ours = score("number", problem, output)
        assert ours.strict_correct == metrics["strict-match"], output
        if output in AGREED_NUMBERS:
            assert ours.correct == metrics["flexible-extract"], output
    flexible = [metrics["flexible-extract"] == 1 for metrics in reference[len(AGREED_NUMBERS) :]]
    assert flexible == [theirs for _, theirs, _ in DEPARTURES]
    assert [score("number", problem, output).correct for output, _, _ in DEPARTURES] == [
        ours for _, _, ours in DEPARTURES
    ]


def test_the_rationales_of_gsm8k_are_right_strictly_and_flexibly_in_both(settings: Config) -> None:
    rows = real_rows("gsm8k", COUNT)
    outputs = [" " + row["answer"] for row in rows]
    reference = written(reference_task("gsm8k", rows), outputs)
    for problem, output, metrics in zip(
        problems("gsm1k", settings.benchmark["gsm1k"], rows), outputs, reference, strict=True
    ):
        ours = score("number", problem, output)
        assert (ours.strict_correct, ours.correct) == (True, True)
        assert metrics == {"strict-match": 1.0, "flexible-extract": 1.0}


def oslo(aliases: Sequence[str]) -> Row:
    return {
        "question": "Which city",
        "question_id": json.dumps(aliases),
        "answer": {"value": aliases[0], "aliases": aliases},
    }


AGREED_NAMES = [
    (["Oslo", "Christiania"], " christiania"), (["Oslo"], "OSLO"), (["Oslo"], "Bergen"), (["Oslo"], ""),
    (["Oslo (city)"], "Oslo city"), (["St Louis"], "St Louis"), (["Yes!"], "yes"), (["Ångström"], "ångström"),
]  # fmt: skip
# (aliases, output, lm-eval's verdict, ours): the published script drops articles, turns punctuation into
# spaces (lm-eval deletes it), and joins white space.
NAME_DEPARTURES = [
    (["Beatles"], "the Beatles", False, True),
    (["The Beatles"], "Beatles", False, True),
    (["Rock 'n' Roll"], "rock n roll", True, True),
    (["Spider-Man"], "Spider Man", False, True),
    (["Spider-Man"], "Spiderman", True, False),
    (["New York"], "New  York", False, True),
    (["O’Hara"], "O'Hara", False, True),
]  # fmt: skip


def test_made_names_are_judged_as_lm_eval_judges_them_but_for_the_listed_departures(settings: Config) -> None:
    cases = [*AGREED_NAMES, *((aliases, output) for aliases, output, _, _ in NAME_DEPARTURES)]
    rows = [oslo(aliases) for aliases, _ in cases]
    reference = written(reference_task("trivia_qa", rows), [output for _, output in cases])
    theirs = [metrics["remove_whitespace"] == 1 for metrics in reference]
    read: list[Problem] = problems("trivia_qa", settings.benchmark["trivia_qa"], rows)
    ours = [score("alias", problem, output).correct for problem, (_, output) in zip(read, cases, strict=True)]
    agreed = len(AGREED_NAMES)
    assert ours[:agreed] == theirs[:agreed]
    assert list(zip(theirs[agreed:], ours[agreed:], strict=True)) == [case[2:] for case in NAME_DEPARTURES]


def test_the_answers_of_real_trivia_are_right_in_both(settings: Config) -> None:
    rows = real_rows("trivia_qa", COUNT)
    outputs = [" " + Random(row["question"]).choice(row["answer"]["aliases"]) for row in rows]
    reference = written(reference_task("trivia_qa", rows), outputs)
    for problem, output, metrics in zip(
        problems("trivia_qa", settings.benchmark["trivia_qa"], rows), outputs, reference, strict=True
    ):
        assert score("alias", problem, output).correct == metrics["remove_whitespace"] == 1

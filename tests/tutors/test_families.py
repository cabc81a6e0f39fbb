"""Every family of every synthetic set: determinism, five routes to one answer, fields, variety."""

import re
from collections import Counter

import pytest

from pfe.problem import DOMAINS, Problem
from pfe.scorers import score
from pfe.tutors.family import ROUTES, Family, families_of, remake, synthetic_sets
from tests.each import each_family, every, problem_of, problems_of

_QUOTED = "[quoted]"
# What announces a quote, or refers to one, and has none beside it.
_UNQUOTED = re.compile(
    rf"(?:(?:library|passage|message) says|text has come to):? (?!{re.escape(_QUOTED)})"
    rf"|(?<!{re.escape(_QUOTED)}) speaks of "
)


@pytest.mark.parametrize("set", synthetic_sets())
def test_every_set_has_at_least_twelve_families(set: str) -> None:
    assert len(families_of(set)) >= 12


@each_family(every)
def test_a_problem_is_made_again_from_its_id_alone(family: Family) -> None:
    problem = problem_of(family, 1)
    assert remake(problem.id) == problem
    assert family.make(seed=1, index=1) != problem


@each_family(every)
def test_the_five_routes_arrive_at_the_same_answer(family: Family) -> None:
    for problem in problems_of(family, 3 if family.domain == "code" else None):
        keys = {route: family.answer(problem, route) for route in ROUTES}
        for answer in {key.answer for key in keys.values()}:
            assert score(family.scorer, problem, answer).correct, (keys, problem)
        assert all(key.text.strip() for key in keys.values()), keys


@each_family(every)
def test_the_fields_of_a_problem_are_filled(family: Family) -> None:
    for problem in problems_of(family):
        assert problem.domain in DOMAINS
        assert problem.question.strip() == problem.question != ""
        assert "{" not in problem.question or problem.domain in ("code", "function_call", "format")
        assert problem.solution.endswith(f"#### {problem.answer}")
        assert len(problem.solution.splitlines()) >= 2
        if problem.choices:
            assert problem.choices.count(problem.answer) == 1
            assert len(set(problem.choices)) == len(problem.choices)


@each_family(every)
def test_what_a_solution_quotes_stands_in_the_problem_word_for_word(family: Family) -> None:
    for problem in problems_of(family):
        for line in problem.solution.rpartition("\n#### ")[0].splitlines():
            rest = _without_quotes(line, _shown(problem))
            assert not re.search('["“”]', rest), (problem.id, line)
            assert not _UNQUOTED.search(rest), (problem.id, line)


def test_a_quote_in_other_words_is_found() -> None:
    source = 'The "naha" has five jatas.'
    assert _without_quotes(f'The library says: "{source}"', source) == f"The library says: {_QUOTED}"
    assert '"' in _without_quotes('The library says: "the "naha" has five jatas."', source)
    assert _UNQUOTED.search("The library says: five jatas.")


@pytest.mark.slow
@each_family(every)
def test_problems_vary(family: Family) -> None:
    count = 80
    problems = problems_of(family, count)
    assert len({problem.text for problem in problems}) >= 0.95 * count
    if problems[0].choices:
        places = Counter(problem.choices.index(problem.answer) for problem in problems)
        width = max(len(problem.choices) for problem in problems)
        assert max(places.values()) <= count / width + 4 * (count / width) ** 0.5, (
            "the place of the right choice gives it away"
        )


def _shown(problem: Problem) -> str:
    """What a solution may quote; of calls their values too, which code has in quotation marks."""
    return "\n".join((*problem.library, problem.text, problem.answer if problem.domain == "function_call" else ""))


def _without_quotes(line: str, source: str) -> str:
    """The line with a sign for every quote from the source, each as long as can be: it may hold quotes itself."""
    rest = ""
    while mark := re.search('["“]', line):
        ends = (end.start() for end in re.finditer('["”]', line) if end.start() > mark.end())
        last = max((end for end in ends if line[mark.end() : end] in source), default=None)
        if last is None:
            break
        rest, line = f"{rest}{line[: mark.start()]}{_QUOTED}", line[last + 1 :]
    return rest + line

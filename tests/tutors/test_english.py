"""No problem has the slips of English that slots and synonyms make: "some a thousand", "the the"."""

import re

import pytest

from pfe.tutors.engines.nature import Engine as Nature
from pfe.tutors.family import families_of

SETS = ("race_synth", "boolq_synth", "winogrande_synth", "arc_synth")
SLIPS = re.compile(
    r"(?<! _)  (?!_ )|[a-z] [.,;?!](?:\s|$)|\b(the|a|an|of|to|in|is|was) \1\b|\ban? the\b"
    r"|\bsome (?:an?|one) (?:hundred|thousand)\b|\b(?:ten|eleven|twelve|\w+ty) hundred\b|\b[Mm]ost the\b"
    r"|\b[Nn]one of (?:him|her)\b|\b[Aa] little of [a-z]+ [a-z]+ give\b|\ball immediately\b|\ba few close by\b"
    r"|\bwas been\b|\blonger than \S+ \w+ long\b"
)
NATURE = [family for family in families_of("arc_synth").values() if isinstance(family, Nature)]


@pytest.mark.parametrize("set", SETS)
def test_no_problem_has_a_slip_of_the_pen(set: str) -> None:
    texts = [
        text
        for family in families_of(set).values()
        for index in range(4)
        for problem in [family.make(1, index)]
        for text in (problem.context, problem.question, *problem.choices)
    ]
    assert [text for text in texts if SLIPS.search(text)] == []


@pytest.mark.parametrize("family", NATURE, ids=[family.name for family in NATURE])
def test_a_question_that_breaks_off_is_ended_by_its_choices(family: Nature) -> None:
    problems = [family.make(1, index) for index in range(24)]
    broken = [problem for problem in problems if not problem.question.endswith(("?", "."))]
    assert [(problem.question, problem.choices) for problem in broken if problem.answer.endswith(".")] == []


def test_nobody_reports_a_deed_of_their_own_as_another_ones() -> None:
    told = [
        family.make(1, index).question for family in families_of("winogrande_synth").values() for index in range(60)
    ]
    reported = [re.search(r"([A-Z]\w+) (?:told|reminded|assured) .* that (\w+)", text) for text in told]
    assert [match[0] for match in reported if match and match[1] == match[2]] == []

"""No problem has the slips of English that slots and synonyms make: "some a thousand", "the the"."""

import re
from random import Random

import pytest

from pfe.quality.english import english
from pfe.tutors.content import content_files
from pfe.tutors.engines.composer import Engine as Composer
from pfe.tutors.engines.nature import Engine as Nature
from pfe.tutors.engines.passage import Engine as Passage
from pfe.tutors.engines.yes_no import Engine as YesNo
from pfe.tutors.family import Family, families_of
from pfe.tutors.wording import Wording
from tests.each import each_family, every, problems_of

SETS = ("race_synth", "boolq_synth", "winogrande_synth", "arc_synth", "gsm1k_synth", "hellaswag_synth")
SLIPS = re.compile(
    r"(?<! _)  (?!_ )|[a-z] [.,;?!](?:\s|$)|\b(the|a|an|of|to|in|is|was) \1\b|\ban? the\b"
    r"|\bsome (?:an?|one) (?:hundred|thousand)\b|\b(?:ten|eleven|twelve|\w+ty) hundred\b|\b[Mm]ost the\b"
    r"|\b[Nn]one of (?:him|her)\b|\b[Aa] little of [a-z]+ [a-z]+ give\b|\ball immediately\b|\ba few close by\b"
    r"|\bwas been\b|\blonger than \S+ \w+ long\b|\b(?:a|^A) (?!one\b|once\b|and\b|or\b|is\b)[aeio][a-z]"
    r"|\b[Aa]n [bcdfgjklmnpqrstvwxyz][a-z]"
    r"|\b(?:gave|gives?|given) up (?:it|them|him|her)\b|\b(?:measures|weighs) [a-z ]+ (?:players|metres)\b"
    r"|\bweighs [a-z ]+ (?:centimetres|inches)\b|\bmeasures [a-z ]+ (?:grams|ounces)\b|\bmore than 1 \w+s\b"
    r"|\b(?:[Ee]very|[Ee]ach) \w+ (?:were|are|have)\b|\b(?:[Tt]hose|[Pp]layers|[Pp]eople) who \w+[^s]s\b"
    r"|\b(?:[Ww]hoever|[Aa] player who) (?:fall|kick|touch|lose)\b|\bwho \w+ best who\b"
    r"|(?<!lamp )\b1 (?!is\b|was\b|has\b|does\b)[a-z]+[^\Ws]s\b|\bthe of\b|\b[Hh]ow many [a-z]+ is left\b|\ba \$8\b"
    r"|\bsomething that is an? |\bbunch of (?!flowers|keys|grapes|carrots)"
    r"|\bfond of [^.]* almost as much as"
)


def telling(set: str) -> list[Passage | YesNo]:
    return [family for family in families_of(set).values() if isinstance(family, Passage | YesNo)]


def dated(set: str) -> list[YesNo]:
    families = [family for family in families_of(set).values() if isinstance(family, YesNo)]
    return [family for family in families if any("year" in draw.names for draw in family.told.draws)]


def composed(set: str) -> list[Composer]:
    return [family for family in families_of(set).values() if isinstance(family, Composer)]


def nature(set: str) -> list[Nature]:
    return [family for family in families_of(set).values() if isinstance(family, Nature)]


@each_family(every, *SETS, "mbpp_synth")
def test_no_problem_has_a_slip_of_the_pen(family: Family) -> None:
    problems = problems_of(family)
    texts = [text for problem in problems for text in (problem.context, problem.question, *problem.choices)]
    assert [text for text in texts if SLIPS.search(text)] == []


@each_family(every)
def test_no_problem_has_a_slip_that_the_quality_of_its_set_counts(family: Family) -> None:
    assert english(problems_of(family)).examples == ()


@each_family(every, "arc_synth")
def test_a_statement_that_is_asked_for_is_a_sentence(family: Family) -> None:
    question = r"[Ww]hich (?:statement|sentence|note|prediction)\b[^?]*\?$"
    asked = [problem for problem in problems_of(family) if re.search(question, problem.question)]
    assert [(p.id, p.choices) for p in asked if not all(re.match(r"[A-Z].*[.?]$", c) for c in p.choices)] == []


@each_family(nature, "arc_synth")
def test_a_question_that_breaks_off_is_ended_by_its_choices(family: Nature) -> None:
    broken = [problem for problem in problems_of(family, 12) if not problem.question.endswith(("?", "."))]
    assert [(problem.question, problem.choices) for problem in broken if problem.answer.endswith(".")] == []


@each_family(dated, "boolq_synth")
def test_nothing_happens_before_what_it_happens_to_is_there(family: YesNo) -> None:
    for problem in problems_of(family, 25):
        first = family.told.read(problem.context.partition(" -- ")[2]).get("year", 0)
        years = re.findall(r"\b(?:in|of|until|since|by|to|from) (1[6-9]\d\d|20\d\d)\b(?! metres)", problem.context)
        assert [year for year in years if int(year) < first] == [], problem


@each_family(telling, "race_synth", "boolq_synth")
def test_what_may_stand_behind_an_article_fits_it(family: Passage | YesNo) -> None:
    source = next(path for path in content_files(family.set) if path.stem == family.name).read_text()
    for article, slot in re.findall(r"\b([Aa]n?) \{(\w+)\}", source):
        values = family.told.values[slot]
        texts = [values.text(n, {}) for n in range(values.count)] if isinstance(values, Wording) else values
        assert [text for text in texts if (text[0] in "aeio") != (article.lower() == "an")] == [], (article, slot)


@each_family(telling, "race_synth", "boolq_synth")
def test_two_people_or_places_of_a_passage_have_two_names(family: Passage | YesNo) -> None:
    for seed in range(20):
        names = [v for v in family.told.draw(Random(seed)).values() if isinstance(v, str) and v[:1].isupper()]
        assert len(names) == len({*names}), names


@pytest.mark.slow
@each_family(every, "winogrande_synth")
def test_nobody_reports_a_deed_of_their_own_as_another_ones(family: Family) -> None:
    questions = [problem.question for problem in problems_of(family, 60)]
    reported = [re.search(r"([A-Z]\w+) (?:told|reminded|assured) .* that (\w+)", text) for text in questions]
    assert [match[0] for match in reported if match and match[1] == match[2]] == []


@each_family(composed, "gsm1k_synth")
def test_nobody_asks_what_is_left_where_nothing_went(family: Composer) -> None:
    asked = [problem for problem in problems_of(family, 24) if re.search(r"\bleft\b[^.?]*\?$", problem.question)]
    assert [problem.question for problem in asked if not re.search(r"<<[^=]*-", problem.solution)] == []

"""How-to articles that break off: an ending belongs to its point and to no other."""

from pathlib import Path
from random import Random

import pytest

from pfe.errors import UserError
from pfe.tutors.engines.article import Engine
from pfe.tutors.family import families_of
from tests.each import each_family, problems_of

ARTICLE = """engine: article
articles:
  naps:
    title: nap
    topic: Health
    points:
      - [Lie down., One., Two.]
      - [Close your eyes., Three., Four.]
      - [Breathe., Five., Six.]
      - [Wake up., Seven., Eight.]
"""


def articles(set: str) -> list[Engine]:
    return [family for family in families_of(set).values() if isinstance(family, Engine)]


each_article_family = each_family(articles, "hellaswag_synth")


def test_there_are_articles_on_many_subjects() -> None:
    assert sum(len(family.articles) for family in articles("hellaswag_synth")) >= 50


@each_article_family
def test_every_sentence_stands_at_one_place_of_its_article_only(family: Engine) -> None:
    for points in family.articles.values():
        assert len(set(points.sentences)) == len(points.sentences)
        for sentence in points.sentences:
            assert sentence.rstrip(">")[-1] in ".?!", sentence


@each_article_family
def test_a_wrong_ending_repeats_nothing_that_the_text_has_told(family: Engine) -> None:
    for problem in problems_of(family):
        for ending in problem.choices:
            assert ending not in problem.question


@each_article_family
def test_a_wrong_ending_of_another_article_is_no_point_of_this_one(family: Engine) -> None:
    solutions = [problem.solution for problem in problems_of(family)]
    for solution in solutions:
        assert solution.count("is of another article.") + solution.count("would go with") == 3
    assert any("is of another article." in solution for solution in solutions)


@each_article_family
def test_every_point_is_the_right_one_for_some_problem(family: Engine) -> None:
    drawn = [family.facts(Random(seed)) for seed in range(60 * len(family.articles))]
    due = {(facts["article"], facts["due"]) for facts in drawn}
    assert due == {(name, at) for name, article in family.articles.items() for at in range(len(article.starts))}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("      - [Wake up., Seven., Eight.]\n", ""), "naps.points: 3 are too few; write at least 4"),
        (("Seven., ", ""), r"points\.4: 2 are too few; write at least 3"),
        (("topic: Health", "tropic: Health"), r"naps\.topic: missing"),
    ],
)
def test_a_mistake_in_an_article_is_told_with_its_place(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(ARTICLE)
    assert Engine("mine_synth", path).make(0, 0).answer
    path.write_text(ARTICLE.replace(*change))
    with pytest.raises(UserError, match=words):
        Engine("mine_synth", path)

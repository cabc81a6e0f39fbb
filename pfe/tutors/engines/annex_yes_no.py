"""An encyclopaedic passage and a question for yes or no, whose answer the passage leaves to the library.

Example: `content/boolq_synth/register.yaml`; what a file says is told in `pfe.tutors.annex`.
"""

from collections.abc import Sequence
from random import Random

from pfe.problem import Problem
from pfe.tutors.annex import Annex, Gap
from pfe.tutors.engines import yes_no
from pfe.tutors.family import Draft, Facts


class Engine(Annex):
    """Encyclopaedic passages with a library."""

    domain = "boolean"
    scorer = "boolean"
    engine = yes_no.Engine
    between = " "

    def options(self, gap: Gap, facts: Facts, rng: Random) -> list[int]:
        means = [means.text(0, {}) for means in gap.point.means]
        way = yes_no.way(gap.point, rng)
        return [way, *rng.sample([other for other, meant in enumerate(means) if meant != means[way]], 1)]

    def draft(self, gap: Gap, facts: Facts, passage: str, rng: Random) -> Draft:
        question = gap.family.asks[gap.ask].question.vary(facts["own"], rng).lower()
        return Draft(question, context=f"{gap.family.title_of(facts['own'], rng)} -- {passage}")

    def passage_of(self, problem: Problem) -> str:
        return problem.context.partition(" -- ")[2]

    def candidates(self, problem: Problem) -> Sequence[str]:
        return ("yes", "no")

    def known(self, own: Facts) -> Facts:
        return yes_no.lowered(own)

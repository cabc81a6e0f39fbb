"""An encyclopaedic passage and a yes/no question, whose answer is in the library and not in the passage.

Example: `content/boolq_synth/register.yaml`; `pfe.tutors.omitted_fact` documents the keys of the file.
"""

from collections.abc import Sequence
from random import Random

from pfe.problem import Problem
from pfe.tutors.engines import yes_no
from pfe.tutors.family import Draft, Facts
from pfe.tutors.omitted_fact import Gap, OmittedFact


class Engine(OmittedFact):
    """Encyclopaedic passages with a library."""

    domain = "boolean"
    scorer = "boolean"
    engine = yes_no.Engine
    between = " "

    def ways(self, gap: Gap, count: int, rng: Random) -> list[int]:
        first = yes_no.way(gap.point, rng)
        return [*self.options(gap, first, [], rng), *(yes_no.way(gap.point, rng) for _ in range(count - 2))]

    def options(self, gap: Gap, way: int, told: Sequence[int], rng: Random) -> list[int]:
        means = [means.text(0, {}) for means in gap.point.means]
        others = [other for other, meant in enumerate(means) if meant != means[way]]
        return [way, next((other for other in told if other in others), rng.choice(others))]

    def draft(self, gap: Gap, facts: Facts, passage: str, rng: Random) -> Draft:
        question = gap.family.asks[gap.ask].question.vary(facts["own"], rng).lower()
        return Draft(question, context=f"{gap.family.title_of(facts['own'], rng)} -- {passage}")

    def passage_of(self, problem: Problem) -> str:
        return problem.context.partition(" -- ")[2]

    def candidates(self, problem: Problem) -> Sequence[str]:
        return ("yes", "no")

    def known(self, own: Facts) -> Facts:
        return yes_no.lowered(own)

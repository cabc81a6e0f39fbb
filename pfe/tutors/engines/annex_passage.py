"""A passage and a multiple-choice question with four choices, whose answer is in the library and not in the passage.

Example: `content/race_synth/notes.yaml`; `pfe.tutors.omitted_fact` documents the keys of the file.
"""

from collections.abc import Sequence
from random import Random

from pfe.problem import Problem
from pfe.tutors.engines import passage
from pfe.tutors.family import Draft, Facts
from pfe.tutors.omitted_fact import Gap, OmittedFact
from pfe.tutors.passage_questions import CHOICES
from pfe.tutors.wording import capital


class Engine(OmittedFact):
    """Reading-comprehension passages with a library."""

    domain = "reading"
    scorer = "choice"
    engine = passage.Engine

    def ways(self, gap: Gap, count: int, rng: Random) -> list[int]:
        every = range(len(gap.point.means))
        different = rng.sample(every, min(CHOICES, len(every)))
        return [*different, *(rng.choice(every) for _ in range(count - len(different)))]

    def options(self, gap: Gap, way: int, told: Sequence[int], rng: Random) -> list[int]:
        others = rng.sample(range(len(gap.point.means)), len(gap.point.means))
        return list(dict.fromkeys([way, *told, *others]))[:CHOICES]

    def draft(self, gap: Gap, facts: Facts, passage: str, rng: Random) -> Draft:
        ask = gap.family.asks[gap.ask]
        choices = [ask.answer({**facts["own"], gap.point.name: way}) for way in facts["options"]]
        question = capital(ask.question.vary(facts["own"], rng))
        return Draft(question, context=passage, choices=tuple(rng.sample(choices, len(choices))))

    def passage_of(self, problem: Problem) -> str:
        return problem.context

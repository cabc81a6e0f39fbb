"""The accuracy of nine rules that do not read on `invented`, by skill, for the sealed problems and two more seeds."""

from collections.abc import Iterator, Sequence

from bench.data import Data
from bench.table import BenchLine
from pfe.embedding.encoder import Encoder
from pfe.invented.making import invent
from pfe.problem import SKILLS
from pfe.quality.nonreaders import non_readers

SEEDS, COUNT = (0, 1, 2), 1000  # the sealed problems, and two other sets
WRITTEN_ALONE = "calls"  # the skill whose answers are not values that a library mentions


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield the accuracy of every rule for each skill and seed, next to chance."""
    encoder = Encoder("all-MiniLM-L6-v2")

    def similarity(question: str, statements: Sequence[str]) -> list[float]:
        vectors = encoder.encode([question, *statements])
        similarities: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return similarities

    sets = [invent(seed, COUNT) for seed in SEEDS]
    for skill in SKILLS:
        if skill == WRITTEN_ALONE:
            continue
        by_seed = [
            non_readers([problem for problem in problems if problem.skill == skill], similarity) for problems in sets
        ]
        yield BenchLine(f"{skill}: chance", _shares([rules[0].chance for rules in by_seed]), n=f"{by_seed[0][0].n}")
        for rules in zip(*by_seed, strict=True):
            errors = max(one.errors for one in rules)
            yield BenchLine(f"  {rules[0].rule}", _shares([one.value for one in rules]), f"{errors:+.1f} SE at most")


def _shares(values: Sequence[float]) -> str:
    return f"{' / '.join(f'{value:.1f}' for value in values)} %"

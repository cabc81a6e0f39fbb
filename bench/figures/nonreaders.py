"""What nine rules that do not read get right of the sealed problems of `invented`, by skill and form of answer."""

from collections.abc import Iterator, Sequence

from bench.data import Data
from bench.table import BenchLine
from pfe.embedding.encoder import Encoder
from pfe.invented.making import invent
from pfe.problem import SKILLS
from pfe.quality.nonreaders import non_readers

SEED, COUNT = 0, 1000  # of the sealed ones
WRITTEN_ALONE = "calls"  # whose answers are no values that a library mentions


def figure(data: Data) -> Iterator[BenchLine]:
    """Measure what every rule gets right of each skill and form, beside chance."""
    problems = invent(SEED, COUNT)
    encoder = Encoder("all-MiniLM-L6-v2")

    def similarity(question: str, statements: Sequence[str]) -> list[float]:
        vectors = encoder.encode([question, *statements])
        found: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return found

    for skill in SKILLS:
        for form in ("chosen", "written"):
            group = [one for one in problems if one.skill == skill and bool(one.choices) == (form == "chosen")]
            found = non_readers(group, similarity) if skill != WRITTEN_ALONE else []
            if found:
                yield BenchLine(f"{skill}, {form}: chance", f"{found[0].chance:.1f} %", n=f"{found[0].n}")
            for one in found:
                yield BenchLine(f"  {one.rule}", f"{one.value:.1f} %", f"{one.errors:+.1f} SE")

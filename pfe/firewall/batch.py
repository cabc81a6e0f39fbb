"""A batch of candidates, with the intermediate results that several gates share.

Example: `Batch([Problem("s/1", "s", "math", "Tom has 3 apples. …", "3")], reference).chunks` holds the vectors of one
text, computed once for all gates.
"""

from collections.abc import Sequence
from functools import cached_property

from pfe.embedding.encoder import Chunks
from pfe.firewall.folding import fold, masked
from pfe.firewall.matches import Floats, Ints, Matches
from pfe.firewall.programs import program_of, text_with_program
from pfe.firewall.reference import Reference
from pfe.firewall.structure import Twin
from pfe.firewall.tokens import Counts
from pfe.problem import Domain, Problem


class Batch:
    """Some candidates and the results that several gates need of them, each computed when first needed.

    A gate that cannot judge a candidate records why in `trouble`, by the candidate's row.
    """

    def __init__(self, candidates: Sequence[Problem], reference: Reference) -> None:
        self.candidates, self.reference = candidates, reference
        self.texts = [problem.text for problem in candidates]
        self.trouble: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def folded(self) -> list[str]:
        """Return the texts with disguises undone."""
        return [fold(text) for text in self.texts]

    @cached_property
    def folded_counts(self) -> Counts:
        """Return the shared n-grams of the folded texts."""
        return self.reference.folded_tokens.count(self.folded)

    @cached_property
    def masked(self) -> list[str]:
        """Return the folded texts with names and numbers masked."""
        return [masked(text, self.reference.ordinary_words) for text in self.texts]

    @cached_property
    def chunks(self) -> Chunks:
        """Return the sentence vectors of the texts."""
        return self.reference.meaning.chunks(self.texts)

    @cached_property
    def nearest(self) -> Matches:
        """Return the two canonical problems nearest in meaning to each candidate."""
        return self.reference.meaning.nearest(self.chunks)

    @cached_property
    def programs(self) -> dict[int, str]:
        """Return the program of every candidate that has one, by the candidate's row."""
        programs = ((row, program_of(problem)) for row, problem in enumerate(self.candidates))
        return {row: program for row, program in programs if program}

    @cached_property
    def program_texts(self) -> list[str]:
        """Return the texts of the candidates that have programs, with the program included."""
        return [text_with_program(self.candidates[row], program) for row, program in self.programs.items()]

    @cached_property
    def program_chunks(self) -> Chunks:
        """Return the sentence vectors of `program_texts`."""
        return self.reference.programs_meaning.chunks(self.program_texts)

    @cached_property
    def twins(self) -> list[Twin | None]:
        """Return, for each candidate, the canonical problem of equal structure, or None."""
        return self.reference.twins.find(self.candidates)

    def twins_in(self, domain: Domain) -> Matches:
        """Return score 1 for the candidates of a domain whose structure a canonical problem shares."""
        return Matches.certain(
            [
                twin.index if twin and problem.domain == domain else -1
                for problem, twin in zip(self.candidates, self.twins, strict=True)
            ]
        )

    def cosines(self, rows: Ints, columns: Ints, threshold: float | Floats) -> Floats:
        """Return cosines of pairs (candidate, canonical problem), shape (p,), in single precision near `threshold`."""
        return self.reference.meaning.cosines(self.texts, self.chunks, rows, columns, threshold)

    def program_cosines(self, rows: Ints, columns: Ints, threshold: float | Floats) -> Floats:
        """Return `cosines` of problems with their programs; rows and columns count only problems that have one."""
        index = self.reference.programs_meaning
        return index.cosines(self.program_texts, self.program_chunks, rows, columns, threshold)

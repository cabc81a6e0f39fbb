"""Retrieval: of a base larger than any library, the entries that stand nearest to a problem.

Example: behind "Which gas do green plants take from the air?" the base of science gives, with k = 2,
    Leaves take in carbon dioxide through tiny pores on their undersides.
    Plants give off oxygen in daylight.

Entries and questions are compared by the cosine of their sentence vectors. Each vector is computed alone and each
cosine summed in double precision, so that a problem has the same neighbours whatever else is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pfe.embedding.encoder import Encoder
from pfe.errors import UserError
from pfe.icr.definitions import offered
from pfe.icr.functions import documentation
from pfe.problem import Domain, Problem, Record

BASE = Path("data/base.parquet")  # the screened base of an experiment, which its models were shown


@dataclass(frozen=True)
class Entry(Record):
    """One entry of the base.

    It serves problems of its `domain`. `text` is what a model reads, `key` what is compared with a problem: of a solved
    problem the question alone. `source` and `line` are where it stands: a file of `pfe/icr/base/`, or a fact or
    problem of a synthetic set (`gsm1k_synth/coupon_change/s1000003/2`).
    """

    domain: Domain
    source: str
    line: int
    key: str
    text: str

    @property
    def written(self) -> bool:
        """Whether it stands in a file of the base, and was not made from what the tutors know."""
        return self.source.startswith("base/")


@dataclass(frozen=True)
class Base:
    """The entries of every domain, what compares them with problems, and how many a problem is given."""

    entries: Sequence[Entry]
    encoder: Encoder
    k: int

    def retrieve(self, problems: Sequence[Problem]) -> list[tuple[Entry, ...]]:
        """The k nearest entries of each problem, the nearest first; of equals the one that stands first in the base.

        A problem that offers functions has their documentation for its base. An entry that is the problem itself, or
        reads like it, is never one of them; where fewer than k are left, all are.

        Raises:
            UserError: the base has nothing for a domain.
        """
        nearest: dict[str, tuple[Entry, ...]] = {}
        groups: dict[tuple[Domain, tuple[str, ...]], list[Problem]] = {}
        for problem in problems:
            groups.setdefault((problem.domain, documented(problem)), []).append(problem)
        for (domain, texts), group in groups.items():
            entries = [Entry(domain, "", 1, text, text) for text in texts] or self.of_domain(domain)
            vectors = self._vectors([entry.key for entry in entries])
            for problem, vector in zip(group, self._vectors([query(problem) for problem in group]), strict=True):
                order = np.argsort(-(vectors * vector).sum(axis=1), kind="stable")
                others = (entries[place] for place in order if not _gives_away(entries[place], problem))
                nearest[problem.id] = tuple(islice(others, self.k))
        return [nearest[problem.id] for problem in problems]

    def of_domain(self, domain: Domain) -> Sequence[Entry]:
        """The entries that serve a domain.

        Raises:
            UserError: there are none.
        """
        if domain not in self._by_domain:
            raise UserError(
                f"arm retrieved: the base has no entry for the domain {domain}; write pfe/icr/base/{domain}.txt, or "
                "leave retrieved out of evaluate.arms"
            )
        return self._by_domain[domain]

    @cached_property
    def _by_domain(self) -> dict[Domain, list[Entry]]:
        entries: dict[Domain, list[Entry]] = {}
        for entry in self.entries:
            entries.setdefault(entry.domain, []).append(entry)
        return entries

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        chunks = self.encoder.chunks(texts, "exact")
        return chunks.vectors[chunks.starts].astype(np.float64)


def query(problem: Problem) -> str:
    """What of a problem is looked up: its question, and in science its choices ("Which of these is renewable?")."""
    return "\n".join((problem.question, *(problem.choices if problem.domain == "science" else ())))


def documented(problem: Problem) -> tuple[str, ...]:
    """The documentation of the functions that a problem offers; mostly none."""
    return tuple(map(documentation, offered(problem.functions).values()))


def _gives_away(entry: Entry, problem: Problem) -> bool:
    """Whether an entry is the problem itself, by its words."""
    return _words(entry.key) in (_words(problem.question), _words(problem.text))


def _words(text: str) -> list[str]:
    return text.casefold().split()

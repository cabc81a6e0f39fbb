"""Retrieval of the entries that are nearest to a problem, from a base that is larger than any library.

Example: for "Which gas do green plants take from the air?" the base of science returns, with k = 2,
    Leaves take in carbon dioxide through tiny pores on their undersides.
    Plants give off oxygen in daylight.

Entries and questions are compared by the cosine of their sentence embeddings. Each vector is computed alone and each
cosine is summed in double precision, so that the neighbours of a problem do not depend on the other problems.
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
    """An entry of the base, for problems of its `domain`.

    A model reads `text`, and `key` is compared with a problem; for a solved problem, the key is only its question.
    `source` and `line` say where the entry is: in a file of `pfe/icr/base/`, or at a fact or problem of a synthetic set
    (`gsm1k_synth/coupon_change/s1000003/2`).
    """

    domain: Domain
    source: str
    line: int
    key: str
    text: str

    @property
    def written(self) -> bool:
        """Return whether the entry is in a file of the base, rather than generated from the tutors' knowledge."""
        return self.source.startswith("base/")


@dataclass(frozen=True)
class Base:
    """The entries of all domains, the encoder that compares them with problems, and the number to retrieve."""

    entries: Sequence[Entry]
    encoder: Encoder
    k: int

    def retrieve(self, problems: Sequence[Problem]) -> list[tuple[Entry, ...]]:
        """Return the k nearest entries of each problem, nearest first; ties are broken by the order of the base.

        For a problem that offers functions, the base is their documentation. An entry that is the problem itself, or
        reads like it, is never returned; if fewer than k entries are left, all are returned.

        Raises:
            UserError: the base has no entry for a domain.
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
        """Return the entries that serve a domain.

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
    """Return the retrieval query of a problem: its question, and in science also its choices.

    Questions of science may depend on them: "Which of these is renewable?"
    """
    return "\n".join((problem.question, *(problem.choices if problem.domain == "science" else ())))


def documented(problem: Problem) -> tuple[str, ...]:
    """Return the documentation of the functions that a problem offers; usually empty."""
    return tuple(map(documentation, offered(problem.functions).values()))


def _gives_away(entry: Entry, problem: Problem) -> bool:
    """Return whether an entry has the same words as the problem itself."""
    return _words(entry.key) in (_words(problem.question), _words(problem.text))


def _words(text: str) -> list[str]:
    return text.casefold().split()

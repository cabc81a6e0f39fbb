"""The gates of the firewall: what each measures, and above what it rejects.

Example: of candidate 0 the gate "token_overlap" measures `Matches(index=[7], score=[0.5], …)`: half of
its 5-grams stand in canonical problem 7; above 0.3 that is a rejection.

A gate is one entry in `GATES`. The first that fails, in their order, names the reason.
Source of the first four: SPEC, "The Contamination Firewall".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pfe.config import Firewall
from pfe.embedding.encoder import Chunks
from pfe.firewall.characters import shared_and_total
from pfe.firewall.folding import fold, masked, squeezed
from pfe.firewall.language import is_english
from pfe.firewall.matches import Floats, Ints, Matches, best
from pfe.firewall.reference import Reference
from pfe.firewall.semantic import MeaningIndex
from pfe.firewall.structure import Twin
from pfe.firewall.tokens import Counts
from pfe.problem import Domain, Problem

TEMPLATE_COSINE = 0.7  # a template clone is also this near in meaning
TEMPLATE_FLOOR = 0.2  # shares of masked n-grams from here on are looked at
LEAST_NGRAMS = 4  # of shorter canonical texts only the whole counts as found inside a candidate


class Batch:
    """Some candidates, and what several gates need of them, made when first needed.

    A gate that cannot judge one of them says so in `trouble`, by its row.
    """

    def __init__(self, candidates: Sequence[Problem], reference: Reference) -> None:
        self.candidates, self.reference = candidates, reference
        self.texts = [problem.text for problem in candidates]
        self.trouble: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def counts(self) -> Counts:
        """Shared n-grams."""
        return self.reference.tokens.count(self.texts)

    @cached_property
    def folded_counts(self) -> Counts:
        """Shared n-grams of the folded texts."""
        return self.reference.folded_tokens.count([fold(text) for text in self.texts])

    @cached_property
    def chunks(self) -> Chunks:
        """Sentence vectors."""
        return self.reference.encoder.chunks(self.texts, "fast")

    @cached_property
    def nearest(self) -> Matches:
        """The two canonical problems nearest in meaning."""
        return self.reference.meaning.nearest(self.chunks)

    @cached_property
    def squeezed(self) -> list[str]:
        """Letters and digits of the folded texts, with nothing between them."""
        return [squeezed(text) for text in self.texts]

    @cached_property
    def twins(self) -> list[Twin | None]:
        """Canonical problems of equal structure."""
        return self.reference.twins.find(self.candidates)


@dataclass(frozen=True)
class Gate:
    """One check.

    Attributes:
        name: the reason it gives.
        what: what its score is, for people.
        threshold: above which score it rejects, None where the settings turn it off.
        measure: the nearest canonical problem of every candidate, by this gate's score.
        again: `measure` with single-precision cosines, for candidates whose score is about the threshold.
    """

    name: str
    what: str
    threshold: Callable[[Firewall], float | None]
    measure: Callable[[Batch], Matches]
    again: Callable[[Batch, float], Matches] | None = None

    def fails(self, matches: Matches, threshold: float) -> NDArray[np.bool_]:
        """Whether each candidate is rejected, shape (m,); ratios of counts are compared as integers."""
        exact = Fraction(str(threshold))
        counted = matches.shared * exact.denominator > exact.numerator * matches.total
        return np.where(matches.total > 0, counted, matches.score > threshold)


def active(settings: Firewall) -> list[tuple[Gate, float]]:
    """The gates that are on, each with its threshold."""
    limits = [(gate, gate.threshold(settings)) for gate in GATES]
    return [(gate, limit) for gate, limit in limits if limit is not None]


def _token_overlap(batch: Batch) -> Matches:
    return batch.reference.tokens.containment(batch.counts)


def _semantic(batch: Batch) -> Matches:
    return batch.nearest


def _semantic_again(batch: Batch, threshold: float) -> Matches:
    return batch.reference.meaning.nearest_exactly(batch.texts, threshold)


def _structure(domain: Domain) -> Callable[[Batch], Matches]:
    def measure(batch: Batch) -> Matches:
        of_domain = [
            twin.index if twin and problem.domain == domain else -1
            for problem, twin in zip(batch.candidates, batch.twins, strict=True)
        ]
        return _found(of_domain)

    return measure


def _disguise(batch: Batch) -> Matches:
    return batch.reference.folded_tokens.containment(batch.folded_counts)


def _dilution(batch: Batch) -> Matches:
    return batch.reference.folded_tokens.reverse(batch.folded_counts, LEAST_NGRAMS)


def _same_answer(batch: Batch) -> Matches:
    return _same_answer_about(batch, -1.0)


def _same_answer_about(batch: Batch, threshold: float) -> Matches:
    rows, columns = batch.reference.same_answer.pairs(batch.candidates)
    if not len(rows):
        return Matches.none(len(batch))
    return best(len(batch), rows, columns, _cosines(batch, rows, columns, threshold).clip(min=1e-9))


def _template(batch: Batch) -> Matches:
    reference = batch.reference
    counts = reference.masked_tokens.count([masked(text, reference.words) for text in batch.texts])
    total = counts.sizes[counts.rows]
    large = counts.shared > TEMPLATE_FLOOR * total
    rows, columns, shared, total = counts.rows[large], counts.columns[large], counts.shared[large], total[large]
    if not len(rows):
        return Matches.none(len(batch))
    near = _cosines(batch, rows, columns, TEMPLATE_COSINE) > TEMPLATE_COSINE
    rows, columns, shared, total = rows[near], columns[near], shared[near], total[near]
    return best(len(batch), rows, columns, shared / total, shared, total)


def _cosines(batch: Batch, rows: Ints, columns: Ints, threshold: float) -> Floats:
    return batch.reference.meaning.cosines(batch.texts, batch.chunks, rows, columns, threshold)


def _characters(batch: Batch) -> Matches:
    return batch.reference.characters.find(batch.squeezed)


def _edits(batch: Batch) -> Matches:
    near = batch.nearest
    rows = np.tile(np.arange(len(batch)), 2)
    columns = np.concatenate([near.index, near.runner_up])
    rows, columns = rows[columns >= 0], columns[columns >= 0]
    theirs = batch.reference.squeezed
    counts = [shared_and_total(batch.squeezed[row], theirs[column]) for row, column in zip(rows, columns, strict=True)]
    shared, total = np.array(counts, np.int64).reshape(-1, 2).T
    alike = shared > 0
    rows, columns, shared, total = rows[alike], columns[alike], shared[alike], total[alike]
    return best(len(batch), rows, columns, shared / total, shared, total)


def _behaviour(batch: Batch) -> Matches:
    behaved = batch.reference.behaviour.find(batch.candidates)
    batch.trouble |= {row: f"behaviour: {one.error}" for row, one in enumerate(behaved) if one.error}
    found = _found([one.index for one in behaved])
    found.score[:] = [one.agreement for one in behaved]
    return found


def _english(batch: Batch) -> Matches:
    found = Matches.none(len(batch))
    found.score[[not is_english(text) for text in batch.texts]] = 1.0
    return found


def _multilingual(batch: Batch) -> Matches:
    return _elsewhere(batch, lambda index, texts: index.nearest(index.encoder.chunks(texts, "fast")))


def _multilingual_again(batch: Batch, threshold: float) -> Matches:
    return _elsewhere(batch, lambda index, texts: index.nearest_exactly(texts, threshold))


def _elsewhere(batch: Batch, measure: Callable[[MeaningIndex, list[str]], Matches]) -> Matches:
    """A measure of the candidates that are not in English."""
    rows = np.array([row for row, text in enumerate(batch.texts) if not is_english(text)], np.int64)
    if not len(rows):
        return Matches.none(len(batch))
    texts = [batch.texts[row] for row in rows]
    return Matches.none(len(batch)).with_rows(rows, measure(batch.reference.other_languages, texts))


def _found(indexes: Sequence[int]) -> Matches:
    """Score 1 for the candidates that have a match."""
    found = Matches.none(len(indexes))
    found.index[:] = indexes
    found.score[found.index >= 0] = 1.0
    return found


def _english_only(settings: Firewall) -> float | None:
    return _on(settings.gates.english and settings.gates.multilingual is None)


def _on(flag: bool) -> float | None:
    return 0.0 if flag else None


GATES: tuple[Gate, ...] = (
    Gate("token_overlap", "share of its n-grams in one canonical problem", lambda s: s.threshold, _token_overlap),
    Gate("semantic_similarity", "cosine", lambda s: s.semantic.threshold, _semantic, _semantic_again),
    Gate("math_structure", "same numbers, operations and answer", lambda s: _on(s.structure), _structure("math")),
    Gate("code_structure", "same function name and test inputs", lambda s: _on(s.structure), _structure("code")),
    Gate("disguise", "share of its n-grams, once disguises are undone", lambda s: s.gates.disguise, _disguise),
    Gate("dilution", "share of a canonical problem's n-grams that it holds", lambda s: s.gates.dilution, _dilution),
    Gate("same_answer", "cosine, where answer and numbers agree",
         lambda s: s.gates.same_answer, _same_answer, _same_answer_about),
    Gate("template", "share of its n-grams, names and numbers masked", lambda s: s.gates.template, _template),
    Gate("characters", "Jaccard index of character 5-grams", lambda s: s.gates.characters, _characters),
    Gate("edits", "the same, with the two nearest in meaning", lambda s: s.gates.edits, _edits),
    Gate("behaviour", "agreement with a program whose tests it passes", lambda s: s.gates.behaviour, _behaviour),
    Gate("language", "not in English, which the model reads", _english_only, _english),
    Gate("translation", "cosine of the multilingual model",
         lambda s: s.semantic.threshold if s.gates.multilingual else None, _multilingual, _multilingual_again),
)  # fmt: skip

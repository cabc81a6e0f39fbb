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
from pfe.firewall.behaviour import Behaved
from pfe.firewall.edits import shared_and_total
from pfe.firewall.folding import fold, masked, squeezed, worked
from pfe.firewall.language import is_english
from pfe.firewall.matches import Floats, Ints, Matches, best
from pfe.firewall.programs import program_of, whole
from pfe.firewall.reference import Reference, answer_parts
from pfe.firewall.semantic import MeaningIndex
from pfe.firewall.structure import Twin
from pfe.firewall.tokens import Counts
from pfe.problem import Domain, Problem

LEAST_NGRAMS = 4  # of shorter canonical texts only the whole counts as found inside a candidate
CLAUSES_FLOOR = 0.1  # shares of a canonical problem's masked n-grams from here on are looked at
CLAUSES_NGRAMS = 12  # a part of fewer masked n-grams is idiom
ANSWER_NGRAMS = 8  # and so is an answer of fewer: "18", "yes", one line of a program
MEANING_WEIGHT = 0.8  # of the cosine in the score of two programs; the rest is that of their shapes
UNTESTED_COSINE = 0.6  # of two programs, one passing the other's tests and without its own
SHAPE_WEIGHT = 0.9  # of the shapes alone: a program that is the same but for its names is enough


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
    def folded(self) -> list[str]:
        """The texts without disguises."""
        return [fold(text) for text in self.texts]

    @cached_property
    def folded_counts(self) -> Counts:
        """Shared n-grams of the folded texts."""
        return self.reference.folded_tokens.count(self.folded)

    @cached_property
    def chunks(self) -> Chunks:
        """Sentence vectors."""
        return self.reference.meaning.chunks(self.texts)

    @cached_property
    def nearest(self) -> Matches:
        """The two canonical problems nearest in meaning."""
        return self.reference.meaning.nearest(self.chunks)

    @cached_property
    def near(self) -> tuple[Ints, Ints]:
        """Pairs (candidate, canonical problem), the two nearest in meaning of the text and of what a reader sees of it.

        Disguised letters mean nothing to the model, so a disguised text is embedded without its disguise too.
        """
        plain = self.folded
        disguised = [row for row, text in enumerate(self.texts) if plain[row] != " ".join(text.split())]
        parts = [(np.arange(len(self)), self.nearest)]
        if disguised:
            chunks = self.reference.meaning.chunks([plain[row] for row in disguised])
            parts.append((np.array(disguised), self.reference.meaning.nearest(chunks)))
        rows = np.concatenate([rows for rows, _ in parts for _ in range(2)])
        columns = np.concatenate([own for _, found in parts for own in (found.index, found.runner_up)])
        pairs = np.unique(np.stack([rows, columns], axis=1)[columns >= 0], axis=0)
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def masked_counts(self) -> Counts:
        """Shared n-grams of the texts with names and numbers masked."""
        return self.reference.masked_tokens.count([masked(text, self.reference.words) for text in self.texts])

    @cached_property
    def programs(self) -> dict[int, str]:
        """The program of every candidate that has one, by its row."""
        made = ((row, program_of(problem)) for row, problem in enumerate(self.candidates))
        return {row: program for row, program in made if program}

    @cached_property
    def wholes(self) -> list[str]:
        """Those candidates' texts with their programs."""
        return [whole(self.candidates[row], program) for row, program in self.programs.items()]

    @cached_property
    def whole_chunks(self) -> Chunks:
        """Sentence vectors of those."""
        return self.reference.programs_meaning.chunks(self.wholes)

    @cached_property
    def squeezed(self) -> list[str]:
        """Letters and digits of the folded texts, with nothing between them."""
        return [squeezed(text) for text in self.folded]

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


def _cosines(batch: Batch, rows: Ints, columns: Ints, threshold: float | Floats) -> Floats:
    return batch.reference.meaning.cosines(batch.texts, batch.chunks, rows, columns, threshold)


def _clauses(batch: Batch) -> Matches:
    return _clauses_about(batch, -1.0)


def _clauses_about(batch: Batch, threshold: float) -> Matches:
    counts = batch.masked_counts
    total = batch.reference.masked_tokens.sizes[counts.columns]
    large = (total >= CLAUSES_NGRAMS) & (counts.shared > CLAUSES_FLOOR * total)
    rows, columns, held = counts.rows[large], counts.columns[large], (counts.shared / total)[large]
    if not len(rows):
        return Matches.none(len(batch))
    near = _cosines(batch, rows, columns, 2 * threshold - held)
    return best(len(batch), rows, columns, ((held + near) / 2).clip(min=1e-9))


def _edits(batch: Batch) -> Matches:
    rows, columns = batch.near
    theirs = batch.reference.squeezed
    counts = [shared_and_total(batch.squeezed[row], theirs[column]) for row, column in zip(rows, columns, strict=True)]
    shared, total = np.array(counts, np.int64).reshape(-1, 2).T
    alike = shared > 0
    rows, columns, shared, total = rows[alike], columns[alike], shared[alike], total[alike]
    return best(len(batch), rows, columns, shared / total, shared, total)


def _answers(batch: Batch) -> Matches:
    """Whatever answers a problem against whatever the other says, and the other way round; not text against text."""
    reference = batch.reference
    ours = [(row, *part) for row, problem in enumerate(batch.candidates) for part in answer_parts(problem)]
    theirs = reference.answer_parts
    counts = reference.answer_tokens.count([worked(part) for _, _, part in ours])
    shown = np.array([shown for _, shown, _ in ours], bool)[counts.rows]
    answered = ~(shown & np.array([shown for _, shown, _ in theirs], bool)[counts.columns])
    rows, columns, shared = (x[answered] for x in (counts.rows, counts.columns, counts.shared))
    totals = np.stack([counts.sizes[rows], reference.answer_tokens.sizes[columns]], axis=1)
    total = np.where(totals < ANSWER_NGRAMS, np.iinfo(np.int64).max, totals).min(axis=1)
    rows = np.array([row for row, _, _ in ours], np.int64)[rows]
    columns = np.array([index for index, _, _ in theirs], np.int64)[columns]
    long = total < np.iinfo(np.int64).max
    return _best_part(len(batch), *(x[long] for x in (rows, columns, shared, total)))


def _best_part(m: int, rows: Ints, columns: Ints, shared: Ints, total: Ints) -> Matches:
    """`best` where a pair of problems occurs once for each pair of their parts."""
    order = np.lexsort((-shared / total, columns, rows))
    first = (np.diff(rows[order], prepend=-1) != 0) | (np.diff(columns[order], prepend=-1) != 0)
    rows, columns, shared, total = (x[order[first]] for x in (rows, columns, shared, total))
    return best(m, rows, columns, shared / total, shared, total)


def _program(batch: Batch) -> Matches:
    return _program_about(batch, -1.0)


def _program_about(batch: Batch, threshold: float) -> Matches:
    reference = batch.reference
    if not batch.programs or not reference.programs:
        return Matches.none(len(batch))
    shapes = reference.shapes.alike(list(batch.programs.values()))
    rows, columns = np.divmod(np.arange(shapes.size), shapes.shape[1])
    alike = shapes.ravel()
    limits = (threshold - (1 - MEANING_WEIGHT) * alike) / MEANING_WEIGHT
    near = _whole_cosines(batch, rows, columns, limits)
    scores = np.maximum(MEANING_WEIGHT * near + (1 - MEANING_WEIGHT) * alike, SHAPE_WEIGHT * alike)
    ours, theirs = (np.array(list(x), np.int64) for x in (batch.programs, reference.programs))
    return best(len(batch), ours[rows], theirs[columns], scores.clip(min=1e-9))


def _whole_cosines(batch: Batch, rows: Ints, columns: Ints, threshold: float | Floats) -> Floats:
    """Cosines of problems with their programs; rows and columns number those that have one."""
    index = batch.reference.programs_meaning
    return index.cosines(batch.wholes, batch.whole_chunks, rows, columns, threshold)


def _behaviour(batch: Batch) -> Matches:
    behaved = batch.reference.behaviour.find(batch.candidates)
    batch.trouble |= {row: f"behaviour: {one.error}" for row, one in enumerate(behaved) if one.error}
    found = _found([one.index for one in behaved])
    found.score[:] = [one.agreement for one in behaved]
    untested = np.array([row for row, one in enumerate(behaved) if one.passed], np.int64)
    return found.with_rows(untested, _untested(batch, behaved).at(untested)) if len(untested) else found


def _untested(batch: Batch, behaved: Sequence[Behaved]) -> Matches:
    """A candidate without tests of its own: 1 where a problem whose tests it passes is near in meaning besides."""
    ours = {row: place for place, row in enumerate(batch.programs)}
    theirs = {index: place for place, index in enumerate(batch.reference.programs)}
    pairs = [(row, index) for row, one in enumerate(behaved) if row in ours for index in one.passed if index in theirs]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    places = np.array([(ours[row], theirs[index]) for row, index in pairs], np.int64).reshape(-1, 2)
    near = _whole_cosines(batch, places[:, 0], places[:, 1], UNTESTED_COSINE) > UNTESTED_COSINE
    return best(len(batch), table[near, 0], table[near, 1], np.ones(int(near.sum())))


def _english(batch: Batch) -> Matches:
    found = Matches.none(len(batch))
    found.score[[not is_english(text) for text in batch.texts]] = 1.0
    return found


def _multilingual(batch: Batch) -> Matches:
    return _elsewhere(batch, lambda index, texts: index.nearest(index.chunks(texts)))


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
    Gate("clauses", "mean of its cosine and the share of a canonical problem's masked n-grams that it holds",
         lambda s: s.gates.clauses, _clauses, _clauses_about),
    Gate("edits", "Jaccard index of character 5-grams, with the two nearest in meaning",
         lambda s: s.gates.edits, _edits),
    Gate("answers", "share of an answer, a solution or tests that stands in the other problem",
         lambda s: s.gates.answers, _answers),
    Gate("program", "cosine and likeness of the programs' shapes", lambda s: s.gates.program, _program, _program_about),
    Gate("behaviour", "agreement with a program whose tests it passes",
         lambda s: s.gates.behaviour, _behaviour),
    Gate("language", "not in English, which the model reads", _english_only, _english),
    Gate("translation", "cosine of the multilingual model",
         lambda s: s.semantic.threshold if s.gates.multilingual else None, _multilingual, _multilingual_again),
)  # fmt: skip

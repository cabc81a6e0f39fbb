"""A gate for copied answers: a canonical problem's answer, worked solution, program or tests in a candidate.

Example: "In two weeks Rosa carries 6 * 14 = <<6*14=84>>84 logs. …", printed under another question as "Step 1: In two
weeks Rosa carries 6 x 14 = 84 logs. …".
"""

import numpy as np

from pfe.firewall.batch import Batch
from pfe.firewall.folding import fold_solution
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Ints, Matches, best
from pfe.firewall.reference import Reference
from pfe.firewall.tokens import NgramIndex
from pfe.problem import Problem

LEAST_NGRAMS = 8  # a part with fewer may be a common phrase: "18", "yes", one line of a program


def parts(problem: Problem) -> list[tuple[bool, str]]:
    """Return a problem's text (True), and each part that answers it (False): answers, solution, tests with setup."""
    tests = "\n".join(part for part in (problem.setup, *problem.tests) if part)
    answers = (problem.answer, *problem.aliases, problem.solution, tests)
    return [(True, problem.text), *((False, part) for part in dict.fromkeys(answers) if part.strip())]


def canonical_parts(reference: Reference) -> list[tuple[int, bool, str]]:
    """Return the folded `parts` of each canonical problem, with the problem's index."""
    numbered = enumerate(reference.canonical)
    return [(i, is_text, fold_solution(part)) for i, problem in numbered for is_text, part in parts(problem)]


def ngrams(reference: Reference) -> NgramIndex:
    """Return the n-gram index of those parts, each as a text of its own."""
    return NgramIndex([part for _, _, part in reference.index(canonical_parts)], reference.n)


def measure(batch: Batch) -> Matches:
    """Compare the answer parts of each problem with all parts of the other, in both directions; not text with text.

    The score is the number of shared n-grams divided by that of the smaller part. A part of fewer than `LEAST_NGRAMS`
    does not count as the smaller one; if both have fewer, the pair is skipped.
    """
    ours = [(row, *part) for row, problem in enumerate(batch.candidates) for part in parts(problem)]
    theirs, index = batch.reference.index(canonical_parts), batch.reference.index(ngrams)
    counts = index.count([fold_solution(part) for _, _, part in ours])
    is_text = np.array([is_text for _, is_text, _ in ours], bool)[counts.rows]
    with_answer = ~(is_text & np.array([is_text for _, is_text, _ in theirs], bool)[counts.columns])
    rows, columns, shared = (x[with_answer] for x in (counts.rows, counts.columns, counts.shared))
    totals = np.stack([counts.sizes[rows], index.sizes[columns]], axis=1)
    total = np.where(totals < LEAST_NGRAMS, np.iinfo(np.int64).max, totals).min(axis=1)
    rows = np.array([row for row, _, _ in ours], np.int64)[rows]
    columns = np.array([number for number, _, _ in theirs], np.int64)[columns]
    long = total < np.iinfo(np.int64).max
    return _best_part(len(batch), *(x[long] for x in (rows, columns, shared, total)))


def _best_part(m: int, rows: Ints, columns: Ints, shared: Ints, total: Ints) -> Matches:
    """Apply `best` to pairs of problems that occur once for each pair of their parts."""
    order = np.lexsort((-shared / total, columns, rows))
    first = (np.diff(rows[order], prepend=-1) != 0) | (np.diff(columns[order], prepend=-1) != 0)
    rows, columns, shared, total = (x[order[first]] for x in (rows, columns, shared, total))
    return best(m, rows, columns, shared / total, shared, total)


GATE = Gate(__name__, "share of an answer, a solution or tests that stands in the other problem", measure)

"""A gate for rewritten programs: a program that behaves like a canonical problem's.

Example: "def area(r, h): return 3.1415 * r * r * h" passes the tests of the canonical `volume_cylinder`, and the
canonical program passes those of `area`: agreement 1.0.
"""

from collections.abc import Sequence

import numpy as np

from pfe.cache import Cache
from pfe.firewall.batch import Batch
from pfe.firewall.behaviour import Behaviour, BehaviourMatch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches, best
from pfe.firewall.reference import Reference

UNTESTED_COSINE = 0.6  # lowest cosine of two programs if one passes the other's tests and has none of its own


def canonical_tests(reference: Reference) -> Behaviour:
    """Return the tests of the canonical code problems."""
    return Behaviour(reference.canonical, Cache.default())


def measure(batch: Batch) -> Matches:
    """Return the canonical problem whose tests each program passes; failures to run go to `batch.trouble`."""
    results = batch.reference.index(canonical_tests).find(batch.candidates)
    batch.trouble |= {row: f"behaviour: {match.error}" for row, match in enumerate(results) if match.error}
    matches = Matches.certain([match.index for match in results])
    matches.score[:] = [match.agreement for match in results]
    untested = np.array([row for row, match in enumerate(results) if match.passed], np.int64)
    return matches.with_rows(untested, _untested(batch, results).at(untested)) if len(untested) else matches


def _untested(batch: Batch, results: Sequence[BehaviourMatch]) -> Matches:
    """Match candidates without tests: score 1 if a problem whose tests they pass is also similar in meaning."""
    ours = {row: place for place, row in enumerate(batch.programs)}
    theirs = {index: place for place, index in enumerate(batch.reference.programs)}
    pairs = [(row, index) for row, m in enumerate(results) if row in ours for index in m.passed if index in theirs]
    table = np.array(pairs, np.int64).reshape(-1, 2)
    places = np.array([(ours[row], theirs[index]) for row, index in pairs], np.int64).reshape(-1, 2)
    near = batch.program_cosines(places[:, 0], places[:, 1], UNTESTED_COSINE) > UNTESTED_COSINE
    return best(len(batch), table[near, 0], table[near, 1], np.ones(int(near.sum())))


GATE = Gate(__name__, "agreement with a program whose tests it passes", measure)

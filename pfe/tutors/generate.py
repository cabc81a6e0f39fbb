"""Candidates for one synthetic set: its families in turn, by weight, no text twice.

Example: `candidates("gsm1k_synth", count=1300, seed=0, library_bound=0.4)` takes 520 problems from the families whose
problems need their library, and the others from the rest; of families of one weight problem 0 of each comes first,
then problem 1.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pfe.problem import Problem
from pfe.tutors.family import Family, families_of, remake, synthetic_sets

CANDIDATES = Path("data/candidates")
_PATIENCE = 200


def candidates(set: str, count: int, seed: int, library_bound: float) -> list[Problem]:
    """At most `count` problems with distinct texts; fewer where the families run dry.

    A family that gives no new text `_PATIENCE` times running has run dry.

    Args:
        set: the synthetic set.
        count: how many are wanted.
        seed: of the experiment.
        library_bound: the share of them, 0 to 1, that need their library, where the set has both kinds of families.

    Raises:
        UserError: there is no such set.
    """
    by_text: dict[str, Problem] = {}
    shares = _shares(list(families_of(set).values()), library_bound)
    indexes, failures = dict.fromkeys(shares, 0), dict.fromkeys(shares, 0)
    bound = 0
    while indexes and len(by_text) < count:
        wants_library = bound < library_bound * len(by_text)
        of_kind = [family for family in indexes if family.library_bound == wants_library] or list(indexes)
        family = min(of_kind, key=lambda family: indexes[family] / shares[family])
        problem = family.make(seed, indexes[family])
        indexes[family] += 1
        text = "\n".join((problem.text, *problem.library, *problem.functions))
        failures[family] = failures[family] + 1 if text in by_text else 0
        bound += family.library_bound and text not in by_text
        by_text.setdefault(text, problem)
        if failures[family] >= _PATIENCE:
            del indexes[family]
    return list(by_text.values())


def find(problem_id: str) -> Problem:
    """The problem of an id: made again where a family made it, looked up among the candidates where a tutor wrote it.

    Raises:
        UserError: the id is none, or nobody has made or written such a problem.
    """
    set, _, rest = problem_id.partition("/")
    path = CANDIDATES / f"{set}.parquet"
    if set not in synthetic_sets() or rest.partition("/")[0] in families_of(set) or not path.is_file():
        return remake(problem_id)
    return next((problem for problem in Problem.stream(path) if problem.id == problem_id), None) or remake(problem_id)


def filled(written: Sequence[Problem], set: str, count: int, seed: int, library_bound: float) -> list[Problem]:
    """What tutors wrote, and behind it what the families make in the place of what is missing to `count`.

    Of all together the share `library_bound` needs its library, as far as what the families make allows it: what
    tutors write needs none.

    Raises:
        UserError: there is no such set.
    """
    distinct = list({problem.text: problem for problem in reversed(written)}.values())[::-1]
    rest = max(0, count - len(distinct))
    share = min(1.0, library_bound * count / rest) if rest else 0.0
    return [*distinct, *candidates(set, rest, seed, share)]


def _shares(families: Iterable[Family], library_bound: float) -> dict[Family, float]:
    """The share of each family that makes any problems: by its weight among those of its kind."""
    by_kind = {bound: [f for f in families if f.library_bound == bound] for bound in (True, False)}
    shares = {True: library_bound, False: 1 - library_bound}
    if not (by_kind[True] and by_kind[False]):
        shares = {True: 1.0, False: 1.0}
    return {
        family: shares[family.library_bound] * family.weight / sum(f.weight for f in by_kind[family.library_bound])
        for family in families
        if shares[family.library_bound]
    }

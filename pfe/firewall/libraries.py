"""Libraries that are written for a problem, as texts of their own: what a student reads of them is training data too.

Example: of a problem with the library ("Kralos eat moss.", "Vems eat figs.") and a changed one, `beside` is a problem
whose question is "Kralos eat moss.\\nVems eat figs.\\nKralos eat eggs.".
"""

from collections.abc import Iterable, Sequence

from pfe.problem import Problem

SUFFIX = "/library"


def beside(problem: Problem) -> Problem | None:
    """All texts of a problem's libraries as one to be compared for itself; None where it has none.

    Together with the problem they would be compared as one long text, in which a copied part is a small share.
    """
    return _as_one(problem, [problem.library, *(variant.library for variant in problem.variants)])


def with_libraries(problems: Iterable[Problem]) -> Sequence[Problem]:
    """Sealed problems, and behind them the libraries that answer them: one for other things gives nothing away."""
    listed = list(problems)
    return [*listed, *filter(None, map(_answering, listed))]


def _answering(problem: Problem) -> Problem | None:
    variants = [variant.library for variant in problem.variants if variant.name != "irrelevant"]
    return _as_one(problem, [problem.library, *variants])


def _as_one(problem: Problem, libraries: Iterable[Sequence[str]]) -> Problem | None:
    texts = dict.fromkeys(text for library in libraries for text in library if text.strip())
    if not texts:
        return None
    return Problem(f"{problem.id}{SUFFIX}", problem.set, "reading", "\n".join(texts), "")

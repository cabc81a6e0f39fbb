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
    libraries = [problem.library, *(variant.library for variant in problem.variants)]
    texts = dict.fromkeys(text for library in libraries for text in library if text.strip())
    if not texts:
        return None
    return Problem(f"{problem.id}{SUFFIX}", problem.set, "reading", "\n".join(texts), "")


def with_libraries(problems: Iterable[Problem]) -> Sequence[Problem]:
    """The problems, and behind them the libraries that they bring."""
    listed = list(problems)
    return [*listed, *filter(None, map(beside, listed))]

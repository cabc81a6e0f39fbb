"""Libraries that are written for a problem, as texts of their own: what a student reads of them is training data too.

Example: of two problems with the library ("Kralos eat moss.", "Vems eat figs.") and a changed one each, `by_world` has
one text, "Kralos eat moss.\\nVems eat figs.\\nKralos eat eggs.\\nVems eat nuts.".
"""

from collections.abc import Iterable, Mapping, Sequence

from pfe.problem import Problem

SUFFIX = "/library"


def by_world(problems: Mapping[int, Problem]) -> list[tuple[Problem, tuple[int, ...]]]:
    """All texts of the libraries of problems that share one, as one text to be compared, and the numbers of these.

    Together with a problem they would be compared as one long text, in which a copied part is a small share. What the
    problems of a world bring is nearly the same, so it is compared once for all of them.
    """
    worlds: dict[tuple[str, ...], list[int]] = {}
    for number, problem in problems.items():
        worlds.setdefault(tuple(problem.library), []).append(number)
    alone = [[number] for number in worlds.pop((), [])]
    groups = [*alone, *worlds.values()]
    texts = ((_of_all([problems[number] for number in group]), tuple(group)) for group in groups)
    return [(text, group) for text, group in texts if text]


def _of_all(problems: Sequence[Problem]) -> Problem | None:
    libraries = ([problem.library, *(variant.library for variant in problem.variants)] for problem in problems)
    return _as_one(problems[0], (texts for of_problem in libraries for texts in of_problem))


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

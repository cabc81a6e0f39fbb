"""The libraries of problems as texts to screen: a student reads them in training, so they are training data too.

Example: two problems share the library ("Kralos eat moss.", "Vems eat figs.") and each has a variant with a changed
one. `by_world` returns one text, "Kralos eat moss.\\nVems eat figs.\\nKralos eat eggs.\\nVems eat nuts.".
"""

from collections.abc import Iterable, Mapping, Sequence

from pfe.problem import Problem

SUFFIX = "/library"


def by_world(problems: Mapping[int, Problem]) -> list[tuple[Problem, tuple[int, ...]]]:
    """Join the libraries of the problems that share one, variants included; return each text with their numbers.

    A library is compared without its problem, since in one long text a copied part would be a small share. The
    libraries of one world's problems are nearly identical, so they are compared once for all of them.
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
    """Return the sealed problems, followed by their libraries.

    Libraries of "irrelevant" variants reveal nothing and are left out.
    """
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

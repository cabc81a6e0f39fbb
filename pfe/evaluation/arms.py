"""The arms: the prefix (library, control text or shots) that each arm puts in front of a problem.

Example, the prefixes of problems of ARC:
    canonical   (nothing)
    icr         [SCIENCE FACT LIBRARY] CATEGORY: Matter - Particles are packed tightly in solids …
    placebo     [SCIENCE FACT LIBRARY] STRATEGY 1: Find the Sentence That Decides …    (one of three such texts)
    format      [SCIENCE FACT LIBRARY] CATEGORY: … - … - …
    shuffled    [SCIENCE FACT LIBRARY] CATEGORY: Matter - Change one variable …
    wrong       [SCIENCE FACT LIBRARY] CATEGORY: Matter - Particles are packed tightly in gases …
    reference   Question: … Answer: barometer    (as many solved problems as published figures show)
    retrieved   [SCIENCE FACT LIBRARY] A barometer falls before a storm. …    (the k nearest entries of the base)

A problem that brings its own library is asked with it in the arm icr. Its placebo is a library about other things that
was written with it, and its wrong library states a different fact. Some of these problems are also asked in the arms
contradicted and agreeing:
    icr           [LIBRARY] The home of the tafo is the river. …
    placebo       [LIBRARY] The home of the semept is the cave. …
    wrong         [LIBRARY] The home of the tafo is the desert. …
    contradicted  [LIBRARY] They call the robin tafo, … The robin is one of the fish, …
    agreeing      [LIBRARY] They call the robin tafo, … The robin is one of the birds, …
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256

from pfe.config import Arm, Benchmark, Config
from pfe.embedding.encoder import Encoder
from pfe.evaluation.prompts import DELIMITER, solved
from pfe.icr.contexts import LIBRARIES, WRONG, library, library_of, own_library, wrong_library
from pfe.icr.controls import DONORS, donors, form, permutation, placebo, reordered, shuffled, text_of
from pfe.icr.functions import catalogue
from pfe.icr.prefix import Prefix
from pfe.icr.retrieval import Base, Entry
from pfe.problem import Problem, VariantName

_VARIANTS: Mapping[Arm, VariantName] = {
    "placebo": "irrelevant", "wrong": "changed", "contradicted": "contradicted", "agreeing": "agreeing",
}  # fmt: skip


def prefixes(
    arm: Arm,
    name: str,
    benchmarks: Mapping[str, Benchmark],
    problems: Sequence[Problem],
    *,
    order: int,
    seed: int,
    words: Callable[[Prefix, Sequence[Prefix]], int],
    shots: Sequence[Problem],
    base: Base,
) -> list[Prefix]:
    """Return the prefix of each problem in one arm; equal prefixes are the same object.

    Args:
        arm: the arm.
        name: the benchmark, a key of `benchmarks`.
        benchmarks: all chosen benchmarks.
        problems: the problems that will be asked.
        order: 0 for the written order of the methods or shots; other values are orders sampled with the seed.
            In the arm placebo it picks the library that the placebo begins with.
        seed: seeds the orders, the shots, and the choice of each problem's placebo.
        words: returns the number of words in the placebo of a library, given the library and the libraries that the
            placebo is built from (`pfe.icr.controls.placebo_words`).
        shots: solved problems for the arm `reference`; if empty, the benchmark's own problems are used.
        base: the entries that the arm `retrieved` searches.

    Raises:
        UserError: a library does not exist, the other libraries are too short for a placebo, or the base is empty.
    """
    if arm == "canonical":
        return [Prefix()] * len(problems)
    if arm == "reference":
        return _reference(benchmarks[name], problems, shots or problems, order=order, seed=seed)
    libraries = [_library(arm, problem, benchmarks[name]) for problem in problems]
    if arm == "retrieved":
        return _retrieved(libraries, [tuple(entry.text for entry in entries) for entries in base.retrieve(problems)])
    control = cache(lambda prefix, others: _control(arm, reordered(prefix, seed, order), others, words))
    others = partial(_others, name=name, benchmark=benchmarks[name], order=order, seed=seed)
    shown = [
        prefix
        if arm in _VARIANTS and problem.library_bound
        else control(prefix, others(problem) if arm == "placebo" else ())
        for problem, prefix in zip(problems, libraries, strict=True)
    ]
    one = {prefix: prefix for prefix in shown}
    return [one[prefix] for prefix in shown]


def is_asked(arm: Arm, problem: Problem) -> bool:
    """Return whether a problem is asked in an arm.

    - wrong: problems with their own library need a variant `changed`; other problems must use catalogue functions only,
      because functions that a problem defines itself have no false documentation.
    - retrieved: not for problems with their own library, because the base holds nothing about invented things.
    - contradicted and agreeing: only problems that bring these variants.
    - other arms: all problems.
    """
    match arm:
        case "wrong" if problem.library_bound:
            return problem.variant("changed") is not None
        case "wrong":
            return all(function in catalogue() for function in problem.functions)
        case "retrieved":
            return not problem.library_bound
        case "contradicted" | "agreeing":
            return problem.variant(arm) is not None
    return True


def libraries_in_context(benchmarks: Iterable[Benchmark], arms: Collection[Arm]) -> list[str]:
    """Return the files of `pfe/icr/libraries` whose text may appear in prompts of these arms, sorted."""
    own = {benchmark.library for benchmark in benchmarks if benchmark.library}
    false = {f"{WRONG}{name}" for name in own if "wrong" in arms and (LIBRARIES / f"{WRONG}{name}").is_file()}
    return sorted({*own, *false, *(DONORS if "placebo" in arms else ())})


def base_of(entries: Sequence[Entry], settings: Config) -> Base:
    """Return the base that the arm `retrieved` searches, with the firewall's embedding model."""
    semantic = settings.firewall.semantic
    return Base(entries, Encoder(semantic.model, pinned=semantic.sha256 or ""), settings.icr.retrieval.k)


def shots_note(
    name: str, benchmark: Benchmark, problems: Sequence[Problem], before: Iterable[Prefix], shots: Sequence[Problem]
) -> str:
    """Return a note on the number and source of the arm `reference`'s shots: "race: arm reference: 4 shots from …"."""
    count = min((len(prefix.methods) for prefix in before), default=0)
    from_benchmark = not {shot.id for shot in shots or problems}.isdisjoint(problem.id for problem in problems)
    source = "the benchmark's own problems" if from_benchmark else f"the split {benchmark.shots_split}"
    few = f", where published figures have {benchmark.shots}" if count < benchmark.shots else ""
    return f"{name}: arm reference: {count} shots from {source}{few}"


def _library(arm: Arm, problem: Problem, benchmark: Benchmark) -> Prefix:
    """Return the library of a problem; in some arms, the variant that was written for that arm."""
    variant = problem.variant(_VARIANTS[arm]) if arm in _VARIANTS else None
    if variant:
        return own_library(variant.library)
    if arm == "wrong" and benchmark.library:
        return wrong_library(benchmark.library, problem.functions)
    return library_of(problem, benchmark.library)


def _control(
    arm: Arm, prefix: Prefix, others: Sequence[str], words: Callable[[Prefix, Sequence[Prefix]], int]
) -> Prefix:
    match arm:
        case "placebo":
            donated = [library(name) for name in others]
            return placebo(prefix, donated, words(prefix, donated))
        case "format":
            return form(prefix)
        case "shuffled":
            return shuffled(prefix)
    return prefix


def _others(problem: Problem, name: str, benchmark: Benchmark, order: int, seed: int) -> tuple[str, ...]:
    """Return the libraries that a problem's placebo is built from; the order picks the one that comes first.

    For problems that offer functions, the functions are the library, so each set of functions has its own placebos.
    """
    drawn_by = f"{seed}:{name}:{' '.join(problem.functions)}"
    others = donors(benchmark.library or "", benchmark.domain, text_of(problem, seed), drawn_by)
    first = order % len(others)
    return others[first:] + others[:first]


def _retrieved(libraries: Sequence[Prefix], texts: Sequence[tuple[str, ...]]) -> list[Prefix]:
    """Return prefixes with the entries in place of the methods, nearest first.

    If the context window is short, the most distant entries are dropped first.
    """
    made = cache(lambda head, tail, entries: Prefix(head, tuple(f"{text}\n\n" for text in entries), tail))
    return [made(own.head, own.tail, entries) for own, entries in zip(libraries, texts, strict=True)]


def _reference(
    benchmark: Benchmark, problems: Sequence[Problem], pool: Sequence[Problem], *, order: int, seed: int
) -> list[Prefix]:
    """Return the same shots for every problem; shots that would give a problem away are replaced by spare ones."""
    ranked = sorted(pool, key=lambda shot: sha256(f"{seed}:shot:{shot.id}".encode()).digest())
    choices = [_choose_shots(problem, ranked, benchmark.shots) for problem in problems]
    examples = {i: solved(ranked[i], benchmark) + DELIMITER for i in set().union(*choices)}
    by_choice = {}
    for shots in set(choices):
        methods = (examples[shots[i]] for i in permutation(len(shots), seed, order))
        by_choice[shots] = Prefix(methods=tuple(methods))
    return [by_choice[shots] for shots in choices]


def _choose_shots(problem: Problem, ranked: Sequence[Problem], count: int) -> tuple[int, ...]:
    """Return the indices in `ranked` of up to `count` shots; spares replace shots that would give the problem away."""
    spare = (i for i in range(count, len(ranked)) if not _gives_away(ranked[i], problem))
    shots = (next(spare, None) if _gives_away(shot, problem) else i for i, shot in enumerate(ranked[:count]))
    return tuple(i for i in shots if i is not None)


def _gives_away(shot: Problem, problem: Problem) -> bool:
    """Return whether the shot is the same problem, possibly from another split, or of its group (passage, twin)."""
    same = shot.question == problem.question and shot.text == problem.text
    return same or (shot.group != "" and shot.group == problem.group)

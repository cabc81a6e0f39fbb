"""Checks whether library-bound problems need their library, by their records and a text search.

Example: "A gorm weighs 4 tils." is the entry that "How many tils does a gorm weigh?" needs; its answer, 4, is `stated`
there word for word, and with the changed library ("… 7 tils.") in context another answer is correct.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from pfe.problem import Problem, Variant
from pfe.quality.nonreaders import NonReader, non_readers
from pfe.quality.record import Bound
from pfe.quality.texts import words
from pfe.quality.wording import length
from pfe.scores.proportion import Proportion, accuracy, proportion

THIRDS = ("first", "middle", "last")
Check = Callable[[Problem, Mapping[str, Variant]], bool]


def bound(problems: Sequence[Problem]) -> Bound | None:
    """Return the figures of the library-bound problems; None if there are none."""
    own = [problem for problem in problems if problem.library_bound]
    if not own:
        return None
    with_choices = [problem for problem in own if problem.choices]
    return Bound(
        share=proportion(len(own), len(problems)),
        stated=accuracy([_states(problem, problem.answer) for problem in own]),
        worded=accuracy(list(map(_has_the_words, own))),
        searched=accuracy(list(map(_only_stated, with_choices))) if with_choices else None,
        consistent={name: _share(own, check) for name, check in CHECKS.items()},
        entries=length([len(problem.library) for problem in own]),
        words=length([sum(len(words(entry)) for entry in problem.library) for problem in own]),
        hops=length([len(problem.needed) for problem in own]),
        places=_percentages([_third(problem, place) for problem in own for place in problem.needed], THIRDS),
        skills=_percentages([problem.skill for problem in own]),
        unread=_unread(own),
    )


def _unread(problems: Sequence[Problem]) -> dict[str, NonReader]:
    """Return by skill the rule that answers the most problems correctly without reading."""
    by_skill = {
        skill: non_readers([problem for problem in problems if problem.skill == skill])
        for skill in sorted({problem.skill for problem in problems})
    }
    return {skill: max(rules, key=lambda rule: rule.value) for skill, rules in by_skill.items() if rules}


def _states(problem: Problem, text: str) -> bool:
    """Return whether an entry of the library contains a text word for word."""
    wanted = " ".join(words(text))
    return bool(wanted) and any(f" {wanted} " in f" {' '.join(words(entry))} " for entry in problem.library)


def _has_the_words(problem: Problem) -> bool:
    """Return whether the answer has words that question and context lack, and the library has all of these."""
    new = {*words(problem.answer)} - {*words(problem.question), *words(problem.context)}
    return bool(new) and new <= {word for entry in problem.library for word in words(entry)}


def _only_stated(problem: Problem) -> bool:
    """Return whether the correct choice, and no other, is in the library word for word."""
    return [choice for choice in problem.choices if _states(problem, choice)] == [problem.answer]


def _changes_what_is_needed(problem: Problem, variants: Mapping[str, Variant]) -> bool:
    """Return whether the changed library differs in a needed entry and at most one other, which it is swapped with."""
    changed = variants["changed"].library
    differing = {place for place, pair in enumerate(zip(problem.library, changed, strict=False)) if pair[0] != pair[1]}
    needed = differing & set(problem.needed)
    return len(changed) == len(problem.library) and bool(needed) and len(differing - needed) <= 1


def _needed_is_absent(problem: Problem, variants: Mapping[str, Variant]) -> bool:
    return not {problem.library[place] for place in problem.needed} <= set(variants["irrelevant"].library)


def _is_bare(problem: Problem, variants: Mapping[str, Variant]) -> bool:
    return not variants["bare"].library and variants["bare"].answer != problem.answer


def _share(problems: Sequence[Problem], check: Check) -> Proportion:
    return accuracy([_passes(problem, check) for problem in problems])


def _passes(problem: Problem, check: Check) -> bool:
    variants: dict[str, Variant] = {variant.name: variant for variant in problem.variants}
    return {"changed", "irrelevant", "bare"} <= {*variants} and check(problem, variants)


# The checks that every record must pass, by name.
CHECKS: Mapping[str, Check] = {
    "another answer with the changed library": lambda problem, by: by["changed"].answer != problem.answer,
    "the right library's answer named beside it": lambda problem, by: by["changed"].otherwise == problem.answer,
    "needed entries changed, or exchanged with one other": _changes_what_is_needed,
    "the irrelevant library lacks what is needed": _needed_is_absent,
    "another answer without a library": _is_bare,
}


def _third(problem: Problem, place: int) -> str:
    return THIRDS[min(2, 3 * place // len(problem.library))]


def _percentages(values: Sequence[str], names: Sequence[str] = ()) -> dict[str, float]:
    """Return the share of each value in percent: of the given names, or else of all values in alphabetical order."""
    counts = Counter(values)
    return {name: 100 * counts[name] / max(len(values), 1) for name in names or sorted(counts)}

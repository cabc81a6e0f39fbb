"""Quality figures of synthetic sets: on the terminal for their authors, and in the report.

Example, a line on the terminal:
    nearest in the set           0.67 [0.66, 0.68]    0.28 [0.27, 0.29]    ≤ 0.45: missed
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from pfe.quality.goals import goals, missed
from pfe.quality.record import Bound, Quality, Side
from pfe.report.cells import NONE, with_interval
from pfe.report.markdown import markdown, plain

Row = tuple[str, Sequence[str]]  # the name, and one figure per side, or a single one for all sides
READING = (
    "The AUC is that of a classifier (logistic regression on TF-IDF of word 1- and 2-grams, cross-validated) that",
    "tells a synthetic problem from a real one of its domain, without its library: 0.5 is chance. Where two figures",
    "stand, the first is the synthetic side's and the second the real one's, of as many problems as the column",
    "*compared* says: the median cosine to the nearest problem of the same set, the percentage of sentences that come",
    "again (names and numbers masked), the accuracy of who sees the choices alone, or with the words that they share",
    "with the question, the percentage of questions with a digit, words a question, different words. Near-duplicates",
    "have a cosine of 0.95 or more to another problem of the whole set. `data/quality.json` has all figures.",
)
HEAD = (
    "set", "problems", "families", "compared", "AUC", "nearest", "repeated, %", "choices alone, %", "with overlap, %",
    "digits, %", "words", "different", "near-duplicates, %",
)  # fmt: skip
BOUND = (
    "Problems whose answer is in a library that was invented with them. A record is consistent if its changed library "
    "gives another answer by the needed statements alone, its irrelevant library lacks them, and the problem cannot be "
    "answered without a library; the share is that of the check that the fewest records pass."
)


def screen(quality: Quality) -> str:
    """Return all figures of one set as text for the authors of its families."""
    head = ["figure", *(f"{name}, n = {side.n:,}" for name, side in quality.sides.items()), "goal"]
    against = f"compared with {', '.join(quality.real)}" if quality.real else "without a real benchmark to compare with"
    limits = {goal.name: f"≤ {goal.most:g}{': missed' if goal.value > goal.most else ''}" for goal in goals(quality)}
    table = [
        [name, *figures, *[""] * (len(head) - 2 - len(figures)), limits.get(name, "")]
        for name, figures in _rows(quality)
    ]
    parts = [
        f"{quality.set}: {quality.n:,} problems {against}",
        plain(head, table, left=(0, len(head) - 1)),
        _list("families", [f"{name} {share:.1f} %" for name, share in quality.families.items()]),
        _list("words that give it away", quality.giveaways),
        _list("missed", missed(quality), "; "),
    ]
    return "\n\n".join(filter(None, parts))


def section(qualities: Mapping[str, Quality]) -> list[str]:
    """Return the report's section on the synthetic sets, mainly compared with real benchmarks."""
    if not qualities:
        return ["No set has an accepted problem."]
    misses = {name: missed(quality) for name, quality in qualities.items()}
    return [
        "\n".join(READING),
        markdown(HEAD, [_line(quality) for quality in qualities.values()], left=(0,)),
        *_bound_table(qualities),
        "### What the sets should reach and do not",
        "\n".join(f"- {name}: {'; '.join(goals)}" for name, goals in misses.items() if goals) or "Nothing.",
        "### Words that give a set away",
        "Of the synthetic side only: nobody writes families with the sealed sets' words in hand.",
        "\n".join(f"- {name}: {', '.join(q.giveaways)}" for name, q in qualities.items() if q.giveaways) or "None.",
    ]


def _line(quality: Quality) -> list[str]:
    """Return the table row of a set: each figure for as many synthetic problems as real ones, and for the real ones."""
    ours, theirs = quality.matched, quality.sides.get("real")

    def pair(figure: Callable[[Side], float | None], places: int = 0) -> str:
        values = [figure(side) for side in (ours, theirs) if side]
        return " / ".join(NONE if value is None else f"{value:.{places}f}" for value in values)

    return [
        quality.set,
        f"{quality.n:,}",
        f"{len(quality.families)}",
        f"{ours.n:,}",
        with_interval(quality.auc, places=2),
        pair(lambda side: side.nearest.value, 2),
        pair(lambda side: side.repeated.value),
        pair(lambda side: side.choices.alone.value if side.choices else None),
        pair(lambda side: side.choices.overlap.value if side.choices else None),
        pair(lambda side: side.digits.value),
        pair(lambda side: side.words["question"].mean),
        pair(lambda side: side.vocabulary),
        with_interval(quality.duplicates),
    ]


def _bound_table(qualities: Mapping[str, Quality]) -> list[str]:
    """Return a table of the library-bound problems of the sets that have any."""
    head = ["set", "library-bound, %", "answer stands in it, %", "found by searching it, %"]
    head += ["consistent records, %", "entries", "needed", "skills, %"]
    rows = [
        [
            name,
            with_interval(bound.share),
            with_interval(bound.stated),
            with_interval(bound.searched),
            f"{min(share.value for share in bound.consistent.values()):.1f}",
            f"{bound.entries.mean:.1f}",
            f"{bound.hops.mean:.1f}",
            ", ".join(f"{skill} {share:.0f}" for skill, share in bound.skills.items()),
        ]
        for name, quality in qualities.items()
        if (bound := quality.bound)
    ]
    return [BOUND, markdown(head, rows, left=(0, len(head) - 1))] if rows else []


def _list(title: str, entries: Sequence[str], between: str = ", ") -> str:
    return f"{title}: {between.join(entries)}" if entries else ""


def _rows(quality: Quality) -> Iterator[Row]:
    yield "two-sample AUC", [with_interval(quality.auc, places=3)]
    yield "near-duplicates, %", [with_interval(quality.duplicates)]
    yield _each(quality, "nearest in the set", lambda side: with_interval(side.nearest, places=2))
    yield _each(quality, "repeated sentences, %", lambda side: with_interval(side.repeated))
    yield "problems with a slip of English, %", [with_interval(quality.english.slips, places=1)]
    if any(side.choices for side in quality.sides.values()):
        yield _each(
            quality, "choices alone, %", lambda side: with_interval(side.choices.alone if side.choices else None)
        )
        yield _each(
            quality,
            "choices and overlap, %",
            lambda side: with_interval(side.choices.overlap if side.choices else None),
        )
        yield _each(quality, "chance, %", lambda side: f"{side.choices.chance:.1f}" if side.choices else NONE)
    for part in quality.sides["synthetic"].words:
        yield _each(quality, f"words a {part}, mean (median)", partial(_length, part))
    for part, distance in quality.ks.items():
        yield f"KS of {part}, synthetic and real", [f"{distance:.2f}"]
    yield _each(quality, "different words", lambda side: f"{side.vocabulary:,}")
    yield _each(quality, "distinct 1-, 2-, 3-grams, %", lambda side: _shares(side.distinct))
    yield _each(quality, "questions with a digit, %", lambda side: with_interval(side.digits))
    if any(side.positions for side in quality.sides.values()):
        yield _each(quality, "right choice at 1, 2, …, %", lambda side: _shares(side.positions))
    if any(side.yes for side in quality.sides.values()):
        yield _each(quality, "yes, %", lambda side: with_interval(side.yes))
    yield from _arithmetic(quality)
    if quality.bound:
        yield from ((name, [figure]) for name, figure in _library(quality.bound))


def _arithmetic(quality: Quality) -> Iterator[Row]:
    if any(side.steps for side in quality.sides.values()):
        yield _each(quality, "steps, mean", lambda side: f"{side.steps.mean:.2f}" if side.steps else NONE)
        yield _each(
            quality, "two steps or fewer, %", lambda side: with_interval(side.steps.few if side.steps else None)
        )
        yield _each(quality, "operation sequences", lambda side: f"{side.steps.sequences}" if side.steps else NONE)
        yield f"operation sequences in all {quality.n:,}", [f"{quality.sequences}"]
    if quality.covered:
        yield "real problems whose operations are covered, %", [with_interval(quality.covered)]


def _library(bound: Bound) -> Iterator[tuple[str, str]]:
    yield "library-bound, %", with_interval(bound.share)
    yield "- answer stands in the library, %", with_interval(bound.stated)
    yield "- every word of it that the question lacks does, %", with_interval(bound.worded)
    yield "- found among the choices by searching it, %", with_interval(bound.searched)
    for name, share in bound.consistent.items():
        yield f"- {name}, %", with_interval(share)
    for name, figure in {"entries": bound.entries, "words": bound.words, "needed entries": bound.hops}.items():
        yield f"- {name} of a library, mean (median)", f"{figure.mean:.1f} ({figure.median:g})"
    yield "- needed in its first, middle, last third, %", _shares(bound.places)
    yield "- skills, %", ", ".join(f"{name} {share:.0f}" for name, share in bound.skills.items())
    for skill, rule in bound.unread.items():
        yield f"- {skill}: correct without reading ({rule.rule}), %", f"{rule.value:.1f} (chance {rule.chance:.1f})"


def _each(quality: Quality, name: str, figure: Callable[[Side], str]) -> Row:
    return name, [figure(side) for side in quality.sides.values()]


def _length(part: str, side: Side) -> str:
    length = side.words.get(part)
    return f"{length.mean:.1f} ({length.median:g})" if length else NONE


def _shares(shares: Mapping[str, float]) -> str:
    return " ".join(f"{share:.0f}" for share in shares.values()) or NONE

"""What the figures of a synthetic set look like: on the screen for who writes it, in the report for who reads it.

Example, a line on the screen:
    nearest in the set           0.67 [0.66, 0.68]    0.28 [0.27, 0.29]    at most 0.45: missed
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from pfe.quality.goals import goals, missed
from pfe.quality.record import Bound, Figure, Quality, Side
from pfe.report.markdown import plain
from pfe.scores.proportion import Proportion

Row = tuple[str, str, str]
NONE = "–"


def screen(quality: Quality) -> str:
    """All figures of one set, for whoever writes its families."""
    size = quality.sides["synthetic"].n
    against = f"beside {', '.join(quality.real)}" if quality.real else "with no real benchmark beside it"
    limits = {goal.name: f"≤ {goal.most:g}{': missed' if goal.value > goal.most else ''}" for goal in goals(quality)}
    table = [[name, ours, theirs, limits.get(name, "")] for name, ours, theirs in _rows(quality)]
    parts = [
        f"{quality.set}: {quality.n:,} problems {against}; compared on {size:,} a side",
        plain(["figure", "synthetic", "real", "goal"], table, left=(0, 3)),
        _list("families", [f"{name} {share:.1f} %" for name, share in quality.families.items()]),
        _list("words that give it away", quality.giveaways),
        _list("missed", missed(quality), "; "),
    ]
    return "\n\n".join(filter(None, parts))


def _list(title: str, entries: Sequence[str], between: str = ", ") -> str:
    return f"{title}: {between.join(entries)}" if entries else ""


def _rows(quality: Quality) -> Iterator[Row]:
    yield "two-sample AUC", _figure(quality.auc, 3), ""
    yield "near-duplicates, %", _share(quality.duplicates), ""
    yield _both(quality, "nearest in the set", lambda side: _figure(side.nearest))
    yield _both(quality, "repeated sentences, %", lambda side: _share(side.repeated))
    if any(side.choices for side in quality.sides.values()):
        yield _both(quality, "choices alone, %", lambda side: _share(side.choices.alone if side.choices else None))
        yield _both(
            quality, "choices and overlap, %", lambda side: _share(side.choices.overlap if side.choices else None)
        )
        yield _both(quality, "chance, %", lambda side: f"{side.choices.chance:.1f}" if side.choices else NONE)
    for part in quality.sides["synthetic"].words:
        yield _both(quality, f"words a {part}, mean (median)", partial(_length, part))
    for part, distance in quality.ks.items():
        yield f"KS of {part}, synthetic and real", f"{distance:.2f}", ""
    yield _both(quality, "different words", lambda side: f"{side.vocabulary:,}")
    yield _both(quality, "distinct 1-, 2-, 3-grams, %", lambda side: _shares(side.distinct))
    yield _both(quality, "questions with a digit, %", lambda side: _share(side.digits))
    if any(side.positions for side in quality.sides.values()):
        yield _both(quality, "right choice at 1, 2, …, %", lambda side: _shares(side.positions))
    if any(side.yes for side in quality.sides.values()):
        yield _both(quality, "yes, %", lambda side: _share(side.yes))
    yield from _arithmetic(quality)
    if quality.bound:
        yield from ((name, figure, "") for name, figure in _library(quality.bound))


def _arithmetic(quality: Quality) -> Iterator[Row]:
    if any(side.steps for side in quality.sides.values()):
        yield _both(quality, "steps, mean", lambda side: f"{side.steps.mean:.2f}" if side.steps else NONE)
        yield _both(quality, "two steps or fewer, %", lambda side: _share(side.steps.few if side.steps else None))
        yield _both(quality, "operation sequences", lambda side: f"{side.steps.sequences}" if side.steps else NONE)
        yield f"operation sequences in all {quality.n:,}", f"{quality.sequences}", ""
    if quality.covered:
        yield "real problems of operations that are covered, %", _share(quality.covered), ""


def _library(bound: Bound) -> Iterator[tuple[str, str]]:
    yield "library-bound, %", _share(bound.share)
    yield "- answer stands in the library, %", _share(bound.stated)
    yield "- found among the choices by searching it, %", _share(bound.searched)
    for name, share in bound.consistent.items():
        yield f"- {name}, %", _share(share)
    for name, figure in {"entries": bound.entries, "words": bound.words, "needed entries": bound.hops}.items():
        yield f"- {name} of a library, mean (median)", f"{figure.mean:.1f} ({figure.median:g})"
    yield "- needed in its first, middle, last third, %", _shares(bound.places)
    yield "- tiers, %", ", ".join(f"{name} {share:.0f}" for name, share in bound.tiers.items())


def _both(quality: Quality, name: str, figure: Callable[[Side], str]) -> Row:
    real = quality.sides.get("real")
    return name, figure(quality.sides["synthetic"]), figure(real) if real else ""


def _figure(figure: Figure | None, places: int = 2) -> str:
    if figure is None:
        return NONE
    return f"{figure.value:.{places}f} [{figure.low:.{places}f}, {figure.high:.{places}f}]"


def _share(share: Proportion | None) -> str:
    return f"{share.value:.1f} [{share.low:.1f}, {share.high:.1f}]" if share else NONE


def _length(part: str, side: Side) -> str:
    length = side.words.get(part)
    return f"{length.mean:.1f} ({length.median:g})" if length else NONE


def _shares(shares: Mapping[str, float]) -> str:
    return " ".join(f"{share:.0f}" for share in shares.values()) or NONE

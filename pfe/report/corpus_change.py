"""What became of the corpus between two revisions: accepted by set, rejected by gate, and how good it is.

Example, where only the threshold of the 5-grams changed:
    Of 3,900 accepted problems 12 are others.
    | set       |   accepted |   others |
    |:----------|-----------:|---------:|
    | arc_synth |        500 |       12 |
    | rejected by   | candidates |
    | token_overlap |   11 → 23  |
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Figures = Mapping[str, Any]  # by dotted names
ARROW = "→"


@dataclass(frozen=True)
class Corpus:
    """What one revision has of it: the ids accepted by set, the counts rejected by gate, metrics of both stages."""

    accepted: Mapping[str, Collection[str]] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    firewall: Figures = field(default_factory=dict)
    quality: Figures = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A figure, before and after; None where there is none."""

    name: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{_figure(self.before)} {ARROW} {_figure(self.after)}"


@dataclass(frozen=True)
class SetChange:
    """How many problems of a set are accepted, before and after, and how many of the latter were not before."""

    name: str
    before: int
    after: int
    others: int


@dataclass(frozen=True)
class CorpusChange:
    """All that changed: `sets` where other problems are accepted, `gates` that reject more or fewer, and `figures` of
    the firewall and of the quality of sets. `accepted` problems there are in all, of which `others` are new."""

    accepted: int
    others: int
    sets: Sequence[SetChange]
    gates: Sequence[Change]
    figures: Sequence[Change]

    @property
    def is_none(self) -> bool:
        return not (self.sets or self.gates or self.figures)


def corpus_change(before: Corpus, after: Corpus) -> CorpusChange:
    """What is not the same in both."""
    sets = []
    for name in sorted({*before.accepted, *after.accepted}):
        then, now = set(before.accepted.get(name, ())), set(after.accepted.get(name, ()))
        if then != now:
            sets.append(SetChange(name, len(then), len(now), len(now - then)))
    gates = [
        Change(name, before.rejected.get(name, 0), after.rejected.get(name, 0))
        for name in sorted({*before.rejected, *after.rejected})
        if before.rejected.get(name, 0) != after.rejected.get(name, 0)
    ]
    figures = [
        *(Change(f"firewall: {one.name}", one.before, one.after) for one in changes(before.firewall, after.firewall)),
        *(Change(f"quality: {one.name}", one.before, one.after) for one in changes(before.quality, after.quality)),
    ]
    accepted = sum(map(len, after.accepted.values()))
    return CorpusChange(accepted, sum(one.others for one in sets), sets, gates, figures)


def changes(before: Figures, after: Figures) -> Iterator[Change]:
    """The values that are not the same in two mappings, by name; an empty mapping is none."""
    for name in sorted({*before, *after}):
        then, now = (None if values.get(name) == {} else values.get(name) for values in (before, after))
        if then != now:
            yield Change(name, then, now)


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)

"""Changes of the corpus between two revisions: accepted problems by set, rejections by gate, and quality.

Example: if only the threshold of the 5-grams changed, 12 of the 500 accepted problems of the set arc_synth are new, and
the gate token_overlap rejects 23 candidates instead of 11.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Figures = Mapping[str, Any]  # by dotted names
ARROW = "→"


@dataclass(frozen=True)
class Corpus:
    """The corpus of one revision: accepted ids by set, rejected counts by gate, and metrics of both stages.

    None means that the data is missing and cannot be compared.
    """

    accepted: Mapping[str, Collection[str]] | None = field(default_factory=dict)
    rejected: Mapping[str, int] | None = field(default_factory=dict)
    firewall: Figures = field(default_factory=dict)
    quality: Figures = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A figure before and after; None if a side lacks it."""

    name: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{_figure(self.before)} {ARROW} {_figure(self.after)}"


@dataclass(frozen=True)
class SetChange:
    """The number of accepted problems of a set before and after, and the number of those that are new."""

    name: str
    before: int
    after: int
    others: int


@dataclass(frozen=True)
class CorpusChange:
    """All changes of the corpus.

    `sets` holds the sets whose accepted problems differ, `gates` the gates whose rejection counts differ, and `figures`
    the changed figures of the firewall and of the quality of sets. `accepted` is the total number of accepted problems
    after the change, None if a side lacks its problems; `others` of them are new. `is_whole` is whether both sides have
    problems and gates.
    """

    accepted: int | None
    others: int
    sets: Sequence[SetChange]
    gates: Sequence[Change]
    figures: Sequence[Change]
    is_whole: bool = True

    @property
    def is_none(self) -> bool:
        return not (self.sets or self.gates or self.figures)


def corpus_change(before: Corpus, after: Corpus) -> CorpusChange:
    """Return the differences between two corpora in the data that both have."""
    has_problems = before.accepted is not None and after.accepted is not None
    has_gates = before.rejected is not None and after.rejected is not None
    sets = _set_changes(before.accepted or {}, after.accepted or {}) if has_problems else []
    gates = _gate_changes(before.rejected or {}, after.rejected or {}) if has_gates else []
    figures = [
        *(Change(f"firewall: {one.name}", one.before, one.after) for one in changes(before.firewall, after.firewall)),
        *(Change(f"quality: {one.name}", one.before, one.after) for one in changes(before.quality, after.quality)),
    ]
    accepted = sum(map(len, (after.accepted or {}).values())) if has_problems else None
    others = sum(one.others for one in sets)
    return CorpusChange(accepted, others, sets, gates, figures, has_problems and has_gates)


def _set_changes(before: Mapping[str, Collection[str]], after: Mapping[str, Collection[str]]) -> list[SetChange]:
    sets = []
    for name in sorted({*before, *after}):
        then, now = set(before.get(name, ())), set(after.get(name, ()))
        if then != now:
            sets.append(SetChange(name, len(then), len(now), len(now - then)))
    return sets


def _gate_changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[Change]:
    counts = [(name, before.get(name, 0), after.get(name, 0)) for name in sorted({*before, *after})]
    return [Change(*count) for count in counts if count[1] != count[2]]


def changes(before: Figures, after: Figures) -> Iterator[Change]:
    """Yield the values that differ between two mappings, by name; an empty mapping as a value counts as None."""
    for name in sorted({*before, *after}):
        then, now = (None if values.get(name) == {} else values.get(name) for values in (before, after))
        if then != now:
            yield Change(name, then, now)


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)

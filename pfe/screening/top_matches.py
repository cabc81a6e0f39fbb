"""The worst matches of a screening, with candidate and canonical problem side by side.

Example:
    1  mine.csv, line 17 (q-9) · gsm1k/17 · token_overlap 0.620 > 0.3, 13 of 21 n-grams; edits 0.900 > 0.3
       ⟦A baker sells 12 rolls in the morning⟧ and nine      Yesterday ⟦a baker sells 12 rolls in the morning⟧.
       at night.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import groupby
from pathlib import Path

from pfe.firewall.firewall import ERROR, PASSED
from pfe.rows.files import place_of
from pfe.screening.explain import score_text, side_by_side
from pfe.screening.files import Located, Part, findings
from pfe.terminal import plain


@dataclass(frozen=True)
class Pair:
    """A candidate and the canonical problem that most gates reject it for; `findings` has the highest score first."""

    path: Path
    findings: tuple[Located, ...]

    @property
    def rank(self) -> tuple[int, float]:
        """Return how likely one text was copied from the other: the number of gates, then the highest score."""
        return len(self.findings), self.findings[0].score


def worst(parts: Sequence[Part], count: int) -> list[Pair]:
    """Return the `count` highest-ranking pairs, at most one per candidate."""
    return nlargest(count, _pairs(parts), key=lambda pair: pair.rank)


def render(pairs: Sequence[Pair], n: int, width: int, color: bool) -> str:
    """Format the pairs for a screen of `width` characters."""
    return "\n\n".join(_render_pair(number, pair, n, width, color) for number, pair in enumerate(pairs, 1))


def _render_pair(number: int, pair: Pair, n: int, width: int, color: bool) -> str:
    first = pair.findings[0]
    gates = "; ".join(map(score_text, pair.findings))
    head = f"{place_of(pair.path, first.place)} ({first.problem_id}) · {first.canonical_id} · {gates}"
    texts = side_by_side(first.text, first.canonical_text, n, max(width - 4, 40), color)
    return "\n".join([f"{number:>2}  {plain(' '.join(head.split()))}", *(f"    {line}" for line in texts.splitlines())])


def _pairs(parts: Sequence[Part]) -> Iterator[Pair]:
    for part in parts:
        for _, group in groupby(findings([part]), key=lambda finding: finding.place):
            rejecting = [f for f in group if f.margin > 0 and f.verdict not in (PASSED, ERROR)]
            if with_match := [f for f in rejecting if f.canonical_id]:
                ids = [f.canonical_id for f in with_match]
                match = max(ids, key=ids.count)
                of_match = sorted((f for f in with_match if f.canonical_id == match), key=lambda f: -f.score)
                yield Pair(part.shard.path, tuple(of_match))

"""A rejected problem and its canonical matches as text, each passage once, with shared n-grams marked.

Example:
    gsm1k_synth/rolls/s0/3: rejected: token_overlap

      candidate   ⟦A baker sells 12 rolls in the morning⟧ and nine at night.

    token_overlap 0.620 > 0.3, 13 of 21 n-grams in gsm1k/17; runner-up gsm1k/4: 0.050
    edits 0.710 > 0.3 in gsm1k/17
      canonical   Yesterday ⟦a baker sells 12 rolls in the morning⟧.
"""

import io
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pfe.firewall.firewall import PASSED, Finding
from pfe.firewall.tokens import shared_ngrams
from pfe.terminal import plain

_PLAIN, _COLORED = ("⟦", "⟧"), ("\033[1;31m", "\033[0m")
_AROUND, _LONGEST = 80, 480  # characters of an excerpt before the first shared passage, and in total


def explanation(findings: Sequence[tuple[Finding, str]], n: int, color: bool) -> str:
    """Explain the findings on one problem: its text once, then each canonical problem with its gates and its text once.

    Control characters in the texts are made harmless. In the candidate, the n-grams are marked that it shares with any
    canonical problem, at the greatest length that any of them shares.

    Args:
        findings: the findings on one problem, each with the text of the canonical problem, empty if there is none.
        n: the length of an n-gram; if two texts share none of that length, shorter ones are marked.
        color: mark with colour instead of brackets.
    """
    first = findings[0][0]
    head = "passed, narrowly" if first.verdict == PASSED else f"rejected: {first.verdict}"
    by_canonical: dict[str, list[tuple[Finding, str]]] = {}
    for finding, canonical in findings:
        by_canonical.setdefault(finding.canonical_id, []).append((finding, canonical))
    ours = _passages(finding.text for finding, _ in findings)
    theirs = {id: _passages(text for _, text in group) for id, group in by_canonical.items()}
    everything = [text for texts in theirs.values() for text in texts]
    sections = [plain(f"{first.problem_id}: {head}"), "\n".join(_shown("candidate", ours, everything, n, color))]
    for id, group in by_canonical.items():
        gates = list(dict.fromkeys(_gate_line(finding) for finding, _ in group))
        sections.append("\n".join([*gates, *_shown("canonical", theirs[id], ours, n, color)]))
    return "\n\n".join(filter(None, sections))  # an unreadable row has no text


def score_text(finding: Finding) -> str:
    """Format a finding's gate, score, threshold and n-gram counts."""
    sign = ">" if finding.margin > 0 else "≤"
    ngrams = f", {finding.shared} of {finding.total} n-grams" if finding.total else ""
    return f"{finding.gate} {finding.score:.3f} {sign} {finding.threshold:g}{ngrams}"


def side_by_side(candidate: str, canonical: str, n: int, width: int, color: bool) -> str:
    """Format excerpts of both texts around their marked shared n-grams, in two columns, `width` characters in total."""
    table = Table.grid(padding=(0, 3), expand=True)
    for _ in range(2):
        table.add_column(ratio=1, overflow="fold")
    texts = marked_texts(candidate, canonical, n, color, excerpt=True)
    table.add_row(*(Text.from_ansi(text) if color else Text(text) for text in texts))
    output = io.StringIO()
    Console(file=output, width=width, force_terminal=color, color_system="standard" if color else None).print(table)
    return "\n".join(line.rstrip() for line in output.getvalue().splitlines())


def marked_texts(candidate: str, canonical: str, n: int, color: bool = False, excerpt: bool = False) -> tuple[str, str]:
    """Return both texts, or excerpts, with shared word n-grams marked; shorter ones if they share none of length n."""
    return (
        _marked(candidate, _shared_places(candidate, [canonical], n), color, excerpt),
        _marked(canonical, _shared_places(canonical, [candidate], n), color, excerpt),
    )


def _gate_line(finding: Finding) -> str:
    where = f" in {finding.canonical_id}" if finding.canonical_id else ""
    runner_up = f"; runner-up {finding.runner_up_id}: {finding.runner_up_score:.3f}" if finding.runner_up_id else ""
    detail = f" ({finding.detail})" if finding.detail else ""
    return plain(" ".join(f"{score_text(finding)}{where}{runner_up}{detail}".split()))


def _passages(texts: Iterable[str]) -> list[str]:
    """Return the texts that no other contains: the text that one gate shows is often part of what another shows."""
    passages: list[str] = []
    for text in sorted(dict.fromkeys(texts), key=len, reverse=True):
        if not any(text in longer for longer in passages):
            passages.append(text)
    return list(filter(None, passages))


def _shown(name: str, texts: Sequence[str], others: Sequence[str], n: int, color: bool) -> list[str]:
    """Return the texts of one side under its name, with the n-grams marked that each shares with the other side."""
    return [_indent(name, _marked(text, _shared_places(text, others, n), color, excerpt=False)) for text in texts]


def _shared_places(text: str, others: Sequence[str], n: int) -> list[tuple[int, int]]:
    """Return the places of n-grams that other texts share, at the greatest length up to n that any of them shares."""
    for size in range(n, 0, -1):
        if places := [(m.start, m.end) for other in others for m in shared_ngrams(text, other, size)]:
            return places
    return []


def _marked(text: str, places: Sequence[tuple[int, int]], color: bool, excerpt: bool) -> str:
    opening, closing = _COLORED if color else _PLAIN
    merged = _merge(places)
    start = max(0, merged[0][0] - _AROUND) if excerpt and merged else 0
    stop = start + _LONGEST if excerpt else len(text)
    pieces, position = ["…" if start else ""], start
    for first, last in merged:
        if first < stop:
            pieces += [_plain(text[position:first]), opening, _plain(text[first : min(last, stop)]), closing]
            position = min(last, stop)
    return "".join([*pieces, _plain(text[position:stop]), "…" if stop < len(text) else ""])


def _plain(text: str) -> str:
    return plain(text.replace("\r\n", "\n"))


def _merge(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge overlapping places."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _indent(name: str, text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([f"  {name}   {first}", *(f"              {line}" for line in rest)])

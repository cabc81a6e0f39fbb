"""A rejected problem beside its canonical match, with what they share marked.

Example:
    gsm1k_synth/rolls/s0/3: rejected by token_overlap (0.62 > 0.3)

    token_overlap 0.62, 13 of 21 n-grams in gsm1k/17 (threshold 0.3; runner-up gsm1k/4: 0.05)
      candidate   ⟦A baker sells 12 rolls in the morning⟧ and nine at night.
      canonical   Yesterday ⟦a baker sells 12 rolls in the morning⟧.
"""

from collections.abc import Mapping, Sequence

from pfe.firewall.firewall import PASSED, Finding, shown
from pfe.firewall.tokens import matched
from pfe.problem import Problem
from pfe.terminal import plain

_PLAIN, _COLORED = ("⟦", "⟧"), ("\033[1;31m", "\033[0m")


def explained(findings: Sequence[Finding], canonical: Mapping[str, Problem], n: int, color: bool) -> str:
    """What the gates found of one problem, for people, with no control character of its texts left in force.

    Args:
        findings: of one problem.
        canonical: the canonical problems that the findings name, by id.
        n: the length of an n-gram; where a gate shares none of that length, shorter ones are marked.
        color: mark by colour instead of brackets.
    """
    first = findings[0]
    head = "passed, narrowly" if first.verdict == PASSED else f"rejected: {first.verdict}"
    return "\n\n".join([plain(f"{first.problem_id}: {head}"), *(_one(own, canonical, n, color) for own in findings)])


def _one(finding: Finding, canonical: Mapping[str, Problem], n: int, color: bool) -> str:
    sign = ">" if finding.margin > 0 else "≤"
    counted = f", {finding.shared} of {finding.total} n-grams" if finding.total else ""
    where = f" in {finding.canonical_id}" if finding.canonical_id else ""
    runner_up = f"; runner-up {finding.runner_up_id}: {finding.runner_up_score:.3f}" if finding.runner_up_id else ""
    detail = f" ({finding.detail})" if finding.detail else ""
    head = f"{finding.gate} {finding.score:.3f} {sign} {finding.threshold:g}{counted}{where}{runner_up}{detail}"
    match = canonical.get(finding.canonical_id)
    theirs = shown(match, finding.gate) if match else ""
    ours, own = marked(finding.text, theirs, n, color)
    lines = [plain(" ".join(head.split())), _indented("candidate", ours)]
    return "\n".join([*lines, _indented("canonical", own)] if theirs else lines)


def marked(candidate: str, canonical: str, n: int, color: bool = False) -> tuple[str, str]:
    """Both texts with the word n-grams they share marked; of ever shorter ones where they share none."""
    shared = next((found for size in range(n, 0, -1) if (found := matched(candidate, canonical, size))), [])
    return (
        _marked(candidate, [(m.start, m.end) for m in shared], color),
        _marked(canonical, [(m.canonical_start, m.canonical_end) for m in shared], color),
    )


def _marked(text: str, places: Sequence[tuple[int, int]], color: bool) -> str:
    opening, closing = _COLORED if color else _PLAIN
    pieces, done = [], 0
    for start, end in _merged(places):
        pieces += [_plain(text[done:start]), opening, _plain(text[start:end]), closing]
        done = end
    return "".join([*pieces, _plain(text[done:])])


def _plain(text: str) -> str:
    return plain(text.replace("\r\n", "\n"))


def _merged(places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Overlapping places as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _indented(name: str, text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([f"  {name}   {first}", *(f"              {line}" for line in rest)])

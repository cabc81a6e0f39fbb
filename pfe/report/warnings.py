"""What is printed under a table whose figures say little of the model: answers not read, cut, empty, or not asked.

Example: WARNING: Llama: no answer could be read, which counts as incorrect: canonical 3 of 3, icr 3 of 3; read what it
wrote (pfe show), and try --chat-template on or off
"""

from collections.abc import Mapping

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.endings import Case, doubts

CASES: Mapping[Case, tuple[str, str]] = {
    "thinking": (
        "cut while thinking, which counts as incorrect",
        "allow longer thoughts (max_thinking_tokens), or none (--thinking off)",
    ),
    "unanswered": (
        "no text came as the answer, which counts as incorrect",
        "see what it sends, and raise -S benchmark.{name}.max_tokens",
    ),
    "truncated": ("cut at the limit of tokens", "allow more: -S benchmark.{name}.max_tokens=…"),
    "unread": (
        "no answer could be read, which counts as incorrect",
        "read what it wrote (pfe show), and try --chat-template on or off",
    ),
    "too_long": ("not asked, or without its beginning, for the window is too short", "give it a longer window"),
    "shortened": (
        "asked with a shortened library or none, for the window is too short",
        "give it a longer window; a lift is not that of the whole library",
    ),
}


def warnings(name: str, model: str, score: BenchmarkScore | None) -> list[str]:
    """Return a line for each case that more than a small share of the answers of an arm are of.

    Args:
        name: the benchmark's, as settings know it.
        model: its label.
        score: its score on this benchmark; None if it was not examined there.
    """
    lines = []
    by_arm = {arm: doubts(vars(one), one.n) for arm, one in score.answers.items()} if score else {}
    for case, (what, remedy) in CASES.items():
        shares = [
            f"{arm} {one.count:,} of {one.n:,}" for arm, found in by_arm.items() for one in found if one.case == case
        ]
        if shares:
            lines.append(f"WARNING: {model}: {what}: {', '.join(shares)}; {remedy.format(name=name)}")
    return lines

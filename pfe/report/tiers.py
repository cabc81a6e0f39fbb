"""Benchmarks whose problems are of several tiers: every arm by tier, and who believes the library against the world.

Example: "| look-up | 31.5 [25.5, 38.2] | 88.0 [82.8, 91.8] | 27.0 … | 80.5 … | 200 |"
"""

from collections.abc import Mapping
from typing import get_args

from pfe.config import Arm
from pfe.report.cells import with_interval
from pfe.report.markdown import markdown
from pfe.scores.benchmark import BenchmarkScore

TITLES = {"lookup": "look-up", "two_hops": "two hops", "rule": "rule", "procedure": "procedure", "call": "call"}
READING = (
    "Accuracy by tier, %: bare (canonical), behind the problem's own library (icr), behind one that was written for "
    "other things (placebo), and behind one that says otherwise than the world does (contradicted), where what the "
    "library says is right."
)


def tiers(scores: Mapping[str, BenchmarkScore], benchmarks: Mapping[str, str]) -> str:
    """One model's accuracies by tier on every benchmark that has tiers; nothing where there is none."""
    return "\n\n".join(
        _table(title, scores[name]) for name, title in benchmarks.items() if name in scores and scores[name].tiers
    )


def _table(title: str, score: BenchmarkScore) -> str:
    arms = [arm for arm in get_args(Arm) if arm in score.arms]
    rows = [
        [TITLES[tier], *(with_interval(by_arm.get(arm)) for arm in arms), f"{max(one.n for one in by_arm.values()):,}"]
        for tier, by_arm in score.tiers.items()
    ]
    contradicted = score.arms.get("contradicted")
    world = contradicted.otherwise if contradicted else None
    note = f"\n\nBehind a library against the world, what the world says: {with_interval(world)} %." if world else ""
    return f"{title}:\n\n{markdown(['tier', *arms, 'n'], rows)}{note}"

"""Accuracy by skill and arm, and answers with a library that contradicts the real world.

Example: "| hops | 31.5 [25.5, 38.2] | 88.0 [82.8, 91.8] | 27.0 … | 80.5 … | 200 |"
"""

from collections.abc import Mapping
from typing import get_args

from pfe.config import Arm
from pfe.problem import SKILLS
from pfe.report.cells import with_interval
from pfe.report.markdown import markdown
from pfe.scores.benchmark import BenchmarkScore

TITLES = {skill: skill for skill in SKILLS} | {"lookup": "single-hop retrieval"}
READING = (
    "Accuracy by skill, %: zero-shot (canonical), with the problem's own library (icr), with a library about other "
    "things (placebo), with one that contradicts the real world (contradicted), and with one of the same form that "
    "agrees with it (agreeing). In the last two the library's answer is the correct one; contradicted − agreeing is "
    "the cost of prior knowledge."
)


def skills(scores: Mapping[str, BenchmarkScore], benchmarks: Mapping[str, str]) -> str:
    """Return one model's accuracies by skill on each benchmark that has skills, in Markdown; empty if none has."""
    return "\n\n".join(
        _table(title, scores[name]) for name, title in benchmarks.items() if name in scores and scores[name].skills
    )


def _table(title: str, score: BenchmarkScore) -> str:
    arms = [arm for arm in get_args(Arm) if arm in score.arms]
    rows = [
        [TITLES[skill], *(with_interval(by_arm.get(arm)) for arm in arms), f"{max(one.n for one in by_arm.values()):,}"]
        for skill, by_arm in score.skills.items()
    ]
    note = against_world(score)
    return f"{title}:\n\n{markdown(['skill', *arms, 'n'], rows)}" + (f"\n\n{note}" if note else "")


def against_world(score: BenchmarkScore) -> str:
    """Return a sentence on a model's answers with a library that contradicts the real world; empty if not asked."""
    contradicted, gap = score.arms.get("contradicted"), score.against_world
    world = contradicted.otherwise if contradicted else None
    parts = [f"{with_interval(world)} % of the answers are the world's (n = {world.n:,})"] if world else []
    parts += [f"contradicted − agreeing {with_interval(gap, '+')} points (n = {gap.n:,})"] if gap else []
    return f"With a library against the world {'; '.join(parts)}." if parts else ""

"""report/leaderboard.md: the language models ranked over the benchmarks.

Example: see `pfe.report.verdict`; the aspects are canonical and ICR accuracy and the relative lift.
"""

from collections.abc import Mapping

from pfe.config import Rules
from pfe.judging.verdict import Verdict
from pfe.report.verdict import firmness, qualification, ranking


def page(verdict: Verdict, rules: Rules, labels: Mapping[str, str]) -> str:
    """The whole page in Markdown."""
    parts = [
        "# Leaderboard",
        f"```\n{ranking(verdict, rules, labels, {})}\n```",
        "Score: harmonic mean of the ranks in each aspect, averaged over benchmarks; a higher rank is better. Models "
        "within the better one's 95 % interval tie (`docs/judging.md`).",
        "## Above chance",
        qualification(verdict, rules, labels),
        "The margin is the lower end of a model's 95 % interval over the benchmarks it answers, in the arm where that "
        "is higher, less what guessing is expected to give on them, as a share.",
        "## How firm the order is",
        firmness(verdict, labels),
    ]
    return "\n\n".join(parts) + "\n"

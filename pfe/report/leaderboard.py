"""The leaderboard of language models over all benchmarks, report/leaderboard.md.

Example: see `pfe.report.verdict`; the aspects are canonical accuracy, ICR accuracy and relative lift.
"""

from collections.abc import Mapping

from pfe.config import Rules
from pfe.judging.verdict import Verdict
from pfe.report.verdict import firmness, qualification, ranking


def page(verdict: Verdict, rules: Rules, labels: Mapping[str, str]) -> str:
    """Return the whole page in Markdown."""
    parts = [
        "# Leaderboard",
        f"```\n{ranking(verdict, rules, labels, {})}\n```",
        "Score: harmonic mean of the ranks in each aspect, averaged over benchmarks; a higher rank is better. Models "
        "within the better one's 95 % CI tie (`docs/judging.md`).",
        "## Above chance",
        qualification(verdict, rules, labels),
        "The margin is the lower end of the 95 % CI of a model's accuracy over the benchmarks that it answers, minus "
        "the expected accuracy of guessing, as a share, in the arm with the higher margin.",
        "## How firm the order is",
        firmness(verdict, labels),
    ]
    return "\n\n".join(parts) + "\n"

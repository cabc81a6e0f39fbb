"""What stands right under a table whose figures say little of the model: answers that never came, problems cut.

Example: WARNING: Llama: no text came as answer, which counts as wrong: canonical 3 of 3, icr 3 of 3
"""

from pfe.scores.benchmark import BenchmarkScore

SMALL = 5  # percent of an arm's problems that may go without a warning
CASES = {
    "unanswered": ("no text came as answer, which counts as wrong", "see what it sends, and to max_tokens"),
    "too_long": ("not asked, or without its beginning, for the window is too short", "give it a longer one"),
}


def warnings(model: str, score: BenchmarkScore | None) -> list[str]:
    """A line for each case of which a model's arms on a benchmark have more than a small share."""
    if score is None:
        return []
    lines = []
    for case, (what, remedy) in CASES.items():
        counts = {arm: (getattr(answers, case), answers.n) for arm, answers in score.answers.items()}
        shares = [f"{arm} {count:,} of {n:,}" for arm, (count, n) in counts.items() if 100 * count > SMALL * n]
        if shares:
            lines.append(f"WARNING: {model}: {what}: {', '.join(shares)}; {remedy}")
    return lines

"""Warnings under a table whose figures say little about the model: answers are unread, cut, empty, or were not asked.

Example: WARNING: Llama on GSM1K: no answer could be read, which counts as incorrect: canonical 3 of 3, icr 3 of 3; read
what it wrote (pfe show); its chat template may be missing or out of place (--chat-template on, or off)
"""

from collections.abc import Iterator, Mapping

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.endings import Case, doubts
from pfe.scores.model import ModelScore

CASES: Mapping[Case, tuple[str, str]] = {
    "thinking": (
        "cut while thinking, which counts as incorrect",
        "allow longer thoughts (--max-thinking-tokens NUMBER), or none (leave out --thinking on)",
    ),
    "unanswered": (
        "no text came as the answer, which counts as incorrect",
        "see what it sends, and allow more tokens: -S ++benchmark.{name}.max_tokens=NUMBER",
    ),
    "truncated": ("cut at the limit of tokens", "allow more: -S ++benchmark.{name}.max_tokens=NUMBER"),
    "unread": (
        "no answer could be read, which counts as incorrect",
        "read what it wrote (pfe show); its chat template may be missing or out of place (--chat-template on, or off)",
    ),
    "too_long": ("not asked, or without its beginning, for the window is too short", "give it a longer window"),
    "shortened": (
        "asked with a shortened library or none, for the window is too short",
        "give it a longer window; a lift is not that of the whole library",
    ),
}


def warnings(scores: Mapping[str, ModelScore], titles: Mapping[str, str], labels: Mapping[str, str]) -> list[str]:
    """Return a line for each model, benchmark and case that holds for too many answers of an arm (`doubts`).

    Args:
        scores: by model; a model may lack a benchmark.
        titles: of the benchmarks, by name.
        labels: of the models, by name.
    """
    return [
        line
        for name, title in titles.items()
        for model, label in labels.items()
        if (score := scores[model].benchmarks.get(name))
        for line in _of_benchmark(name, f"{label} on {title}", score)
    ]


def _of_benchmark(name: str, what: str, score: BenchmarkScore) -> Iterator[str]:
    by_arm = {arm: doubts(vars(one), one.n) for arm, one in score.answers.items()}
    for case, (wrong, remedy) in CASES.items():
        shares = [
            f"{arm} {one.count:,} of {one.n:,}" for arm, found in by_arm.items() for one in found if one.case == case
        ]
        if shares:
            yield f"WARNING: {what}: {wrong}: {', '.join(shares)}; {remedy.format(name=name)}"

"""Alternating runs of our trainer and plain TRL's: the speed of each, and the loss of its first step.

Example: `alternating_runs(run, rounds=5)` calls `run("ours")`, `run("theirs")`, then in reverse order, and so on.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.table import BenchLine, summarize

SIDES = ("ours", "theirs")
# Options of SFTConfig and GKDConfig for both sides; AdamW and float32 are the defaults.
OPTIONS: dict[str, Any] = {
    "num_train_epochs": 1, "train_sampling_strategy": "sequential", "logging_steps": 1, "report_to": "none",
    "save_strategy": "no", "dataloader_pin_memory": False, "bf16": False, "activation_checkpointing": False,
    "disable_tqdm": True,
}  # fmt: skip
_TOLERANCE = 1e-4  # of the first loss: shared prefixes change the order of float32 sums


@dataclass(frozen=True)
class TimedRun:
    """All steps of one side: their duration, the tokens processed in them, and the first step's loss in nats."""

    seconds: float
    tokens: int
    loss: float


def alternating_runs(run: Callable[[str], TimedRun], rounds: int) -> dict[str, list[dict[str, float]]]:
    """Return the runs of both sides, by side, as JSON-serialisable dicts."""
    runs: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for number in range(rounds):
        for side in SIDES[:: -1 if number % 2 else 1]:
            runs[side].append(asdict(run(side)))
    return runs


def timed(trainer: Any) -> tuple[float, float]:
    """Return the duration of the steps, and the loss of the first one."""
    start = time.perf_counter()
    trainer.train()
    return time.perf_counter() - start, float(trainer.state.log_history[0]["loss"])


def lines(
    name: str, result: Mapping[str, Sequence[Mapping[str, Any]]], lessons: int, target: float | None = None
) -> Iterator[BenchLine]:
    """Yield lessons and tokens per second of both sides.

    Args:
        result: the result of `alternating_runs`.
        lessons: the number of lessons in all steps of a run.
        target: the minimum rate relative to TRL's; None if there is none.
    """
    runs = {side: [TimedRun(**run) for run in result[side]] for side in SIDES}
    rates = {side: [lessons / run.seconds for run in runs[side]] for side in SIDES}
    yield summarize(name, rates["ours"], "lessons/s")
    yield summarize("  plain TRL", rates["theirs"], "lessons/s")
    ratios = [a / b for a, b in zip(rates["ours"], rates["theirs"], strict=True)]
    yield summarize("  ratio per round", ratios, "×", at_least=target)
    for side, tokens in (("ours", "tokens with shared prefixes"), ("theirs", "plain TRL, repeated prefixes")):
        yield summarize(f"  {tokens}", [run.tokens / run.seconds for run in runs[side]], "tokens/s")


def first_losses(result: Mapping[str, Sequence[Mapping[str, Any]]]) -> BenchLine:
    """Return a comparison of the first losses of both sides, which are losses of the same lessons."""
    ours, theirs = (float(result[side][0]["loss"]) for side in SIDES)
    difference = abs(ours - theirs)
    return BenchLine(
        "  difference of the first losses",
        f"{difference:.0e} of {theirs:.3g} nats",
        target=f"≤ {_TOLERANCE:g} of it",
        met=difference <= _TOLERANCE * theirs,
    )

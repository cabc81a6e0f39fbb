"""What must not be found in a model that knows nothing: an accuracy that is not chance, or a lift.

Example: "boolq, icr: 62.2 % [59.8, 64.5] is not chance (50.0 %)".

A random-init model that does better than chance, or gains from a library, shows a fault of the harness: a leak of
answers into the prompt, a scorer that can be pleased, an order that gives the choice away.
"""

from collections.abc import Mapping
from typing import Any

from pfe.scores.paired import ALPHA
from pfe.scores.proportion import proportion

Figures = Mapping[str, Any]


def alarms(arms: Mapping[str, Mapping[str, Figures]], lifts: Mapping[str, Figures]) -> list[str]:
    """One line a finding, none where all is as it must be.

    The intervals of all arms and benchmarks hold together at 95 % (Bonferroni): thirty at 95 % each would give
    an alarm for most models that are at chance.

    Args:
        arms: by benchmark and arm what `ArmScore` holds.
        lifts: by benchmark what `Lift` holds, with p adjusted by Holm.
    """
    asked = [(benchmark, arm, own) for benchmark, by_arm in arms.items() for arm, own in by_arm.items()]
    lines = []
    for benchmark, arm, own in asked:
        found = proportion(round(own["value"] * own["n"] / 100), own["n"], 1 - ALPHA / len(asked))
        if not found.low <= own["chance"] <= found.high:
            told = f"{found.value:.1f} % [{found.low:.1f}, {found.high:.1f}]"
            lines.append(f"{benchmark}, {arm}: {told} is not chance ({own['chance']:.1f} %)")
    for benchmark, lift in lifts.items():
        if lift["holm_p"] is not None and lift["holm_p"] < ALPHA:
            told = f"{lift['value']:+.1f} points [{lift['low']:+.1f}, {lift['high']:+.1f}]"
            lines.append(f"{benchmark}: a lift of {told}, Holm p = {lift['holm_p']:.2g}")
    return lines

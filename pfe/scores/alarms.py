"""What must not be found in a model that knows nothing: an accuracy that is not chance, or a lift.

Example: "boolq, icr: 62.2 % [59.8, 64.5] is not chance (50.0 %)".

A random-init model that does better than chance, or gains from a library, shows a fault of the harness: a leak of
answers into the prompt, a scorer that can be pleased, an order that gives the choice away.
"""

from collections.abc import Mapping

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.proportion import proportion
from pfe.scores.randomisation import ALPHA


def alarms(scores: Mapping[str, BenchmarkScore]) -> list[str]:
    """One line a finding in the scores of a model by benchmark, none where all is as it must be.

    The intervals of all arms and benchmarks hold together at 95 % (Bonferroni): thirty at 95 % each would give
    an alarm for most models that are at chance.
    """
    figures = [(benchmark, arm, figure) for benchmark, score in scores.items() for arm, figure in score.arms.items()]
    lines = []
    for benchmark, arm, figure in figures:
        interval = proportion(round(figure.value * figure.n / 100), figure.n, 1 - ALPHA / len(figures))
        if not interval.low <= figure.chance <= interval.high:
            text = f"{interval.value:z.1f} % [{interval.low:z.1f}, {interval.high:z.1f}]"
            lines.append(f"{benchmark}, {arm}: {text} is not chance ({figure.chance:.1f} %)")
    for benchmark, score in scores.items():
        lift = score.lift
        if lift and lift.holm_p is not None and lift.holm_p < ALPHA:
            text = f"{lift.value:+z.1f} points [{lift.low:+z.1f}, {lift.high:+z.1f}]"
            lines.append(f"{benchmark}: a lift of {text}, Holm p = {lift.holm_p:.2g}")
    return lines

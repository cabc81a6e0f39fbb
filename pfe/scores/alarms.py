"""What must not be found in a model that knows nothing: an accuracy above chance, or a lift.

Example: "boolq, icr: 67.2 % [64.8, 69.5] is above chance (62.0 %)".

A random-init model that does better than chance, or gains from a library, shows a fault of the harness: a leak of
answers into the prompt, a scorer that can be pleased, an order that gives the choice away.
"""

from collections.abc import Mapping

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.proportion import proportion
from pfe.scores.randomisation import ALPHA


def alarms(scores: Mapping[str, BenchmarkScore]) -> list[str]:
    """Return one line a finding in the scores of a model by benchmark; none if all is as it must be.

    Only an accuracy above chance is an alarm, so the test is one-sided. Chance is what the best answerer gets who knows
    nothing (`pfe.scores.chance`). Other answerers who know nothing get less: one who always says no where 62 % are yes
    has 38 %, one who prefers short choices may have nearly 0. Such an accuracy shows no leak of answers, and an
    accuracy above that of every constant answer does.

    The lower limits of all arms and benchmarks hold together at 95 % (Bonferroni): each at 95 % alone would give an
    alarm for most models that are at chance.
    """
    figures = [(benchmark, arm, figure) for benchmark, score in scores.items() for arm, figure in score.arms.items()]
    lines = []
    for benchmark, arm, figure in figures:
        interval = proportion(round(figure.value * figure.n / 100), figure.n, 1 - 2 * ALPHA / len(figures))
        if interval.low > figure.chance:
            text = f"{interval.value:z.1f} % [{interval.low:z.1f}, {interval.high:z.1f}]"
            lines.append(f"{benchmark}, {arm}: {text} is above chance ({figure.chance:.1f} %)")
    for benchmark, score in scores.items():
        lift = score.lift
        if lift and lift.holm_p is not None and lift.holm_p < ALPHA:
            text = f"{lift.value:+z.1f} points [{lift.low:+z.1f}, {lift.high:+z.1f}]"
            lines.append(f"{benchmark}: a lift of {text}, Holm p = {lift.holm_p:.2g}")
    return lines

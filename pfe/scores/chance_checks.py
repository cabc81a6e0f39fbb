"""Checks on a model that knows nothing: an accuracy above chance, or a lift, is an alarm.

Example: "boolq, icr: 67.2 % [64.8, 69.5] is above chance (62.0 %)".

If a randomly initialised model beats chance or gains from a library, the harness has a fault: answers leak into the
prompt, the scorer can be gamed, or the order of the choices gives the answer away.
"""

from collections.abc import Mapping

from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.proportion import proportion
from pfe.scores.randomisation import ALPHA


def alarms(scores: Mapping[str, BenchmarkScore]) -> list[str]:
    """Return one line for each alarm in the scores of a model by benchmark; an empty list if there is none.

    Only an accuracy above chance is an alarm, so the test is one-sided. Chance is the accuracy of the best answerer who
    knows nothing (`pfe.scores.chance`). Other answerers who know nothing score lower: if 62 % of the answers are yes,
    one who always says no scores 38 %, and one who prefers short choices may score nearly 0 %. A low accuracy is no
    sign of a leak; an accuracy above that of every constant answer is.

    The lower limits of all arms and benchmarks hold jointly at 95 % (Bonferroni). Without this correction most models
    at chance would raise an alarm.
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

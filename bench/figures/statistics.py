"""Coverage of the confidence intervals of a lift, and false positives of models without any lift.

The answers are simulated with a known true lift. A model answers clusters of problems in two arms. The latent variables
that decide the problems of a cluster correlate by ½ (a Gaussian copula; the answers then correlate by .25 to .32).
Everything is sampled with a fixed seed, so these figures are the same on every machine. It takes twelve minutes on one
core.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import NormalDist

import numpy as np

from bench.data import Data
from bench.table import BenchLine
from pfe.scores.model import holm
from pfe.scores.paired import GAIN
from pfe.scores.randomisation import ALPHA, flip_test, sign_flip_p
from pfe.scores.sample import ArmSample

CORRELATION = 0.5
RUNS = 1000
SHAPES = ((10, 1), (12, 4), (20, 1), (50, 1), (50, 6), (200, 5), (1000, 1))  # clusters, problems in each
DISCORDANCE, LIFTS = (0.1, 0.3, 0.5), (0.0, 0.1, 0.3)  # shares of all problems
FAMILY = (*[(50, 6)] * 4, *[(100, 1)] * 6)  # the benchmarks of a model, four of them clustered


@dataclass(frozen=True)
class Answering:
    """A model with a known lift: the share of problems that differ between the arms, and the lift."""

    discordance: float
    lift: float

    def sample(self, clusters: int, size: int, rng: np.random.Generator) -> ArmSample:
        """Sample the model's answers."""
        shared, own = rng.normal(size=(clusters, 1)), rng.normal(size=(clusters, size))
        latent = np.sqrt(CORRELATION) * shared + np.sqrt(1 - CORRELATION) * own
        broken, fixed = (max(1e-12, self.discordance + sign * self.lift) / 2 for sign in (-1, 1))
        bounds = NormalDist().inv_cdf(broken), NormalDist().inv_cdf(1 - fixed)
        patterns = np.select([latent < bounds[0], latent > bounds[1]], [1, 2], 0)
        return ArmSample(np.stack([(patterns == pattern).sum(axis=1) for pattern in range(4)], axis=1))


def figure(data: Data) -> Iterator[BenchLine]:
    """Yield coverage by the shape of a benchmark, and false positives by benchmark and by model."""
    for clusters, size in SHAPES:
        rng = np.random.default_rng([clusters, size])
        covered, false = [], []
        for discordance, lift in product(DISCORDANCE, LIFTS):
            if lift <= discordance:
                hits = [_covered(Answering(discordance, lift), clusters, size, rng) for _ in range(RUNS)]
                covered.append(100 * float(np.mean(hits)))
                if not lift:
                    false.append(100 - covered[-1])
        shape = f"{clusters} clusters of {size}" if size > 1 else f"{clusters} problems"
        yield _line(f"coverage of the 95 % CI of the lift, {shape}", covered, at_least=93)
        yield _line("  false positives without a lift", false, at_most=5)
    yield _line(
        "false positives in any of ten benchmarks without a lift",
        [_false_in_family(np.random.default_rng(0))],
        at_most=5,
    )


def _covered(model: Answering, clusters: int, size: int, rng: np.random.Generator) -> bool:
    interval = flip_test(model.sample(clusters, size, rng).differences(GAIN), rng)
    return interval.low <= 100 * model.lift <= interval.high


def _false_in_family(rng: np.random.Generator) -> float:
    """Return the percentage of false positives among models without a lift, with p adjusted over their benchmarks."""
    model = Answering(0.3, 0.0)
    positives = 0
    for _ in range(RUNS):
        samples = [model.sample(*shape, rng).differences(GAIN) for shape in FAMILY]
        values = [sign_flip_p(np.append(one.totals, one.imagined[:, 0])) for one in samples]
        positives += min(holm(dict(enumerate(values))).values()) < ALPHA
    return 100 * positives / RUNS


def _line(name: str, values: Sequence[float], at_least: float | None = None, at_most: float | None = None) -> BenchLine:
    """Return a line of percentages over a grid, all of which must meet the target within two standard errors."""
    error = 100 * 2 * np.sqrt(0.05 * 0.95 / RUNS)
    worst = min(values) if at_least is not None else max(values)
    target = f"≥ {at_least:g} %" if at_least is not None else f"≤ {at_most:g} %"
    met = worst >= at_least - error if at_least is not None else worst <= (at_most or 0) + error
    spread = f"{min(values):.1f}–{max(values):.1f}" if len(values) > 1 else ""
    return BenchLine(name, f"{np.median(values):.1f} %", spread, f"{RUNS:,}", "", target, bool(met), tuple(values))

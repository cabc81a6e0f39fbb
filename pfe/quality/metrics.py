"""The main figures of each set, which DVC shows.

Example: `metrics({"arc_synth": quality})` is
    {"arc_synth": {"auc": 0.96, "nearest": 0.44, "repeated": 12.1, "overlap_gap": 2.3, "library_bound": 40.0}}

AUC and cosine range from 0 to 1; the others are percentages and points. `overlap_gap` is the number of points by which
the choices, with their word overlap, give the answer away more often than in the real set.
"""

from collections.abc import Iterator, Mapping

from pfe.quality.record import Quality
from pfe.scores.metrics import rounded

DECIMALS = 2  # of figures from 0 to 1


def metrics(qualities: Mapping[str, Quality]) -> dict[str, dict[str, float]]:
    """Return the content of metrics/corpus.json."""
    return {name: dict(_figures(quality)) for name, quality in qualities.items()}


def _figures(quality: Quality) -> Iterator[tuple[str, float]]:
    synthetic, real = quality.sides["synthetic"], quality.sides.get("real")
    if quality.auc:
        yield "auc", round(quality.auc.value, DECIMALS)
    yield "nearest", round(synthetic.nearest.value, DECIMALS)
    yield "repeated", rounded(synthetic.repeated.value)
    if real and real.choices and quality.matched.choices:
        yield "overlap_gap", rounded(quality.matched.choices.overlap.value - real.choices.overlap.value)
    if quality.bound:
        yield "library_bound", rounded(quality.bound.share.value)

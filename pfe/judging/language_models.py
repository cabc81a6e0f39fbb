"""Language models as competitors: benchmarks are the data sets, both arms and the relative lift the aspects.

Example: a model that answers 60 % of BoolQ bare and 70 % with the library in front competes on the data set
"boolq" with canonical 60, icr 70 and relative_lift 25, each with its 95 % interval.

To qualify, a model must be above chance: the lower end of its average over benchmarks, in the arm where that is
higher, less what guessing is expected to give on the same benchmarks. A model may know nothing without a library.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

OVERALL = "all benchmarks"
Figures = Mapping[str, Mapping[str, Any]]  # by benchmark, or by arm where they are averages


def model_runs(metrics: Mapping[str, Mapping[str, Figures]], baseline: str) -> pd.DataFrame:
    """The table of runs that `judge` reads.

    Args:
        metrics: what metrics/canonical.json, icr.json, lift.json and pfe.json hold, under these four names.
        baseline: the name of guessing, which is zero above chance by definition.
    """
    rows = [row for model in metrics["canonical"] if model != baseline for row in _rows(model, metrics)]
    return pd.DataFrame([*rows, _row(baseline, OVERALL, "qualification") | {"r2": 0.0}])


def _rows(model: str, metrics: Mapping[str, Mapping[str, Figures]]) -> Iterator[dict[str, Any]]:
    canonical, icr, lift = (metrics[name][model] for name in ("canonical", "icr", "lift"))
    for benchmark in canonical:
        yield _row(model, benchmark, "synthetic") | {
            name + suffix: figure[key]
            for name, figure in (
                ("canonical", canonical[benchmark]),
                ("icr", icr[benchmark]),
                ("relative_lift", _relative(lift[benchmark])),
            )
            for key, suffix in (("value", ""), ("low", "_low"), ("high", "_high"))
        }
    lowest = max(metrics["pfe"][model][arm]["low"] for arm in ("canonical", "icr"))
    chance = sum(figure["chance"] for figure in canonical.values()) / len(canonical)
    yield _row(model, OVERALL, "qualification") | {"r2": (lowest - chance) / 100}


def _row(model: str, benchmark: str, track: str) -> dict[str, Any]:
    return {"track": track, "method": model, "dataset": benchmark, "repetition": 0, "status": "ok"}


def _relative(lift: Mapping[str, Any]) -> Mapping[str, Any]:
    """The relative lift; where nothing was left to gain, the plain one, which is then zero or less."""
    relative: Mapping[str, Any] | None = lift["relative"]
    return relative or lift

"""Tables of runs for the tests of the judge, and for timing it.

Example: `synthetic_table(100, 130, 10, seed=0)` has 130,000 rows, as many as a whole competition.
"""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from pydantic import TypeAdapter

from pfe.config import Rules
from tests.conftest import ROOT

PRESETS = ROOT / "conf" / "rules"


def preset(name: str = "srbench2022", **changes: Any) -> Rules:
    """The rules of a file in conf/rules, with some of them changed."""
    return rules_of(PRESETS / f"{name}.yaml", **changes)


def rules_of(path: Path, **changes: Any) -> Rules:
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    return TypeAdapter(Rules).validate_python({**values, **changes}, strict=False)


def synthetic_table(methods: int, datasets: int, repetitions: int, seed: int) -> pd.DataFrame:
    """Runs of methods that differ, a fiftieth of them failed; every third data set has no property."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(size=(methods, 1, 1))
    shape = (methods, datasets, repetitions)
    r2 = 1 - np.exp(-1 - skill / 2 + rng.normal(size=shape) / 2)
    count = np.rint(np.exp(3 + skill / 2 + rng.normal(size=shape) / 2)) + 1
    property_ = np.where(np.arange(datasets)[:, None] % 3 == 0, np.nan, rng.integers(0, 2, size=shape))
    failed = rng.random(shape) < 0.02
    keys = pd.DataFrame(product(range(methods), range(datasets), range(repetitions)), columns=["m", "d", "repetition"])
    return pd.DataFrame(
        {
            "track": "synthetic",
            "method": "m" + keys["m"].astype(str).str.zfill(3),
            "dataset": "d" + keys["d"].astype(str).str.zfill(3),
            "repetition": keys["repetition"],
            "status": np.where(failed, "crashed", "ok").ravel(),
            "r2": np.where(failed, np.nan, r2).ravel(),
            "model": "",
            "parsed": np.where(failed, np.nan, count).ravel(),
            "simplified": np.where(failed, np.nan, count).ravel(),
            "property": np.where(failed, np.nan, property_).ravel(),
        }
    )


def runs(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """A table of these rows; what they leave out is an ok run 0 of the synthetic track without a property."""
    usual = {"track": "synthetic", "repetition": 0, "status": "ok", "model": "", "property": np.nan}
    return pd.DataFrame([{**usual, **row} for row in rows])

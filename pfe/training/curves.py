"""The curves that training drew by DVCLive, a file of tab-separated values each.

Example: `read_curves()["validation/loss"]` is [(300, 2.91), (600, 2.4)]: steps, and the value there.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

CURVES = Path("data/training/plots/metrics")
Curves = Mapping[str, Sequence[tuple[int, float]]]  # step and value, by name


def read_curves(folder: Path = CURVES) -> Curves:
    """Every curve by its name; none where there is no such folder."""
    found = {}
    for path in sorted(folder.rglob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t")
            points = [(int(row["step"]), float(row[path.stem])) for row in rows]
        found[path.relative_to(folder).with_suffix("").as_posix()] = points
    return found

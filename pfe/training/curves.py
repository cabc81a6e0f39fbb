"""Training curves as DVCLive wrote them, one TSV file per curve.

Example: `read_curves()["validation/loss"]` is [(300, 2.91), (600, 2.4)]: pairs of step and value.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

CURVES = Path("data/training/plots/metrics")
Curves = Mapping[str, Sequence[tuple[int, float]]]  # step and value, by name


def read_curves(folder: Path = CURVES) -> Curves:
    """Return every curve by name; empty if the folder does not exist."""
    found = {}
    for path in sorted(folder.rglob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t")
            points = [(int(row["step"]), float(row[path.stem])) for row in rows]
        found[path.relative_to(folder).with_suffix("").as_posix()] = points
    return found

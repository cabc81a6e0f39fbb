"""One timed n-gram check: the full synthetic corpus against the canonical problems.

Prints `seconds;what` on its last line.
"""

import time
from pathlib import Path

from pfe import config, params
from pfe.canonical.sources import load
from pfe.config import Canonical
from pfe.firewall.tokens import overlaps
from pfe.tutors.generate import candidates

SHARED = Path("../shared/canonical")


def main() -> None:
    """Generate, load, and time the check alone."""
    import yaml

    settings = config.parse(yaml.safe_load(params.composed(["scale=full"])), "conf")
    source = Canonical("files", str(SHARED)) if SHARED.is_dir() else settings.canonical
    canonical = [p.text for name, how in settings.benchmark.items() for p in load(name, how, source)]
    synthetic = [p.text for name, n in settings.scale.targets.items() for p in candidates(name, n, settings.seed)]
    start = time.perf_counter()
    overlaps(synthetic, canonical, settings.firewall.n)
    kind = "real" if SHARED.is_dir() else "sample"
    print(f"{time.perf_counter() - start};{len(synthetic):,} synthetic × {len(canonical):,} {kind} problems")


if __name__ == "__main__":
    main()

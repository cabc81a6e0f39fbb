"""Load the canonical benchmarks from the configured source and seal them.

Reads: the source (data/sample and data/fncall, a folder, or the hub)
Writes: data/canonical/<benchmark>.parquet, data/canonical/SEAL.json

    dvc repro canonical
    dvc exp run -S canonical=files -S canonical.path=../shared/canonical
"""

from pfe import config
from pfe.canonical.seal import write_sealed
from pfe.canonical.sources import load
from pfe.stage import told


@told
def main() -> None:
    settings = config.load()
    benchmarks = {name: load(name, benchmark, settings.canonical) for name, benchmark in settings.benchmark.items()}
    seals = write_sealed(benchmarks, settings.benchmark, settings.canonical)
    for name, seal in seals.items():
        print(f"{name:<14} {seal.rows:>6,} problems sealed  {seal.sha256[:16]}  from {seal.source}")


if __name__ == "__main__":
    main()

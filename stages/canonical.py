"""Load the canonical benchmarks from the configured source and seal them.

Reads: the source (data/sample and data/fncall, a folder, or the hub)
Writes: data/canonical/<benchmark>.parquet, data/canonical/SEAL.json; and in data/shots, if the arm
    `reference` is chosen, the same for the solved problems that it shows

    dvc repro canonical
    dvc exp run -S canonical=files -S canonical.path=../shared/canonical
    dvc exp run -S 'evaluate.arms=[canonical,icr,placebo,reference]'
"""

from pfe import config
from pfe.canonical.seal import FOLDER, SHOTS, write_sealed
from pfe.canonical.sources import POOL, load, load_shots
from pfe.files import replacing_together
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    benchmarks = {name: load(name, benchmark, settings.canonical) for name, benchmark in settings.benchmark.items()}
    with_shots = settings.benchmark if "reference" in settings.evaluate.arms else {}
    pools = {name: load_shots(name, benchmark, settings.canonical, POOL) for name, benchmark in with_shots.items()}
    shots = {name: problems for name, problems in pools.items() if problems}
    with replacing_together(FOLDER, SHOTS) as (sealed, solved):
        seals = write_sealed(benchmarks, settings.benchmark, settings.canonical, sealed)
        write_sealed(shots, settings.benchmark, settings.canonical, solved)
    for name, seal in seals.items():
        beside = f"  and {len(shots[name])} solved ones of {with_shots[name].shots_split}" if name in shots else ""
        print(f"{name:<14} {seal.rows:>6,} problems sealed  {seal.sha256[:16]}  from {seal.source}{beside}")


if __name__ == "__main__":
    run(main)

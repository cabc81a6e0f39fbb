"""Write candidates for every synthetic set.

Reads: nothing but the procedural families (pfe/tutors)
Writes: data/candidates/<set>.parquet

    dvc repro generate
    dvc exp run -S scale=full
"""

from pathlib import Path

from pfe import config
from pfe.files import replacing_folder
from pfe.problem import Problem
from pfe.stage import reports_mistakes, run
from pfe.tutors.generate import candidates


@reports_mistakes
def main() -> None:
    settings = config.load()
    with replacing_folder(Path("data/candidates")) as folder:
        for name, target in settings.scale.targets.items():
            count = round(target * (1 + settings.scale.margin))
            problems = candidates(name, count, settings.seed, settings.corpus.library_bound)
            Problem.write(problems, folder / f"{name}.parquet")
            print(f"{name:<18} {len(problems):>6,} candidates for a target of {target:,}", flush=True)


if __name__ == "__main__":
    run(main)

"""Generate candidates for every synthetic set: those that tutors write, filled up with problems of the families.

Reads: nothing but the tutors (conf/tutor, pfe/tutors)
Writes: data/candidates/<set>.parquet, data/refused.jsonl

    dvc repro generate
    dvc exp run -S scale=full
    dvc exp run -S 'tutor=[derive,verify,replay,read,eliminate]'    # and those that write
"""

import json
from dataclasses import asdict
from pathlib import Path

from pfe import config
from pfe.files import replacing_together, write_text
from pfe.problem import Problem
from pfe.stage import reports_mistakes, run
from pfe.tutors.generate import filled
from pfe.tutors.writing.results import Refusal
from pfe.tutors.writing.writers import commissioned, written


@reports_mistakes
def main() -> None:
    settings = config.load()
    writers = commissioned(settings.tutor, settings.seed)
    refusals: list[Refusal] = []
    with replacing_together(Path("data/candidates"), Path("data/refused.jsonl")) as (folder, refused):
        for name, target in settings.scale.targets.items():
            count = round(target * (1 + settings.scale.margin))
            work = written(writers, settings.tutor, name, settings.seed)
            shares = (settings.corpus.library_bound, settings.corpus.lookup)
            problems = filled(work.problems, name, count, settings.seed, *shares)
            Problem.write(problems, folder / f"{name}.parquet")
            refusals += work.refusals
            by_tutors = f", {len(work.problems):,} of them by tutors that write" if work.problems else ""
            print(f"{name:<18} {len(problems):>6,} candidates for a target of {target:,}{by_tutors}", flush=True)
        write_text(refused, "".join(f"{json.dumps(asdict(refusal), ensure_ascii=False)}\n" for refusal in refusals))


if __name__ == "__main__":
    run(main)

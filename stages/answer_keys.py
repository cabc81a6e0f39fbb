"""Collect the tutors' answers to every accepted problem.

Reads: data/synthetic
Writes: data/answer_keys/<set>.parquet, metrics/answer_keys.json

    dvc repro answer_keys
    dvc exp run -S 'tutor=[derive,verify,replay,read,eliminate]'
"""

from pathlib import Path

from tqdm import tqdm

from pfe import config
from pfe.files import replacing_together, write_json
from pfe.problem import AnswerKey, Problem
from pfe.stage import run, told
from pfe.tutors.keys import agreement, answered, answerer


@told
def main() -> None:
    settings = config.load()
    tutors = {name: answerer(name, tutor) for name, tutor in settings.tutor.items()}
    metrics = {}
    with replacing_together(Path("data/answer_keys"), Path("metrics/answer_keys.json")) as (folder, measured):
        for name in settings.scale.targets:
            problems = Problem.read(Path("data/synthetic") / f"{name}.parquet")
            with tqdm(total=len(problems) * len(tutors), desc=name, unit="key", leave=False) as bar:
                results = answered(problems, tutors, bar.update)
            keys = [key for result in results if result.agreed for key in result.keys]
            AnswerKey.write(keys, folder / f"{name}.parquet")
            metrics[name] = agreement(results, list(tutors))
            print(
                f"{name:<18} {metrics[name]['used']:>6,} of {len(problems):,} problems: all {len(tutors)} tutors agree"
            )
        write_json(measured, metrics)


if __name__ == "__main__":
    run(main)

"""Collect the tutors' answers to every accepted problem, and write the answer keys of problems with a known answer.

Reads: data/synthetic
Writes: data/answer_keys/<set>.parquet, data/answer_keys/agreement.json

    dvc repro answer_keys
    dvc exp run -S 'tutor=[derive,verify,replay,read,eliminate]'
    dvc exp run -S 'tutor=[derive,gpt4o]' -S answer_keys.unread=refuse    # with a tutor that reads
"""

from pathlib import Path

from pfe import config
from pfe.files import replacing_folder, write_record
from pfe.problem import AnswerKey, Problem
from pfe.progress import progress
from pfe.stage import reports_mistakes, run
from pfe.tutors.agreement import Agreement
from pfe.tutors.keys import agreement, answerers, keyed_problems


@reports_mistakes
def main() -> None:
    settings = config.load()
    rules = settings.answer_keys
    tutors = answerers(settings.tutor, rules)
    agreements: dict[str, Agreement] = {}
    with replacing_folder(Path("data/answer_keys")) as folder:
        for name in settings.scale.targets:
            problems = Problem.read(Path("data/synthetic") / f"{name}.parquet")
            with progress(len(problems) * len(tutors), name, "key") as done:
                results = keyed_problems(problems, tutors, done)
            keys = [key for result in results if result.is_used(rules) for key in result.keys]
            AnswerKey.write(keys, folder / f"{name}.parquet")
            agreements[name] = agreement(results, list(tutors), rules)
            print(f"{name:<18} {agreements[name].used:>6,} of {len(problems):,} problems: {agreements[name].words}")
        write_record(folder / "agreement.json", agreements, dict[str, Agreement])


if __name__ == "__main__":
    run(main)

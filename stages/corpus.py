"""Make the training corpus of accepted problems, answer keys and ICR contexts.

Reads: data/synthetic, data/answer_keys, pfe/icr/libraries
Writes: data/corpus (a Hugging Face `datasets` folder)

    dvc repro corpus
    dvc exp run -S corpus.icr_share=0.5
"""

from dataclasses import asdict
from pathlib import Path

import datasets

from pfe import config
from pfe.errors import UserError
from pfe.files import replacing_folder
from pfe.problem import AnswerKey, Problem
from pfe.stage import reports_mistakes, run
from pfe.training.corpus import Lesson, benchmark_by_domain, lessons


@reports_mistakes
def main() -> None:
    settings = config.load()
    benchmarks = benchmark_by_domain(settings.benchmark)
    rows: list[Lesson] = []
    for name in settings.scale.targets:
        keys: dict[str, list[AnswerKey]] = {}
        for key in AnswerKey.read(Path("data/answer_keys") / f"{name}.parquet"):
            keys.setdefault(key.problem_id, []).append(key)
        problems = Problem.read(Path("data/synthetic") / f"{name}.parquet")
        agreed = [problem for problem in problems if problem.id in keys]
        new_rows = [
            lesson
            for problem in agreed
            for lesson in lessons(problem, keys[problem.id], benchmarks, settings.corpus.icr_share, settings.seed)
        ]
        rows += new_rows
        print(f"{name:<18} {len(new_rows):>6,} lessons from {len(agreed):,} problems")
    if not rows:
        raise UserError("no problem has agreed answer keys; see data/firewall.json and data/answer_keys/agreement.json")
    with replacing_folder(Path("data/corpus")) as folder:
        datasets.Dataset.from_list([asdict(row) for row in rows]).save_to_disk(folder)


if __name__ == "__main__":
    run(main)

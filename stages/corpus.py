"""Make the training corpus of accepted problems, answer keys and libraries: rows of one library and what is behind it.

Reads: data/synthetic, data/answer_keys, pfe/icr/libraries
Writes: data/corpus (a Hugging Face `datasets` folder)

    dvc repro corpus
    dvc exp run -S corpus.icr_share=0.5 -S corpus.changed=1.0
"""

from dataclasses import asdict
from pathlib import Path

import datasets

from pfe import config
from pfe.errors import UserError
from pfe.files import replacing_folder
from pfe.problem import AnswerKey, Problem
from pfe.stage import reports_mistakes, run
from pfe.training.corpus import Teacher, benchmark_by_domain, rows
from pfe.training.rows import CorpusRow, characters


@reports_mistakes
def main() -> None:
    settings = config.load()
    teacher = Teacher(benchmark_by_domain(settings.benchmark), settings.corpus, settings.seed)
    made: list[CorpusRow] = []
    for name in settings.scale.targets:
        keys: dict[str, list[AnswerKey]] = {}
        for key in AnswerKey.read(Path("data/answer_keys") / f"{name}.parquet"):
            keys.setdefault(key.problem_id, []).append(key)
        problems = Problem.read(Path("data/synthetic") / f"{name}.parquet")
        agreed = [problem for problem in problems if problem.id in keys]
        lessons = [lesson for problem in agreed for lesson in teacher.lessons(problem, keys[problem.id])]
        made += rows(lessons, settings.corpus.per_library)
        print(f"{name:<18} {len(lessons):>6,} lessons from {len(agreed):,} problems")
    if not made:
        raise UserError("no problem has agreed answer keys; see data/firewall.json and data/answer_keys/agreement.json")
    counts = characters(made)
    shares = ", ".join(f"{name} {100 * count / sum(counts.values()):.0f} %" for name, count in counts.items())
    print(f"{len(made):,} rows; characters: {shares}")
    with replacing_folder(Path("data/corpus")) as folder:
        datasets.Dataset.from_list([asdict(row) for row in made]).save_to_disk(folder)


if __name__ == "__main__":
    run(main)

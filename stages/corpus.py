"""Build the training corpus from accepted problems, answer keys and libraries: rows of lessons that share a library.

Reads: data/synthetic, data/answer_keys, pfe/icr/libraries
Writes: data/corpus (a Hugging Face `datasets` folder), data/validation (problems held out to measure training)

    dvc repro corpus
    dvc exp run -S corpus.icr_share=0.5 -S corpus.changed=1.0
    dvc exp run -S corpus.validation.problems=80
"""

from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import datasets

from pfe import config
from pfe.errors import UserError
from pfe.files import replacing_together
from pfe.problem import AnswerKey, Problem
from pfe.stage import reports_mistakes, run
from pfe.training.corpus import Teacher, benchmark_by_domain, rows
from pfe.training.rows import CorpusRow, characters
from pfe.training.split import HeldOut, SetParts, hold_out, write_held_out


@reports_mistakes
def main() -> None:
    datasets.disable_progress_bars()
    settings = config.load()
    teacher = Teacher(benchmark_by_domain(settings.benchmark), settings.corpus, settings.seed)
    made: list[CorpusRow] = []
    parts: dict[str, SetParts] = {}
    files: dict[str, str] = {}
    for name in settings.scale.targets:
        keys: dict[str, list[AnswerKey]] = {}
        for key in AnswerKey.read(Path("data/answer_keys") / f"{name}.parquet"):
            keys.setdefault(key.problem_id, []).append(key)
        accepted = Path("data/synthetic") / f"{name}.parquet"
        agreed = [problem for problem in Problem.read(accepted) if problem.id in keys]
        files[accepted.name] = sha256(accepted.read_bytes()).hexdigest()
        part = parts[name] = hold_out(agreed, settings.corpus.validation, settings.seed)
        read = [problem for problem in part.training if teacher.teaches(problem)]
        lessons = teacher.lessons(read, keys)
        made += rows(lessons, settings.corpus.per_library)
        print(
            f"{name:<18} {len(lessons):>6,} lessons from {len(read):,} of {len(agreed):,} problems, "
            f"{len(part.worlds) + len(part.families):,} for validation"
        )
    if not made:
        raise UserError("no problem has agreed answer keys; see data/firewall.json and data/answer_keys/agreement.json")
    counts = characters(made)
    shares = ", ".join(f"{name} {100 * count / sum(counts.values()):.0f} %" for name, count in counts.items())
    print(f"{len(made):,} rows; characters: {shares}")
    held_out = HeldOut(
        worlds={name: part.worlds for name, part in parts.items()},
        families={name: part.families for name, part in parts.items()},
        left_out=tuple(f"{name}/{family}" for name, part in parts.items() for family in part.left_out),
        benchmarks=teacher.benchmarks,
        files=files,
    )
    with replacing_together(Path("data/corpus"), Path("data/validation")) as (corpus, validation):
        datasets.Dataset.from_list([asdict(row) for row in made]).save_to_disk(corpus)
        write_held_out(validation, held_out)


if __name__ == "__main__":
    run(main)

"""Train the student on the corpus and by the tutors with token probabilities; save its initial model as the base.

Reads: data/corpus, data/validation, data/ensemble.json and the tutors that it names below data/models/tutors
Writes: data/models/base, data/models/student, data/training (curves by DVCLive, figures.json, taught.json),
    metrics/train.json

    dvc repro train
    dvc exp run -S student.tokens=100000 && dvc plots diff
    dvc exp run -S student=scratch -S 'embedded=[wide,deep]' -S student.gkd.steps=200

If it is killed, run it again: it resumes from its last checkpoint, below data/checkpoints.tmp.
"""

from dataclasses import asdict, replace
from pathlib import Path

from dvclive import Live

from pfe import config
from pfe.files import read_record, write_json, write_record, write_text
from pfe.fingerprint import fingerprint
from pfe.stage import reports_mistakes, run
from pfe.training.card import StudentCard, student_card
from pfe.training.checkpoints import resumable, run_name
from pfe.training.distillation import ADAPTER, train
from pfe.training.embedded import Teaching
from pfe.training.files import corpus_sha256, read_corpus
from pfe.training.gkd import distilled
from pfe.training.hub import beginning, on_this_machine, save_trained
from pfe.training.processes import is_first, outputs
from pfe.training.split import read_held_out
from pfe.training.student import save, weights_sha256
from pfe.training.teachers import TeacherRecord, lessons_by_tutor
from pfe.training.validation import Validator

OUTPUTS = (
    Path("data/models/base"), Path("data/models/student"), Path("data/training"), Path("metrics/train.json"),
)  # fmt: skip
CHECKPOINTS = Path("data/checkpoints.tmp")


@reports_mistakes
def main() -> None:
    settings = config.load()
    student, seed = on_this_machine(settings.student), settings.seed
    corpus = read_corpus(Path("data/corpus"))
    held_out = read_held_out(Path("data/validation"))
    teaching = read_record(Path("data/ensemble.json"), Teaching)
    model, tokenizer = beginning(student, corpus, seed)
    validator = Validator(tokenizer, held_out, student.context, seed)
    code, rows = fingerprint("stages.train"), corpus_sha256(corpus)
    name = run_name(
        str(code), repr(student), str(seed), rows, repr(held_out), repr(teaching.files), repr(teaching.weights),
        weights_sha256(model),
    )  # fmt: skip
    with resumable(CHECKPOINTS, name) as checkpoints, outputs(*OUTPUTS) as (base, trained, curves, metrics):
        if is_first():
            save(model, tokenizer, base)
        with Live(dir=str(curves), dvcyaml=None, report=None, save_dvc_exp=False, resume=False) as live:
            training = train(model, tokenizer, corpus, student, seed, validator, live, checkpoints)
            distillation = distilled(
                model, tokenizer, corpus, teaching, student, seed, live, checkpoints / "distillation"
            )
        if is_first():
            training = replace(training, validation=validator(model))
            taught = TeacherRecord(lessons_by_tutor(corpus), teaching, distillation)
            save_trained(model, tokenizer, checkpoints / ADAPTER, trained)
            card = StudentCard(rows, held_out.files, code.code, code.versions, asdict(student), seed, training, taught)
            write_text(trained / "README.md", student_card(card))
            write_record(curves / "figures.json", training)
            write_record(curves / "taught.json", taught)
            write_json(metrics, training.metrics())
            print(
                f"{training.parameters:,} parameters, {training.lessons:,} lessons, {training.steps:,} steps: "
                f"loss {training.first_loss:.2f} → {training.loss:.2f} nats per token"
            )
            print("\n".join(taught.lines()))


if __name__ == "__main__":
    run(main)

"""Train the student on the corpus; keep its random beginning as the base.

Reads: data/corpus
Writes: data/models/base, data/models/student, data/training (curves by DVCLive, figures.json), metrics/train.json

    dvc repro train
    dvc exp run -S student.epochs=2 && dvc plots diff
"""

from pathlib import Path

from pfe import config
from pfe.files import replacing_together, write_json, write_record
from pfe.stage import reports_mistakes, run
from pfe.training.distillation import train
from pfe.training.files import distinct_texts, read_corpus
from pfe.training.student import new_student, new_tokenizer, save

OUTPUTS = (
    Path("data/models/base"), Path("data/models/student"), Path("data/training"), Path("metrics/train.json"),
)  # fmt: skip


@reports_mistakes
def main() -> None:
    settings = config.load()
    corpus = read_corpus(Path("data/corpus"))
    tokenizer = new_tokenizer(distinct_texts(corpus), settings.student.vocabulary, settings.student.context)
    model = new_student(tokenizer, settings.student, settings.seed)
    with replacing_together(*OUTPUTS) as (base, student, curves, metrics):
        save(model, tokenizer, base)
        training = train(model, tokenizer, corpus, settings.student, settings.seed, curves)
        save(model, tokenizer, student)
        write_record(curves / "figures.json", training)
        write_json(metrics, training.metrics())
    print(
        f"{training.parameters:,} parameters, {training.lessons:,} lessons, {training.steps:,} steps: "
        f"loss {training.first_loss:.2f} → {training.loss:.2f} nats per token"
    )


if __name__ == "__main__":
    run(main)

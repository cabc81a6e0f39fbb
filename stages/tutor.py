"""Train one embedded tutor, a language model that will teach the student.

Reads: data/corpus, data/validation
Writes: data/models/tutors/<name>, with curves by DVCLive and figures.json in training/

    dvc exp run -S student=scratch -S 'embedded=[wide]' -S student.gkd.steps=200
    dvc exp run -S student=scratch -S 'embedded=[wide]' -S student.gkd.steps=200 tutor@wide

If it is killed, run it again: it resumes from its last checkpoint, below data/checkpoints.<name>.tmp.
"""

from dataclasses import replace
from pathlib import Path

from dvclive import Live

from pfe import config
from pfe.files import replacing_folder, write_record
from pfe.fingerprint import fingerprint
from pfe.stage import reports_mistakes, run
from pfe.training.checkpoints import resumable, run_name
from pfe.training.distillation import train
from pfe.training.embedded import own_seed, reading, recipe
from pfe.training.files import corpus_sha256, read_corpus
from pfe.training.hub import beginning, on_this_machine
from pfe.training.split import read_held_out
from pfe.training.student import save, weights_sha256
from pfe.training.validation import Validator


@reports_mistakes
def main(name: str) -> None:
    settings = config.load()
    tutor = config.chosen(name, settings.embedded, "embedded tutor")
    made, seed = on_this_machine(recipe(tutor, settings.student)), own_seed(tutor, settings.seed)
    corpus = read_corpus(Path("data/corpus"))
    held_out = read_held_out(Path("data/validation"))
    model, tokenizer = beginning(made, corpus, seed)
    validator = Validator(tokenizer, held_out, made.context, settings.seed)
    rows = reading(corpus, tutor, settings.seed)
    code = str(fingerprint("stages.tutor"))
    decides = run_name(code, repr(made), str(seed), corpus_sha256(rows), repr(held_out), weights_sha256(model))
    folder, checkpoints = Path(config.TUTORS) / name, Path(f"data/checkpoints.{name}.tmp")
    with resumable(checkpoints, decides) as kept, replacing_folder(folder) as trained:
        with Live(dir=str(trained / "training"), dvcyaml=None, report=None, save_dvc_exp=False, resume=False) as live:
            training = train(model, tokenizer, rows, made, seed, validator, live, kept)
        training = replace(training, validation=validator(model))
        save(model, tokenizer, trained)
        write_record(trained / "training/figures.json", training)
    print(
        f"{name}: {training.parameters:,} parameters, {training.lessons:,} lessons, {training.steps:,} steps: "
        f"loss {training.first_loss:.2f} → {training.loss:.2f} nats per token"
    )


if __name__ == "__main__":
    run(main, "name")

"""Ask the models with weights in data/models, trained ones and the initial student, about the held-out families.

Reads: data/validation (the ladder's held-out families, and the benchmarks that ask), data/models
Writes: data/lookups.json, metrics/lookups.json (the student alone: in a comparison the reference is always the same)

    dvc repro lookups
    dvc exp run lookups -S student.tokens=100000 && dvc metrics diff
"""

from pathlib import Path

from pfe import config
from pfe.files import replacing_together, write_json, write_record
from pfe.models.huggingface import examinee
from pfe.report.cells import with_interval
from pfe.stage import reports_mistakes, run
from pfe.training.figures import LookUps
from pfe.training.held_out_ladder import held_out_problems, measured
from pfe.training.split import read_held_out
from pfe.training.trained_models import trained_here

OUTPUTS = Path("data/lookups.json"), Path("metrics/lookups.json")


@reports_mistakes
def main() -> None:
    settings = config.load()
    held_out = read_held_out(Path("data/validation"))
    problems = held_out_problems(held_out.left_out, settings.seed)
    made: dict[str, LookUps] = {}
    for name in trained_here(settings.models):
        model = examinee(name, settings.models[name], settings.seed)
        use = measured(model, problems, held_out.benchmarks, settings.seed)
        if use:
            made[name] = use
            lift = with_interval(use.whole.lift, "+")
            print(f"{name:<10} {use.whole.n:,} single-hop retrieval problems: lift {lift} points", flush=True)
    with replacing_together(*OUTPUTS) as (figures, metrics):
        write_record(figures, made, dict[str, LookUps])
        write_json(metrics, {name: use.metrics() for name, use in made.items() if name == "student"})


if __name__ == "__main__":
    run(main)

"""Export of a run to Weights & Biases through its own logger, which reads WANDB_MODE, WANDB_DIR and the API key.

Example: `track(run, "pfe")` logs a run with the model's label, `arc_easy/lift` and `arc_easy/lift.low` in its summary.
"""

import wandb

from pfe.export.run import Run
from pfe.export.tracking import ANSWERS, FIGURES, answers, curves, figures, parameters

ERRORS = (wandb.Error,)
HERE = "WANDB_MODE=offline keeps the run in this folder"


def track(run: Run, project: str) -> str:
    """Log the run, and return its URL or folder."""
    with wandb.init(project=project, name=run.label, config=parameters(run), job_type="pfe") as tracked:
        for step, values in curves(run):
            tracked.log(values, step=step)
        known = figures(run)
        for name, figure in known.items():
            tracked.summary[name] = figure["value"]
            tracked.summary.update({f"{name}.{part}": figure[part] for part in FIGURES[1:]})
        rows = [[name, *(figure[part] for part in FIGURES)] for name, figure in known.items()]
        tables = {"figures": wandb.Table(["figure", *FIGURES], rows)}
        tables |= {f"answers/{name}": wandb.Table(list(ANSWERS), answers(run, name)) for name in run.answers}
        tracked.log(tables)
        return tracked.url or tracked.dir

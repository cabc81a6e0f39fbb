"""Export of a run to MLflow through its own logger; MLFLOW_TRACKING_URI sets the destination.

Example: `track(run, "pfe")` logs a run with the model's label to the experiment `pfe`, with metrics `arc_easy/lift`,
`arc_easy/lift.low`, … and tables of figures and answers.
"""

import mlflow
import pandas as pd

from pfe.export.run import Run
from pfe.export.tracking import ANSWERS, FIGURES, answers, curves, figures, parameters

ERRORS = (mlflow.MlflowException,)
HERE = "MLFLOW_TRACKING_URI=sqlite:///mlflow.db keeps the run in this folder"


def track(run: Run, project: str) -> str:
    """Log the run, and return its tracking URI and run id."""
    mlflow.set_experiment(project)
    with mlflow.start_run(run_name=run.label) as tracked:
        mlflow.log_params(parameters(run))
        for step, values in curves(run):
            mlflow.log_metrics(values, step=step)
        known = figures(run)
        mlflow.log_metrics({name: figure["value"] for name, figure in known.items()})
        mlflow.log_metrics({f"{name}.{part}": figure[part] for name, figure in known.items() for part in FIGURES[1:]})
        table = pd.DataFrame([[name, *(figure[part] for part in FIGURES)] for name, figure in known.items()])
        mlflow.log_table(table.set_axis(["figure", *FIGURES], axis=1), "figures.json")
        for name in run.answers:
            mlflow.log_table(pd.DataFrame(answers(run, name), columns=list(ANSWERS)), f"answers/{name}.json")
        return f"{mlflow.get_tracking_uri()}, run {tracked.info.run_id}"

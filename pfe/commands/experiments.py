"""Show experiments side by side: the parameters that each changed, PFE-Canonical, -ICR and -Lift, accepted, verdict.

    pfe experiments                 # those that began from the last commit
    pfe experiments --commits 5     # from the last five
    pfe experiments --model base    # the figures of another model than the student

`dvc exp show` has every parameter, `dvc metrics diff HEAD <experiment>` every metric of one experiment.
"""

from typing import Annotated

import typer


def main(
    commits: Annotated[int, typer.Option(min=1, help="how many commits back")] = 1,
    model: Annotated[str, typer.Option(help="whose figures are shown")] = "student",
) -> None:
    """Print the table."""
    from pfe.errors import UserError
    from pfe.extras import need
    from pfe.report.experiments import experiments, table
    from pfe.terminal import plain

    need("pfe experiments", "dvc")
    from dvc.exceptions import DvcException
    from dvc.repo import Repo

    try:
        with Repo() as repo:
            states = repo.experiments.show(num=commits)
    except DvcException as error:
        raise UserError(f"{error}; run it in the folder of an experiment, which is a repository of git") from None
    print(plain(table(experiments(states), model)))

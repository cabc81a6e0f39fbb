"""Show what a model answered: the problems of a benchmark with what the library did to them, or one in every arm.

    pfe show student arc_easy --fixed                 # which problems ICR alone got right
    pfe show student arc_easy sample_arc_easy_001     # one of them: prompts and answers, arm by arm
    pfe show student gsm1k 12 --arm icr --full        # with the library in its prompt
    pfe show student gsm1k --broken --json            # everything, a line a problem
    pfe show pfe-eval-mine arc_easy                   # of a folder that `pfe eval` wrote

On a terminal it comes in a pager, arms beside each other where there is room; in a pipe below each other and plain.
A model is one of the experiment we are in, after `dvc repro score`, or the folder of an examination.
"""

from typing import Annotated

import typer


def main(
    model: Annotated[str, typer.Argument(help="a model of the experiment, or a folder that pfe eval wrote")],
    benchmark: Annotated[str, typer.Argument(help="a benchmark it was examined on")],
    id: Annotated[str, typer.Argument(help="a problem; without, they are listed")] = "",
    fixed: Annotated[bool, typer.Option("--fixed", help="those that ICR alone got right")] = False,
    broken: Annotated[bool, typer.Option("--broken", help="those that canonical alone got right")] = False,
    both: Annotated[bool, typer.Option("--both", help="those right in both arms")] = False,
    neither: Annotated[bool, typer.Option("--neither", help="those right in neither")] = False,
    arm: Annotated[list[str] | None, typer.Option(help="this arm alone; may be given again")] = None,
    full: Annotated[bool, typer.Option("--full", help="prompts with their libraries")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="everything, a line of JSON a problem")] = False,
) -> None:
    """Print the list, or the problem with its arms side by side."""
    import json
    import sys

    from pfe.errors import UserError
    from pfe.examined import Examined
    from pfe.problem import ScoredPrediction
    from pfe.report.show import Page, arm_answers, figures, listing
    from pfe.scores.outcomes import outcomes
    from pfe.terminal import paged, plain

    examined = Examined.find(model, [benchmark])
    rows = ScoredPrediction.read(examined.files[benchmark])
    outcome_of = outcomes(rows)
    kinds = {key for key, wish in {"fixed": fixed, "broken": broken, "both": both, "neither": neither}.items() if wish}
    ids = [key for key in dict.fromkeys(row.problem_id for row in rows) if not kinds or outcome_of.get(key) in kinds]
    if id:
        whole = id if id in ids else f"{benchmark}/{id}"  # links of the page leave the benchmark out
        if whole not in ids:
            raise UserError(f"{id}: not among these {len(ids):,} problems; `pfe show {model} {benchmark}` lists all")
        ids = [whole]
    asked = dict.fromkeys(row.arm for row in rows)
    if unasked := [name for name in arm or () if name not in asked]:
        raise UserError(f"--arm: {model} was not asked in {', '.join(unasked)}; it was in {', '.join(asked)}")
    if not ids:
        print(f"no problem is {' or '.join(sorted(kinds))}; without that, all are listed", file=sys.stderr)
        return
    rows = [row for row in rows if row.arm in (arm or asked) and row.problem_id in set(ids)]
    if not (id or as_json):
        paged(plain("\n".join(listing(rows, outcome_of, arm or ("canonical", "icr")))))
        return
    answers: dict[str, list[ScoredPrediction]] = {}
    for row in rows:
        answers.setdefault(row.problem_id, []).append(row)
    every, shots = examined.asked(benchmark)
    problems = {problem.id: problem for problem in every}
    for key in ids:
        shown_answers = arm_answers(problems[key], answers[key], examined.settings, shots, examined.entries)
        if as_json:
            print(json.dumps(figures(problems[key], shown_answers, outcome_of.get(key, ""))))
        else:
            paged(Page(problems[key], shown_answers, outcome_of.get(key, ""), full))

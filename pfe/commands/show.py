"""Show a model's answers: a benchmark's problems and what the library changed, or one problem in every arm.

    pfe show student arc_easy --fixed                 # problems that are correct with the library only
    pfe show student arc_easy sample_arc_easy_001     # one problem: prompts and answers by arm
    pfe show student gsm1k 12 --arm icr --full        # with the library in the prompt
    pfe show student gsm1k --broken --json            # everything, one line per problem
    pfe show pfe-eval-mine arc_easy                   # from a folder that `pfe eval` wrote

On a terminal the output opens in a pager, with arms side by side if they fit; in a pipe it is plain text. A model is
one of the current experiment, after `dvc repro score`, or a folder that `pfe eval` wrote.
"""

from typing import Annotated

import typer


def main(
    model: Annotated[str, typer.Argument(help="a model of the experiment, or a folder that pfe eval wrote")],
    benchmark: Annotated[str, typer.Argument(help="a benchmark that it was evaluated on")],
    id: Annotated[str, typer.Argument(help="a problem (default: list all)")] = "",
    fixed: Annotated[bool, typer.Option("--fixed", help="only problems correct with the library only")] = False,
    broken: Annotated[bool, typer.Option("--broken", help="only problems correct zero-shot only")] = False,
    both: Annotated[bool, typer.Option("--both", help="only problems correct in both arms")] = False,
    neither: Annotated[bool, typer.Option("--neither", help="only problems correct in neither arm")] = False,
    arm: Annotated[list[str] | None, typer.Option(help="only this arm; repeatable")] = None,
    full: Annotated[bool, typer.Option("--full", help="show prompts with their libraries")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="everything, as one line of JSON per problem")] = False,
) -> None:
    """Print the list, or the problem with its arms side by side."""
    import json
    import sys

    from pfe.errors import UserError
    from pfe.problem import ScoredPrediction
    from pfe.report.show import Page, arm_answers, figures, listing
    from pfe.scored_answers import ScoredAnswers
    from pfe.scores.outcomes import outcomes
    from pfe.terminal import paged, plain

    examined = ScoredAnswers.find(model, [benchmark])
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

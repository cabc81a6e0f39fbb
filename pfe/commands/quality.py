"""Measure how well a synthetic set can be distinguished from the real benchmarks, and by which features.

    pfe quality gsm1k_synth                                     # compared with data/canonical
    pfe quality arc_synth --against ../shared/canonical         # with benchmarks in a folder
    pfe quality race_synth --count 5000 --seed 1 --against sample
    pfe quality boolq_synth --library-bound 0                   # only problems that need no library

The current families generate the problems. For the real side only aggregates are shown, no text. A folder
that has another name than a benchmark (gsm8k) is read too, if its rows have the format of a benchmark of the domain.
"""

from typing import Annotated

import typer


def main(
    set: Annotated[str, typer.Argument(help="a synthetic set, such as gsm1k_synth")],
    count: Annotated[int, typer.Option(min=1, help="problems to generate")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="random seed of the problems and of samples")] = 1,
    against: Annotated[
        str, typer.Option(metavar="FOLDER", help="the real problems: a sealed folder, one of benchmarks, or sample")
    ] = "data/canonical",
    library_bound: Annotated[
        float | None, typer.Option(min=0, max=1, help="share of problems that need a library (default: the corpus's)")
    ] = None,
    most: Annotated[int, typer.Option(min=2, help="maximum number of problems compared on each side")] = 2000,
) -> None:
    """Generate the problems, print every figure, and name the goals that are missed."""
    from pfe.params import settings_of
    from pfe.quality.measure import measure
    from pfe.quality.real_problems import real_side
    from pfe.report.quality import screen
    from pfe.terminal import plain
    from pfe.tutors.generate import candidates

    settings = settings_of()
    share = settings.corpus.library_bound if library_bound is None else library_bound
    problems = candidates(set, count, seed, share, settings.corpus.lookup)
    real = real_side(problems[0].domain, against, settings.benchmark)
    print(plain(screen(measure(set, problems, real, seed, most))))

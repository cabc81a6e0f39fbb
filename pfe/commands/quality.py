"""Measure a synthetic set as its families write it now: how far it can be told from the real benchmarks, and by what.

    pfe quality gsm1k_synth                                     # beside the sealed problems of data/canonical
    pfe quality arc_synth --against ../shared/canonical         # beside benchmarks in a folder, each a folder
    pfe quality race_synth --count 5000 --seed 1 --against sample
    pfe quality boolq_synth --library-bound 0                   # those that need no library, alone

Of the real side no text is shown, aggregates only. A folder of another name than a benchmark's (gsm8k) is read too
where its rows have the shape of a benchmark of the domain.
"""

from typing import Annotated

import typer


def main(
    set: Annotated[str, typer.Argument(help="a synthetic set, such as gsm1k_synth")],
    count: Annotated[int, typer.Option(min=1, help="problems that are written")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="of the problems, and of what is drawn among them")] = 1,
    against: Annotated[
        str, typer.Option(metavar="FOLDER", help="the real problems: a sealed folder, one of benchmarks, or sample")
    ] = "data/canonical",
    library_bound: Annotated[
        float | None, typer.Option(min=0, max=1, help="their share that needs a library; else that of the corpus")
    ] = None,
    most: Annotated[int, typer.Option(min=2, help="problems of a side that are compared, at most")] = 2000,
) -> None:
    """Write the problems, print every figure, and name the goals that are missed."""
    from pfe.params import settings_of
    from pfe.quality.measure import measure
    from pfe.quality.sides import real_side
    from pfe.report.quality import screen
    from pfe.terminal import plain
    from pfe.tutors.generate import candidates

    settings = settings_of()
    share = settings.corpus.library_bound if library_bound is None else library_bound
    problems = candidates(set, count, seed, share, settings.corpus.lookup)
    real = real_side(problems[0].domain, against, settings.benchmark)
    print(plain(screen(measure(set, problems, real, seed, most))))

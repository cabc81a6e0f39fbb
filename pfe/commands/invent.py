"""Write problems of the benchmark `invented` that are in no file yet, each with the library that it needs.

    pfe invent --seed 7 --out another.jsonl
    pfe invent --seed 7 --count 100 --out another.jsonl.gz
    dvc exp run -S benchmark.invented.path=another.jsonl

The thousand of seed 0 are the benchmark; those of any other seed are as hard, and as new.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    out: Annotated[Path, typer.Option(metavar="FILE", help="a new file: .jsonl or .jsonl.gz")],
    seed: Annotated[int, typer.Option(min=0, help="of the problems")] = 1,
    count: Annotated[int, typer.Option(min=5, help="how many: a multiple of 5, as many of each skill")] = 1000,
) -> None:
    """Draw the problems and write them, one a line."""
    from pfe.files import check_new
    from pfe.invented.making import invent, write_lines

    check_new(out, "--out")
    write_lines(invent(seed, count), out)
    print(f"{out}: {count:,} problems of seed {seed}")

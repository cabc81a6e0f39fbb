"""Write problems of the benchmark `invented` that are in no file yet, each with the library that it needs.

    pfe invent --seed 7 --out another.jsonl
    pfe invent --seed 7 --count 48 --rungs 256 --out longer.jsonl.gz
    dvc exp run -S benchmark.invented.path=another.jsonl

The thousand of seed 0 on the rungs 4, 16 and 64 are the benchmark; those of any other seed are as hard, and as new.
"""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer


def main(
    out: Annotated[Path, typer.Option(metavar="FILE", help="a new file: .jsonl or .jsonl.gz")],
    seed: Annotated[int, typer.Option(min=0, help="of the problems")] = 1,
    count: Annotated[int, typer.Option(min=1, help="how many, evenly of every skill, rung and kind of names")] = 1000,
    rungs: Annotated[
        str, typer.Option(metavar="N,N", help="statements in context: 4, 16, 64, 256, 1024, 4096")
    ] = "4,16,64",
) -> None:
    """Draw the problems and write them, one a line; print the file's SHA-256, which seals it."""
    from pfe.files import check_new
    from pfe.invented.making import invent, rungs_of, write_lines

    check_new(out, "--out")
    write_lines(invent(seed, count, rungs_of(rungs)), out)
    print(f"{out}: {count:,} problems of seed {seed}, rungs {rungs}; sha256 {sha256(out.read_bytes()).hexdigest()}")

"""Generate new problems of the benchmark `invented`, each with its library.

    pfe invent --seed 7 --out another.jsonl
    pfe invent --seed 7 --count 48 --rungs 256 --out longer.jsonl.gz
    dvc exp run -S benchmark.invented.path=another.jsonl

The benchmark is the thousand problems of seed 0 on the rungs 4, 16 and 64. Problems of other seeds are equally hard.
"""

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer


def main(
    out: Annotated[Path, typer.Option(metavar="FILE", help="a new file: .jsonl or .jsonl.gz")],
    seed: Annotated[int, typer.Option(min=0, help="random seed")] = 1,
    count: Annotated[
        int, typer.Option(min=1, help="number of problems, spread evenly over skills, rungs and kinds of names")
    ] = 1000,
    rungs: Annotated[
        str, typer.Option(metavar="N,N", help="statements in context: 4, 16, 64, 256, 1024, 4096")
    ] = "4,16,64",
) -> None:
    """Generate the problems and write them, one per line; print the file's SHA-256, which seals it."""
    from pfe.files import check_new
    from pfe.invented.making import invent, rungs_of, write_lines

    check_new(out, "--out")
    write_lines(invent(seed, count, rungs_of(rungs)), out)
    print(f"{out}: {count:,} problems of seed {seed}, rungs {rungs}; sha256 {sha256(out.read_bytes()).hexdigest()}")

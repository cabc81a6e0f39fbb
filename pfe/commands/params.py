"""Compose conf/ into params.yaml, or check that params.yaml is current.

    pfe params            # write
    pfe params --check    # exit status 1 if params.yaml is stale
    pfe params seed=1     # write with Hydra overrides

`dvc exp run` composes conf/ itself; plain `dvc repro` reads params.yaml as it is.
"""

import sys
from typing import Annotated

import typer


def main(
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY=VALUE]…", help="Hydra overrides, as for -S")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="only compare")] = False,
) -> bool:
    """Write params.yaml, or check it; return whether it equals what conf/ composes to."""
    from pfe.config import CONF, PARAMS
    from pfe.files import write_text
    from pfe.params import written

    text = written(overrides or [])
    if not check:
        write_text(PARAMS, text)
    elif not PARAMS.exists() or PARAMS.read_bytes() != text.encode():
        print(
            f"pfe: {PARAMS} is not what {CONF}/ composes to; run `pfe params` to write it "
            "(an applied experiment: keep its values in conf/)",
            file=sys.stderr,
        )
        return False
    return True

"""Pack a trained student for distribution: weights in 16 bits, with their provenance.

    pfe pack --out packed                      # of the current experiment
    pfe pack ../other --out packed             # of another checkout whose stage `train` has run
    pfe eval packed --benchmark arc_easy

The folder is in Hugging Face's format, with a model card, the firewall's certificate, the parameters, the code
fingerprint, the seed and the training curves. The packed weights are evaluated again on the held-out problems, so
every figure on the card is theirs.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="a new folder")],
    root: Annotated[
        Path, typer.Argument(metavar="CHECKOUT", help="a checkout where `train` has run (default: here)")
    ] = Path(),
    most: Annotated[float, typer.Option(min=0, help="maximum size of the weights in MB")] = 10.0,
) -> None:
    """Pack the student, and print the result."""
    from pfe.errors import UserError
    from pfe.files import new_folder
    from pfe.training.packing import pack

    if not (root / "data/models/student").is_dir() or not (root / "dvc.lock").is_file():
        raise UserError(f"{root}: no checkout with a trained student; run `dvc repro train` there, or name another")
    with new_folder(out, "--out") as folder:
        packed = pack(root, folder, most)
    print(
        f"{out}: {packed.shipped.parameters:,} parameters, {packed.size / 1e6:.1f} MB of weights in bfloat16, "
        f"{packed.losses()}"
    )

"""Pack a trained student to be passed on: its weights in half the bytes, and beside them where they are from.

    pfe pack --out packed                      # of the experiment we are in
    pfe pack ../other --out packed             # of another checkout, whose stage `train` has run
    pfe eval packed --benchmark arc_easy

The folder is one of Hugging Face's, with a card, the firewall's certificate, the parameters, the fingerprint of the
code, the seed and the curves of the training. The problems that were kept from training are asked of the packed weights
anew, so every figure on the card is theirs.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="a new folder")],
    root: Annotated[Path, typer.Argument(metavar="CHECKOUT", help="where `train` has run; else here")] = Path(),
    most: Annotated[float, typer.Option(min=0, help="megabytes that the weights may have")] = 10.0,
) -> None:
    """Pack the student, and say what came of it."""
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

"""Write the corpus and its problems as Parquet with a data card, for the Hugging Face hub or a colleague.

    pfe publish --out published
    hf upload me/pfe-corpus published --repo-type dataset

The folder has `corpus/train.parquet` (the training rows), `problems/<set>.parquet` (the accepted problems, their
libraries, and the correct answers with other libraries), the firewall's certificate, and README.md, the data card. It
is built from the outputs of `dvc repro`, and only from files that the certificate names.
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="a new folder")],
    name: Annotated[str, typer.Option(help="the data set's name on its card")] = "PFE corpus",
) -> None:
    """Check the accepted problems against the certificate, and write them."""
    import shutil

    import datasets

    from pfe.canonical.seal import sha256_of
    from pfe.files import new_folder, read_record, write_text
    from pfe.problem import Problem
    from pfe.report.card import CardData, card
    from pfe.screening.record import Claim
    from pfe.training.files import read_corpus

    certificate, synthetic = Path("data/certificate.json"), Path("data/synthetic")
    claim = read_record(certificate, Claim)
    check_certified(certificate, synthetic)
    corpus = read_corpus(Path("data/corpus"))
    datasets.disable_progress_bars()
    with new_folder(out, "--out") as folder:
        (folder / "corpus").mkdir()
        (folder / "problems").mkdir()
        corpus.to_parquet(folder / "corpus/train.parquet")
        counts = {}
        for path in sorted(synthetic.glob("*.parquet")):
            counts[path.stem] = len(Problem.read(path))
            shutil.copyfile(path, folder / "problems" / path.name)
        shutil.copyfile(certificate, folder / "certificate.json")
        written = CardData(name, len(corpus), counts, claim, sha256_of(certificate))
        write_text(folder / "README.md", card(written))
    print(f"{out}: {len(corpus):,} rows of the corpus, {sum(counts.values()):,} problems of {len(counts)} sets")


def check_certified(certificate: Path, synthetic: Path) -> None:
    """Check that the accepted problems are those that the certificate names.

    Raises:
        UserError: a file is missing, unexpected or changed.
    """
    import json

    from pfe.errors import UserError
    from pfe.screening.certificate import hashes

    claimed = json.loads(certificate.read_text(encoding="utf-8"))["files"]["synthetic"]
    actual = hashes(synthetic) if synthetic.is_dir() else {}
    for file in sorted({*claimed, *actual}):
        if claimed.get(file) != actual.get(file):
            raise UserError(f"{synthetic / file}: not as {certificate} has it; run `dvc repro firewall`, then publish")

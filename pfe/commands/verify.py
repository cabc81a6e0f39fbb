"""Recompute the firewall's certificate from the data and compare; the exit status is 1 if they differ.

    pfe verify                                             # data/certificate.json
    pfe verify ../data/models/reference/certificate.json   # another certificate, with the data here

Every candidate is screened again. Scores may differ by 0.002, because fast arithmetic differs between machines.
"""

from pathlib import Path
from typing import Annotated, Any

import typer

CERTIFICATE = Path("data/certificate.json")


def main(
    path: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="a certificate (default: this experiment's)")
    ] = CERTIFICATE,
) -> bool:
    """Print where certificate and data differ; return whether they agree."""
    import sys

    from pfe import cache, config
    from pfe.errors import UserError
    from pfe.files import scratch_folder
    from pfe.screening.certificate import certificate, differences
    from pfe.screening.files import screen_files
    from pfe.screening.sealed import FILES, outcomes, sealed_reference
    from pfe.terminal import plain

    settings = config.load()
    claimed = _read(path)
    if not FILES["candidates"].is_dir():
        raise UserError(f"{FILES['candidates']}: not there, so there is nothing to screen; run `dvc repro firewall`")
    reference = sealed_reference(settings.firewall)
    with scratch_folder(cache.work_folder("screening/verify")) as folder:
        parts = screen_files([FILES["candidates"]], reference, settings.firewall, folder)
        screened = outcomes(parts, settings.scale.targets)
    actual = certificate(screened, settings.firewall, reference, FILES)
    mismatches = differences(claimed, actual, screened)
    for line in mismatches:
        print(plain(line))
    if mismatches:
        remedy = "run `dvc repro firewall` to make it again" if path == CERTIFICATE else "run it where its data are"
        print(f"pfe: {path}: {len(mismatches)} of its statements do not hold; {remedy}", file=sys.stderr)
        return False
    counts = actual["counts"]
    print(
        f"{path} holds: {counts['candidates']:,} candidates screened again against {counts['canonical']:,} canonical "
        f"problems, {counts['accepted']:,} accepted, every hash as stated."
    )
    return True


def _read(path: Path) -> dict[str, Any]:
    """Return the content of a certificate.

    Raises:
        UserError: there is no certificate at the path.
    """
    import json

    from pfe.errors import UserError, nearest_file

    ours = path == CERTIFICATE
    try:
        claimed = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = "run `dvc repro firewall`" if ours else nearest_file(path) or "give a certificate.json"
        raise UserError(f"{path}: no such file; {hint}") from None
    except IsADirectoryError:
        raise UserError(f"{path}: a folder; give the certificate.json in it") from None
    except (ValueError, RecursionError):
        claimed = None
    if not isinstance(claimed, dict) or not isinstance(claimed.get("files"), dict) or "claim" not in claimed:
        hint = "run `dvc repro --force firewall`" if ours else "give a certificate.json"
        raise UserError(f"{path}: not a certificate of the firewall; {hint}")
    return claimed

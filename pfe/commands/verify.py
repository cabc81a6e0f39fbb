"""Make the firewall's certificate again from the data, and compare; the status is 1 where it does not hold.

    pfe verify                                             # data/certificate.json
    pfe verify ../data/models/reference/certificate.json   # another one, by the data that are here

Every candidate is screened again; scores may differ by 0.002, as fast arithmetic does between machines.
"""

from pathlib import Path
from typing import Annotated

import typer

CERTIFICATE = Path("data/certificate.json")


def main(
    path: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="else that of this experiment")] = CERTIFICATE,
) -> bool:
    """Say what the certificate states and the data do not; whether it holds."""
    import json
    import sys

    from pfe import cache, config
    from pfe.errors import UserError
    from pfe.files import scratch_folder
    from pfe.screening.certificate import certificate, differences
    from pfe.screening.files import screen_files
    from pfe.screening.sealed import FILES, outcomes, sealed_reference
    from pfe.terminal import plain

    settings = config.load()
    try:
        claimed = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run `dvc repro firewall`") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path}: not JSON; run `dvc repro --force firewall`") from None
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

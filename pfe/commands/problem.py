"""Print one problem again, synthetic or of the benchmark `invented`, from its id alone.

    pfe problem gsm1k_synth/coupon_change/s0/2
    pfe problem invented/lookup-owners-16-plain/s0/1

The id consists of set, family, seed and index, and is stored with every problem. A problem that a tutor wrote has the
tutor's name instead of the family's, and is read from data/candidates.
"""

from typing import Annotated

import typer


def main(id: Annotated[str, typer.Argument(help="SET/FAMILY/sSEED/INDEX")]) -> None:
    """Generate the problem of this id, or read it from data/candidates, and print it."""
    from pfe.invented.family import SET
    from pfe.invented.making import remake
    from pfe.report.problem import readable
    from pfe.terminal import plain
    from pfe.tutors.generate import find

    print(plain(readable(remake(id) if id.startswith(f"{SET}/") else find(id))))

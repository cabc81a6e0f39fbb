"""Show generated problems of each family, with library, choices, variants and worked solution.

    pfe gallery race_synth                                 # one problem of every family of a set
    pfe gallery gsm1k_synth --family coupon_change -n 5    # five of one family
    pfe gallery -n 3 --out gallery.html                    # a page of all sets; .md also works

The methods that a problem needs have a star. `--seed 1` shows other problems. Print one again by its id:

    pfe problem gsm1k_synth/coupon_change/s0/2
"""

from pathlib import Path
from typing import Annotated

import typer


def main(
    set: Annotated[str | None, typer.Argument(help="a synthetic set (default: all)")] = None,
    family: Annotated[str | None, typer.Option(help="only this family")] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="problems of each family")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="random seed of the problems")] = 0,
    out: Annotated[Path | None, typer.Option(help="a new file, .html or .md (default: print)")] = None,
) -> None:
    """Generate the problems, and print them or write the page."""
    from pfe.errors import UserError
    from pfe.files import check_new, write_text
    from pfe.report.gallery import as_html, as_markdown, as_text, samples
    from pfe.terminal import plain
    from pfe.tutors.family import synthetic_sets
    from pfe.tutors.wording import counted

    forms = {".html": as_html, ".md": as_markdown}
    if out is not None:
        check_new(out, "--out")
        if out.suffix not in forms:
            raise UserError(f"--out {out}: a page is {' or '.join(forms)}; give such a name")
    page = samples([set] if set else synthetic_sets(), family, count, seed)
    if out is None:
        print(plain(as_text(page)))
        return
    write_text(out, forms[out.suffix](page))
    print(plain(f"{out}: {counted(sum(map(len, page.values())), 'family')}, {counted(count, 'problem')} of each"))

"""A student's accuracy on held-out problems, in Markdown for the model card and the page.

Example: "| new worlds of its families | 21.0 [15.6, 27.6] | 19.3 … | … | 176 |", then a row for each skill:
"| … hops | …".
"""

from pfe.report.cells import with_interval
from pfe.report.library_use import FOLLOWING, HEADS, cells
from pfe.report.markdown import markdown
from pfe.report.skills import TITLES
from pfe.training.figures import WholeValidation

_HEADS = ("library-bound problems", *HEADS, "n")


def validation(figures: WholeValidation) -> str:
    """Return the accuracies on problems that need a library, by kind, skill and arm, and on problems without one.

    The result is in Markdown.
    """
    uses = {"new worlds of its families": figures.worlds}
    uses |= {f"… {TITLES[skill]}": use for skill, use in figures.skills.items()}
    uses |= {"families it never met": figures.families}
    rows = [[name, *cells(use), f"{use.n:,}"] for name, use in uses.items() if use]
    parts = [markdown(_HEADS, rows), FOLLOWING] if rows else []
    if plain := figures.plain:
        chance = f"chance {plain.chance:.1f} %"
        parts.append(f"Problems that bring no library: {with_interval(plain)} % of {plain.n:,} right, {chance}.")
    if figures.held_out:
        parts.append(f"Families kept from training: {', '.join(figures.held_out)}.")
    return "\n\n".join(parts)

"""What models that were trained here make of look-ups, in a table.

Example: "| Ours (reference) | 63.4 [58.8, 67.8] | 38.9 … | … | 432 |", then a row a set: "| … arc_synth | 86.5 … |".
"""

from collections.abc import Mapping

from pfe.report.cells import with_interval
from pfe.report.library_use import FOLLOWING, HEADS, cells
from pfe.report.markdown import markdown
from pfe.training.figures import LookUps

READING = (
    "Problems that one entry of their library answers, of families that were trained on, in worlds that nothing was "
    "trained on: what is right behind the library, bare, and behind one for other things, in percent. Differences are "
    f"points, with intervals by families, or by worlds within one. {FOLLOWING} They are no benchmark: they show "
    "whether training taught to look things up."
)
_HEADS = ("look-ups", *HEADS, "library − irrelevant", "n")


def lookups(made: Mapping[str, LookUps], models: Mapping[str, str]) -> str:
    """Of every model all of them and its sets, in Markdown; nothing where none was asked.

    Args:
        made: by model.
        models: the models' titles by name.
    """
    uses = [
        (name, use)
        for model, of_model in made.items()
        for name, use in ((models[model], of_model.whole), *((f"… {name}", use) for name, use in of_model.sets.items()))
    ]
    rows = [[name, *cells(use), with_interval(use.content_lift, "+"), f"{use.n:,}"] for name, use in uses]
    return f"{READING}\n\n{markdown(_HEADS, rows)}" if rows else ""

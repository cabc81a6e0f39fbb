"""What models that were trained here make of the ladder, in a table.

Example: "| Ours (trained): lookup | 63.4 [48.8, 77.8] | 28.9 … | … | 54 |", then a row for each other skill.
"""

from collections.abc import Mapping

from pfe.report.cells import with_interval
from pfe.report.library_use import FOLLOWING, HEADS, cells
from pfe.report.markdown import markdown
from pfe.training.figures import LookUps

READING = (
    "Problems of the skills of `invented`, from 4 to 32 statements, in families that were kept from training: "
    "relations, wordings, names and values are new. Correct with the library in context, with none, and with one about "
    "other things, in percent. Differences are points, with intervals by families, or by worlds within one. "
    f"{FOLLOWING} They are no benchmark: they show whether training taught to read."
)
_HEADS = ("model: skill", *HEADS, "library − irrelevant", "n")


def lookups(made: Mapping[str, LookUps], models: Mapping[str, str]) -> str:
    """Return of every model a row for each skill, in Markdown; nothing where none was asked.

    Args:
        made: by model.
        models: the models' titles by name.
    """
    uses = [
        (f"{models[model]}: {skill}", use) for model, of_model in made.items() for skill, use in of_model.skills.items()
    ]
    rows = [[name, *cells(use), with_interval(use.content_lift, "+"), f"{use.n:,}"] for name, use in uses]
    return f"{READING}\n\n{markdown(_HEADS, rows)}" if rows else ""

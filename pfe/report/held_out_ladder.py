"""A table of the results of models trained here on the ladder: held-out problems by skill.

Example: "| Ours (trained): lookup | 63.4 [48.8, 77.8] | 28.9 … | … | 54 |", then a row for each other skill.
"""

from collections.abc import Mapping

from pfe.report.cells import with_interval
from pfe.report.library_use import FOLLOWING, HEADS, cells
from pfe.report.markdown import markdown
from pfe.training.figures import LookUps

READING = (
    "Problems of the skills of `invented`, from 4 to 32 statements, in held-out families: relations, wordings, names "
    "and values are new. The columns are the accuracy with the library in context, zero-shot, and with a placebo "
    "library, in percent. Differences are points; their 95 % CIs treat families as clusters, or worlds if there is "
    f"one family. {FOLLOWING} This is no benchmark: it shows whether training taught the model to read."
)
_HEADS = ("model: skill", *HEADS, "library − irrelevant", "n")


def lookups(made: Mapping[str, LookUps], models: Mapping[str, str]) -> str:
    """Return a table with one row per model and skill, in Markdown; empty if no model was asked.

    Args:
        made: by model.
        models: the models' titles by name.
    """
    uses = [
        (f"{models[model]}: {skill}", use) for model, of_model in made.items() for skill, use in of_model.skills.items()
    ]
    rows = [[name, *cells(use), with_interval(use.content_lift, "+"), f"{use.n:,}"] for name, use in uses]
    return f"{READING}\n\n{markdown(_HEADS, rows)}" if rows else ""

"""Which of the models that are examined were trained in this experiment.

Example: of the default's models `trained_here(settings.models)` is `("reference", "student")`; `base` is not trained,
and `chance` and `minilm` come from elsewhere.
"""

from collections.abc import Mapping
from pathlib import Path

from pfe.config import MODELS, Model

UNTRAINED = "base"  # the student before its training


def trained_here(models: Mapping[str, Model]) -> tuple[str, ...]:
    """Names of those whose weights a stage of training wrote, in order."""
    return tuple(
        name
        for name, model in sorted(models.items())
        if model.kind == "huggingface" and Path(model.depends).is_relative_to(MODELS) and name != UNTRAINED
    )

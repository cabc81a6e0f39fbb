"""Which of the models that are examined are this experiment's own: trained in it, or what its student began as.

Example: of the default's models `trained_here(settings.models)` is `("base", "reference", "student")`; `chance`,
`minilm` and `smollm2` come from elsewhere.
"""

from collections.abc import Mapping
from pathlib import Path

from pfe.config import MODELS, Model


def trained_here(models: Mapping[str, Model]) -> tuple[str, ...]:
    """Names of those whose weights a stage of training wrote, in order."""
    return tuple(
        name
        for name, model in sorted(models.items())
        if model.kind == "huggingface" and Path(model.depends).is_relative_to(MODELS)
    )

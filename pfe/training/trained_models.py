"""The evaluated models whose weights lie in data/models: trained by PFE's stages, or the student's initial model.

Example: of the default's models `trained_here(settings.models)` is `("base", "reference", "student")`; `chance`,
`minilm` and `smollm2` come from elsewhere.
"""

from collections.abc import Mapping
from pathlib import Path

from pfe.config import MODELS, Model


def trained_here(models: Mapping[str, Model]) -> tuple[str, ...]:
    """Return the names of the Hugging Face models whose `depends` lies in data/models, sorted."""
    return tuple(
        name
        for name, model in sorted(models.items())
        if model.kind == "huggingface" and Path(model.depends).is_relative_to(MODELS)
    )

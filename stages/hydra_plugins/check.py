"""Hydra plugin that checks the configuration of `dvc exp run` before DVC writes, runs or removes anything.

It also reduces the benchmarks in the composed configuration to the values that people change. `.dvc/config` names this
folder (`hydra.plugins_path`), and Hydra loads the modules in it. Hydra has no hook for a composed configuration, so
this module replaces its one method that composes.
"""

import sys
from pathlib import Path
from typing import Any

from dvc.exceptions import DvcException
from hydra._internal.hydra import Hydra
from omegaconf import DictConfig

ROOT = Path(__file__).resolve().parents[2]
hydras = Hydra.compose_config


def compose_config(self: Hydra, *, overrides: list[str], **options: Any) -> DictConfig:
    """Compose as Hydra does, then check and shorten as `pfe params` does; errors become DVC's, in one line."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))  # this checkout's, whichever is installed
    try:
        from pfe.config import CONF
        from pfe.errors import UserError
        from pfe.params import check, composing, shorten
    except ImportError as error:
        raise DvcException(f"{error}; run the dvc of this project: . .venv/bin/activate") from None
    try:
        with composing(ROOT / CONF, overrides) as read:
            config = hydras(self, overrides=overrides, **options)
        check(config, read, ROOT / CONF)
        shorten(config, ROOT / CONF)
    except UserError as error:
        raise DvcException(str(error)) from None
    return config


Hydra.compose_config = compose_config  # type: ignore[method-assign, assignment]

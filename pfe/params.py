"""Compose conf/ into params.yaml, or check that params.yaml is current.

    python -m pfe.params            # write
    python -m pfe.params --check    # exit 1 where params.yaml is stale
    python -m pfe.params seed=1     # write with Hydra overrides

`dvc exp run` composes by itself; plain `dvc repro` reads the file as it is.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pfe.config import parse, unknown_key
from pfe.errors import UserError, nearest
from pfe.files import write_text
from pfe.stage import told

CONF = Path("conf")
PARAMS = Path("params.yaml")


def composed(overrides: Sequence[str] = ()) -> str:
    """params.yaml as DVC's own Hydra integration would write it.

    Raises:
        UserError: conf/ does not compose, or what it composes to is no valid configuration.
    """
    try:
        with initialize_config_dir(str(CONF.resolve()), version_base=None):
            config = compose("config", overrides=list(overrides))
        OmegaConf.resolve(config)
    except (HydraException, OmegaConfBaseException) as error:
        raise UserError(f"{CONF}: {_told(str(error))}") from None
    text = OmegaConf.to_yaml(config)
    parse(OmegaConf.to_container(config), str(CONF))
    return text


def _told(message: str) -> str:
    """Hydra's message in our words, where it is one of the two that people meet."""
    if key := re.search(r"Could not override '([\w.]+)'", message):
        return unknown_key(key[1])
    if member := re.search(r"Could not (?:load|find) '(\w+)/(\w+)'", message):
        known = (path.stem for path in (CONF / member[1]).glob("*.yaml"))
        return f"unknown {member[1]} '{member[2]}'; {nearest(member[2], known)}"
    return " ".join(message.split())


@told
def main(arguments: Sequence[str]) -> None:
    """Write params.yaml, or with --check only compare."""
    overrides = [argument for argument in arguments if argument != "--check"]
    text = composed(overrides)
    if "--check" not in arguments:
        write_text(PARAMS, text)
    elif not PARAMS.exists() or PARAMS.read_text(encoding="utf-8") != text:
        raise UserError(
            f"{PARAMS} is not what {CONF}/ composes to; run `python -m pfe.params` to write it "
            "(an applied experiment: keep its values in conf/)"
        )


if __name__ == "__main__":
    main(sys.argv[1:])

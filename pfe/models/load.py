"""From a configuration entry to an examinee."""

from importlib import import_module
from pathlib import Path
from typing import Literal

from pfe.config import Model
from pfe.embedding.encoder import PACKAGED
from pfe.errors import UserError
from pfe.models.request import Examinee

UNSPOKEN = ("embedding", "chance")  # the kinds that read and write no text
# What opens each kind of model, and is nothing to the models of the other kinds.
ENGINES = {
    "huggingface": "pfe.models.huggingface",
    "vllm": "pfe.models.vllm",
    "openai": "pfe.models.server",
    "embedding": "pfe.models.similarity",
    "chance": "pfe.models.chance",
}


def kind_of(path: str) -> Literal["embedding", "huggingface"]:
    """Return what opens a model that is no server's: a packaged one or a folder that embeds sentences says so."""
    owner, _, name = path.rpartition("/")
    files = ("modules.json", "config_sentence_transformers.json")
    if any((Path(path) / file).is_file() for file in files):
        return "embedding"
    embeds = not Path(path).exists() and owner in ("", "sentence-transformers") and (owner or name in PACKAGED)
    return "embedding" if embeds else "huggingface"


def examinee(name: str, model: Model, seed: int) -> Examinee:
    """The examinee that `conf/model/<name>.yaml` describes; torch is imported only where it needs it.

    Raises:
        UserError: its entry is incomplete, its weights cannot be loaded, or its server does not answer.
    """
    if model.kind in UNSPOKEN and (model.chat_template != "auto" or model.system is not None):
        raise UserError(
            f"models.{name}: chat_template and system are for language models, and kind: {model.kind} is none; "
            "remove them"
        )
    if model.kind != "chance" and not model.path:
        raise UserError(f"models.{name}.path is null; set it to a folder or a hub name in conf/model/{name}.yaml")
    result: Examinee = import_module(ENGINES[model.kind]).examinee(name, model, seed)
    return result

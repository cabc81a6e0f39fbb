"""Loading of the model that a configuration entry describes, of any kind."""

from importlib import import_module
from pathlib import Path
from typing import Literal

from pfe.config import Model
from pfe.embedding.encoder import PACKAGED
from pfe.errors import UserError
from pfe.models.request import Examinee

UNSPOKEN = ("embedding", "chance")  # the kinds that are no language models
# The module that loads each kind of model; it does not affect models of other kinds.
ENGINES = {
    "huggingface": "pfe.models.huggingface",
    "vllm": "pfe.models.vllm",
    "openai": "pfe.models.server",
    "embedding": "pfe.models.similarity",
    "chance": "pfe.models.chance",
}


def kind_of(path: str) -> Literal["embedding", "huggingface"]:
    """Return the kind of a model by its path or hub name: "embedding" if it embeds sentences, else "huggingface".

    Sentence-embedding models are recognized by the files in their folder, by the owner `sentence-transformers` or by
    the name of a packaged encoder.
    """
    owner, _, name = path.rpartition("/")
    files = ("modules.json", "config_sentence_transformers.json")
    if any((Path(path) / file).is_file() for file in files):
        return "embedding"
    embeds = not Path(path).exists() and owner in ("", "sentence-transformers") and (owner or name in PACKAGED)
    return "embedding" if embeds else "huggingface"


def examinee(name: str, model: Model, seed: int) -> Examinee:
    """Load the model that `conf/model/<name>.yaml` describes; torch is imported only if the kind needs it.

    Servers are not contacted before the first request.

    Raises:
        UserError: its entry is incomplete or inconsistent, or its files cannot be loaded.
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

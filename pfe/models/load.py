"""From a configuration entry to an examinee."""

from importlib import import_module

from pfe.config import Model
from pfe.errors import UserError
from pfe.models.request import Examinee

WEIGHTS = ("huggingface", "vllm")  # the kinds whose tokenizer is here
# What opens each kind of model, and is nothing to the models of the other kinds.
ENGINES = {
    "huggingface": "pfe.models.huggingface",
    "vllm": "pfe.models.vllm",
    "openai": "pfe.models.server",
    "embedding": "pfe.models.similarity",
    "chance": "pfe.models.chance",
}


def examinee(name: str, model: Model, seed: int) -> Examinee:
    """The examinee that `conf/model/<name>.yaml` describes; torch is imported only where it needs it.

    Raises:
        UserError: its entry is incomplete, its weights cannot be loaded, or its server does not answer.
    """
    if model.kind not in WEIGHTS and (model.chat_template != "auto" or model.system is not None):
        raise UserError(
            f"models.{name}: chat_template and system are for kind: {' and '.join(WEIGHTS)}; "
            "a server puts its own template around what it is asked: remove them"
        )
    if model.kind != "chance" and not model.path:
        raise UserError(f"models.{name}.path is null; set it to a folder or a hub name in conf/model/{name}.yaml")
    result: Examinee = import_module(ENGINES[model.kind]).examinee(name, model, seed)
    return result

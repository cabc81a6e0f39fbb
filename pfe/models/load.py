"""From a configuration entry to an examinee."""

import sys

from pfe.config import Model
from pfe.errors import UserError
from pfe.models.request import Examinee
from pfe.models.responses import Responses

WEIGHTS = ("huggingface", "vllm")  # the kinds whose tokenizer is here


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
    if model.kind == "chance":
        from pfe.models.baselines import Chance

        return Chance(seed)
    if not model.path:
        raise UserError(f"models.{name}.path is null; set it to a folder or a hub name in conf/model/{name}.yaml")
    if model.kind == "embedding":
        from pfe.embedding.encoder import Encoder
        from pfe.models.baselines import Similarity

        return Similarity(Encoder(model.path))
    if model.kind == "openai":
        from pfe.models.server import Server, identity

        return Server(name, model, Responses(identity(model), Responses.kept()), seed)
    if model.kind == "vllm":
        from pfe.models.vllm import VLLM

        return VLLM(name, model, Responses.kept(), seed)
    from pfe.models.chat import choose
    from pfe.models.huggingface import HuggingFace
    from pfe.models.loading import describe, named, with_weights

    with named(name):
        described = describe(model.path, model.revision)
    chat = choose(name, model, described.tokenizer, described.ends, described.names)
    print(f"{name}: {chat.line}", file=sys.stderr)
    with named(name):
        loaded = with_weights(described, model.path, model.revision, model.dtype, model.device, chat.template)
    return HuggingFace(loaded, model.batch_size, model.temperature, seed)

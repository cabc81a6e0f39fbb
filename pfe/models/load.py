"""From a configuration entry to an examinee."""

from pfe.config import Model
from pfe.errors import UserError
from pfe.models.request import Examinee
from pfe.models.responses import Responses


def examinee(name: str, model: Model, seed: int) -> Examinee:
    """The examinee that `conf/model/<name>.yaml` describes; torch is imported only where it needs it.

    Raises:
        UserError: its entry is incomplete, its weights cannot be loaded, or its server does not answer.
    """
    if model.kind == "chance":
        from pfe.models.baselines import Chance

        return Chance(seed)
    if model.path is None:
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
    from pfe.models.huggingface import HuggingFace
    from pfe.models.loading import load

    loaded = load(model.path, model.revision, model.dtype, model.device)
    return HuggingFace(loaded, model.batch_size, model.temperature, seed)

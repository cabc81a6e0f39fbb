"""From a configuration entry to an examinee."""

from pfe.config import Model
from pfe.errors import UserError
from pfe.models.request import Examinee


def examinee(name: str, model: Model, seed: int) -> Examinee:
    """The examinee that `conf/model/<name>.yaml` describes; torch is imported only where it needs it.

    Raises:
        UserError: its entry is incomplete, or its weights cannot be loaded.
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
    from pfe.models.huggingface import HuggingFace

    return HuggingFace(model.path, model.revision, model.dtype, model.batch_size)

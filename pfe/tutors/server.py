"""A tutor behind the OpenAI protocol: vLLM, llama.cpp, GPT-4o …

Example, conf/tutor/gpt4o.yaml:
    # @package tutor.gpt4o
    kind: openai
    model: gpt-4o
    key_variable: OPENAI_API_KEY
"""

from pfe.cache import Cache
from pfe.config import Model, Tutor, record
from pfe.models.client import RETRIES, TIMEOUT
from pfe.models.responses import Responses
from pfe.models.server import Server, identity
from pfe.tutors.model import ModelTutor
from pfe.tutors.prompt import tutor_prompt


def server(
    name: str, tutor: Tutor, cache: Cache | None = None, retries: int = RETRIES, timeout: float = TIMEOUT
) -> ModelTutor:
    """Asks a chat model at temperature 0, some problems at a time; what it sent is kept.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """
    model = record(
        Model,
        kind="openai",
        label=name,
        depends="",
        path=tutor.model,
        base_url=tutor.base_url,
        key_variable=tutor.key_variable,
    )
    responses = Responses(identity(model), cache if cache is not None else Responses.user_cache())
    examinee = Server(name, model, responses, retries=retries, timeout=timeout, entry=f"tutor.{name}", ways=("chat",))
    return ModelTutor(name, examinee, tutor_prompt, tutor.max_tokens)

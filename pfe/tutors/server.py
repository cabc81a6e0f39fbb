"""A tutor on a server with the OpenAI protocol: vLLM, llama.cpp, GPT-4o … It answers problems and writes them.

Example, conf/tutor/gpt4o.yaml:
    # @package tutor.gpt4o
    kind: openai
    model: gpt-4o
    key_variable: OPENAI_API_KEY
    writes: {gsm1k_synth: 500}
    budget: {dollars: 5}
    prices: [2.5, 10]
"""

from pfe.cache import Cache
from pfe.config import Model, Tutor, record
from pfe.models.client import RETRIES, TIMEOUT
from pfe.models.responses import Responses
from pfe.models.server import Server, identity
from pfe.tutors.budget import Spending
from pfe.tutors.model import ModelTutor
from pfe.tutors.prompt import tutor_prompt
from pfe.tutors.writing.author import TEMPERATURE, Author

_ROUND = 4  # requests in a round for each concurrent one, so that few wait for the slowest


def server(
    name: str, tutor: Tutor, cache: Cache | None = None, retries: int = RETRIES, timeout: float = TIMEOUT
) -> ModelTutor:
    """Return a tutor that asks a chat model at temperature 0, in concurrent requests; replies are cached.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """
    examinee, spending = _served(name, tutor, 0.0, 0, cache, retries, timeout), Spending(tutor.budget, tutor.prices)
    return ModelTutor(name, examinee, tutor_prompt, tutor.max_tokens, _ROUND * tutor.concurrency, spending)


def author(
    name: str, tutor: Tutor, seed: int, cache: Cache | None = None, retries: int = RETRIES, timeout: float = TIMEOUT
) -> Author:
    """Return an author that has a chat model write problems; replies are cached.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """
    examinee = _served(name, tutor, TEMPERATURE, seed, cache, retries, timeout)
    return Author(name, examinee, _ROUND * tutor.concurrency, Spending(tutor.budget, tutor.prices))


def _served(
    name: str, tutor: Tutor, temperature: float, seed: int, cache: Cache | None, retries: int, timeout: float
) -> Server:
    model = record(
        Model,
        kind="openai",
        label=name,
        depends="",
        path=tutor.model,
        base_url=tutor.base_url,
        key_variable=tutor.key_variable,
        concurrency=tutor.concurrency,
        prices=tutor.prices,
        temperature=temperature,
    )
    responses = Responses(identity(model), cache if cache is not None else Responses.user_cache())
    # Reasoning gets no tokens in addition to max_tokens, the most that an answer may take from the tutor's budget.
    return Server(name, model, responses, seed, retries, timeout, entry=f"tutor.{name}", ways=("chat",), thought=0)

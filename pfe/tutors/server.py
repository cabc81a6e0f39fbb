"""A tutor behind the OpenAI protocol: vLLM, llama.cpp, GPT-4o …

Example, conf/tutor/gpt4o.yaml:
    # @package tutor.gpt4o
    kind: openai
    model: gpt-4o
    key_variable: OPENAI_API_KEY
"""

from hashlib import sha256

from pfe.cache import Cache
from pfe.config import Tutor
from pfe.errors import UserError
from pfe.models.client import Client, TooLongError
from pfe.problem import AnswerKey, Problem
from pfe.tutors.prompt import tutor_key, tutor_prompt


class Server:
    """Asks a chat model at temperature 0; answers are kept in the cache.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """

    def __init__(self, name: str, tutor: Tutor, cache: Cache | None = None) -> None:
        self._name, self._tutor = name, tutor
        self._client = Client(f"tutor.{name}", str(tutor.model), tutor.base_url, tutor.key_variable)
        self._cache = cache if cache is not None else Cache.default()

    def answer(self, problem: Problem) -> AnswerKey | None:
        """Raises UserError where the server cannot be reached or refuses."""
        prompt = tutor_prompt(problem)
        identity = f"chat\0{self._tutor.base_url}\0{self._tutor.model}\0{self._tutor.max_tokens}\0{prompt}"
        key = sha256(identity.encode()).digest()
        text = self._cache.get_many([key]).get(key)
        if text is None:
            text = self._ask(prompt).encode()
            self._cache.put_many({key: text})
        return tutor_key(problem, self._name, text.decode())

    def _ask(self, prompt: str) -> str:
        body = {
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": self._tutor.max_tokens,
        }
        try:
            return self._client.post("chat", body).text or ""
        except TooLongError:
            raise UserError(
                f"tutor.{self._name}: a problem is longer than the window of {self._tutor.model}; serve a longer one"
            ) from None

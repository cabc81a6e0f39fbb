"""A tutor behind the OpenAI protocol: vLLM, llama.cpp, GPT-4o …

Example, conf/tutor/gpt4o.yaml:
    # @package tutor.gpt4o
    kind: openai
    model: gpt-4o
    key_variable: OPENAI_API_KEY
"""

import os
from hashlib import sha256

from openai import OpenAI, OpenAIError

from pfe.cache import Cache
from pfe.config import Tutor
from pfe.errors import UserError
from pfe.problem import AnswerKey, Problem
from pfe.tutors.prompt import tutor_key, tutor_prompt


class Server:
    """Asks a chat model at temperature 0; answers are kept in the cache.

    Raises:
        UserError: the environment variable that should hold the key is not set.
    """

    def __init__(self, name: str, tutor: Tutor, cache: Cache | None = None) -> None:
        key = os.environ.get(tutor.key_variable) if tutor.key_variable else "none"
        if not key:
            raise UserError(
                f"tutor.{name}: the environment variable {tutor.key_variable} is not set; export the key in it"
            )
        self._name, self._tutor = name, tutor
        self._cache = cache if cache is not None else Cache.default()
        self._client = OpenAI(api_key=key, base_url=tutor.base_url, max_retries=4, timeout=120)

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
        try:
            reply = self._client.chat.completions.create(
                model=str(self._tutor.model),
                messages=[{"role": "user", "content": prompt}],
                temperature=0,
                max_tokens=self._tutor.max_tokens,
            )
        except OpenAIError as error:
            raise UserError(
                f"tutor.{self._name}: {self._tutor.base_url or 'api.openai.com'} did not answer "
                f"({type(error).__name__}: {' '.join(str(error).split())[:160]}); start the server or mend base_url; "
                "what it answered so far is kept"
            ) from None
        return (reply.choices[0].message.content or "") if reply.choices else ""

"""A tutor that is a causal language model on this machine.

Example, conf/tutor/qwen.yaml:
    # @package tutor.qwen
    kind: huggingface
    model: Qwen/Qwen2.5-7B-Instruct
"""

from pfe.config import Tutor
from pfe.icr.prefix import Prefix
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import load
from pfe.models.request import Request
from pfe.problem import AnswerKey, Problem
from pfe.tutors.prompt import tutor_key, tutor_prompt


class Local:
    """Greedy decoding after the problem, through the tokenizer's chat template where it has one.

    Raises:
        UserError: the weights cannot be loaded.
    """

    def __init__(self, name: str, tutor: Tutor) -> None:
        self._name, self._max_tokens = name, tutor.max_tokens
        self._model = HuggingFace(load(str(tutor.model), None, "float32", "auto"))

    def answer(self, problem: Problem) -> AnswerKey | None:
        request = Request(problem, Prefix(), self._prompt(problem), max_tokens=self._max_tokens)
        return tutor_key(problem, self._name, self._model.answer([request])[0].output)

    def _prompt(self, problem: Problem) -> str:
        prompt = tutor_prompt(problem)
        if not self._model.tokenizer.chat_template:
            return f"{prompt}\nAnswer: "
        messages = [{"role": "user", "content": prompt}]
        return str(self._model.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))

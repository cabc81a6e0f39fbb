"""A tutor that is a causal language model on this machine.

Example, conf/tutor/qwen.yaml:
    # @package tutor.qwen
    kind: huggingface
    model: Qwen/Qwen2.5-7B-Instruct
"""

from pfe.config import Tutor
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import load
from pfe.problem import Problem
from pfe.tutors.model import ModelTutor
from pfe.tutors.prompt import tutor_prompt


def local(name: str, tutor: Tutor) -> ModelTutor:
    """Greedy decoding after the problem, through the tokenizer's chat template where it has one.

    Raises:
        UserError: the weights cannot be loaded.
    """
    model = HuggingFace(load(str(tutor.model), None, "float32", "auto"))

    def prompt(problem: Problem) -> str:
        text = tutor_prompt(problem)
        if not model.tokenizer.chat_template:
            return f"{text}\nAnswer: "
        messages = [{"role": "user", "content": text}]
        return str(model.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))

    return ModelTutor(name, model, prompt, tutor.max_tokens)

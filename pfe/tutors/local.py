"""A tutor that is a causal language model on this machine. It answers problems and writes them.

Example, conf/tutor/qwen.yaml:
    # @package tutor.qwen
    kind: huggingface
    model: Qwen/Qwen2.5-7B-Instruct
    writes: {arc_synth: 200}
"""

from collections.abc import Callable

from pfe.config import Tutor
from pfe.models.huggingface import HuggingFace, together
from pfe.models.loading import LoadedModel, load
from pfe.tutors.budget import Spending
from pfe.tutors.model import ModelTutor
from pfe.tutors.prompt import tutor_prompt
from pfe.tutors.writing.author import TEMPERATURE, Author


def local(name: str, tutor: Tutor) -> ModelTutor:
    """Return a tutor with greedy decoding; the prompt uses the tokenizer's chat template if it has one.

    Raises:
        UserError: the weights cannot be loaded.
    """
    loaded = _loaded(tutor)
    around = _around(loaded)
    return ModelTutor(
        name, HuggingFace(loaded), lambda problem: around(tutor_prompt(problem)), tutor.max_tokens,
        together(loaded), Spending(tutor.budget, tutor.prices),
    )  # fmt: skip


def author(name: str, tutor: Tutor, seed: int) -> Author:
    """Return an author that has the model write problems, sampled with a fixed seed.

    Raises:
        UserError: the weights cannot be loaded.
    """
    loaded = _loaded(tutor)
    examinee = HuggingFace(loaded, temperature=TEMPERATURE, seed=seed)
    spending = Spending(tutor.budget, tutor.prices)
    return Author(name, examinee, together(loaded), spending, _around(loaded))


def _loaded(tutor: Tutor) -> LoadedModel:
    return load(str(tutor.model), None, "float32", "auto")


def _around(loaded: LoadedModel) -> Callable[[str], str]:
    """Return a function that puts a text into the user's turn of the chat template.

    If the tokenizer has no chat template, the function appends `Answer: ` to the text.
    """

    def around(text: str) -> str:
        if not loaded.tokenizer.chat_template:
            return f"{text}\nAnswer: "
        messages = [{"role": "user", "content": text}]
        return str(loaded.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))

    return around

"""Validation of a model on held-out problems.

Example: `Validator(tokenizer, held_out, window=2048, seed=0)(model).metrics()` goes into metrics/train.json.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from pfe.cache import Cache
from pfe.models.huggingface import HuggingFace
from pfe.models.loading import LoadedModel
from pfe.models.responses import Responses
from pfe.problem import Problem
from pfe.training.figures import Kind, Outcome, WholeValidation, summary
from pfe.training.questions import Question, outcomes, questions
from pfe.training.split import HeldOut, drawn


@dataclass(frozen=True)
class Validator:
    """Asks a model about held-out problems in evaluation mode; its answers are not cached.

    Args:
        window: the longest sequence in tokens, including the answer.
    """

    tokenizer: PreTrainedTokenizerBase
    held_out: HeldOut
    window: int
    seed: int

    def questions(self, most: int | None = None) -> list[Question]:
        """Return all questions, or those about at most `most` problems of each set and kind."""
        asked: list[Question] = []
        for kind, by_set in self._by_kind().items():
            for problems in by_set.values():
                few = problems if most is None else list(drawn(problems, most, self.seed))
                asked += questions(few, kind, self.held_out.benchmarks, self._count)
        return asked

    def outcomes(self, model: PreTrainedModel, asked: Sequence[Question]) -> list[Outcome]:
        """Ask the model the questions and score its answers; its mode and the random state are preserved.

        Raises:
            UserError: its logits are not finite.
        """
        was_training = model.training
        model.eval()
        loaded = LoadedModel(model, self.tokenizer, model.device.type, self.window, weights="")
        try:
            with TemporaryDirectory() as folder:
                responses = Responses("", Cache(Path(folder) / "responses.sqlite"))
                return outcomes(HuggingFace(loaded, seed=self.seed, responses=responses), asked)
        finally:
            model.train(was_training)

    def __call__(self, model: PreTrainedModel) -> WholeValidation | None:
        """Return the whole validation; None if nothing was held out."""
        made = self.outcomes(model, self.questions())
        return summary(made, self.held_out.left_out, self.seed) if made else None

    def _by_kind(self) -> dict[Kind, dict[str, list[Problem]]]:
        worlds = self.held_out.worlds
        return {
            "worlds": {name: [one for one in problems if one.library_bound] for name, problems in worlds.items()},
            "plain": {name: [one for one in problems if not one.library_bound] for name, problems in worlds.items()},
            "families": {name: list(problems) for name, problems in self.held_out.families.items()},
        }

    def _count(self, text: str) -> int:
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

"""Several tutors as one teacher: what it says of a token is the weighted mean of what they say.

Example: where two tutors of equal weight give a token probabilities of 0.2 and 0.4, the ensemble gives it 0.3.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, PreTrainedTokenizerBase
from transformers.modeling_outputs import CausalLMOutput

from pfe.errors import UserError
from pfe.models.loading import load
from pfe.training.sharing import reads_rows


class Ensemble(nn.Module):
    """Tutors of one tokenizer; `weights` (tutors,) say how much each says, and may be changed between batches."""

    is_gradient_checkpointing = False  # which TRL asks of whatever is to write

    def __init__(self, tutors: Sequence[PreTrainedModel]) -> None:
        super().__init__()
        self.tutors = nn.ModuleList(tutors)
        self.config = tutors[0].config
        self.weights = torch.full((len(tutors),), 1 / len(tutors))
        for tutor in tutors:
            reads_rows(tutor)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> CausalLMOutput:
        """Log-probabilities as logits, of shape (batch, n, vocabulary); tutors without weight are not asked."""
        parts = (
            tutor(input_ids=input_ids, attention_mask=attention_mask).logits.float().log_softmax(-1) + weight.log()
            for tutor, weight in zip(self.tutors, self.weights / self.weights.sum(), strict=True)
            if weight
        )
        return CausalLMOutput(logits=reduce(torch.logaddexp, parts))

    def generate(self, **arguments: Any) -> Any:
        """What one tutor writes, which is drawn by weight: a text is one author's, and its cache is of use."""
        author: Any = self.tutors[int(torch.multinomial(self.weights, 1))]
        return author.generate(**arguments)


def load_ensemble(files: Mapping[str, str], tokenizer: PreTrainedTokenizerBase, folder: Path) -> Ensemble:
    """The tutors in a folder, in the order of `files`, which says of each whose weights are expected there.

    Raises:
        UserError: one is no model, is another than was measured, or has another tokenizer than the student.
    """
    tutors = []
    for name, weights in files.items():
        loaded = load(str(folder / name), None, "float32", "auto")
        if loaded.weights != weights:
            raise UserError(f"{folder / name}: is not the tutor that was measured; run `dvc repro ensemble`")
        if loaded.tokenizer.get_vocab() != tokenizer.get_vocab():
            raise UserError(
                f"{folder / name}: has another tokenizer than the student, so that its tokens are others; "
                f"run `dvc repro --force tutor@{name}`"
            )
        tutors.append(loaded.model)
    return Ensemble(tutors)

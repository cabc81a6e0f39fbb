"""An ensemble of tutors as one teacher: its token probabilities are the weighted mean of theirs.

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
from pfe.training.prefix_sharing import reads_rows


class Ensemble(nn.Module):
    """Tutors that share a tokenizer, with `weights` (tutors,) that may change between batches."""

    is_gradient_checkpointing = False  # TRL reads this of any model that generates

    def __init__(self, tutors: Sequence[PreTrainedModel]) -> None:
        super().__init__()
        self.tutors = nn.ModuleList(tutors)
        self.config = tutors[0].config
        self.weights = torch.full((len(tutors),), 1 / len(tutors))
        for tutor in tutors:
            reads_rows(tutor)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> CausalLMOutput:
        """Return log-probabilities as logits, of shape (batch, n, vocabulary); tutors of weight 0 are not run."""
        parts = (
            tutor(input_ids=input_ids, attention_mask=attention_mask).logits.float().log_softmax(-1) + weight.log()
            for tutor, weight in zip(self.tutors, self.weights / self.weights.sum(), strict=True)
            if weight
        )
        return CausalLMOutput(logits=reduce(torch.logaddexp, parts))

    def generate(self, **arguments: Any) -> Any:
        """Return the output of one tutor, sampled by weight: one tutor writes the whole text with its KV cache."""
        author: Any = self.tutors[int(torch.multinomial(self.weights, 1))]
        return author.generate(**arguments)


def load_ensemble(files: Mapping[str, str], tokenizer: PreTrainedTokenizerBase, folder: Path) -> Ensemble:
    """Load the tutors in a folder, in the order of `files`, which has the hash of each tutor's expected weights.

    Raises:
        UserError: one is no model, has other weights than were measured, or another tokenizer than the student.
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

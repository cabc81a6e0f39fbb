"""What training a student takes: bytes on every GPU and seconds, told from its sizes before it begins.

Example: LoRA of rank 16 on Qwen2.5-0.5B trains 8.8 of 494 million weights: 1.0 GB frozen in bfloat16, 0.14 GB of
adapters with gradients and AdamW's moments, 0.6 GB of activations in passes of 8,192 tokens.

Sources: what a layer keeps by Korthikanti et al. 2022, arXiv:2205.05198, section 4 (34 bytes a token and unit in 16
bits, without attention's scores, which are not kept); operations a token by Kaplan et al. 2020, arXiv:2001.08361,
section 2.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import nn
from transformers import PreTrainedModel

from pfe.config import HubStudent, Student

_BYTES = {"float32": 4, "bfloat16": 2}
_WHOLE = 4 + 4 + 8  # a weight in float32, its gradient, AdamW's two moments
_KEPT = 17  # numbers a token, layer and unit of the hidden size that a layer keeps for its gradients


@dataclass(frozen=True)
class Demand:
    """Counts of weights, bytes, and the operations of one token, there and back."""

    parameters: int
    trained: int
    weights_bytes: int
    activation_bytes: int
    token_operations: int

    def memory(self, gpus: int = 1) -> float:
        """Bytes on each of several GPUs that hold a part of the weights each, without what libraries take."""
        return self.weights_bytes / gpus + self.activation_bytes

    def seconds(self, tokens: float, speed: float, gpus: int = 1) -> float:
        """How long so many tokens take where each GPU does `speed` operations a second in truth."""
        return tokens * self.token_operations / (speed * gpus)


def demand(model: PreTrainedModel, student: Student) -> Demand:
    """Of a model, whose weights may be on the device `meta`, trained as the student says."""
    parameters = model.num_parameters()
    lora = student.lora if isinstance(student, HubStudent) else None
    trained = sum(lora.rank * (layer.in_features + layer.out_features) for layer in _linear(model)) if lora else None
    text = model.config.get_text_config()
    width = text.hidden_size * _BYTES[student.precision]
    layers, back = text.num_hidden_layers, 2 if trained is None else 1
    kept = width * ((layers + _KEPT) if student.checkpointing else layers * _KEPT)
    # Forward 2 a weight; back as much for what goes on to the layer before, and for the weights that are trained.
    passes = 1 + back + student.checkpointing
    attention = 4 * layers * text.hidden_size * student.sequence * (3 + student.checkpointing)
    frozen = 0 if trained is None else parameters * _BYTES[student.precision]
    copies = parameters * _BYTES[student.precision] if trained is None and student.precision != "float32" else 0
    return Demand(
        parameters=parameters,
        trained=parameters if trained is None else trained,
        weights_bytes=_WHOLE * (parameters if trained is None else trained) + frozen + copies,
        activation_bytes=student.batch_tokens * (kept + student.sequence * _BYTES[student.precision]),
        token_operations=2 * parameters * passes + attention,
    )


def _linear(model: PreTrainedModel) -> Iterator[nn.Linear]:
    """The layers that adapters are made for: all linear ones but the last, which says the tokens."""
    head = model.get_output_embeddings()
    yield from (layer for layer in model.modules() if isinstance(layer, nn.Linear) and layer is not head)

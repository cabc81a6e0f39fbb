"""What training a student takes: bytes on every GPU and seconds, by its sizes, as docs/machines.md tells them.

Example: LoRA of rank 16 on Qwen2.5-0.5B trains 8.8 of 494 million weights: 1.0 GB frozen in bfloat16, 0.14 GB of
adapters with gradients and AdamW's moments, 1.3 GB of activations in passes of 8,192 tokens.

What a layer of Llama's kind keeps for its gradients is counted from what autograd saves; operations a token are those
of Kaplan et al. 2020, arXiv:2001.08361, section 2.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import nn
from transformers import PreTrainedModel

from pfe.config import HubStudent, Student

_BYTES = {"float32": 4, "bfloat16": 2}
_WHOLE = 4 + 4 + 8  # a weight in float32, its gradient, AdamW's two moments
# Bytes a token that a layer keeps for its gradients, by unit of the hidden size and of the wider one between its
# matrices. In float32 that is ten tensors of the one size (inputs of both norms, normalized and scaled, queries, keys,
# values and what attention makes of them) and four of the other. Under autocast norms are in float32 all the same.
_KEPT = {"float32": (40, 16), "bfloat16": (34, 8)}
_RESIDUAL = 4  # bytes a token and unit of what goes from layer to layer, all that is kept of one with `checkpointing`


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
    """Of a model of Llama's kind, whose weights may be on the device `meta`, trained as the student says."""
    parameters = model.num_parameters()
    lora = student.lora if isinstance(student, HubStudent) else None
    trained = sum(lora.rank * (layer.in_features + layer.out_features) for layer in _linear(model)) if lora else None
    text = model.config.get_text_config()
    layers, back = text.num_hidden_layers, 2 if trained is None else 1
    by_hidden, by_wider = _KEPT[student.precision]
    # Attention has a mask for itself, in its own type.
    layer = (
        by_hidden * text.hidden_size + by_wider * text.intermediate_size + student.sequence * _BYTES[student.precision]
    )
    kept = layers * _RESIDUAL * text.hidden_size + layer if student.checkpointing else layers * layer
    # Forward 2 a weight; back as much for what goes on to the layer before, and for the weights that are trained.
    passes = 1 + back + student.checkpointing
    attention = 4 * layers * text.hidden_size * student.sequence * (3 + student.checkpointing)
    frozen = 0 if trained is None else parameters * _BYTES[student.precision]
    copies = parameters * _BYTES[student.precision] if trained is None and student.precision != "float32" else 0
    return Demand(
        parameters=parameters,
        trained=parameters if trained is None else trained,
        weights_bytes=_WHOLE * (parameters if trained is None else trained) + frozen + copies,
        activation_bytes=student.batch_tokens * kept,
        token_operations=2 * parameters * passes + attention,
    )


def _linear(model: PreTrainedModel) -> Iterator[nn.Linear]:
    """The layers that adapters are made for: all linear ones but the last, which says the tokens."""
    head = model.get_output_embeddings()
    yield from (layer for layer in model.modules() if isinstance(layer, nn.Linear) and layer is not head)

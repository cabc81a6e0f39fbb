"""Estimates of the memory and time that training a student takes, as docs/machines.md reports them.

Example: LoRA of rank 16 on Qwen2.5-0.5B trains 8.8 of 494 million weights: 1.0 GB frozen in bfloat16, 0.14 GB of
adapters with gradients and AdamW's moments, 1.3 GB of activations in batches of 8,192 tokens.

The activations of a Llama-like layer are counted from what autograd saves; operations per token are those of Kaplan et
al. 2020, arXiv:2001.08361, section 2.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from torch import nn
from transformers import PreTrainedModel

from pfe.config import HubStudent, Student

_BYTES = {"float32": 4, "bfloat16": 2}
_WHOLE = 4 + 4 + 8  # a weight in float32, its gradient, AdamW's two moments
# Bytes per token that a layer saves for its gradients, per unit of the hidden size and of the MLP's intermediate size.
# In float32 that is ten tensors of the hidden size (inputs of both norms, normalized and scaled, queries, keys, values
# and the output of attention) and four of the intermediate size. Under autocast norms stay in float32.
_KEPT = {"float32": (40, 16), "bfloat16": (34, 8)}
_RESIDUAL = 4  # bytes per token and unit of the residual stream, all that `checkpointing` saves of a layer


@dataclass(frozen=True)
class Demand:
    """Counts of weights, bytes of memory, and operations per token, forward and backward."""

    parameters: int
    trained: int
    weights_bytes: int
    activation_bytes: int
    token_operations: int

    def memory(self, gpus: int = 1) -> float:
        """Return the bytes per GPU if the weights are sharded over several, without the overhead of libraries."""
        return self.weights_bytes / gpus + self.activation_bytes

    def seconds(self, tokens: float, speed: float, gpus: int = 1) -> float:
        """Return the time for so many tokens if each GPU in fact does `speed` operations per second."""
        return tokens * self.token_operations / (speed * gpus)


def demand(model: PreTrainedModel, student: Student) -> Demand:
    """Return the demand of a Llama-like model, possibly on the device `meta`, under the student's settings.

    Their precision is not "auto".
    """
    parameters = model.num_parameters()
    lora = student.lora if isinstance(student, HubStudent) else None
    trained = sum(lora.rank * (layer.in_features + layer.out_features) for layer in _linear(model)) if lora else None
    text = model.config.get_text_config()
    layers, back = text.num_hidden_layers, 2 if trained is None else 1
    by_hidden, by_wider = _KEPT[student.precision]
    # Attention saves its mask too, in its own type.
    layer = (
        by_hidden * text.hidden_size + by_wider * text.intermediate_size + student.sequence * _BYTES[student.precision]
    )
    kept = layers * _RESIDUAL * text.hidden_size + layer if student.checkpointing else layers * layer
    # Forward: 2 operations per weight; backward: as many for the layer's inputs, and as many for trained weights.
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
    """Yield the layers that get adapters: all linear ones except the output layer."""
    head = model.get_output_embeddings()
    yield from (layer for layer in model.modules() if isinstance(layer, nn.Linear) and layer is not head)

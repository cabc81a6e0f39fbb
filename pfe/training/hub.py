"""Initial models of students: pre-trained weights from a folder or the hub, fine-tuned whole or by LoRA adapters.

Example: `hub_student(HubStudent(path="Qwen/Qwen2.5-0.5B", …))` is Qwen2.5 in float32 and its tokenizer. Within
`adapters(model, student, seed, folder)` 8.8 of its 494 million weights are trained; afterwards they are in the folder.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar, cast

import torch
from datasets import Dataset
from transformers import PreTrainedModel, PreTrainedTokenizerBase, set_seed

from pfe.config import HubStudent, NewStudent, Student
from pfe.errors import UserError
from pfe.extras import need
from pfe.models.loading import load
from pfe.models.precision import AUTO, arithmetic
from pfe.quiet import quiet
from pfe.training.files import distinct_texts
from pfe.training.processes import is_first
from pfe.training.student import new_student, new_tokenizer, save

S = TypeVar("S", bound=Student)
Precision = Literal["float32", "bfloat16"]


def on_this_machine(student: S) -> S:
    """Return the student with the precision that "auto" means on this machine."""
    return replace(student, precision=cast(Precision, arithmetic(student.precision, AUTO).dtype))


def beginning(
    student: NewStudent | HubStudent, corpus: Dataset, seed: int
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the untrained student and its tokenizer: random weights by the seed, or pre-trained ones.

    Raises:
        UserError: as `hub_student` does.
    """
    if isinstance(student, HubStudent):
        return hub_student(student)
    tokenizer = new_tokenizer(distinct_texts(corpus), student.vocabulary, student.context)
    return new_student(tokenizer, student, seed), tokenizer


def hub_student(student: HubStudent) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return a pre-trained model, in float32 on the CPU, and its tokenizer.

    Raises:
        UserError: it cannot be loaded, its context window is too short, or it has no end-of-text token.
    """
    try:
        loaded = load(student.path, student.revision, "float32", "cpu")
    except UserError as error:
        raise UserError(f"student.path: {error}") from None
    if student.context > loaded.window:
        raise UserError(
            f"student.context: {student.context:,} tokens, and '{student.path}' takes {loaded.window:,}; lower it"
        )
    tokenizer: PreTrainedTokenizerBase = loaded.tokenizer
    tokenizer.model_max_length = loaded.window
    if tokenizer.eos_token is None:
        raise UserError(f"student.path: the tokenizer of '{student.path}' has no token that ends a text; take another")
    tokenizer.chat_template = None  # lessons are plain prompts, and evaluation uses their format
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return loaded.model, tokenizer


@contextmanager
def adapters(model: PreTrainedModel, student: Student, seed: int, folder: Path) -> Iterator[PreTrainedModel]:
    """Yield the model to train: with LoRA adapters (Hu et al. 2021, arXiv:2106.09685) if the student has `lora`.

    Otherwise it is trained whole. Weights that are frozen are in the student's precision, which is not "auto". At the
    end the adapters are saved in the folder and merged into the model's weights, both in float32.

    Raises:
        UserError: peft is not installed.
    """
    if not isinstance(student, HubStudent) or student.lora is None:
        yield model
        return
    need("student.lora", "peft")
    from peft import LoraConfig, get_peft_model

    set_seed(seed)
    settings = LoraConfig(
        r=student.lora.rank,
        lora_alpha=student.lora.alpha,
        lora_dropout=student.lora.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, settings)
    for weights in adapted.parameters():
        if not weights.requires_grad:
            weights.data = weights.data.to(getattr(torch, student.precision))
    yield cast(PreTrainedModel, adapted)
    adapted.float()
    if is_first():
        place = Path(student.path)
        settings.base_model_name_or_path = str(place.resolve()) if place.exists() else student.path
        settings.revision = student.revision
        adapted.save_pretrained(str(folder), save_embedding_layers=False)  # or peft looks for the base on the hub
    adapted.merge_and_unload()


def save_trained(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, adapter: Path, folder: Path) -> None:
    """Save a trained student: its adapters if training left a folder `adapter`, otherwise the whole model."""
    if not adapter.is_dir():
        save(model, tokenizer, folder)
        return
    shutil.copytree(adapter, folder, dirs_exist_ok=True)
    with quiet():
        tokenizer.save_pretrained(folder)

"""Training the student on the tutors' answer keys, with TRL.

The tutors' texts are the targets (sequence-level distillation, Kim and Rush 2016, arXiv:1606.07947):
procedural tutors have no token probabilities to match. What lessons of a row share is laid out once
(`pfe.training.sharing`), after a proof that the model learns the same of it.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from datasets import Dataset
from dvclive import Live
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase
from trl import SFTConfig

from pfe.config import NewStudent, Student
from pfe.errors import UserError
from pfe.training.course import course
from pfe.training.figures import curves
from pfe.training.hub import adapters
from pfe.training.loop import Curves, ValidatingTrainer, last_checkpoint, saving
from pfe.training.optimizer import MuonAdamW
from pfe.training.processes import check_launch, gather, in_parts, is_first, is_several
from pfe.training.proof import refusal
from pfe.training.record import Training
from pfe.training.sharing import Example, collate, examples, in_batches, joined, lay_out, reads_rows
from pfe.training.validation import Validator

Batch = Sequence[Sequence[list[Example]]]  # sequences of rows


def train(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    corpus: Dataset,
    student: Student,
    seed: int,
    validator: Validator,
    live: Live,
    checkpoints: Path,
) -> Training:
    """Train the model in place on the corpus's completions, and on every library once, to its best checkpoint.

    Args:
        live: draws the curves.
        checkpoints: a folder for this run alone; what is in it is gone on from.

    Raises:
        UserError: the model cannot be trained on shared rows or as it was launched, no lesson fits, or the loss or the
            weights grew beyond all bounds.
    """
    check_launch(student)
    rows = fitting(corpus, tokenizer, student.context)
    reads_rows(model)
    shortest = min(rows, key=lambda row: sum(len(example.tokens) for example in row))
    if is_first() and (reason := refusal(model, shortest)):
        raise UserError(f"the student cannot be trained on rows that share a library: {reason}")
    read = list(course(rows, Random(seed), student.epochs, student.exercises, len(tokenizer)))
    batches: list[Batch] = [
        [[read[place] for place in sequence] for sequence in batch]
        for batch in in_batches(_sizes(read), student.sequence, student.batch_tokens)
    ]
    drawn = Curves(live, student.checkpoints.every, math.log(len(tokenizer)))
    last = last_checkpoint(checkpoints)
    with adapters(model, student, seed) as adapted:
        trainer = _trainer(model, adapted, tokenizer, batches, student, seed, validator, drawn, checkpoints)
        trainer.train(resume_from_checkpoint=str(last) if last else None)
        gather(trainer, model)
    if not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        raise UserError("the student's weights are no finite numbers any more; lower student.learning_rate")
    end = drawn.losses[-5:]
    steps = int(trainer.state.global_step)
    return Training(
        loss=sum(end) / len(end),
        first_loss=drawn.losses[0],
        lessons=sum(map(len, rows)),
        steps=steps,
        parameters=model.num_parameters(),
        chosen_step=trainer.state.best_global_step or steps,
    )


def fitting(corpus: Iterable[dict[str, Any]], tokenizer: PreTrainedTokenizerBase, context: int) -> list[list[Example]]:
    """The corpus in tokens, without lessons of more than `context`.

    Raises:
        UserError: none is left.
    """
    rows = [[example for example in examples(row, tokenizer) if len(example.tokens) <= context] for row in corpus]
    if not any(rows):
        raise UserError(f"no lesson of the corpus fits student.context={context}; raise it")
    return [row for row in rows if row]


def _sizes(rows: Sequence[list[Example]]) -> list[int]:
    """Nodes of every row; one that comes again is laid out once."""
    known: dict[int, int] = {}
    for row in rows:
        if id(row) not in known:
            known[id(row)] = len(lay_out(row).tokens)
    return [known[id(row)] for row in rows]


def _trainer(
    model: PreTrainedModel,
    adapted: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    batches: Sequence[Batch],
    student: Student,
    seed: int,
    validator: Validator,
    drawn: Curves,
    checkpoints: Path,
) -> ValidatingTrainer:
    """A trainer that is handed the batches in their order; of several processes none could ask the model alone."""

    def collator(numbers: Sequence[dict[str, int]]) -> dict[str, Tensor]:
        (number,) = numbers
        return collate(
            [joined([lay_out(row) for row in sequence]) for sequence in batches[number["batch"]]],
            tokenizer.pad_token_id,
        )

    asked = [] if is_several() else validator.questions(student.checkpoints.problems)
    settings = SFTConfig(
        **saving(checkpoints, student.checkpoints.every, bool(asked)),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=student.accumulation,
        activation_checkpointing=student.checkpointing,
        num_train_epochs=1,
        learning_rate=student.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=0.05,
        max_length=None,
        dataset_kwargs={"skip_prepare_dataset": True},
        remove_unused_columns=False,
        train_sampling_strategy="sequential",
        report_to="none",
        dataloader_pin_memory=False,
        use_cpu=not torch.cuda.is_available(),
        bf16=student.precision == "bfloat16",
        seed=seed,
    )
    data = Dataset.from_dict({"batch": range(len(batches))})
    return ValidatingTrainer(
        model=in_parts(adapted),
        args=settings,
        train_dataset=data,
        eval_dataset=data if asked else None,
        data_collator=collator,
        processing_class=tokenizer,
        callbacks=[drawn],
        optimizers=(MuonAdamW(model, student.learning_rate) if isinstance(student, NewStudent) else None, None),
        validate=lambda: curves(validator.outcomes(model, asked)),
    )

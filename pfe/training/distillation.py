"""Training of the student on the tutors' answer keys, with TRL.

The tutors' texts are the targets (sequence-level distillation, Kim and Rush 2016, arXiv:1606.07947):
procedural tutors have no token probabilities to match. The shared prefix of a row's lessons is laid out once
(`pfe.training.prefix_sharing`), after a check that the model learns the same from it.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from datasets import Dataset
from dvclive import Live
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from pfe.config import Student
from pfe.errors import UserError
from pfe.training.checkpoints import saving
from pfe.training.curriculum import level, reading_order
from pfe.training.figures import curves
from pfe.training.hub import adapters
from pfe.training.lessons import Lessons, Pass, in_passes, tensors, trial
from pfe.training.loop import Curves, trained
from pfe.training.prefix_sharing import reads_rows
from pfe.training.processes import check_launch, gather, in_parts, is_first, is_several, processes
from pfe.training.record import Training
from pfe.training.shared_rows_check import refusal
from pfe.training.validation import Validator

if TYPE_CHECKING:
    from pfe.training.trainer import ValidatingTrainer

ADAPTER = "adapter"  # a folder next to the checkpoints
_RISING = 0.05  # share of the steps for warm-up; then the learning rate decays to `_LAST_RATE` of its maximum
_LAST_RATE = 0.1  # at a final rate of 0 the last rows would not be learned


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
    """Train the model in place on the corpus's completions, and on every library once, up to its best checkpoint.

    Args:
        live: logs the curves.
        checkpoints: a folder for this run alone, to resume from. At the end adapters are in `ADAPTER`.

    Raises:
        UserError: the model cannot be trained on shared rows or as it was launched, no lesson fits, or the loss or the
            weights diverged.
    """
    check_launch(student)
    rows = Lessons(corpus, tokenizer, student.context)
    levels = [level(row) for row in corpus.select_columns(["set", "skill", "rung", "names"])]
    order = reading_order(levels, student.tokens, rows.tokens, seed)
    passes = in_passes(rows, order, student.sequence, student.batch_tokens)
    reads_rows(model)
    if is_first() and (reason := refusal(model, trial(rows.read), rows.longest)):
        raise UserError(f"the student cannot be trained on rows that share a library: {reason}")
    rows.note()
    drawn = Curves(live, student.checkpoints.every, math.log(len(tokenizer)))
    with adapters(model, student, seed, checkpoints / ADAPTER) as adapted:
        trainer = _trainer(model, adapted, tokenizer, rows, passes, student, seed, validator, drawn, checkpoints)
        trained(trainer, checkpoints)
        gather(trainer, model)
    if not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        raise UserError("the student's weights are no finite numbers any more; lower student.learning_rate")
    end = drawn.losses[-5:]
    return Training(
        loss=sum(end) / len(end),
        first_loss=drawn.losses[0],
        lessons=sum(len(rows[number]) for of_pass in passes for numbers in of_pass for number in numbers),
        steps=int(trainer.state.global_step),
        parameters=model.num_parameters(),
        chosen_step=trainer.state.best_global_step,
    )


def _trainer(
    model: PreTrainedModel,
    adapted: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Lessons,
    passes: Sequence[Pass],
    student: Student,
    seed: int,
    validator: Validator,
    drawn: Curves,
    checkpoints: Path,
) -> "ValidatingTrainer":
    """Return a trainer that takes one pass (batch) after the other; with several processes it does not validate."""
    from trl import SFTConfig

    from pfe.training.trainer import ValidatingTrainer

    def collator(numbers: Sequence[dict[str, int]]) -> dict[str, Tensor]:
        (number,) = numbers
        return tensors(rows, passes[number["pass"]], int(tokenizer.pad_token_id))

    steps = math.ceil(len(passes) / (student.accumulation * processes()))
    rising = math.ceil(_RISING * steps)
    asked = [] if is_several() else validator.questions(student.checkpoints.problems)
    settings = SFTConfig(
        **saving(checkpoints, student.checkpoints.every, validates=bool(asked)),
        per_device_train_batch_size=1,
        gradient_accumulation_steps=student.accumulation,
        activation_checkpointing=student.checkpointing,
        num_train_epochs=1,
        learning_rate=student.learning_rate,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={"num_decay_steps": steps - rising, "decay_type": "1-sqrt", "min_lr_ratio": _LAST_RATE},
        warmup_steps=rising,
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
    data = Dataset.from_dict({"pass": range(len(passes))})
    return ValidatingTrainer(
        model=in_parts(adapted),
        args=settings,
        train_dataset=data,
        eval_dataset=data if asked else None,
        data_collator=collator,
        processing_class=tokenizer,
        callbacks=[drawn],
        validate=lambda: curves(validator.outcomes(model, asked)),
    )

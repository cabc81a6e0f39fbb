"""Training the student on the tutors' answer keys, with TRL.

The tutors' texts are the targets (sequence-level distillation, Kim and Rush 2016, arXiv:1606.07947):
procedural tutors have no token probabilities to match.
"""

import tempfile
from pathlib import Path
from typing import Any

from datasets import Dataset
from dvclive import Live
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast, TrainerCallback
from trl import SFTConfig, SFTTrainer

from pfe.config import Student
from pfe.errors import UserError
from pfe.training.record import Training
from pfe.training.rows import plain


class _Curves(TrainerCallback):
    """Writes the loss and the learning rate to DVCLive as training goes on."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.losses: list[float] = []

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **kwargs: Any) -> None:
        if not logs or "loss" not in logs:
            return
        self.losses.append(float(logs["loss"]))
        self.live.step = state.global_step
        self.live.log_metric("loss", self.losses[-1])
        self.live.log_metric("learning_rate", float(logs["learning_rate"]))
        self.live.sync()


def train(
    model: LlamaForCausalLM,
    tokenizer: PreTrainedTokenizerFast,
    corpus: Dataset,
    student: Student,
    seed: int,
    curves: Path,
) -> Training:
    """Train the model in place on the corpus's completions, and on every library once.

    Raises:
        UserError: the weights grew beyond all bounds.
    """
    examples = Dataset.from_list([example for row in corpus for example in plain(row)])
    live = Live(dir=str(curves), dvcyaml=None, report=None, save_dvc_exp=False, resume=False)
    callback = _Curves(live)
    with tempfile.TemporaryDirectory() as scratch, live:
        settings = SFTConfig(
            output_dir=scratch,
            per_device_train_batch_size=student.batch_size,
            num_train_epochs=student.epochs,
            learning_rate=student.learning_rate,
            lr_scheduler_type="cosine",
            warmup_steps=0.05,
            max_length=student.context,
            completion_only_loss=True,
            train_sampling_strategy="group_by_length",
            logging_steps=10,
            logging_first_step=True,
            report_to="none",
            save_strategy="no",
            dataloader_pin_memory=False,
            bf16=False,
            seed=seed,
        )
        trainer = SFTTrainer(
            model=model,
            args=settings,
            train_dataset=examples,
            processing_class=tokenizer,
            callbacks=[callback],
        )
        trainer.train()
    if not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        raise UserError("the student's weights are no finite numbers any more; lower student.learning_rate")
    last = callback.losses[-5:]
    return Training(
        loss=sum(last) / len(last),
        first_loss=callback.losses[0],
        lessons=len(examples),
        steps=int(trainer.state.global_step),
        parameters=model.num_parameters(),
    )
